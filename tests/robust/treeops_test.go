package robust_test

import (
	"fmt"
	"math/big"
)

// What the tree walker computes with.

func (p operation) eval(env *scope) any {
	env.step()
	var args []any
	for _, a := range p.args {
		args = append(args, a.eval(env))
	}
	switch p.op {
	case "list":
		return append([]any{}, args...)
	case "throw":
		if e, ok := args[0].(*raised); ok {
			panic(e)
		}
		panic(&raised{"user", args[0]})
	case "not":
		return !truthy(args[0])
	case "null?", "pair?", "car", "cdr":
		return access(p.op, args[0])
	case "cons":
		return prepend(args[0], args[1])
	}
	v := args[0]
	for _, next := range args[1:] {
		v = operate(p.op, v, next)
	}
	return v
}

func access(op string, v any) any {
	l, isList := v.([]any)
	_, isNil := v.(nothing)
	switch {
	case op == "null?":
		return isNil || isList && len(l) == 0
	case op == "pair?":
		return isList && len(l) > 0
	case !isList:
		fail("type-error")
	case op == "car" && len(l) == 0:
		return nothing{}
	case op == "car":
		return l[0]
	case len(l) == 0:
		return l
	}
	return append([]any{}, l[1:]...)
}

func prepend(x, list any) any {
	switch l := list.(type) {
	case []any:
		return append([]any{x}, l...)
	case nothing:
		return []any{x}
	}
	return []any{x, list}
}

// operate is an operation on two operands.
func operate(op string, x, y any) any {
	if op == "eq?" {
		return same(x, y)
	}
	a, ok1 := x.(*big.Int)
	b, ok2 := y.(*big.Int)
	if op == "=" && !(ok1 && ok2) {
		return same(x, y)
	}
	if !ok1 || !ok2 {
		fail("type-error")
	}
	switch op {
	case "<":
		return a.Cmp(b) < 0
	case "<=":
		return a.Cmp(b) <= 0
	case ">":
		return a.Cmp(b) > 0
	case ">=":
		return a.Cmp(b) >= 0
	case "=":
		return a.Cmp(b) == 0
	}
	return compute(op, a, b)
}

func compute(op string, a, b *big.Int) any {
	z := new(big.Int)
	if b.Sign() == 0 && (op == "quotient" || op == "remainder" || op == "modulo") {
		fail("eval")
	}
	switch op {
	case "+":
		z.Add(a, b)
	case "-":
		z.Sub(a, b)
	case "*":
		z.Mul(a, b)
	case "quotient":
		z.Quo(a, b)
	case "remainder":
		z.Rem(a, b)
	case "modulo":
		z.Rem(a, b)
		if z.Sign() != 0 && z.Sign() != b.Sign() {
			z.Add(z, b)
		}
	default:
		panic(fmt.Sprint("no operation ", op))
	}
	if z.BitLen() > 2000 {
		panic(tooLong{})
	}
	return z
}

func same(x, y any) bool {
	l, ok1 := x.([]any)
	m, ok2 := y.([]any)
	a, ok3 := x.(*big.Int)
	b, ok4 := y.(*big.Int)
	switch {
	case ok3 && ok4:
		return a.Cmp(b) == 0
	case ok1 && ok2:
		if len(l) != len(m) {
			return false
		}
		for i := range l {
			if !same(l[i], m[i]) {
				return false
			}
		}
		return true
	case ok1 || ok2 || ok3 || ok4:
		return false
	}
	return x == y
}

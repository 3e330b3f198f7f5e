package core

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func aggregateBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "list/sum", Arity: eval.Exactly(1), Fn: listSum,
			Doc: "(list/sum seq) adds the numbers.", Example: "(list/sum '(1 2 3)) ; => 6\n(list/sum '()) ; => 0"},
		{Name: "list/min", Arity: eval.Exactly(1), Fn: extremeOf("list/min", -1),
			Doc: "(list/min seq) is the smallest number.", Example: "(list/min '(3 1 2)) ; => 1"},
		{Name: "list/max", Arity: eval.Exactly(1), Fn: extremeOf("list/max", 1),
			Doc: "(list/max seq) is the largest number.", Example: "(list/max '(3 1 2)) ; => 3"},
		{Name: "list/avg", Arity: eval.Exactly(1), Fn: listAvg,
			Doc: "(list/avg seq) is the arithmetic mean, a float.", Example: "(list/avg '(2 4 6)) ; => 4.0"},
		{Name: "list/median", Arity: eval.Exactly(1), Fn: listMedian,
			Doc: "(list/median seq) is the middle number, or the mean of the two middle ones, a float.", Example: "(list/median '(3 1 2)) ; => 2.0\n(list/median '(1 2 3 4)) ; => 2.5"},
		{Name: "min", Arity: eval.AtLeast(1), Fn: extreme("min", -1),
			Doc: "(min n ...) is the smallest number, as it was given.", Example: "(min 3 1.5 2) ; => 1.5"},
		{Name: "max", Arity: eval.AtLeast(1), Fn: extreme("max", 1),
			Doc: "(max n ...) is the largest number, as it was given.", Example: "(max 1 2.5) ; => 2.5"},
	}
}

func sum(t *eval.Thread, seq Value) (Value, error) {
	total := value.Int(0)
	for x := range seq.Elems() {
		if err := t.Tick(1); err != nil {
			return value.Nil, err
		}
		s, ok := value.Add(total, x)
		if !ok {
			return value.Nil, eval.TypeError("a number", x)
		}
		total = s
	}
	return total, nil
}

func listSum(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return sum(t, seq)
}

// inexact is the float nearest to a number, or a complex number of two.
func inexact(v Value) Value {
	n, _ := v.Inexact()
	return n
}

func listAvg(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if seq.Len() == 0 {
		return value.Nil, emptyOf("list/avg")
	}
	total, err := sum(t, seq)
	if err != nil {
		return value.Nil, err
	}
	mean, _, err := value.Div(total, value.Int(int64(seq.Len())))
	return inexact(mean), err
}

func listMedian(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	elems := a.Seq(0).AppendTo(nil)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	n := len(elems)
	if n == 0 {
		return value.Nil, emptyOf("list/median")
	}
	for _, x := range elems {
		if !x.IsReal() {
			return value.Nil, notOrdered(x)
		}
	}
	if err := sortPlain(t, elems); err != nil {
		return value.Nil, err
	}
	total, _ := value.Add(elems[(n-1)/2], elems[n/2])
	mean, _, err := value.Div(total, value.Int(2))
	return inexact(mean), err
}

// notOrdered is the error of what has no place in the order of numbers.
func notOrdered(x Value) error {
	if x.IsComplex() {
		return eval.TypeError(notReal, x)
	}
	return eval.TypeError("a number", x)
}

// extreme makes min (sign -1) and max (sign 1).
func extreme(name string, sign int) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) { return extremeIn(t, name, sign, args) }
}

func extremeOf(name string, sign int) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		elems := a.Elems(0)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		if len(elems) == 0 {
			return value.Nil, emptyOf(name)
		}
		return extremeIn(t, name, sign, elems)
	}
}

func extremeIn(t *eval.Thread, name string, sign int, xs []Value) (Value, error) {
	best := xs[0]
	for _, x := range xs {
		o, ok := value.CompareNumbers(x, best)
		switch {
		case !ok && !best.IsReal():
			return value.Nil, notOrdered(best)
		case !ok:
			return value.Nil, notOrdered(x)
		case o == 2:
			return value.Nil, eval.Errorf(eval.KindEval, "%s: NaN is neither smaller nor larger than any number", name)
		case o == sign:
			best = x
		}
	}
	return best, t.Tick(len(xs))
}

package core

import (
	"math"
	"math/big"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func mathBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "abs", Aliases: []string{"magnitude"}, Arity: eval.Exactly(1), Fn: abs,
			Doc:     "(abs n) is n without its sign; of a complex number, its distance from 0, a float.",
			Example: "(abs -5) ; => 5\n(abs -1/2) ; => 1/2\n(magnitude 3+4i) ; => 5.0"},
		{Name: "square", Arity: eval.Exactly(1), Fn: square,
			Doc: "(square n) is n times n.", Example: "(square 5) ; => 25\n(square 1/2) ; => 1/4"},
		{Name: "gcd", Aliases: []string{"math/gcd"}, Arity: eval.AtLeast(0), Fn: gcd,
			Doc: "(gcd n ...) is the greatest common divisor.", Example: "(gcd 12 -8) ; => 4\n(gcd) ; => 0"},
		{Name: "lcm", Aliases: []string{"math/lcm"}, Arity: eval.AtLeast(0), Fn: lcm,
			Doc: "(lcm n ...) is the least common multiple.", Example: "(lcm 4 6) ; => 12\n(lcm) ; => 1"},
		{Name: "math/clamp", Arity: eval.Exactly(3), Fn: mathClamp,
			Doc: "(math/clamp n lo hi) is n, or the limit that it passes; a float if one of them is.", Example: "(math/clamp 15 0 10) ; => 10"},
		{Name: "math/sign", Arity: eval.Exactly(1), Fn: mathSign,
			Doc: "(math/sign n) is -1, 0 or 1.", Example: "(math/sign -2.5) ; => -1"},
	}
}

func abs(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n := a.Number(0)
	switch {
	case a.Err() != nil:
		return value.Nil, a.Err()
	case n.IsComplex():
		z, _ := n.ToComplex()
		return value.Float(math.Hypot(real(z), imag(z))), nil
	}
	return absolute(n), nil
}

// absolute is a real number without its sign.
func absolute(n Value) Value {
	if f, ok := n.AsFloat(); ok {
		return value.Float(math.Abs(f))
	}
	if o, _ := value.CompareNumbers(n, value.Int(0)); o < 0 {
		n, _ = value.Sub(value.Int(0), n)
	}
	return n
}

func square(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n := a.Number(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	n, _ = value.Mul(n, n)
	return n, nil
}

// checkSlow refuses integers so long that what takes quadratic time would seem
// to hang.
func checkSlow(name string, xs ...*big.Int) error {
	for _, x := range xs {
		if x.BitLen() > slowBits {
			return eval.Errorf(eval.KindEval, "refused: %s of an integer of more than %d bits", name, slowBits)
		}
	}
	return nil
}

// integers reads all arguments as exact integers that are not too long for name.
func integers(name string, args []Value) ([]*big.Int, error) {
	a := eval.ArgsOf(args)
	ns := make([]*big.Int, len(args))
	for i := range args {
		ns[i] = integer(&a, i)
	}
	a.Fail(checkSlow(name, ns...))
	return ns, a.Err()
}

func gcd(t *eval.Thread, args []Value) (Value, error) {
	ns, err := integers("gcd", args)
	if err != nil {
		return value.Nil, err
	}
	d := new(big.Int)
	for _, n := range ns {
		d = new(big.Int).GCD(nil, nil, d, new(big.Int).Abs(n))
	}
	return value.Big(d), nil
}

func lcm(t *eval.Thread, args []Value) (Value, error) {
	ns, err := integers("lcm", args)
	if err != nil {
		return value.Nil, err
	}
	m := big.NewInt(1)
	for _, n := range ns {
		if n.Sign() == 0 {
			return value.Int(0), nil
		}
		if err := checkSlow("lcm", m); err != nil {
			return value.Nil, err
		}
		n = new(big.Int).Abs(n)
		d := new(big.Int).GCD(nil, nil, m, n)
		m = new(big.Int).Mul(m, n.Quo(n, d))
	}
	return value.Big(m), nil
}

func mathClamp(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n, lo, hi := realNumber(&a, 0), realNumber(&a, 1), realNumber(&a, 2)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	anyFloat := n.IsFloat() || lo.IsFloat() || hi.IsFloat()
	if o, _ := value.CompareNumbers(n, lo); o == -1 {
		n = lo
	}
	if o, _ := value.CompareNumbers(n, hi); o == 1 {
		n = hi
	}
	if anyFloat {
		return inexact(n), nil
	}
	return n, nil
}

func mathSign(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	o, _ := value.CompareNumbers(realNumber(&a, 0), value.Int(0))
	if o == 2 { // NaN
		o = 0
	}
	return value.Int(int64(o)), a.Err()
}

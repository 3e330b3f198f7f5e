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
			Doc: "(abs n) is n without its sign.", Example: "(abs -5) ; => 5\n(abs -1/2) ; => 1/2"},
		{Name: "expt", Aliases: []string{"pow", "math/pow"}, Arity: eval.Exactly(2), Fn: expt,
			Doc:     "(expt base n) is base to the power of n, exact for an exact base and an integer n.",
			Example: "(expt 2 100) ; => 1267650600228229401496703205376\n(expt 2 -1) ; => 1/2\n(expt 9 0.5) ; => 3.0"},
		{Name: "sqrt", Arity: eval.Exactly(1), Fn: sqrt,
			Doc: "(sqrt n) is the square root, exact if it can be.", Example: "(sqrt 16) ; => 4\n(sqrt 1/4) ; => 1/2\n(sqrt 2) ; => 1.4142135623730951"},
		{Name: "exact-integer-sqrt", Arity: eval.Exactly(1), Fn: exactIntegerSqrt,
			Doc: "(exact-integer-sqrt n) lists the whole part s of the root, and n - s*s.", Example: "(exact-integer-sqrt 17) ; => (4 1)"},
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
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if f, ok := n.AsFloat(); ok {
		return value.Float(math.Abs(f)), nil
	}
	if o, _ := value.CompareNumbers(n, value.Int(0)); o < 0 {
		n, _ = value.Sub(value.Int(0), n)
	}
	return n, nil
}

func expt(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	base, n := a.Number(0), a.Number(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if r, ok := base.AsRational(); ok && n.IsInteger() {
		power, _ := n.AsBig()
		return exactPower(t, r, power)
	}
	x, _ := base.ToFloat()
	y, _ := n.ToFloat()
	return value.Float(math.Pow(x, y)), nil
}

// exactPower raises numerator and denominator, after a look at how large that
// will be.
func exactPower(t *eval.Thread, base *big.Rat, n *big.Int) (Value, error) {
	if n.Sign() < 0 && base.Sign() == 0 {
		return value.Nil, value.ErrDivisionByZero
	}
	limit := int64(maxBits)
	if !base.IsInt() { // reducing the ratio takes quadratic time
		limit = slowBits
	}
	bits := int64(max(base.Num().BitLen(), base.Denom().BitLen()) - 1)
	if bits > 0 && (!n.IsInt64() || n.Int64() > limit/bits || n.Int64() < -limit/bits) {
		return value.Nil, eval.Errorf(eval.KindEval, "refused: the power would have more than %d bits", limit)
	}
	num, err := power(t, base.Num(), n)
	if err != nil {
		return value.Nil, err
	}
	denom, err := power(t, base.Denom(), n)
	if err != nil {
		return value.Nil, err
	}
	if n.Sign() < 0 {
		num, denom = denom, num
	}
	q, _, err := value.Div(value.Big(num), value.Big(denom))
	return q, err
}

// power is x to the power of |n| by squaring.
func power(t *eval.Thread, x, n *big.Int) (*big.Int, error) {
	if x.BitLen() <= 1 { // 0, 1 and -1, to any power
		z := new(big.Int).Abs(x)
		if n.Sign() == 0 || x.Sign() < 0 && n.Bit(0) == 1 {
			z.SetInt64(1)
			if n.Bit(0) == 1 {
				z.Neg(z)
			}
		}
		return z, nil
	}
	z := big.NewInt(1)
	m := new(big.Int).Abs(n)
	for i := m.BitLen() - 1; i >= 0; i-- {
		z.Mul(z, z)
		if m.Bit(i) == 1 {
			z.Mul(z, x)
		}
		if err := t.Tick(1 + z.BitLen()/64); err != nil {
			return nil, err
		}
	}
	return z, nil
}

func sqrt(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n := a.Number(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if o, _ := value.CompareNumbers(n, value.Int(0)); o == -1 {
		e := eval.Errorf(eval.KindEval, "sqrt: the root of %s is a complex number, and there are none here", eval.Brief(n))
		return value.Nil, e
	}
	if r, ok := n.AsRational(); ok {
		return exactRoot(r, n)
	}
	f, _ := n.ToFloat()
	return value.Float(math.Sqrt(f)), nil
}

// exactRoot is the root of r, which n is as a value.
func exactRoot(r *big.Rat, n Value) (Value, error) {
	if err := checkSlow("sqrt", r.Num(), r.Denom()); err != nil {
		return value.Nil, err
	}
	num, denom := new(big.Int).Sqrt(r.Num()), new(big.Int).Sqrt(r.Denom())
	square := func(x *big.Int) *big.Int { return new(big.Int).Mul(x, x) }
	if square(num).Cmp(r.Num()) == 0 && square(denom).Cmp(r.Denom()) == 0 {
		q, _, err := value.Div(value.Big(num), value.Big(denom))
		return q, err
	}
	f, _ := n.ToFloat()
	if math.IsInf(f, 1) { // too large for a float, though its root may not be
		f, _ = value.Big(num).ToFloat()
		return value.Float(f), nil
	}
	return value.Float(math.Sqrt(f)), nil
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

func exactIntegerSqrt(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n := integer(&a, 0)
	if n.Sign() < 0 {
		a.Bad(0, "an integer that is not negative")
	}
	a.Fail(checkSlow("exact-integer-sqrt", n))
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	s := new(big.Int).Sqrt(n)
	rest := new(big.Int).Mul(s, s)
	rest.Sub(n, rest)
	return t.Heap().List([]Value{value.Big(s), value.Big(rest)}), nil
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
	n, lo, hi := a.Number(0), a.Number(1), a.Number(2)
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
	o, _ := value.CompareNumbers(a.Number(0), value.Int(0))
	if o == 2 { // NaN
		o = 0
	}
	return value.Int(int64(o)), a.Err()
}

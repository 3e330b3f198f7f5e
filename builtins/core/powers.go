package core

import (
	"math"
	"math/big"
	"math/cmplx"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func powerBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "expt", Aliases: []string{"pow", "math/pow"}, Arity: eval.Exactly(2), Fn: expt,
			Doc:     "(expt base n) is base to the power of n, exact for an exact base and an integer n.",
			Example: "(expt 2 100) ; => 1267650600228229401496703205376\n(expt 2 -1) ; => 1/2\n(expt 9 0.5) ; => 3.0\n(expt +i 2) ; => -1"},
		{Name: "sqrt", Arity: eval.Exactly(1), Fn: sqrt,
			Doc: "(sqrt n) is the square root, exact if it can be; that of a negative number is complex.", Example: "(sqrt 16) ; => 4\n(sqrt 1/4) ; => 1/2\n(sqrt 2) ; => 1.4142135623730951\n(sqrt -1) ; => 0+1i"},
		{Name: "exact-integer-sqrt", Arity: eval.Exactly(1), Fn: exactIntegerSqrt,
			Doc: "(exact-integer-sqrt n) lists the whole part s of the root, and n - s*s.", Example: "(exact-integer-sqrt 17) ; => (4 1)"},
	}
}

func expt(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	base, n := a.Number(0), a.Number(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if power, ok := n.AsBig(); ok && base.IsExact() {
		if r, real := base.AsRational(); real {
			return exactPower(t, r, power)
		}
		return gaussianPower(t, base, power)
	}
	if base.IsReal() && n.IsReal() {
		x, _ := base.ToFloat()
		y, _ := n.ToFloat()
		return value.Float(math.Pow(x, y)), nil
	}
	x, _ := base.ToComplex()
	y, _ := n.ToComplex()
	return fromComplex(complexPower(x, y)), nil
}

// exactPower raises numerator and denominator, after a look at how large that
// will be.
func exactPower(t *eval.Thread, base *big.Rat, n *big.Int) (Value, error) {
	if n.Sign() < 0 && base.Sign() == 0 {
		return value.Nil, value.ErrDivisionByZero
	}
	if err := reservePower(t, base, n); err != nil {
		return value.Nil, err
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

// reservePower refuses a power that would be too large, and asks for the memory
// of others.
func reservePower(t *eval.Thread, base *big.Rat, n *big.Int) error {
	limit := int64(maxBits)
	if !base.IsInt() { // reducing the ratio takes quadratic time
		limit = slowBits
	}
	bits := int64(max(base.Num().BitLen(), base.Denom().BitLen()) - 1)
	if bits <= 0 { // 0, 1 and -1, to any power
		return nil
	}
	if !n.IsInt64() || n.Int64() > limit/bits || n.Int64() < -limit/bits {
		return tooLargePower(limit)
	}
	return t.Reserve(bits * max(n.Int64(), -n.Int64()) / 8)
}

func tooLargePower(limit int64) error {
	return eval.Errorf(eval.KindEval, "refused: the power would have more than %d bits", limit)
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
	return root(n)
}

// root is the principal square root of any number.
func root(n Value) (Value, error) {
	if n.IsComplex() {
		return complexRoot(n)
	}
	if o, _ := value.CompareNumbers(n, value.Int(0)); o == -1 {
		im, err := root(absolute(n))
		if err != nil {
			return value.Nil, err
		}
		return value.Complex(value.Int(0), im), nil
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
	if exact, ok := perfectRoot(r); ok {
		return value.Rational(exact), nil
	}
	return value.Float(real(floatRoot(n))), nil
}

// perfectRoot is the root of a ratio that is not negative, if it is a ratio.
func perfectRoot(r *big.Rat) (root *big.Rat, ok bool) {
	if r.Sign() < 0 {
		return nil, false
	}
	num, denom := new(big.Int).Sqrt(r.Num()), new(big.Int).Sqrt(r.Denom())
	square := func(x *big.Int) *big.Int { return new(big.Int).Mul(x, x) }
	if square(num).Cmp(r.Num()) != 0 || square(denom).Cmp(r.Denom()) != 0 {
		return nil, false
	}
	return new(big.Rat).SetFrac(num, denom), true
}

// floatRoot is the root of an exact number that is not too long. What is too large for a float, or
// too small, may have a root that is not.
func floatRoot(z Value) complex128 {
	x, denom, _ := gaussianOf("sqrt", z)
	k := (x.bitLen() - denom.BitLen()) / 2
	if k > -250 && k < 500 {
		w, _ := z.ToComplex()
		return cmplx.Sqrt(w)
	}
	x.re.Lsh(x.re, uint(max(-2*k, 0)))
	x.im.Lsh(x.im, uint(max(-2*k, 0)))
	w, _ := x.over(new(big.Int).Lsh(denom, uint(max(2*k, 0)))).ToComplex()
	w = cmplx.Sqrt(w)
	return complex(math.Ldexp(real(w), k), math.Ldexp(imag(w), k))
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

package core

import (
	"math"
	"math/big"
	"math/cmplx"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// gaussian is the integer re+im*i.
type gaussian struct{ re, im *big.Int }

func (x gaussian) mul(y gaussian) gaussian {
	product := func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
	re := product(x.re, y.re)
	im := product(x.re, y.im)
	return gaussian{re.Sub(re, product(x.im, y.im)), im.Add(im, product(x.im, y.re))}
}

// norm is the square of the magnitude.
func (x gaussian) norm() *big.Int {
	re := new(big.Int).Mul(x.re, x.re)
	return re.Add(re, new(big.Int).Mul(x.im, x.im))
}

func (x gaussian) conjugate() gaussian { return gaussian{x.re, new(big.Int).Neg(x.im)} }

func (x gaussian) bitLen() int { return max(x.re.BitLen(), x.im.BitLen()) }

// over is x divided by d.
func (x gaussian) over(d *big.Int) Value {
	part := func(n *big.Int) Value { return value.Rational(new(big.Rat).SetFrac(n, d)) }
	return value.Complex(part(x.re), part(x.im))
}

// gaussianOf writes an exact number as a Gaussian integer over a common
// denominator, unless its parts are too long for what name does.
func gaussianOf(name string, z Value) (x gaussian, denom *big.Int, err error) {
	re, im, _ := z.AsComplex()
	a, _ := re.AsRational()
	b, _ := im.AsRational()
	if err := checkSlow(name, a.Num(), a.Denom(), b.Num(), b.Denom()); err != nil {
		return gaussian{}, nil, err
	}
	g := new(big.Int).GCD(nil, nil, a.Denom(), b.Denom())
	denom = new(big.Int).Mul(a.Denom(), new(big.Int).Quo(b.Denom(), g))
	numerator := func(r *big.Rat) *big.Int {
		n := new(big.Int).Quo(denom, r.Denom())
		return n.Mul(n, r.Num())
	}
	return gaussian{numerator(a), numerator(b)}, denom, nil
}

// power is x to the power of n by squaring.
func (x gaussian) power(t *eval.Thread, n *big.Int) (gaussian, error) {
	p := gaussian{big.NewInt(1), new(big.Int)}
	for i := n.BitLen() - 1; i >= 0; i-- {
		p = p.mul(p)
		if n.Bit(i) == 1 {
			p = p.mul(x)
		}
		if err := t.Tick(1 + p.bitLen()/16); err != nil {
			return p, err
		}
	}
	return p, nil
}

// gaussianPower raises an exact complex number. Taking the denominator out of it
// first leaves one reduction of ratios, at the end.
func gaussianPower(t *eval.Thread, z Value, n *big.Int) (Value, error) {
	x, denom, err := gaussianOf("expt", z)
	if err != nil {
		return value.Nil, err
	}
	whole := denom.BitLen() == 1
	if whole && x.norm().BitLen() == 1 { // i and -i, to any power
		n = new(big.Int).And(n, big.NewInt(3))
	}
	if err := checkGaussianPower(x, denom, n, whole && n.Sign() >= 0); err != nil {
		return value.Nil, err
	}
	p, err := x.power(t, new(big.Int).Abs(n))
	if err != nil {
		return value.Nil, err
	}
	d, err := power(t, denom, n)
	if err != nil {
		return value.Nil, err
	}
	if n.Sign() < 0 { // d / p
		return p.conjugate().mul(gaussian{d, new(big.Int)}).over(p.norm()), nil
	}
	return p.over(d), nil
}

// checkGaussianPower refuses a power that would be too large; reducing ratios
// takes quadratic time.
func checkGaussianPower(x gaussian, denom, n *big.Int, whole bool) error {
	limit := int64(slowBits)
	if whole {
		limit = maxBits / 4 // as a product takes four
	}
	halfBits := int64(max(x.norm().BitLen()-1, 2*(denom.BitLen()-1)))
	if halfBits > 0 && (!n.IsInt64() || n.Int64() > 2*limit/halfBits || n.Int64() < -2*limit/halfBits) {
		return tooLargePower(limit)
	}
	return nil
}

// complexPower multiplies for small whole exponents, which rounds less than the
// way over the logarithm.
func complexPower(z, n complex128) complex128 {
	e := real(n)
	if z == 0 && e == 0 && imag(n) != 0 { // 0 to the power of i is anything
		return cmplx.NaN()
	}
	if imag(n) != 0 || e != math.Trunc(e) || math.Abs(e) > 1024 {
		return cmplx.Pow(z, n)
	}
	p := complex128(1)
	for i := int(math.Abs(e)); i > 0; i >>= 1 {
		if i&1 == 1 {
			p *= z
		}
		z *= z
	}
	if e < 0 {
		return 1 / p
	}
	return p
}

// complexRoot is exact where both parts of the root can be: then the magnitude m
// is exact too, and they are the roots of (m+re)/2 and (m-re)/2.
func complexRoot(z Value) (Value, error) {
	if !z.IsExact() {
		w, _ := z.ToComplex()
		return fromComplex(cmplx.Sqrt(w)), nil
	}
	x, denom, err := gaussianOf("sqrt", z)
	if err != nil {
		return value.Nil, err
	}
	m := new(big.Int).Sqrt(x.norm())
	re := new(big.Rat).SetFrac(new(big.Int).Add(m, x.re), new(big.Int).Lsh(denom, 1))
	im := new(big.Rat).SetFrac(new(big.Int).Sub(m, x.re), new(big.Int).Lsh(denom, 1))
	a, ok1 := perfectRoot(re)
	b, ok2 := perfectRoot(im)
	if !ok1 || !ok2 || new(big.Int).Mul(m, m).Cmp(x.norm()) != 0 {
		return fromComplex(floatRoot(z)), nil
	}
	if x.im.Sign() < 0 {
		b.Neg(b)
	}
	return value.Complex(value.Rational(a), value.Rational(b)), nil
}

package value

import (
	"math"
	"unsafe"
)

// complexNumber is a number with an imaginary part. The parts are real numbers
// of any type, each as exact as it came, but the imaginary one is never the
// exact zero: such a number is real.
type complexNumber struct{ re, im Value }

// Complex returns the number re+im*i of two real numbers, re itself when im is
// the exact zero.
func Complex(re, im Value) Value {
	if !re.IsReal() || !im.IsReal() {
		panic("value.Complex: the parts of a complex number are real")
	}
	if im == Int(0) {
		return re
	}
	return object(unsafe.Pointer(&complexNumber{re, im}), KindComplex)
}

// IsComplex is true of numbers that are not real.
func (v Value) IsComplex() bool { return v.isObject(KindComplex) }

// IsReal is true of integers, ratios and floats.
func (v Value) IsReal() bool {
	return v.IsInt() || v.IsFloat() || v.isObject(KindBigInt) || v.isObject(KindRational)
}

// AsComplex returns the parts of any number; the imaginary part of a real
// number is the exact zero.
func (v Value) AsComplex() (re, im Value, ok bool) {
	if v.IsComplex() {
		z := v.complex()
		return z.re, z.im, true
	}
	return v, Int(0), v.IsReal()
}

func (v Value) complex() *complexNumber { return (*complexNumber)(v.ref) }

// ToComplex converts any number to the nearest one with parts that are floats.
func (v Value) ToComplex() (complex128, bool) {
	re, im, ok := v.AsComplex()
	if !ok {
		return 0, false
	}
	x, _ := re.ToFloat()
	y, _ := im.ToFloat()
	return complex(x, y), true
}

// Inexact returns the number v with floats for all its parts.
func (v Value) Inexact() (n Value, ok bool) {
	if v.IsComplex() {
		z, _ := v.ToComplex()
		return fromComplex(z), true
	}
	f, ok := v.ToFloat()
	return Float(f), ok
}

// fromComplex keeps an imaginary part of zero, which is not an exact one.
func fromComplex(z complex128) Value { return Complex(Float(real(z)), Float(imag(z))) }

// NumbersEqual is equality by value of two numbers of any types.
func NumbersEqual(a, b Value) (equal, ok bool) {
	if o, ok := CompareNumbers(a, b); ok {
		return o == 0, true
	}
	x, xi, ok1 := a.AsComplex()
	y, yi, ok2 := b.AsComplex()
	if !ok1 || !ok2 {
		return false, false
	}
	re, _ := CompareNumbers(x, y)
	im, _ := CompareNumbers(xi, yi)
	return re == 0 && im == 0, true
}

// partwise is the sum or the difference of two numbers.
func partwise(a, b Value, op func(x, y Value) (Value, bool)) (Value, bool) {
	x, xi, ok1 := a.AsComplex()
	y, yi, ok2 := b.AsComplex()
	if !ok1 || !ok2 {
		return Nil, false
	}
	re, _ := op(x, y)
	im, _ := op(xi, yi)
	return Complex(re, im), true
}

func addComplex(a, b Value) (Value, bool) { return partwise(a, b, Add) }
func subComplex(a, b Value) (Value, bool) { return partwise(a, b, Sub) }

// Neg returns -a. That of 0.0 is -0.0, which 0 - a is not.
func Neg(a Value) (Value, bool) {
	switch a.Kind() {
	case KindFloat:
		return Float(-math.Float64frombits(a.bits)), true
	case KindComplex:
		re, _ := Neg(a.complex().re)
		im, _ := Neg(a.complex().im)
		return Complex(re, im), true
	}
	return Sub(Int(0), a)
}

// mulComplex scales the parts when one operand is real: with an exact zero in
// its place, an infinite part would make the product NaN.
func mulComplex(a, b Value) (Value, bool) {
	x, xi, ok1 := a.AsComplex()
	y, yi, ok2 := b.AsComplex()
	switch {
	case !ok1 || !ok2:
		return Nil, false
	case !b.IsComplex():
		return Complex(mul(x, y), mul(xi, y)), true
	case !a.IsComplex():
		return Complex(mul(x, y), mul(x, yi)), true
	}
	return Complex(sub(mul(x, y), mul(xi, yi)), add(mul(x, yi), mul(xi, y))), true
}

// add, sub and mul are for real numbers.
func add(a, b Value) Value { v, _ := Add(a, b); return v }
func sub(a, b Value) Value { v, _ := Sub(a, b); return v }
func mul(a, b Value) Value { v, _ := Mul(a, b); return v }

func divComplex(a, b Value) (q Value, ok bool, err error) {
	x, xi, ok1 := a.AsComplex()
	y, yi, ok2 := b.AsComplex()
	switch {
	case !ok1 || !ok2:
		return Nil, false, nil
	case !b.IsComplex():
		q, err = divParts(x, xi, y)
	case a.IsExact() && b.IsExact():
		norm := add(mul(y, y), mul(yi, yi))
		q, err = divParts(add(mul(x, y), mul(xi, yi)), sub(mul(xi, y), mul(x, yi)), norm)
	default: // floats know how to divide without an overflow halfway
		n, _ := a.ToComplex()
		d, _ := b.ToComplex()
		q = fromComplex(n / d)
	}
	return q, true, err
}

// divParts divides the parts by a real number. An exact zero divides what is not
// exact like 0.0 does, and is refused by what is.
func divParts(re, im, by Value) (Value, error) {
	if by == Int(0) && (re.IsFloat() || im.IsFloat()) {
		by = Float(0)
	}
	re, _, err := Div(re, by)
	if err != nil {
		return Nil, err
	}
	im, _, err = Div(im, by)
	return Complex(re, im), err
}

// AsExact returns the exact number that v is; ok is false of what has an
// infinite part or one that is NaN, and of what is no number.
func (v Value) AsExact() (n Value, ok bool) {
	switch v.Kind() {
	case KindFloat:
		return exactFloat(math.Float64frombits(v.bits))
	case KindComplex:
		re, ok1 := v.complex().re.AsExact()
		im, ok2 := v.complex().im.AsExact()
		if !ok1 || !ok2 {
			return Nil, false
		}
		return Complex(re, im), true
	}
	return v, v.IsNumber()
}

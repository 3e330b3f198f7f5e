package core

import (
	"math"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func complexBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "make-rectangular", Arity: eval.Exactly(2), Fn: makeRectangular,
			Doc: "(make-rectangular re im) is the number re+im*i, re alone if im is exactly 0.", Example: "(make-rectangular 3 4) ; => 3+4i\n(make-rectangular 2 0) ; => 2"},
		{Name: "make-polar", Arity: eval.Exactly(2), Fn: makePolar,
			Doc: "(make-polar magnitude angle) is the complex number at that distance from 0 and that angle, in radians.", Example: "(make-polar 2 0) ; => 2.0+0.0i"},
		{Name: "real-part", Arity: eval.Exactly(1), Fn: realPart,
			Doc: "(real-part n) is the real part of a number, n itself if it is real.", Example: "(real-part 3+4i) ; => 3\n(real-part 2.5) ; => 2.5"},
		{Name: "imag-part", Arity: eval.Exactly(1), Fn: imagPart,
			Doc: "(imag-part n) is the imaginary part of a number, 0 if it is real.", Example: "(imag-part 3+4i) ; => 4\n(imag-part 2.5) ; => 0"},
		{Name: "angle", Arity: eval.Exactly(1), Fn: angle,
			Doc: "(angle n) is the angle of n as seen from 0, in radians above -pi and up to pi.", Example: "(angle 0+1i) ; => 1.5707963267948966\n(angle 5) ; => 0.0"},
	}
}

const notReal = "a real number"

// realNumber returns argument i, a number that is not complex.
func realNumber(a *eval.Args, i int) Value {
	n := a.Number(i)
	if n.IsComplex() {
		a.Bad(i, notReal)
	}
	return n
}

// realFloat returns argument i, a number that is not complex, as a float.
func realFloat(a *eval.Args, i int) float64 {
	f, _ := realNumber(a, i).ToFloat()
	return f
}

// fromComplex is always inexact, even when the imaginary part is 0.0.
func fromComplex(z complex128) Value {
	return value.Complex(value.Float(real(z)), value.Float(imag(z)))
}

func makeRectangular(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	re, im := realNumber(&a, 0), realNumber(&a, 1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.Complex(re, im), nil
}

func makePolar(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	r, theta := realFloat(&a, 0), realFloat(&a, 1)
	return fromComplex(complex(r*cos(theta), r*sin(theta))), a.Err()
}

func realPart(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	re, _, _ := a.Number(0).AsComplex()
	return re, a.Err()
}

func imagPart(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	_, im, _ := a.Number(0).AsComplex()
	return im, a.Err()
}

func angle(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	z, _ := a.Number(0).ToComplex()
	return value.Float(math.Atan2(imag(z), real(z))), a.Err()
}

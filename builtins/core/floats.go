package core

import (
	"math"
	"math/big"
	"math/cmplx"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func floatBuiltins() []eval.Builtin {
	return []eval.Builtin{
		floatFunc("sin", nil, "the sine of x, in radians", sin, cmplx.Sin, "(sin 0) ; => 0.0"),
		floatFunc("cos", nil, "the cosine of x, in radians", cos, cmplx.Cos, "(cos 0) ; => 1.0"),
		floatFunc("math/tan", nil, "the tangent of x, in radians", tan, cmplx.Tan, "(math/tan 0) ; => 0.0"),
		floatFunc("math/asin", nil, "the angle whose sine is x", math.Asin, cmplx.Asin, "(math/asin 0) ; => 0.0"),
		floatFunc("math/acos", nil, "the angle whose cosine is x", math.Acos, cmplx.Acos, "(math/acos 1) ; => 0.0"),
		floatFunc("math/atan", nil, "the angle whose tangent is x", math.Atan, cmplx.Atan, "(math/atan 0) ; => 0.0"),
		floatFunc("math/sinh", nil, "the hyperbolic sine of x", math.Sinh, cmplx.Sinh, "(math/sinh 0) ; => 0.0"),
		floatFunc("math/cosh", nil, "the hyperbolic cosine of x", math.Cosh, cmplx.Cosh, "(math/cosh 0) ; => 1.0"),
		floatFunc("math/tanh", nil, "the hyperbolic tangent of x", math.Tanh, cmplx.Tanh, "(math/tanh 0) ; => 0.0"),
		floatFunc("math/exp", []string{"exp"}, "e to the power of x", math.Exp, cmplx.Exp, "(math/exp 0) ; => 1.0"),
		floatFunc("math/degrees->radians", nil, "the angle x in radians", func(x float64) float64 { return x * math.Pi / 180 }, nil, "(math/degrees->radians 180) ; => 3.141592653589793"),
		floatFunc("math/radians->degrees", nil, "the angle x in degrees", func(x float64) float64 { return x * 180 / math.Pi }, nil, "(math/radians->degrees 0) ; => 0.0"),
		{Name: "log", Arity: eval.Between(1, 2), Fn: log_,
			Doc: "(log x [base]) is the natural logarithm, or that to a base.", Example: "(log 1) ; => 0.0\n(log 8 2) ; => 3.0"},
		{Name: "math/log10", Arity: eval.Exactly(1), Fn: logBy(log10, math.Ln10),
			Doc: "(math/log10 x) is the logarithm to base 10.", Example: "(math/log10 1000) ; => 3.0"},
		{Name: "math/log2", Arity: eval.Exactly(1), Fn: logBy(math.Log2, math.Ln2),
			Doc: "(math/log2 x) is the logarithm to base 2.", Example: "(math/log2 8) ; => 3.0"},
		{Name: "math/atan2", Arity: eval.Exactly(2), Fn: mathAtan2,
			Doc: "(math/atan2 y x) is the angle of the point (x, y).", Example: "(math/atan2 1 0) ; => 1.5707963267948966"},
		{Name: "math/lerp", Arity: eval.Exactly(3), Fn: mathLerp,
			Doc: "(math/lerp a b t) is a + (b - a) * t.", Example: "(math/lerp 0 100 0.25) ; => 25.0"},
		{Name: "math/map-range", Arity: eval.Exactly(5), Fn: mathMapRange,
			Doc:     "(math/map-range x in-min in-max out-min out-max) moves x from one range to the same place in the other.",
			Example: "(math/map-range 5 0 10 0 100) ; => 50.0"},
	}
}

// floatFunc makes a builtin of a function of floats; ofComplex is nil if it has
// no counterpart for complex numbers.
func floatFunc(name string, aliases []string, what string, f func(x float64) float64, ofComplex func(x complex128) complex128, example string) eval.Builtin {
	return eval.Builtin{Name: name, Aliases: aliases, Arity: eval.Exactly(1), Example: example,
		Doc: "(" + name + " x) is " + what + ".",
		Fn: func(t *eval.Thread, args []Value) (Value, error) {
			if args[0].IsComplex() && ofComplex != nil {
				z, _ := args[0].ToComplex()
				return fromComplex(ofComplex(z)), nil
			}
			a := eval.ArgsOf(args)
			return value.Float(f(realFloat(&a, 0))), a.Err()
		}}
}

// lnBig is the natural logarithm of an integer too large for a float.
func lnBig(n *big.Int) float64 {
	m := new(big.Float).SetInt(n)
	exponent := m.MantExp(m)
	f, _ := m.Float64()
	return math.Log(f) + float64(exponent)*math.Ln2
}

// ln is the natural logarithm of a real number.
func ln(n Value) float64 {
	f, _ := n.ToFloat()
	if i, ok := n.AsBig(); ok && math.IsInf(f, 1) {
		return lnBig(i)
	}
	return math.Log(f)
}

func log_(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	if a.Number(0).IsComplex() || len(args) > 1 && a.Number(1).IsComplex() {
		return complexLog(&a)
	}
	if len(args) == 1 {
		n := a.Number(0)
		return value.Float(ln(n)), a.Err()
	}
	n, by := a.Number(0), a.Number(1)
	if base, _ := by.ToFloat(); base == 2 || base == 10 { // exact for powers
		f := logBy(math.Log2, math.Ln2)
		if base == 10 {
			f = logBy(log10, math.Ln10)
		}
		return f(t, args[:1])
	}
	return value.Float(ln(n) / ln(by)), a.Err()
}

func complexLog(a *eval.Args) (Value, error) {
	z, _ := a.Number(0).ToComplex()
	z = cmplx.Log(z)
	if a.Len() > 1 {
		base, _ := a.Number(1).ToComplex()
		z /= cmplx.Log(base)
	}
	return fromComplex(z), a.Err()
}

func logBy(log func(x float64) float64, lnBase float64) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		n := a.Number(0)
		if n.IsComplex() {
			z, _ := n.ToComplex()
			return fromComplex(cmplx.Log(z) / complex(lnBase, 0)), nil
		}
		f, _ := n.ToFloat()
		if math.IsInf(f, 1) {
			return value.Float(ln(n) / lnBase), a.Err()
		}
		return value.Float(log(f)), a.Err()
	}
}

// log10 is exact for powers of ten, unlike that of package math.
func log10(x float64) float64 {
	y := math.Log10(x)
	if n := math.RoundToEven(y); n != y && math.Abs(n) < 400 && math.Pow10(int(n)) == x {
		return n
	}
	return y
}

func mathAtan2(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return value.Float(math.Atan2(realFloat(&a, 0), realFloat(&a, 1))), a.Err()
}

func mathLerp(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	from, to, at := realFloat(&a, 0), realFloat(&a, 1), realFloat(&a, 2)
	return value.Float(from + (to-from)*at), a.Err()
}

func mathMapRange(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	x, inMin, inMax, outMin, outMax := realFloat(&a, 0), realFloat(&a, 1), realFloat(&a, 2), realFloat(&a, 3), realFloat(&a, 4)
	return value.Float(outMin + (x-inMin)/(inMax-inMin)*(outMax-outMin)), a.Err()
}

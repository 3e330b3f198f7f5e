package core

import (
	"math"
	"math/big"
	"strconv"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func roundingBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "floor", Arity: eval.Exactly(1), Fn: rounding(math.Floor, floorRat),
			Doc: "(floor n) is the largest whole number not above n; a float stays a float.", Example: "(floor -2.3) ; => -3.0\n(floor 7/2) ; => 3"},
		{Name: "ceil", Aliases: []string{"ceiling"}, Arity: eval.Exactly(1), Fn: rounding(math.Ceil, ceilRat),
			Doc: "(ceil n) is the smallest whole number not below n; a float stays a float.", Example: "(ceil 3.2) ; => 4.0\n(ceil 7/2) ; => 4"},
		{Name: "round", Arity: eval.Exactly(1), Fn: rounding(math.RoundToEven, roundRat),
			Doc: "(round n) is the nearest whole number, the even one of two; a float stays a float.", Example: "(round 2.5) ; => 2.0\n(round 7/2) ; => 4"},
		{Name: "truncate", Arity: eval.Exactly(1), Fn: rounding(math.Trunc, truncRat),
			Doc: "(truncate n) drops the fraction; a float stays a float.", Example: "(truncate -3.7) ; => -3.0"},
		{Name: "math/round-to", Arity: eval.Exactly(2), Fn: mathRoundTo,
			Doc: "(math/round-to n places) is the float rounded to so many decimal places, halves away from zero.", Example: "(math/round-to 3.14159 2) ; => 3.14"},
		{Name: "math/format-fixed", Arity: eval.Exactly(2), Fn: mathFormatFixed,
			Doc: "(math/format-fixed n places) is the text of n with so many decimal places.", Example: "(math/format-fixed 1.2 3) ; => \"1.200\""},
	}
}

// rounding makes a builtin that keeps exact what is exact.
func rounding(float func(f float64) float64, rat func(r *big.Rat) *big.Int) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		n := realNumber(&a, 0)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		if f, ok := n.AsFloat(); ok {
			return value.Float(float(f)), nil
		}
		if n.IsInteger() {
			return n, nil
		}
		r, _ := n.AsRational()
		return value.Big(rat(r)), nil
	}
}

// floorRat relies on a denominator that is positive: Euclidean division is
// floored then.
func floorRat(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) }

func ceilRat(r *big.Rat) *big.Int {
	return floorRat(r).Add(floorRat(r), big.NewInt(1)) // r is no integer
}

func truncRat(r *big.Rat) *big.Int { return new(big.Int).Quo(r.Num(), r.Denom()) }

func roundRat(r *big.Rat) *big.Int {
	down := floorRat(r)
	half := new(big.Rat).Sub(r, new(big.Rat).SetInt(down)).Cmp(big.NewRat(1, 2))
	if half > 0 || half == 0 && down.Bit(0) == 1 {
		down.Add(down, big.NewInt(1))
	}
	return down
}

func mathRoundTo(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	f, places := realFloat(&a, 0), a.Int(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if places < -400 { // beyond the largest float
		return value.Float(0 * f), nil
	}
	scale := math.Pow(10, float64(min(places, 400)))
	scaled := f * scale
	if math.Abs(scaled) >= 1<<53 || scaled != scaled { // has no such places
		return value.Float(f), nil
	}
	return value.Float(math.Round(scaled) / scale), nil
}

func mathFormatFixed(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n, places := realNumber(&a, 0), max(a.Int(1), 0)
	if places > 10_000 {
		a.Bad(1, "at most 10000 decimal places")
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if r, ok := n.AsRational(); ok {
		if err := checkSlow("math/format-fixed", r.Num(), r.Denom()); err != nil {
			return value.Nil, err
		}
		return value.String(r.FloatString(int(places))), nil
	}
	f, _ := n.ToFloat()
	if f-f != 0 { // infinite or NaN
		return value.String(value.FormatFloat(f)), nil
	}
	return value.String(strconv.FormatFloat(f, 'f', int(places), 64)), nil
}

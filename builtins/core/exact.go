package core

import (
	"math"
	"math/big"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func exactBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "exact", Aliases: []string{"inexact->exact"}, Arity: eval.Exactly(1), Fn: exact,
			Doc: "(exact n) is the exact number that n stands for.", Example: "(exact 0.5) ; => 1/2\n(exact 2.0) ; => 2"},
		{Name: "inexact", Aliases: []string{"exact->inexact"}, Arity: eval.Exactly(1), Fn: toInexact,
			Doc: "(inexact n) is the float nearest to n, for a complex number one with floats as its parts.", Example: "(inexact 1/4) ; => 0.25\n(inexact 3+4i) ; => 3.0+4.0i"},
		{Name: "numerator", Arity: eval.Exactly(1), Fn: numerator,
			Doc: "(numerator n) is the numerator of an exact number in lowest terms.", Example: "(numerator -6/4) ; => -3"},
		{Name: "denominator", Arity: eval.Exactly(1), Fn: denominator,
			Doc: "(denominator n) is the denominator of an exact number in lowest terms.", Example: "(denominator -6/4) ; => 2"},
		{Name: "rationalize", Arity: eval.Exactly(2), Fn: rationalize,
			Doc:     "(rationalize x tolerance) is the simplest ratio that differs from x by no more than the tolerance.",
			Example: "(rationalize 3/10 1/10) ; => 1/3\n(rationalize 3.14159 1/100) ; => 3.142857142857143"},
	}
}

func exact(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n := a.Number(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	x, ok := n.AsExact()
	if !ok {
		return value.Nil, eval.TypeError("a finite number", n)
	}
	return x, nil
}

func toInexact(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return inexact(a.Number(0)), a.Err()
}

// rational reads argument i, an exact number that is not complex.
func rational(a *eval.Args, i int) *big.Rat {
	r, ok := a.Value(i).AsRational()
	if !ok {
		a.Bad(i, "an exact real number")
		return new(big.Rat)
	}
	return r
}

func numerator(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return value.Big(new(big.Int).Set(rational(&a, 0).Num())), a.Err()
}

func denominator(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return value.Big(new(big.Int).Set(rational(&a, 0).Denom())), a.Err()
}

func rationalize(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	x, tolerance := realNumber(&a, 0), realNumber(&a, 1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if v, ok := notFinite(x, tolerance); ok {
		return v, nil
	}
	center, radius := toRat(x), new(big.Rat).Abs(toRat(tolerance))
	if err := checkSlow("rationalize", center.Num(), center.Denom(), radius.Num(), radius.Denom()); err != nil {
		return value.Nil, err
	}
	r, err := simplest(t, new(big.Rat).Sub(center, radius), new(big.Rat).Add(center, radius))
	if err != nil {
		return value.Nil, err
	}
	if x.IsFloat() || tolerance.IsFloat() {
		return inexact(value.Rational(r)), nil
	}
	return value.Rational(r), nil
}

// notFinite answers for floats that are no ratio: anything is within an
// infinite tolerance.
func notFinite(x, tolerance Value) (Value, bool) {
	f, _ := x.ToFloat()
	d, _ := tolerance.ToFloat()
	switch {
	case isNaN(x) || isNaN(tolerance) || isInfinite(x) && isInfinite(tolerance):
		return value.Float(math.NaN()), true
	case isInfinite(x):
		return value.Float(f), true
	case isInfinite(tolerance):
		return value.Float(0 / d), true
	}
	return value.Nil, false
}

// toRat is the ratio that a finite number stands for.
func toRat(n Value) *big.Rat {
	if f, ok := n.AsFloat(); ok {
		return new(big.Rat).SetFloat64(f)
	}
	r, _ := n.AsRational()
	return r
}

// simplest is the ratio of the smallest denominator from lo to hi. It follows
// the continued fraction that both ends have in common.
func simplest(t *eval.Thread, lo, hi *big.Rat) (*big.Rat, error) {
	switch {
	case lo.Sign() <= 0 && hi.Sign() >= 0:
		return new(big.Rat), nil
	case hi.Sign() < 0:
		r, err := simplest(t, new(big.Rat).Neg(hi), new(big.Rat).Neg(lo))
		return r.Neg(r), err
	}
	var terms []*big.Int
	for {
		if err := t.Tick(1 + lo.Num().BitLen()/64); err != nil {
			return new(big.Rat), err
		}
		whole := floorRat(lo)
		first := new(big.Rat).SetInt(whole)
		if first.Cmp(lo) == 0 || new(big.Rat).SetInt(floorRat(hi)).Cmp(first) != 0 {
			if first.Cmp(lo) != 0 {
				whole.Add(whole, big.NewInt(1))
			}
			return unfold(terms, whole), nil
		}
		terms = append(terms, whole)
		lo, hi = new(big.Rat).Inv(hi.Sub(hi, first)), new(big.Rat).Inv(lo.Sub(lo, first))
	}
}

// unfold is the value of a continued fraction.
func unfold(terms []*big.Int, last *big.Int) *big.Rat {
	r := new(big.Rat).SetInt(last)
	for i := len(terms) - 1; i >= 0; i-- {
		r.Add(r.Inv(r), new(big.Rat).SetInt(terms[i]))
	}
	return r
}

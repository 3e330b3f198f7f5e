package core

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// divisionBuiltins are Scheme's pairs of integer divisions.
func divisionBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "floor/", Arity: eval.Exactly(2), Fn: dividing(value.Floored, both),
			Doc: "(floor/ a b) has two values: floor-quotient and floor-remainder.", Example: "(call-with-values (fn () (floor/ -7 2)) list) ; => (-4 1)"},
		{Name: "floor-quotient", Arity: eval.Exactly(2), Fn: dividing(value.Floored, quotientOnly),
			Doc: "(floor-quotient a b) divides integers and rounds down.", Example: "(floor-quotient -7 2) ; => -4"},
		{Name: "floor-remainder", Arity: eval.Exactly(2), Fn: dividing(value.Floored, remainderOnly),
			Doc: "(floor-remainder a b) is what floor-quotient leaves: it has the sign of b.", Example: "(floor-remainder -7 2) ; => 1\n(floor-remainder -7.0 2) ; => 1.0"},
		{Name: "truncate/", Arity: eval.Exactly(2), Fn: dividing(value.Truncated, both),
			Doc: "(truncate/ a b) has two values: truncate-quotient and truncate-remainder.", Example: "(call-with-values (fn () (truncate/ -7 2)) list) ; => (-3 -1)"},
		{Name: "truncate-quotient", Arity: eval.Exactly(2), Fn: dividing(value.Truncated, quotientOnly),
			Doc: "(truncate-quotient a b) divides integers toward zero, like quotient.", Example: "(truncate-quotient -7 2) ; => -3"},
		{Name: "truncate-remainder", Arity: eval.Exactly(2), Fn: dividing(value.Truncated, remainderOnly),
			Doc: "(truncate-remainder a b) is what truncate-quotient leaves: it has the sign of a.", Example: "(truncate-remainder -7 2) ; => -1"},
	}
}

func both(t *eval.Thread, quo, rem Value) (Value, error) { return eval.Values(quo, rem), nil }

func quotientOnly(t *eval.Thread, quo, rem Value) (Value, error) { return quo, nil }

func remainderOnly(t *eval.Thread, quo, rem Value) (Value, error) { return rem, nil }

// dividing makes a builtin that divides exactly, also floats, whose results are
// floats again.
func dividing(r value.Rounding, result func(t *eval.Thread, quo, rem Value) (Value, error)) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		x, y := wholeNumber(&a, 0), wholeNumber(&a, 1)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		quo, rem, _, err := value.QuoRem(x, y, r)
		if err != nil {
			return value.Nil, err
		}
		if args[0].IsFloat() || args[1].IsFloat() {
			quo, rem = inexact(quo), inexact(rem)
		}
		return result(t, quo, rem)
	}
}

// wholeNumber returns argument i, an integer or a float without a fraction, as
// an exact integer.
func wholeNumber(a *eval.Args, i int) Value {
	n := a.Value(i)
	if f, ok := n.AsFloat(); ok {
		if whole, ok := value.FloatToInteger(f); ok {
			return whole
		}
	}
	if !n.IsInteger() {
		a.Bad(i, "an integer")
		return value.Int(1)
	}
	return n
}

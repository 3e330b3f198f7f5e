package eval

import (
	"fmt"

	"github.com/gosema/gosema/eval/value"
)

// Args reads the arguments of a builtin by type. It remembers the first thing
// wrong, so that a builtin reads all it needs and asks Err once:
//
//	a := eval.ArgsOf(args)
//	s, n := a.String(0), a.Int(1)
//	if err := a.Err(); err != nil {
//		return value.Nil, err
//	}
type Args struct {
	vals []Value
	err  *Error
}

// ArgsOf starts reading args.
func ArgsOf(args []Value) Args { return Args{vals: args} }

// Err is the first thing that was wrong, or nil.
func (a *Args) Err() error {
	if a.err == nil {
		return nil
	}
	return a.err
}

// Len is the number of arguments.
func (a *Args) Len() int { return len(a.vals) }

// Has reports whether argument i was given and is not nil.
func (a *Args) Has(i int) bool { return i < len(a.vals) && !a.vals[i].IsNil() }

// Value returns argument i, nil if it was not given.
func (a *Args) Value(i int) Value {
	if i >= len(a.vals) {
		return value.Nil
	}
	return a.vals[i]
}

// Bad records that argument i is not what was expected ("a string").
func (a *Args) Bad(i int, expected string) {
	if a.err == nil {
		a.err = TypeError(expected, a.Value(i))
		if len(a.vals) > 1 {
			a.err.Note = fmt.Sprintf("it is argument %d", i+1)
		}
	}
}

// Fail records another error.
func (a *Args) Fail(err error) {
	if a.err == nil && err != nil {
		a.err = AsError(err)
	}
}

// String returns argument i, a string.
func (a *Args) String(i int) string {
	s, ok := a.Value(i).AsString()
	if !ok {
		a.Bad(i, "a string")
	}
	return s
}

// Int returns argument i, an integer of 64 bits; a whole float will do.
func (a *Args) Int(i int) int64 {
	v := a.Value(i)
	if n, ok := v.AsInt(); ok {
		return n
	}
	if f, ok := v.AsFloat(); ok {
		if w, ok := value.FloatToInteger(f); ok && w.IsInt() {
			n, _ := w.AsInt()
			return n
		}
	}
	a.Bad(i, "an integer")
	return 0
}

// Size returns argument i, a count or an index that is not negative and fits
// an int.
func (a *Args) Size(i int) int {
	n := a.Int(i)
	if n < 0 || n > 1<<40 {
		a.Bad(i, "an integer that is not negative")
		return 0
	}
	return int(n)
}

// Float returns argument i, a real number of any type, as a float.
func (a *Args) Float(i int) float64 {
	f, ok := a.Value(i).ToFloat()
	switch {
	case ok:
	case a.Value(i).IsComplex():
		a.Bad(i, "a real number")
	default:
		a.Bad(i, "a number")
	}
	return f
}

// Number returns argument i, a number of any type.
func (a *Args) Number(i int) Value {
	if !a.Value(i).IsNumber() {
		a.Bad(i, "a number")
	}
	return a.Value(i)
}

// Char returns argument i, a character.
func (a *Args) Char(i int) rune {
	c, ok := a.Value(i).AsChar()
	if !ok {
		a.Bad(i, "a character")
	}
	return c
}

// Bytes returns argument i, a bytevector.
func (a *Args) Bytes(i int) []byte {
	b, ok := a.Value(i).AsBytes()
	if !ok {
		a.Bad(i, "a bytevector")
	}
	return b
}

// Symbol and Keyword return the name of argument i.
func (a *Args) Symbol(i int) string {
	s, ok := a.Value(i).SymbolName()
	if !ok {
		a.Bad(i, "a symbol")
	}
	return s
}

func (a *Args) Keyword(i int) string {
	s, ok := a.Value(i).KeywordName()
	if !ok {
		a.Bad(i, "a keyword")
	}
	return s
}

// Seq returns argument i, a list or a vector (nil counts as empty), as a value
// to range over with Elems.
func (a *Args) Seq(i int) Value {
	v := a.Value(i)
	if v.IsNil() {
		return value.Empty
	}
	if !v.IsSeq() {
		a.Bad(i, "a list or a vector")
		return value.Empty
	}
	return v
}

// Elems returns the elements of argument i, a list or a vector; do not change
// them.
func (a *Args) Elems(i int) []Value { return a.Seq(i).Slice() }

// Map returns argument i, a map of either kind; nil counts as empty.
func (a *Args) Map(i int) Value {
	v := a.Value(i)
	if v.IsNil() {
		return value.EmptyMap()
	}
	if !v.IsMap() {
		a.Bad(i, "a map")
		return value.EmptyMap()
	}
	return v
}

// Func returns argument i, something that can be called.
func (a *Args) Func(i int) Value {
	v := a.Value(i)
	if !IsCallable(v) {
		a.Bad(i, "a function")
	}
	return v
}

// IsCallable is true of functions, and of keywords and maps, which look
// themselves or their argument up.
func IsCallable(v Value) bool {
	return v.IsClosure() || v.IsBuiltin() || v.IsKeyword() || v.IsMap()
}

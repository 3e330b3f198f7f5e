package vm

import (
	"unsafe"

	"github.com/gosema/gosema/eval/value"
)

// Builtin is a function written in Go, as the machine sees it. It is shared by
// interpreters and must not be changed.
type Builtin struct {
	info     value.FuncInfo // first: see value.FuncInfo
	min, max int            // max < 0: any number
	fn       func(t *Thread, args []Value) (Value, error)
	spread   bool // apply: the call is replaced by the call it asks for
}

// Func is the Go side of a builtin. args is a window of the thread's stack: it
// is valid until fn returns, and must not be changed. A nil error with any
// value is a result; an error that is not an *Error is given the place.
type Func = func(t *Thread, args []Value) (Value, error)

// NewBuiltin makes a builtin of at least min and at most max arguments; a
// negative max means any number.
func NewBuiltin(name string, minArgs, maxArgs int, fn Func) *Builtin {
	return &Builtin{info: value.FuncInfo{Name: name}, min: minArgs, max: maxArgs, fn: fn}
}

// NewApply makes apply: (f args... list) calls f with args and the elements of
// list, as a tail call where apply is in tail position.
func NewApply(name string) *Builtin {
	return &Builtin{info: value.FuncInfo{Name: name}, min: 2, max: -1, fn: applyFunc, spread: true}
}

// Value returns b as a value.
func (b *Builtin) Value() Value { return value.Object(unsafe.Pointer(b), value.KindBuiltin) }

// Name is the builtin's name.
func (b *Builtin) Name() string { return b.info.Name }

func (b *Builtin) checkArity(n int) error {
	if n < b.min || b.max >= 0 && n > b.max {
		return arityError(b.info.Name, b.min, b.max, n)
	}
	return nil
}

func applyFunc(t *Thread, args []Value) (Value, error) {
	all, err := spreadArgs(args)
	if err != nil {
		return value.Nil, err
	}
	return t.Call(args[0], all...)
}

func spreadArgs(args []Value) ([]Value, error) {
	last := args[len(args)-1]
	if last.IsNil() {
		last = value.Empty
	}
	if !last.IsSeq() {
		return nil, TypeError("a list or vector as the last argument", last)
	}
	return last.AppendTo(append([]Value(nil), args[1:len(args)-1]...)), nil
}

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
	redirect Redirect // instead of fn, if there is one
	data     any
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

// Redirect answers the call that is to be made in the place of the builtin's
// own: where that is a tail call, it is one too.
type Redirect = func(t *Thread, args []Value) (fn Value, passed []Value, err error)

// NewRedirect makes a builtin whose calls become other calls, such as apply.
func NewRedirect(name string, minArgs, maxArgs int, r Redirect) *Builtin {
	call := func(t *Thread, args []Value) (Value, error) {
		fn, passed, err := r(t, args)
		if err != nil {
			return value.Nil, err
		}
		return t.Call(fn, passed...)
	}
	return &Builtin{info: value.FuncInfo{Name: name}, min: minArgs, max: maxArgs, fn: call, redirect: r}
}

// With attaches data to a builtin that was just made; see [BuiltinData].
func (b *Builtin) With(data any) *Builtin {
	b.data = data
	return b
}

// As says what (type f) answers for the builtin, without the colon.
func (b *Builtin) As(typeName string) *Builtin {
	b.info.Type = typeName
	return b
}

// BuiltinData is what was attached to a builtin, nil for any other value.
func BuiltinData(v Value) any {
	if !v.IsBuiltin() {
		return nil
	}
	return (*Builtin)(v.Ref()).data
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

// Apply is the redirection of (apply f x ... list): the x and the elements of the
// list are what f gets.
func Apply(_ *Thread, args []Value) (fn Value, passed []Value, err error) {
	passed, err = spreadArgs(args)
	return args[0], passed, err
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

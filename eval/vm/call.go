package vm

import (
	"fmt"
	"runtime/debug"
	"unsafe"

	"github.com/gosema/gosema/eval/value"
)

type callResult int

const (
	callFailed callResult = iota
	callDone              // the result is stored
	callReady             // a closure is in the window, arguments and room checked
)

// siteOf returns the call instruction before t.pc and its window.
func (t *Thread) site() (*Ins, unsafe.Pointer) {
	i := (*Ins)(unsafe.Add(t.pc, -16))
	return i, unsafe.Add(t.base, uintptr(i.b))
}

// callSlow is every call but that of a closure with exactly its arguments.
//
//go:noinline
func (t *Thread) callSlow() callResult {
	i, window := t.site()
	fn := (*[2]Value)(window)[1]
	switch {
	case fn.IsBuiltin():
		b := (*Builtin)(fn.Ref())
		if b.redirect != nil {
			return t.callRedirected(b, window, int(i.n))
		}
		return t.callBuiltin(b, window, int(i.n))
	case fn.IsClosure():
		return t.prepareClosure((*Closure)(fn.Ref()), window, int(i.n))
	case fn.IsUndefined():
		return t.fail(t.unboundCallee(i))
	}
	args := windowArgs(window, int(i.n))
	if len(args) == 1 && fn.IsKeyword() && args[0].IsMap() { // (:key m), before what is rare
		v, _ := args[0].Get(fn)
		return t.store(v)
	}
	v, err := t.applyData(fn, args)
	if err != nil {
		return t.fail(err)
	}
	return t.store(v)
}

func (t *Thread) fail(err error) callResult {
	t.err = AsError(err)
	return callFailed
}

// store puts the result of the call before t.pc where it belongs.
func (t *Thread) store(v Value) callResult {
	i := (*Ins)(unsafe.Add(t.pc, -16))
	dest := i.a
	if i.op == opcodeTCALL || i.op == opcodeTCALLG {
		dest = i.b // followed by a return of it
	}
	*(*Value)(unsafe.Add(t.base, uintptr(dest))) = v
	return callDone
}

func windowArgs(window unsafe.Pointer, n int) []Value {
	return unsafe.Slice((*Value)(unsafe.Add(window, 32)), n)
}

func (t *Thread) callBuiltin(b *Builtin, window unsafe.Pointer, n int) callResult {
	if n < b.min || b.max >= 0 && n > b.max {
		return t.fail(arityError(t.calledAs(b), b.min, b.max, n))
	}
	t.top = unsafe.Add(window, uintptr(32+n*16))
	v, err := b.fn(t, windowArgs(window, n))
	if err != nil {
		return t.failIn(t.calledAs(b), err)
	}
	return t.store(v)
}

// calledAs is the name under which the call before t.pc found the builtin, which
// may be one of its aliases.
func (t *Thread) calledAs(b *Builtin) string {
	i, _ := t.site()
	if i.op == opcodeCALLG || i.op == opcodeTCALLG {
		if g := int(i.c); g < len(t.m.globals) && t.m.globals[g] == b.Value() {
			if name, ok := t.m.GlobalName(g).SymbolName(); ok {
				return name
			}
		}
	}
	return b.info.Name
}

// failIn notes which builtin failed, unless the error comes from further inside.
func (t *Thread) failIn(name string, err error) callResult {
	t.fail(err)
	if t.err.Builtin == "" && t.err.trace == nil {
		t.err.Builtin = name
	}
	return callFailed
}

// callRedirected makes the call that a builtin asks for in place of its own.
func (t *Thread) callRedirected(b *Builtin, window unsafe.Pointer, n int) callResult {
	if b.checkArity(n) != nil {
		return t.fail(arityError(t.calledAs(b), b.min, b.max, n))
	}
	at := t.offset(window)
	t.top = unsafe.Add(window, uintptr(32+n*16))
	fn, passed, err := b.redirect(t, windowArgs(window, n))
	if err != nil {
		return t.fail(err)
	}
	window = t.at(at) // the stack may have moved
	if fn.IsClosure() {
		return t.enterSpread(fn, window, passed)
	}
	v, err := t.Call(fn, passed...)
	if err != nil {
		return t.fail(err)
	}
	return t.store(v)
}

func (t *Thread) enterSpread(fn Value, window unsafe.Pointer, args []Value) callResult {
	end := uintptr(32 + len(args)*16)
	if uintptr(window)+end > t.limit {
		at := t.offset(window)
		if !t.grow(window, end) {
			return callFailed
		}
		window = t.at(at)
	}
	(*[2]Value)(window)[1] = fn
	copy(windowArgs(window, len(args)), args)
	return t.prepareClosure((*Closure)(fn.Ref()), window, len(args))
}

// prepareClosure makes the window's n arguments fit the closure, and room for
// its frame.
func (t *Thread) prepareClosure(cl *Closure, window unsafe.Pointer, n int) callResult {
	if int(cl.nargs) != n {
		if err := t.fitArgs(cl.proto, window, n); err != nil {
			return t.fail(err)
		}
	}
	if uintptr(window)+uintptr(cl.frame) > t.limit && !t.grow(window, uintptr(cl.frame)) {
		return callFailed
	}
	return callReady
}

func (t *Thread) fitArgs(c *Code, window unsafe.Pointer, n int) *Error {
	fixed := c.nparams - 1
	if !c.rest || n < fixed {
		minArgs, maxArgs := c.Arity()
		return arityError(c.info.Name, minArgs, maxArgs, n)
	}
	args := windowArgs(window, max(n, c.nparams))
	args[fixed] = t.m.heap.List(args[fixed:n])
	return nil
}

// enterWindow enters the closure that callSlow prepared.
func (t *Thread) enterWindow() {
	i, window := t.site()
	w := (*[2]cell)(window)
	w[0] = cell{Ref: t.pc, Bits: uint64(i.b)}
	t.base = window
	t.pc = (*Closure)(w[1].Ref).code
}

// enterTail moves the prepared window down over the running frame.
func (t *Thread) enterTail() {
	_, window := t.site()
	cl := (*Closure)((*[2]cell)(window)[1].Ref)
	frame := (*[2]Value)(t.base)
	frame[1] = (*[2]Value)(window)[1]
	copy(windowArgs(t.base, cl.proto.nparams), windowArgs(window, cl.proto.nparams))
	t.pc = cl.code
}

// applyData calls what is no function: a keyword looks itself up in a map, a map
// looks its argument up.
func (t *Thread) applyData(fn Value, args []Value) (Value, error) {
	switch {
	case fn.IsKeyword():
		return lookupIn(fn, args)
	case fn.IsMap() && (len(args) == 1 || len(args) == 2):
		return getOr(fn, args[0], args[1:]), nil
	case fn.IsMap():
		return value.Nil, arityError("a map", 1, 2, len(args))
	}
	e := Errorf(KindEval, "%s is not a function, but %s", Brief(fn), article(fn.TypeName()))
	e.Hint = "the first element of a form is called: use '(...) or (list ...) for data"
	return value.Nil, e
}

func lookupIn(key Value, args []Value) (Value, error) {
	if len(args) != 1 && len(args) != 2 {
		return value.Nil, arityError(key.String(), 1, 2, len(args))
	}
	m := args[0]
	switch {
	case m.IsMap():
		return getOr(m, key, args[1:]), nil
	case m.IsNil():
		return getOr(value.EmptyMap(), key, args[1:]), nil
	}
	return value.Nil, TypeError("a map to look up "+key.String()+" in", m)
}

func getOr(m, key Value, fallback []Value) Value {
	if v, ok := m.Get(key); ok {
		return v
	}
	if len(fallback) > 0 {
		return fallback[0]
	}
	return value.Nil
}

func article(noun string) string {
	switch noun[0] {
	case 'a', 'e', 'i', 'o', 'u':
		return "an " + noun
	}
	return "a " + noun
}

// Call calls a function from Go, on behalf of a builtin: the callee runs on
// this thread, under the lock. It allocates nothing of its own.
func (t *Thread) Call(fn Value, args ...Value) (Value, error) {
	if fn.IsBuiltin() {
		return t.callBuiltinFromGo((*Builtin)(fn.Ref()), args)
	}
	if !fn.IsClosure() {
		return t.applyData(fn, args)
	}
	v, err := t.callClosure((*Closure)(fn.Ref()), fn, args)
	if err != nil {
		return value.Nil, err
	}
	return v, nil
}

// callBuiltinFromGo moves the arguments to the stack, so that they need not
// escape to the heap where Call is called.
func (t *Thread) callBuiltinFromGo(b *Builtin, args []Value) (Value, error) {
	if err := b.checkArity(len(args)); err != nil {
		return value.Nil, err
	}
	window := t.top
	if err := t.room(&window, 0, len(args)); err != nil {
		return value.Nil, err
	}
	at := t.offset(window)
	copy(windowArgs(window, len(args)), args)
	t.top = unsafe.Add(window, uintptr(32+len(args)*16))
	v, err := b.fn(t, windowArgs(window, len(args)))
	t.top = t.at(at)
	if err != nil {
		t.failIn(b.info.Name, err)
		return value.Nil, t.takeError()
	}
	return v, nil
}

func (t *Thread) takeError() *Error {
	e := t.err
	t.err = nil
	return e
}

// room makes sure that a frame and so many arguments fit at window.
func (t *Thread) room(window *unsafe.Pointer, frame uintptr, args int) *Error {
	if len(t.levels) >= maxNesting {
		e := Errorf(KindEval, "calls nested too deeply through builtins: %d levels", maxNesting)
		e.Hint = "recursion through map, sort-by and the like has a limit; does it reach its base case?"
		return e
	}
	need := max(frame, uintptr(32+args*16))
	if uintptr(*window)+need > t.limit {
		at := t.offset(*window)
		if !t.grow(*window, need) {
			return t.takeError()
		}
		*window = t.at(at)
	}
	return nil
}

func (t *Thread) callClosure(cl *Closure, fn Value, args []Value) (Value, *Error) {
	window := t.top
	if err := t.room(&window, uintptr(cl.frame), len(args)); err != nil {
		return value.Nil, err
	}
	copy(windowArgs(window, len(args)), args)
	(*[2]Value)(window)[1] = fn
	if int(cl.nargs) != len(args) {
		if err := t.fitArgs(cl.proto, window, len(args)); err != nil {
			return value.Nil, err
		}
	}
	at := t.offset(window)
	t.levels = append(t.levels, level{t.pc, t.offset(t.base), false})
	ok := t.enter(cl, window)
	result := *(*Value)(t.at(at))
	t.leave(at)
	if !ok {
		return value.Nil, t.takeError()
	}
	return result, nil
}

// enter runs the closure in window until it returns.
func (t *Thread) enter(cl *Closure, window unsafe.Pointer) bool {
	*(*cell)(window) = cell{Ref: haltAddress()}
	t.pc, t.base = cl.code, window
	return t.execute()
}

// leave ends a nested run.
func (t *Thread) leave(at uintptr) {
	n := len(t.levels) - 1
	l := t.levels[n]
	t.levels = t.levels[:n]
	t.pc, t.base, t.top = l.pc, t.at(l.base), t.at(at)
	for len(t.handlers) > 0 && t.handlers[len(t.handlers)-1].level > n {
		t.handlers = t.handlers[:len(t.handlers)-1]
	}
}

// execute runs the loop and turns panics of builtins into errors that the
// program can catch.
func (t *Thread) execute() bool {
	for {
		ok := t.runRecovering()
		if ok || !t.panicked {
			return ok
		}
		t.panicked = false
		if !t.unwind() {
			return false
		}
	}
}

func (t *Thread) runRecovering() bool {
	defer t.catchPanic(len(t.levels))
	return t.run()
}

// catchPanic makes an error of a panic. A runtime.Goexit, for example by a
// failing test, passes.
func (t *Thread) catchPanic(level int) {
	if r := recover(); r != nil {
		t.levels = t.levels[:level]
		t.err, t.panicked = panicError(r), true
	}
}

func panicError(r any) *Error {
	switch r := r.(type) {
	case *value.DepthError:
		return &Error{Kind: KindEval, Message: r.Error(), Cause: r, Hint: "this data contains itself over and over, or a builder loop went wrong"}
	case *value.LimitError:
		return &Error{Kind: KindEval, Message: r.Error(), Cause: r}
	case *Error:
		return r
	}
	return &Error{Kind: KindInternal, Message: fmt.Sprintf("a bug in the interpreter: %v", r),
		Hint: "please report this with the program that caused it", Cause: fmt.Errorf("%w: %v\n%s", ErrInternal, r, debug.Stack())}
}

// Protect runs f, which uses the thread outside any evaluation, and returns a
// panic as an error.
func (t *Thread) Protect(f func() (Value, error)) (v Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			v, err = value.Nil, panicError(r)
		}
	}()
	return f()
}

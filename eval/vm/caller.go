package vm

import (
	"unsafe"

	"github.com/gosema/gosema/eval/value"
)

// Caller calls one function many times, as map and foldl do: what can be
// checked once is checked once. It must be ended with Done, which a defer
// should call, and nothing else may run on the thread in between but what the
// function does and t.Call.
type Caller struct {
	t     *Thread
	fn    Value
	cl    *Closure // nil: no fast path
	at    uintptr
	nargs int
}

// Caller prepares calls of fn with n arguments.
func (t *Thread) Caller(fn Value, n int) (c Caller) {
	c = Caller{t: t, fn: fn, nargs: n}
	if !fn.IsClosure() {
		return c
	}
	cl := (*Closure)(fn.Ref())
	window := t.top
	if int(cl.nargs) != n || t.room(&window, uintptr(cl.frame), n) != nil {
		return c // the slow path reports what is wrong
	}
	c.cl = cl
	c.at = t.offset(window)
	t.levels = append(t.levels, level{t.pc, t.offset(t.base)})
	t.top = unsafe.Add(window, uintptr(32+n*16)) // a builtin between calls may use t.Call
	return c
}

// Done ends the calls.
func (c *Caller) Done() {
	if c.cl != nil {
		c.t.leave(c.at)
		c.cl = nil
	}
}

// Call1 calls the function with one argument.
func (c *Caller) Call1(x Value) (Value, error) {
	if c.cl == nil {
		return c.t.Call(c.fn, x)
	}
	w := (*[3]Value)(c.t.at(c.at))
	w[1], w[2] = c.fn, x
	return c.run(unsafe.Pointer(w))
}

// Call2 calls the function with two arguments.
func (c *Caller) Call2(x, y Value) (Value, error) {
	if c.cl == nil {
		return c.t.Call(c.fn, x, y)
	}
	w := (*[4]Value)(c.t.at(c.at))
	w[1], w[2], w[3] = c.fn, x, y
	return c.run(unsafe.Pointer(w))
}

func (c *Caller) run(window unsafe.Pointer) (Value, error) {
	t := c.t
	if !t.enter(c.cl, window) {
		t.dropHandlers()
		return value.Nil, t.takeError()
	}
	return *(*Value)(t.at(c.at)), nil
}

// dropHandlers forgets the handlers of a nested run that failed.
func (t *Thread) dropHandlers() {
	for n := len(t.handlers); n > 0 && t.handlers[n-1].level >= len(t.levels); n-- {
		t.handlers = t.handlers[:n-1]
	}
}

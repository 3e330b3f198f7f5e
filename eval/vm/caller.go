package vm

import (
	"unsafe"

	"github.com/gosema/gosema/eval/value"
)

// Caller calls one function many times, as map and foldl do: what can be
// checked once is checked once. It must be ended with Done, which a defer must
// call, and nothing else may run on the thread in between but what the
// function does and t.Call.
//
// Its runs are bare: they do not recover from a panic of a builtin, which costs
// half as much as the whole call. The panic ends the builtin that is calling,
// and becomes an error in the run around it. Only a callee with a try could
// tell the difference; it is resumed in a run that does recover.
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
	t.levels = append(t.levels, level{t.pc, t.offset(t.base), true})
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
	t := c.t
	w := (*[3]cell)(t.at(c.at))
	w[0], w[1], w[2] = cell{Ref: haltAddress()}, cellOf(c.fn), cellOf(x)
	t.pc, t.base = c.cl.code, unsafe.Pointer(w)
	if !t.run() {
		if err := c.failed(); err != nil {
			return value.Nil, err
		}
	}
	return *(*Value)(t.at(c.at)), nil
}

// Call2 calls the function with two arguments. It repeats the body of Call1: a
// Go call between the two would be a tenth of the whole.
func (c *Caller) Call2(x, y Value) (Value, error) {
	if c.cl == nil {
		return c.t.Call(c.fn, x, y)
	}
	t := c.t
	w := (*[4]cell)(t.at(c.at))
	w[0], w[1], w[2], w[3] = cell{Ref: haltAddress()}, cellOf(c.fn), cellOf(x), cellOf(y)
	t.pc, t.base = c.cl.code, unsafe.Pointer(w)
	if !t.run() {
		if err := c.failed(); err != nil {
			return value.Nil, err
		}
	}
	return *(*Value)(t.at(c.at)), nil
}

// cellOf is v as the machine writes it.
func cellOf(v Value) cell { return *(*cell)(unsafe.Pointer(&v)) }

// failed is what remains to do when the bare loop came back without a result:
// the callee has a try, or raised an error.
//
//go:noinline
func (c *Caller) failed() error {
	t := c.t
	if t.resume {
		t.resume = false
		ok := t.execute()
		t.levels[len(t.levels)-1].bare = true
		if ok {
			return nil
		}
	}
	t.dropHandlers()
	return t.takeError()
}

// dropHandlers forgets the handlers of a nested run that failed.
func (t *Thread) dropHandlers() {
	for n := len(t.handlers); n > 0 && t.handlers[n-1].level >= len(t.levels); n-- {
		t.handlers = t.handlers[:n-1]
	}
}

package vm

import (
	"unsafe"

	"github.com/gosema/gosema/eval/value"
)

// handler is a try that is being executed.
type handler struct {
	frame uintptr
	pc    unsafe.Pointer // where the catch is
	dest  uint16         // the register it finds the error in
	level int
}

// pushHandler begins a try. It returns false in a bare run, which is to go on
// from the TRY in one that recovers.
//
//go:noinline
func (t *Thread) pushHandler(i *Ins) bool {
	if l := &t.levels[len(t.levels)-1]; l.bare {
		l.bare, t.resume = false, true
		t.pc = unsafe.Add(t.pc, -8)
		return false
	}
	t.handlers = append(t.handlers, handler{t.offset(t.base), unsafe.Add(t.pc, int(int16(i.c))*8), i.a, len(t.levels)})
	return true
}

// unwind goes to the innermost handler of this level; false if there is none,
// or the error cannot be caught. What is raised is t.err, or the value
// t.thrown where that is nil.
func (t *Thread) unwind() bool {
	n := len(t.handlers)
	handled := n > 0 && t.handlers[n-1].level == len(t.levels)
	if t.err == nil && !handled {
		t.err = &Error{Kind: KindUser, Value: t.thrown}
	}
	c := &caught{err: t.err, value: t.thrown}
	t.thrown = value.Nil
	switch e := t.err; {
	case e == nil:
		c.trace = t.captureTrace()
	case e.trace == nil:
		e.trace = t.captureTrace()
	}
	if !handled || c.err != nil && c.err.Fatal() {
		return false
	}
	h := &t.handlers[n-1]
	t.handlers = t.handlers[:n-1]
	t.base = t.at(h.frame)
	t.pc = h.pc
	t.err = nil
	*(*Value)(unsafe.Add(t.base, uintptr(h.dest))) = c.asMap()
	return true
}

// Throw makes the error that (throw v) raises. Throwing what catch bound raises
// the same error again, with its kind and its trace.
func Throw(v Value) *Error {
	if e, ok := ErrorValue(v); ok {
		return e
	}
	return &Error{Kind: KindUser, Value: v}
}

// throw raises a value; what catch bound raises the same error again.
//
//go:noinline
func (t *Thread) throw(v *Value) {
	t.err, t.thrown = nil, *v
	if e, ok := ErrorValue(*v); ok {
		t.err = e
	}
}

//go:noinline
func (t *Thread) errUnbound(g int) { t.err = t.m.unbound(g) }

//go:noinline
func (t *Thread) errUninitialized(name int) {
	c := (*Closure)(*(*unsafe.Pointer)(unsafe.Add(t.base, 16))).proto
	text, _ := c.consts[name].AsString()
	e := Errorf(KindUnbound, "%s is used before its definition", text)
	e.Fields = []Value{value.Keyword("name"), value.String(text)}
	e.Hint = "move the definition of " + text + " before its first use"
	t.err = e
}

func (t *Thread) unboundCallee(i *Ins) error {
	switch i.op {
	case opcodeCALLG, opcodeTCALLG:
		return t.m.unbound(int(i.c))
	}
	return Errorf(KindUnbound, "the function is used before its definition")
}

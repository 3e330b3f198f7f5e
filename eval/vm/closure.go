package vm

import (
	"unsafe"

	"github.com/gosema/gosema/eval/value"
)

// Closure is a function at run time. Its captured values follow it in memory,
// each a cell; so the header is two cells long and starts each with a pointer,
// which lets one allocation of plain values hold both.
type Closure struct {
	code  unsafe.Pointer // the first instruction
	frame uint32         // bytes of its frame
	nargs uint16         // exact number of arguments, or anyArgs
	_     uint16
	proto *Code
	_     uint64
}

const (
	closureHeader = unsafe.Sizeof(Closure{})
	anyArgs       = 0xFFFF // the slow path looks at the code
)

// UpvalueOffset is where captured value u stands in a closure.
func UpvalueOffset(u int) uint16 { return uint16(int(closureHeader) + u*16) }

// MaxUpvalues is how many values a closure can capture.
const MaxUpvalues = 4000

func newClosure(c *Code) *Closure {
	cl := allocClosure(len(c.caps))
	cl.code = c.start()
	cl.proto = c
	cl.frame = uint32(c.nregs * 16)
	cl.nargs = uint16(c.nparams)
	if c.rest {
		cl.nargs = anyArgs
	}
	return cl
}

// allocClosure allocates by constant size where it can: that is what the
// runtime does fastest.
func allocClosure(captured int) *Closure {
	switch captured {
	case 0:
		return new(Closure)
	case 1:
		return (*Closure)(unsafe.Pointer(new([3]Value)))
	case 2:
		return (*Closure)(unsafe.Pointer(new([4]Value)))
	case 3:
		return (*Closure)(unsafe.Pointer(new([5]Value)))
	case 4:
		return (*Closure)(unsafe.Pointer(new([6]Value)))
	}
	return (*Closure)(unsafe.Pointer(&make([]Value, captured+2)[0]))
}

// NewClosure makes a function of code that captures nothing.
func NewClosure(c *Code) Value {
	return value.Object(unsafe.Pointer(newClosure(c)), value.KindClosure)
}

//go:noinline
func makeClosure(i *Ins, base unsafe.Pointer) {
	self := *(*unsafe.Pointer)(unsafe.Add(base, 16))
	p := (*Closure)(self).proto.protos[int(i.b)|int(i.c)<<16]
	cl := newClosure(p)
	for k, capture := range p.caps {
		from := base
		if !capture.Local {
			from = self
		}
		*(*Value)(unsafe.Add(unsafe.Pointer(cl), uintptr(UpvalueOffset(k)))) = *(*Value)(unsafe.Add(from, uintptr(capture.Offset)))
	}
	*(*Value)(unsafe.Add(base, uintptr(i.a))) = value.Object(unsafe.Pointer(cl), value.KindClosure)
}

// box moves a variable that is both captured and assigned to the heap.
//
//go:noinline
func box(i *Ins, base unsafe.Pointer) {
	v := (*Value)(unsafe.Add(base, uintptr(i.a)))
	b := new(Value)
	*b = *v
	*v = value.Object(unsafe.Pointer(b), value.KindBox)
}

//go:noinline
func badOpcode() bool { panic("vm: bad opcode") }

// CodeOf returns the code of a closure.
func CodeOf(fn Value) (*Code, bool) {
	if !fn.IsClosure() {
		return nil, false
	}
	return (*Closure)(fn.Ref()).proto, true
}

// Arity returns how many arguments the function takes; max is -1 if any number.
func (c *Code) Arity() (minArgs, maxArgs int) {
	if c.rest {
		return c.nparams - 1, -1
	}
	return c.nparams, c.nparams
}

// ParamNames are the names of the parameters, the rest parameter last. Do not
// change them.
func (c *Code) ParamNames() []string { return c.names }

package vm

import (
	"unsafe"
)

// When a program redefines a builtin that the compiler inlines, such as +, every
// inlined site becomes a DEOPT instruction. That runs the site's stub instead,
// which does what the site would have been compiled to, had + been any other
// function:
//
//	MOVE    the arguments into a window behind the frame's registers
//	CALLG   the global
//	STUBRET go on behind the site, or take its jump
//
// so redefined operators are ordinary calls: they nest, loop and unwind like
// any other.
type stub struct {
	ins  []Ins
	next int // where it goes on, unless it takes the site's jump
}

const maxInlineArgs = 8

// deoptimize turns every inlined use of a global into calls.
func (c *Code) deoptimize(global int) {
	for k := range c.inlined {
		if s := &c.inlined[k]; s.Global == global || s.Not == global {
			c.deoptimizeSite(s)
		}
	}
}

func (c *Code) deoptimizeSite(s *InlineSite) {
	if plain, ok := c.fused[s.PC-1]; ok && c.ins[s.PC-1].op != opcodeDEOPT {
		c.ins[s.PC-1].op = plain
		delete(c.fused, s.PC-1)
	}
	if c.ins[s.PC].op == opcodeDEOPT {
		return
	}
	if s.Copy { // leave it to the original
		c.ins[s.PC].op = opcodeNOP
		return
	}
	if c.stubs == nil {
		c.stubs = map[int]*stub{}
	}
	c.stubs[s.PC] = c.makeStub(s)
	c.ins[s.PC].op = opcodeDEOPT
}

func (c *Code) makeStub(s *InlineSite) *stub {
	window := c.nregs - maxInlineArgs - 2
	dest := c.stubDest(s, window)
	st := &stub{next: s.PC + 1}
	if s.Branch == ToValue {
		st.next = s.Next
	}
	for k, a := range s.Args {
		to := Reg(window + 2 + k)
		if a.Immediate {
			st.ins = append(st.ins, Ins{opcodeLOADI, 0, to, uint16(uint32(a.N)), uint16(uint32(a.N) >> 16)})
		} else {
			st.ins = append(st.ins, Ins{op: opcodeMOVE, a: to, b: Reg(a.N)})
		}
	}
	result := dest
	if s.Not >= 0 {
		result = Reg(window + 2)
	}
	st.call(s.Global, len(s.Args), window, result)
	if s.Not >= 0 {
		st.call(s.Not, 1, window, dest)
	}
	st.ins = append(st.ins, Ins{op: opcodeSTUBRET, n: uint8(s.Branch), a: dest}, RawWord(uint64(s.PC)), Ins{op: opcodeHALT}, Ins{op: opcodeHALT})
	return st
}

// stubDest is the register that the stub's call stores its result in.
func (c *Code) stubDest(s *InlineSite, window int) uint16 {
	i := c.ins[s.PC]
	switch {
	case s.Branch == ToValue:
		return Reg(s.Dest)
	case s.Branch != NoBranch:
		return Reg(window)
	case i.op == opcodeTHROW: // a is the operand; b is for a throw that is redefined to return
		return i.b
	}
	return i.a
}

func (st *stub) call(global, n, window int, dest uint16) {
	if global <= 0xFFFF {
		st.ins = append(st.ins, Ins{opcodeCALLG, uint8(n), dest, Reg(window), uint16(global)}, Ins{})
		return
	}
	st.ins = append(st.ins, Ins{op: opcodeGETGW, a: Reg(window + 1)}, RawWord(uint64(global)),
		Ins{opcodeCALL, uint8(n), dest, Reg(window), 0}, Ins{})
}

func (t *Thread) code() *Code {
	return (*Closure)(*(*unsafe.Pointer)(unsafe.Add(t.base, 16))).proto
}

//go:noinline
func (t *Thread) enterStub() {
	c := t.code()
	site, _ := c.index(unsafe.Add(t.pc, -8))
	t.pc = unsafe.Pointer(&c.stubs[site].ins[0])
}

//go:noinline
func (t *Thread) leaveStub(i *Ins) {
	c := t.code()
	site := int(*(*uint64)(t.pc))
	next := c.stubs[site].next
	if truthy := reg(t.base, i.a).Truthy(); Branch(i.n) == IfTrue && truthy || Branch(i.n) == IfFalse && !truthy {
		next += c.ins[site].Jump()
	}
	t.pc = unsafe.Pointer(&c.ins[next])
}

// stubSite returns the site of the stub that pc lies in.
func (c *Code) stubSite(pc unsafe.Pointer) (int, bool) {
	for site, s := range c.stubs {
		if uintptr(pc)-uintptr(unsafe.Pointer(&s.ins[0])) < uintptr(len(s.ins)*8) {
			return site, true
		}
	}
	return 0, false
}

package vm

import (
	"fmt"
	"sort"
	"strings"
	"unsafe"

	"github.com/gosema/gosema/eval/value"
)

// Code is one compiled function.
type Code struct {
	info    value.FuncInfo // first: see value.ClosureHeader
	ins     []Ins
	consts  []Value
	protos  []*Code
	caps    []Capture
	source  *value.Source
	spans   []spanAt
	nparams int
	rest    bool
	nregs   int
	inlined []InlineSite
	fused   map[int]Op // where a pair was fused: the plain opcode
	stubs   map[int]*stub
	unit    *Unit
	names   []string // of the parameters
}

// Template is what a compiler hands in to make a Code.
type Template struct {
	Name    string
	Ins     []Ins
	Consts  []Value
	Protos  []*Code
	Caps    []Capture
	Source  *value.Source
	Params  int      // the rest parameter included
	Names   []string // of the parameters
	Rest    bool
	Regs    int
	Inlined []InlineSite
	NoFuse  bool
	spans   []spanAt
}

// Capture says where a closure finds a captured value when it is made: in a
// register of the function around it, or among that one's own captures.
type Capture struct {
	Local  bool
	Offset uint16 // bytes from the frame, or from the closure
}

// InlineSite is an instruction that stands for a call of a builtin.
type InlineSite struct {
	PC     int
	Global int
	Not    int // the global of a not around it that is inlined too; -1 if there is none
	Args   []Operand
	Branch Branch
	Dest   int  // for ToValue: the register that gets the result
	Next   int  // for ToValue: where it goes on then
	Copy   bool // a loop's test repeated at its end, before a jump to the original
}

// Branch says what an inlined site does with its result.
type Branch uint8

const (
	NoBranch Branch = iota // stores it in register a
	IfTrue                 // jumps when it is truthy
	IfFalse
	ToValue // branches to code that loads #t or #f; a call's result is the value itself
)

// Operand is a register, or a small integer.
type Operand struct {
	Immediate bool
	N         int
}

type spanAt struct {
	pc   int32
	span value.Span
}

// MarkSpan records that the instructions from here on come from span.
func (t *Template) MarkSpan(span value.Span) {
	if n := len(t.spans); n > 0 && t.spans[n-1].span == span {
		return
	}
	t.spans = append(t.spans, spanAt{int32(len(t.Ins)), span})
}

// LastSpan is what MarkSpan was last told.
func (t *Template) LastSpan() value.Span {
	if n := len(t.spans); n > 0 {
		return t.spans[n-1].span
	}
	return value.Span{}
}

// NewCode makes a function of u. The template must not be used afterwards.
func (u *Unit) NewCode(t *Template) *Code {
	c := &Code{info: value.FuncInfo{Name: t.Name}, ins: t.Ins, consts: t.Consts, protos: t.Protos, caps: t.Caps,
		source: t.Source, spans: t.spans, nparams: t.Params, names: t.Names, rest: t.Rest, nregs: t.Regs, inlined: t.Inlined, unit: u}
	// A halt behind the end keeps every address that the loop forms inside the code.
	c.ins = append(c.ins, Ins{op: opcodeHALT}, Ins{op: opcodeHALT})
	if len(c.inlined) > 0 {
		c.nregs += maxInlineArgs + 2 // a window for a stub
	}
	if !t.NoFuse {
		c.fuse()
	}
	u.codes = append(u.codes, c)
	u.size += len(c.ins)
	return c
}

// Name is the function's name, "" if it has none.
func (c *Code) Name() string { return c.info.Name }

func (c *Code) start() unsafe.Pointer { return unsafe.Pointer(&c.ins[0]) }

// index returns which instruction an address is, and whether it is one of c's.
func (c *Code) index(pc unsafe.Pointer) (int, bool) {
	d := uintptr(pc) - uintptr(c.start())
	return int(d / 8), d < uintptr(len(c.ins)*8)
}

// position is the index of the instruction at a return address; one in a stub
// counts as standing behind the stub's site.
func (c *Code) position(pc unsafe.Pointer) int {
	i, ok := c.index(pc)
	if !ok {
		site, _ := c.stubSite(pc)
		return site + 1
	}
	return i
}

// spanBefore returns the source of the instruction before index i; that of the
// whole function before the first.
func (c *Code) spanBefore(i int) value.Span {
	n := sort.Search(len(c.spans), func(k int) bool { return int(c.spans[k].pc) > i-1 })
	if len(c.spans) == 0 {
		return value.Span{}
	}
	return c.spans[max(n-1, 0)].span
}

// fusions are the pairs that run as one. A fused opcode overlays the first
// instruction only: the second stays as it is, for jumps to it and for
// falling back.
var fusions = map[[2]Op]Op{
	{opcodeADDI, opcodeCALLG}: opcodeADDI_CALLG, {opcodeADDI, opcodeLLT}: opcodeADDI_LLT,
	{opcodeADDI, opcodeJMPBACK}: opcodeADDI_JMPBACK, {opcodeADD, opcodeRET}: opcodeADD_RET,
	{opcodeJNLTI, opcodeRET}: opcodeJNLTI_RET, {opcodeMOVE, opcodeMOVE}: opcodeMOVE_MOVE,
	{opcodeMOVE, opcodeCALLG}:    opcodeMOVE_CALLG,
	{opcodeGETUPBOX, opcodeADDI}: opcodeUPBOX_ADDI,
}

func (c *Code) fuse() {
	c.fused = map[int]Op{}
	for i := 0; i+2 < len(c.ins); i++ {
		first, second := c.ins[i], c.ins[i+1]
		if hasRaw(first.op) {
			i++
			continue
		}
		f, ok := fusions[[2]Op{first.op, second.op}]
		if !ok || !c.fusible(i, f) {
			continue
		}
		c.fused[i] = first.op
		c.ins[i].op = f
		if second.op != opcodeCALLG {
			i++
		}
	}
}

// fusible checks what a fused pair assumes beyond its opcodes.
func (c *Code) fusible(i int, f Op) bool {
	first, second := c.ins[i], c.ins[i+1]
	switch f {
	case opcodeADDI_LLT, opcodeADD_RET:
		return first.a == second.a
	case opcodeUPBOX_ADDI:
		third := c.ins[i+2]
		return second.b == first.a && third.op == opcodeSETUPBOX && third.a == second.a && third.b == first.b
	}
	return true
}

// Disassemble lists the code and the functions inside it.
func (c *Code) Disassemble() string {
	var b strings.Builder
	c.disassemble(&b)
	return b.String()
}

func (c *Code) disassemble(b *strings.Builder) {
	fmt.Fprintf(b, "%s: %d parameters, %d registers\n", c.info.Name, c.nparams, c.nregs)
	for i := 0; i < len(c.ins)-2; i++ {
		x := c.ins[i]
		fmt.Fprintf(b, "%5d  %-12s n=%d a=%d b=%d c=%d\n", i, opNames[x.op], x.n, x.a/16, x.b/16, int16(x.c))
		if plain, ok := c.fused[i]; ok && x.op != plain {
			x.op = plain
		}
		if hasRaw(x.op) {
			i++
		}
	}
	for _, p := range c.protos {
		p.disassemble(b)
	}
}

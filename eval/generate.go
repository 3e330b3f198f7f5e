package eval

import (
	"fmt"

	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
)

// generator makes the code of one function.
type generator struct {
	c       *compiler
	outer   *generator
	fn      *function
	t       *vm.Template
	next    int // the first free register
	caps    map[*variable]int
	floats  map[uint64]int // registers that hold float constants of the loop around
	inlined map[int]int    // by instruction: its index in t.Inlined
	far     bool           // jumps may be longer than an instruction can say
}

const firstRegister = 2 // behind the return address and the closure

// generate makes the code of fn, a function inside the one of outer.
func (c *compiler) generate(fn *function, outer *generator) *vm.Code {
	g := &generator{c: c, outer: outer, fn: fn}
	g.run(false)
	if len(g.t.Ins) > 32000 {
		g.run(true)
	}
	return c.unit.NewCode(g.t)
}

func (g *generator) run(far bool) {
	g.far = far
	g.t = &vm.Template{Name: g.fn.name, Source: g.c.origin.source, Params: len(g.fn.params), Rest: g.fn.rest, NoFuse: far}
	for _, v := range g.fn.params {
		g.t.Names = append(g.t.Names, v.name)
	}
	g.next = firstRegister
	g.caps, g.floats, g.inlined = map[*variable]int{}, nil, map[int]int{}
	g.mark(g.fn.span)
	for _, v := range g.fn.params {
		v.reg = g.temp()
	}
	g.boxAll(g.fn.params)
	if g.fn.top { // no tail calls, so that traces show the form
		r := g.temp()
		g.expr(g.fn.body, r, false)
		g.ret(r)
	} else {
		g.expr(g.fn.body, discard, true)
	}
	g.t.Regs++
}

// discard is the destination of a value that nobody wants.
const discard = -1

func (g *generator) temp() int {
	r := g.next
	g.next++
	if g.next > vm.MaxRegisters {
		e := Errorf(KindEval, "this form is too large to compile: it needs more than %d values at a time", vm.MaxRegisters)
		e.Hint = "split it into functions, or build the data step by step"
		g.c.failWith(g.t.LastSpan(), e)
	}
	g.t.Regs = max(g.t.Regs, g.next)
	return r
}

func (g *generator) emit(op vm.Op, n int, a, b, c uint16) int {
	g.t.Ins = append(g.t.Ins, vm.NewIns(op, n, a, b, c))
	return len(g.t.Ins) - 1
}

// regs emits an instruction of three registers.
func (g *generator) regs(op vm.Op, a, b, c int) int {
	return g.emit(op, 0, vm.Reg(a), vm.Reg(b), vm.Reg(c))
}

// wide emits an instruction with a 32-bit number in b and c.
func (g *generator) wide(op vm.Op, a, number int) int {
	return g.emit(op, 0, vm.Reg(a), uint16(uint32(number)), uint16(uint32(number)>>16))
}

func (g *generator) raw(w uint64) { g.t.Ins = append(g.t.Ins, vm.RawWord(w)) }

func (g *generator) mark(span value.Span) {
	if span.Start.IsValid() {
		g.t.MarkSpan(span)
	}
}

func (g *generator) constant(v Value) int {
	g.t.Consts = append(g.t.Consts, v)
	return len(g.t.Consts) - 1
}

func (g *generator) ret(r int) { g.regs(vm.OpRet, r, 0, 0) }

func (g *generator) boxAll(vars []*variable) {
	for _, v := range vars {
		if v.boxed() {
			g.regs(vm.OpBox, v.reg, 0, 0)
		}
	}
}

// finish ends an expression whose value is in dest.
func (g *generator) finish(dest int, tail bool) {
	if tail {
		g.ret(dest)
	}
}

// resolve finds where a variable lives: in a register, or among the captured
// values.
func (g *generator) resolve(v *variable) (reg, upvalue int) {
	if v.fn == g.fn {
		return v.reg, -1
	}
	if v == g.fn.self && !v.boxed() {
		return 1, -1
	}
	if u, ok := g.caps[v]; ok {
		return -1, u
	}
	r, u := g.outer.resolve(v)
	capture := vm.Capture{Local: true, Offset: vm.Reg(r)}
	if r < 0 {
		capture = vm.Capture{Offset: vm.UpvalueOffset(u)}
	}
	if len(g.t.Caps) >= vm.MaxUpvalues {
		g.c.fail(g.t.LastSpan(), "this function uses more than %d variables from around it", vm.MaxUpvalues)
	}
	g.caps[v] = len(g.t.Caps)
	g.t.Caps = append(g.t.Caps, capture)
	return -1, g.caps[v]
}

// expr generates code that leaves the value of n in register dest; in tail
// position, code that returns it.
func (g *generator) expr(n node, dest int, tail bool) {
	saved := g.next
	defer func() { g.next = saved }()
	if tail {
		if dest = g.tailDest(n); dest == discard {
			return
		}
	}
	switch n := n.(type) {
	case *constNode:
		g.load(n.v, dest)
		g.finish(dest, tail)
	case *localNode:
		g.local(n, dest)
		g.finish(dest, tail)
	case *globalNode:
		g.global(n, dest)
		g.finish(dest, tail)
	case *setLocalNode:
		g.setLocal(n, dest)
		g.finish(dest, tail)
	case *setGlobalNode:
		g.setGlobal(n, dest)
		g.finish(dest, tail)
	case *lambdaNode:
		g.closure(n.fn, dest)
		g.finish(dest, tail)
	case *whileNode:
		g.while(n, dest)
		g.finish(dest, tail)
	case *andOrNode:
		g.andOr(n, dest)
		g.finish(dest, tail)
	case *primNode:
		g.prim(n, dest)
		g.finish(dest, tail)
	default:
		g.control(n, dest, tail)
	}
}

// control generates the nodes that have tail positions inside.
func (g *generator) control(n node, dest int, tail bool) {
	switch n := n.(type) {
	case *ifNode:
		g.conditional(n, dest, tail)
	case *seqNode:
		g.sequence(n.nodes, dest, tail)
	case *letNode:
		g.let(n, dest, tail)
	case *unpackNode:
		g.unpack(n, dest, tail)
	case *bodyNode:
		g.body(n, dest, tail)
	case *loopNode:
		g.loop(n, dest, tail)
	case *continueNode:
		g.continueLoop(n, dest, tail)
	case *callNode:
		g.call(n, dest, tail)
	case *tryNode:
		g.try(n, dest, tail)
	default:
		panic(fmt.Sprintf("eval: no code for %T", n))
	}
}

// inTail reports whether a node hands tail position on to a part of it.
func inTail(n node) bool {
	switch n.(type) {
	case *ifNode, *seqNode, *letNode, *unpackNode, *bodyNode, *loopNode, *continueNode, *callNode, *tryNode:
		return true
	}
	return false
}

// tailDest chooses where a value that is returned is computed: nowhere if it
// already is in a register, then it is returned here and now.
func (g *generator) tailDest(n node) int {
	if inTail(n) {
		return 0 // decided by the parts
	}
	if l, ok := n.(*localNode); ok && !l.v.boxed() && !l.check {
		if r, _ := g.resolve(l.v); r >= 0 {
			g.ret(r)
			return discard
		}
	}
	return g.temp()
}

func (g *generator) load(v Value, dest int) {
	if dest == discard {
		return
	}
	i, isInt := v.AsInt()
	switch {
	case isInt && int64(int32(i)) == i:
		g.wide(vm.OpLoadi, dest, int(i))
	case isInt:
		g.regs(vm.OpLoadx, dest, 0, 0)
		g.raw(uint64(i))
	case v.IsFloat():
		g.regs(vm.OpLoadf, dest, 0, 0)
		g.raw(floatBits(v))
	case v.Kind() == value.KindNil || v.Kind() == value.KindBool || v.IsUndefined():
		g.emit(vm.OpLoadc, 0, vm.Reg(dest), miscBits(v), 0)
	default:
		g.wide(vm.OpLoadk, dest, g.constant(v))
	}
}

func miscBits(v Value) uint16 {
	switch {
	case v == value.True:
		return 2
	case v.IsUndefined():
		return value.UndefinedBits
	case v.IsNil():
		return value.NilBits
	}
	return value.FalseBits
}

func (g *generator) local(n *localNode, dest int) {
	if dest == discard && !n.check {
		return
	}
	if dest == discard {
		dest = g.temp()
	}
	r, u := g.resolve(n.v)
	switch {
	case r >= 0 && n.v.boxed():
		g.regs(vm.OpGetbox, dest, r, 0)
	case r >= 0:
		if r != dest {
			g.regs(vm.OpMove, dest, r, 0)
		}
	case n.v.boxed():
		g.emit(vm.OpGetupbox, 0, vm.Reg(dest), vm.UpvalueOffset(u), 0)
	default:
		g.emit(vm.OpGetup, 0, vm.Reg(dest), vm.UpvalueOffset(u), 0)
	}
	if n.check {
		g.mark(n.span)
		k := g.constant(value.String(n.v.name))
		g.emit(vm.OpCheck, 0, vm.Reg(dest), uint16(k), 0)
	}
}

func (g *generator) global(n *globalNode, dest int) {
	g.mark(n.span)
	if dest == discard {
		dest = g.temp()
	}
	if n.g <= 0xFFFF {
		g.emit(vm.OpGetg, 0, vm.Reg(dest), 0, uint16(n.g))
		return
	}
	g.regs(vm.OpGetgw, dest, 0, 0)
	g.raw(uint64(n.g))
}

func (g *generator) setGlobal(n *setGlobalNode, dest int) {
	r := g.operand(n.e, true)
	g.mark(n.span)
	op, wide := vm.OpSetg, vm.OpSetgw
	if n.define {
		op, wide = vm.OpDefg, vm.OpDefgw
	}
	if n.g <= 0xFFFF {
		g.emit(op, 0, vm.Reg(r), 0, uint16(n.g))
	} else {
		g.regs(wide, r, 0, 0)
		g.raw(uint64(n.g))
	}
	g.assigned(r, n.define, dest)
}

// assigned leaves what an assignment returns: the value, or nil for a definition.
func (g *generator) assigned(r int, define bool, dest int) {
	switch {
	case define:
		g.load(value.Nil, dest)
	case dest != discard && dest != r:
		g.regs(vm.OpMove, dest, r, 0)
	}
}

func (g *generator) setLocal(n *setLocalNode, dest int) {
	r, u := g.resolve(n.v)
	from := r
	switch {
	case r >= 0 && n.v.boxed():
		from = g.operand(n.e, true)
		g.regs(vm.OpSetbox, r, from, 0)
	case r >= 0:
		g.expr(n.e, r, false)
	default:
		from = g.operand(n.e, true)
		g.emit(vm.OpSetupbox, 0, vm.Reg(from), vm.UpvalueOffset(u), 0)
	}
	g.assigned(from, n.init, dest)
}

func (g *generator) closure(fn *function, dest int) {
	if dest == discard {
		return
	}
	g.t.Protos = append(g.t.Protos, g.c.generate(fn, g))
	g.wide(vm.OpClosure, dest, len(g.t.Protos)-1)
}

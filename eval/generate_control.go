package eval

import (
	"math"

	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
)

// A jump is the index of an instruction whose target is not known yet.
type jump int

// land makes jumps go to the next instruction.
func (g *generator) land(jumps ...jump) {
	for _, j := range jumps {
		g.target(j, len(g.t.Ins))
	}
}

func (g *generator) target(j jump, at int) {
	i := g.t.Ins[j]
	d := at - (int(j) + 1)
	switch {
	case i.Op() == vm.OpJmpw:
		g.t.Ins[j+1] = vm.RawWord(uint64(at - (int(j) + 1)))
	case d >= math.MinInt16 && d <= math.MaxInt16:
		g.t.Ins[j] = i.WithJump(int16(d))
	case g.far:
		g.c.fail(g.t.LastSpan(), "this form is too large to compile: split it into functions")
	default: // too far: the whole function is generated once more with long jumps
	}
}

// jump emits a forward jump.
func (g *generator) jump() jump {
	if g.far {
		j := jump(g.regs(vm.OpJmpw, 0, 0, 0))
		g.raw(0)
		return j
	}
	return jump(g.regs(vm.OpJmp, 0, 0, 0))
}

// conditionalJump turns the conditional jump just emitted into one of any
// length where need be.
func (g *generator) conditionalJump(at int) jump {
	if !g.far {
		return jump(at)
	}
	i := g.t.Ins[at]
	op := i.Op()
	switch {
	case op == vm.OpJt:
		op = vm.OpJf
	case op == vm.OpJf:
		op = vm.OpJt
	default:
		op = vm.Negate(op)
	}
	g.t.Ins[at] = i.WithOp(op).WithJump(2) // over the long jump
	if k, ok := g.inlined[at]; ok {
		s := &g.t.Inlined[k]
		s.Branch = flip(s.Branch)
	}
	return g.jump()
}

func (g *generator) conditional(n *ifNode, dest int, tail bool) {
	var ends []jump
	for { // chains of else-if, which may be long
		miss := g.jumpIf(n.test, false)
		g.expr(n.then, dest, tail)
		if !tail && !leaves(n.then) {
			ends = append(ends, g.jump())
		}
		g.land(miss...)
		next, ok := n.otherwise.(*ifNode)
		if !ok {
			break
		}
		n = next
	}
	g.expr(n.otherwise, dest, tail)
	g.land(ends...)
}

// leaves reports whether control never comes out of n: it starts a loop over.
func leaves(n node) bool {
	c, ok := n.(*continueNode)
	return ok && c.loop.ok
}

func (g *generator) sequence(nodes []node, dest int, tail bool) {
	for i, x := range nodes {
		if i == len(nodes)-1 {
			g.expr(x, dest, tail)
		} else {
			g.expr(x, discard, false)
		}
	}
}

func (g *generator) let(n *letNode, dest int, tail bool) {
	for i, v := range n.vars {
		v.reg = g.temp()
		g.expr(n.inits[i], v.reg, false)
	}
	g.boxAll(n.vars)
	g.expr(n.body, dest, tail)
}

func (g *generator) unpack(n *unpackNode, dest int, tail bool) {
	var ends []jump
	first := g.next
	for { // chains of clauses, which may be long
		misses := g.steps(n.steps)
		g.expr(n.body, dest, tail)
		if n.otherwise == nil {
			break
		}
		if !tail && !leaves(n.body) {
			ends = append(ends, g.jump())
		}
		g.land(misses...)
		g.next = first
		next, ok := n.otherwise.(*unpackNode)
		if !ok {
			g.expr(n.otherwise, dest, tail)
			break
		}
		n = next
	}
	g.land(ends...)
}

// steps generates the steps of an unpackNode; it returns the jumps of the tests
// that fail.
func (g *generator) steps(steps []step) (misses []jump) {
	for _, s := range steps {
		switch {
		case s.test:
			misses = append(misses, g.jumpIf(s.e, false)...)
		case s.v == nil:
			g.expr(s.e, discard, false)
		default:
			s.v.reg = g.temp()
			g.expr(s.e, s.v.reg, false)
			g.boxAll([]*variable{s.v})
		}
	}
	return misses
}

func (g *generator) body(n *bodyNode, dest int, tail bool) {
	for _, v := range n.vars {
		v.reg = g.temp()
		if v.boxed() || v.early {
			g.load(value.Undefined, v.reg)
		}
	}
	g.boxAll(n.vars)
	g.sequence(n.items, dest, tail)
}

func (g *generator) loop(n *loopNode, dest int, tail bool) {
	l := n.loop
	if !l.ok {
		g.loopFunction(n, dest, tail)
		return
	}
	for i, v := range l.vars {
		v.reg = g.temp()
		g.expr(n.inits[i], v.reg, false)
	}
	outer := g.floats
	g.floats = map[uint64]int{}
	for k, r := range outer {
		g.floats[k] = r
	}
	g.hoist(n.body)
	defer func() { g.floats = outer }()
	l.head = len(g.t.Ins)
	g.boxAll(l.vars) // each turn has its own variables, for closures that keep them
	g.expr(n.body, dest, tail)
}

// loopFunction makes a loop that is used as a value, or called in the middle of
// an expression, into a function.
func (g *generator) loopFunction(n *loopNode, dest int, tail bool) {
	l := n.loop
	l.v.reg = g.temp()
	if l.v.boxed() {
		g.load(value.Undefined, l.v.reg)
		g.regs(vm.OpBox, l.v.reg, 0, 0)
		f := g.temp()
		g.closure(l.fn, f)
		g.regs(vm.OpSetbox, l.v.reg, f, 0)
	} else {
		g.closure(l.fn, l.v.reg)
	}
	g.call(&callNode{fn: &localNode{v: l.v}, args: n.inits, span: l.span}, dest, tail)
}

// pending is a loop variable that is to get a new value.
type pending struct {
	v *variable
	e node
}

func (g *generator) continueLoop(n *continueNode, dest int, tail bool) {
	if !n.loop.ok {
		g.call(&callNode{fn: &localNode{v: n.loop.v}, args: n.args, span: n.span}, dest, tail)
		return
	}
	todo := g.settle(n)
	regs := make([]int, len(todo))
	for i, p := range todo {
		regs[i] = p.v.reg
		if i < len(todo)-1 || p.v.boxed() { // the last may be written in place
			regs[i] = g.temp()
		}
		g.expr(p.e, regs[i], false)
	}
	for i, p := range todo {
		if regs[i] != p.v.reg {
			g.regs(vm.OpMove, p.v.reg, regs[i], 0)
		}
	}
	g.mark(n.span)
	g.jumpBack(n.loop.head)
}

// settle writes those new values that no other still needs the old one of, and
// returns the rest.
func (g *generator) settle(n *continueNode) []pending {
	var todo []pending
	for i, e := range n.args {
		v := n.loop.vars[i]
		if l, ok := e.(*localNode); ok && l.v == v && !v.boxed() {
			continue
		}
		todo = append(todo, pending{v, e})
	}
	if !allSimple(n.args) || len(todo) > 16 {
		return todo
	}
	for k := g.writable(todo); k >= 0; k = g.writable(todo) {
		g.expr(todo[k].e, todo[k].v.reg, false)
		todo = append(todo[:k], todo[k+1:]...)
	}
	return todo
}

func (g *generator) writable(todo []pending) int {
next:
	for i, p := range todo {
		if p.v.boxed() {
			continue
		}
		for j, q := range todo {
			if i != j && mentions(q.e, p.v) {
				continue next
			}
		}
		return i
	}
	return -1
}

// jumpBack goes on at the loop's head. If that is a compare-and-jump, it is
// done here instead, which saves an instruction a turn.
func (g *generator) jumpBack(head int) {
	if g.far {
		j := jump(g.regs(vm.OpJmpw, 0, 0, 0))
		g.raw(0)
		g.target(j, head)
		return
	}
	if head < len(g.t.Ins) && vm.IsCompareJump(g.t.Ins[head].Op()) {
		g.compareBack(head, g.t.Ins[head])
	}
	j := jump(g.regs(vm.OpJmpback, 0, 0, 0))
	g.target(j, head)
}

func (g *generator) compareBack(head int, first vm.Ins) {
	at := len(g.t.Ins)
	unknown := first.Jump() == 0 // the exit is not known yet: take the jump into the loop instead
	op := vm.LoopForm(first.Op())
	if unknown {
		op = vm.Negate(op)
	}
	g.t.Ins = append(g.t.Ins, first.WithOp(op))
	if unknown {
		g.target(jump(at), head+1)
	} else {
		g.target(jump(at), head+1+first.Jump())
	}
	if k, ok := g.inlined[head]; ok {
		s := g.t.Inlined[k]
		s.PC, s.Copy = at, true
		g.site(s)
	}
}

func (g *generator) while(n *whileNode, dest int) {
	head := len(g.t.Ins)
	exits := g.jumpIf(n.test, false)
	g.expr(n.body, discard, false)
	g.jumpBack(head)
	g.land(exits...)
	g.load(value.Nil, dest)
}

func (g *generator) call(n *callNode, dest int, tail bool) {
	window := g.temp()
	g.temp()
	gl, global := n.fn.(*globalNode)
	if global && (gl.g > 0xFFFF || n.calleeFirst) {
		global = false
	}
	if !global {
		g.expr(n.fn, window+1, false)
	}
	for _, a := range n.args {
		g.expr(a, g.temp(), false)
	}
	g.mark(n.span)
	if dest == discard || tail {
		dest = window
	}
	op, target := vm.OpCall, uint16(0)
	if global {
		op, target = vm.OpCallg, uint16(gl.g)
	}
	if tail {
		op = map[vm.Op]vm.Op{vm.OpCall: vm.OpTcall, vm.OpCallg: vm.OpTcallg}[op]
	}
	g.emit(op, len(n.args), vm.Reg(dest), vm.Reg(window), target)
	g.raw(0)
	if tail { // where the callee was a builtin after all
		g.ret(window)
	}
}

func (g *generator) try(n *tryNode, dest int, tail bool) {
	if dest == discard || tail {
		dest = g.temp()
	}
	n.v.reg = g.temp()
	skip := []jump{}
	at := g.regs(vm.OpTry, n.v.reg, 0, 0)
	handler := jump(at)
	if g.far { // the handler is a long jump
		over := g.jump()
		g.target(jump(at), len(g.t.Ins))
		handler = g.jump()
		g.land(over)
	}
	g.expr(n.body, dest, false)
	g.regs(vm.OpEndtry, 0, 0, 0)
	if tail {
		g.ret(dest)
	} else {
		skip = append(skip, g.jump())
	}
	g.land(handler)
	g.boxAll([]*variable{n.v})
	g.expr(n.h, dest, tail)
	g.land(skip...)
}

func (g *generator) andOr(n *andOrNode, dest int) {
	r := g.temp() // not dest: that may be a variable which a later part reads
	var ends []jump
	for i, a := range n.nodes {
		g.expr(a, r, false)
		if i < len(n.nodes)-1 {
			op := vm.OpJf
			if n.or {
				op = vm.OpJt
			}
			ends = append(ends, g.conditionalJump(g.regs(op, r, 0, 0)))
		}
	}
	g.land(ends...)
	if dest != discard {
		g.regs(vm.OpMove, dest, r, 0)
	}
}

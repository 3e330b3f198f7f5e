package eval

import (
	"math"

	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
)

func floatBits(v Value) uint64 {
	f, _ := v.AsFloat()
	b, _ := value.Float(f).AsFloat()
	return math.Float64bits(b)
}

// simple nodes only read variables: they neither call nor assign.
func simple(n node) bool {
	switch n := n.(type) {
	case *constNode:
		return true
	case *localNode:
		return !n.check
	case *primNode:
		return n.op != "throw" && allSimple(n.args)
	}
	return false
}

func allSimple(ns []node) bool {
	for _, n := range ns {
		if !simple(n) {
			return false
		}
	}
	return true
}

// mentions reports whether a simple node reads v.
func mentions(n node, v *variable) bool {
	switch n := n.(type) {
	case *localNode:
		return n.v == v
	case *primNode:
		for _, a := range n.args {
			if mentions(a, v) {
				return true
			}
		}
	}
	return false
}

// operand returns a register that holds n's value. direct says that a variable
// that is assigned may be read in place, as nothing runs before it is used.
func (g *generator) operand(n node, direct bool) int {
	if l, ok := n.(*localNode); ok && !l.v.boxed() && !l.check && (direct || !l.v.mutated) {
		if r, _ := g.resolve(l.v); r >= 0 {
			return r
		}
	}
	if k, ok := n.(*constNode); ok && k.v.IsFloat() {
		if r, ok := g.floats[floatBits(k.v)]; ok {
			return r
		}
	}
	r := g.temp()
	g.expr(n, r, false)
	return r
}

func (g *generator) operands(ns []node) []int {
	direct := allSimple(ns)
	var regs []int
	for _, n := range ns {
		regs = append(regs, g.operand(n, direct))
	}
	return regs
}

// hoist loads the float constants that inlined operations of a loop's body use
// into registers, before the loop.
func (g *generator) hoist(n node) {
	switch n := n.(type) {
	case *primNode:
		for _, a := range n.args {
			if k, ok := a.(*constNode); ok && k.v.IsFloat() {
				g.hoistFloat(k.v)
			}
			g.hoist(a)
		}
	case *ifNode:
		for { // cond makes long chains
			g.hoistAll(n.test, n.then)
			next, ok := n.otherwise.(*ifNode)
			if !ok {
				break
			}
			n = next
		}
		g.hoist(n.otherwise)
	case *seqNode:
		g.hoistAll(n.nodes...)
	case *letNode:
		g.hoistAll(n.inits...)
		g.hoist(n.body)
	case *bodyNode:
		g.hoistAll(n.items...)
	case *continueNode:
		g.hoistAll(n.args...)
	case *callNode:
		g.hoistAll(n.args...)
	case *andOrNode:
		g.hoistAll(n.nodes...)
	case *setLocalNode:
		g.hoist(n.e)
	case *loopNode:
		g.hoistAll(n.inits...)
		if n.loop.ok {
			g.hoist(n.body)
		}
	}
}

func (g *generator) hoistAll(ns ...node) {
	for _, n := range ns {
		g.hoist(n)
	}
}

const maxHoisted = 32

func (g *generator) hoistFloat(v Value) {
	bits := floatBits(v)
	if _, ok := g.floats[bits]; ok || len(g.floats) >= maxHoisted {
		return
	}
	r := g.temp()
	g.load(v, r)
	g.floats[bits] = r
}

// compareOps are the jumps of a comparison: of two registers, and of a register
// and a small integer.
var compareOps = map[string][2]vm.Op{"<": {vm.OpJlt, vm.OpJlti}, "<=": {vm.OpJle, vm.OpJlei}, ">": {vm.OpJgt, vm.OpJgti},
	">=": {vm.OpJge, vm.OpJgei}, "=": {vm.OpJeq, vm.OpJeqi}}

var testOps = map[string]vm.Op{"null?": vm.OpJnull, "pair?": vm.OpJpair, "eq?": vm.OpJeqq}

var valueOps = map[string]vm.Op{"+": vm.OpAdd, "-": vm.OpSub, "*": vm.OpMul, "/": vm.OpDiv, "quotient": vm.OpQuo,
	"remainder": vm.OpRem, "modulo": vm.OpMod, "cons": vm.OpCons, "car": vm.OpCar, "cdr": vm.OpCdr, "nth": vm.OpNth}

func smallInt(n node) (int, bool) {
	if k, ok := n.(*constNode); ok {
		if i, ok := k.v.AsInt(); ok && i >= -32000 && i <= 32000 {
			return int(i), true
		}
	}
	return 0, false
}

// jumpIf generates code that jumps when n is truthy (sense) or not (!sense),
// and goes on otherwise.
func (g *generator) jumpIf(n node, sense bool) []jump {
	saved := g.next
	defer func() { g.next = saved }()
	switch n := n.(type) {
	case *constNode:
		if n.v.Truthy() != sense {
			return nil
		}
		return []jump{g.jump()}
	case *andOrNode:
		return g.jumpAndOr(n, sense)
	case *primNode:
		if jumps, ok := g.jumpPrim(n, sense); ok {
			return jumps
		}
	}
	r := g.operand(n, true)
	op := vm.OpJf
	if sense {
		op = vm.OpJt
	}
	return []jump{g.conditionalJump(g.regs(op, r, 0, 0))}
}

func (g *generator) jumpAndOr(n *andOrNode, sense bool) []jump {
	if n.or == sense { // any part decides
		var jumps []jump
		for _, a := range n.nodes {
			jumps = append(jumps, g.jumpIf(a, sense)...)
		}
		return jumps
	}
	var past []jump
	last := len(n.nodes) - 1
	for _, a := range n.nodes[:last] {
		past = append(past, g.jumpIf(a, !sense)...)
	}
	jumps := g.jumpIf(n.nodes[last], sense)
	g.land(past...)
	return jumps
}

// jumpPrim is jumpIf for the primitives that are tests.
func (g *generator) jumpPrim(n *primNode, sense bool) ([]jump, bool) {
	if ops, ok := compareOps[n.op]; ok {
		if k, ok := smallInt(n.args[1]); ok {
			return g.jumpImmediate(n, ops[1], n.args[0], k, 0, sense), true
		}
		return g.jumpRegisters(n, ops[0], sense), true
	}
	if op, ok := testOps[n.op]; ok {
		return g.jumpRegisters(n, op, sense), true
	}
	switch n.op {
	case "zero?":
		return g.jumpImmediate(n, vm.OpJeqi, n.args[0], 0, vm.ZeroTest, sense), true
	case "not":
		return g.jumpNot(n, sense), true
	}
	return nil, false
}

// jumpNot inlines not. Of a comparison it only flips the jump, which then stands
// for both calls.
func (g *generator) jumpNot(n *primNode, sense bool) []jump {
	if inner, ok := n.args[0].(*primNode); ok && (compareOps[inner.op] != [2]vm.Op{} || testOps[inner.op] != 0) {
		before := len(g.t.Inlined)
		jumps, _ := g.jumpPrim(inner, !sense)
		if last := len(g.t.Inlined) - 1; last >= before { // the comparison's own; its operands' come before it
			s := &g.t.Inlined[last]
			s.Not, s.Branch = n.g, flip(s.Branch)
		}
		return jumps
	}
	r := g.operand(n.args[0], true)
	op := vm.OpJt
	if sense {
		op = vm.OpJf
	}
	g.mark(n.span)
	at := g.regs(op, r, 0, 0)
	g.inline(n, at, branchOf(sense), vm.Operand{N: r})
	return []jump{g.conditionalJump(at)}
}

// flip is the branch on the opposite result.
func flip(b vm.Branch) vm.Branch {
	switch b {
	case vm.IfTrue:
		return vm.IfFalse
	case vm.IfFalse:
		return vm.IfTrue
	}
	return b
}

func (g *generator) jumpImmediate(n *primNode, op vm.Op, x node, k, flag int, sense bool) []jump {
	r := g.operand(x, simple(x))
	g.mark(n.span)
	at := g.emit(senseOf(op, sense), flag, vm.Reg(r), uint16(int16(k)), 0)
	args := []vm.Operand{{N: r}}
	if len(n.args) == 2 {
		args = append(args, vm.Operand{Immediate: true, N: k})
	}
	g.inline(n, at, branchOf(sense), args...)
	return []jump{g.conditionalJump(at)}
}

func (g *generator) jumpRegisters(n *primNode, op vm.Op, sense bool) []jump {
	regs := g.operands(n.args)
	g.mark(n.span)
	var args []vm.Operand
	for _, r := range regs {
		args = append(args, vm.Operand{N: r})
	}
	b := 0
	if len(regs) > 1 {
		b = regs[1]
	}
	at := g.regs(senseOf(op, sense), regs[0], b, 0)
	g.inline(n, at, branchOf(sense), args...)
	return []jump{g.conditionalJump(at)}
}

func senseOf(op vm.Op, sense bool) vm.Op {
	if sense {
		return op
	}
	return vm.Negate(op)
}

func branchOf(sense bool) vm.Branch {
	if sense {
		return vm.IfTrue
	}
	return vm.IfFalse
}

// inline records that the instruction stands for a call, should the builtin be
// redefined.
func (g *generator) inline(n *primNode, at int, branch vm.Branch, args ...vm.Operand) {
	if n.g >= 0 {
		g.site(vm.InlineSite{PC: at, Global: n.g, Not: -1, Args: args, Branch: branch})
	}
}

func (g *generator) site(s vm.InlineSite) {
	g.inlined[s.PC] = len(g.t.Inlined)
	g.t.Inlined = append(g.t.Inlined, s)
}

// prim generates an inlined builtin whose value is wanted.
func (g *generator) prim(n *primNode, dest int) {
	op, ok := valueOps[n.op]
	switch {
	case n.op == "throw":
		r := g.operand(n.args[0], true)
		if dest == discard {
			dest = g.temp()
		}
		g.mark(n.span)
		g.inline(n, g.regs(vm.OpThrow, r, dest, 0), vm.NoBranch, vm.Operand{N: r})
		return
	case !ok:
		g.test(n, dest)
		return
	}
	if dest == discard {
		dest = g.temp()
	}
	if len(n.args) > 2 {
		g.chain(n, op, dest)
		return
	}
	if n.op == "+" || n.op == "-" {
		if g.addImmediate(n, dest) {
			return
		}
	}
	regs := g.operands(n.args)
	g.mark(n.span)
	var args []vm.Operand
	for _, r := range regs {
		args = append(args, vm.Operand{N: r})
	}
	c := 0
	if len(regs) > 1 {
		c = regs[1]
	}
	g.inline(n, g.regs(op, dest, regs[0], c), vm.NoBranch, args...)
}

// test leaves the truth of a predicate.
func (g *generator) test(n *primNode, dest int) {
	if dest == discard {
		dest = g.temp()
	}
	before := len(g.t.Inlined)
	misses := g.jumpIf(n, false)
	site := len(g.t.Inlined) - 1 // n's own is made last, if it has one
	g.load(value.True, dest)
	end := g.jump()
	g.land(misses...)
	g.load(value.False, dest)
	g.land(end)
	if site >= before && n.g >= 0 {
		s := &g.t.Inlined[site]
		s.Branch, s.Dest, s.Next = vm.ToValue, dest, len(g.t.Ins)
	}
}

// chain generates + - or * of several operands, which are all evaluated before any
// is used, as in a call. The first instruction stands for that call.
func (g *generator) chain(n *primNode, op vm.Op, dest int) {
	direct := allSimple(n.args)
	var args []vm.Operand
	for i, a := range n.args {
		if k, ok := smallInt(a); ok && i > 0 && op != vm.OpMul {
			args = append(args, vm.Operand{Immediate: true, N: k})
			continue
		}
		args = append(args, vm.Operand{N: g.operand(a, direct)})
	}
	g.mark(n.span)
	first := len(g.t.Ins)
	sum, last := args[0].N, len(args)-1
	acc := g.temp() // dest may be a variable that is an operand too
	for i, a := range args[1:] {
		to := acc
		if i+1 == last {
			to = dest
		}
		g.step(op, to, sum, a)
		sum = acc
	}
	if n.g >= 0 {
		g.site(vm.InlineSite{PC: first, Global: n.g, Not: -1, Args: args, Branch: vm.ToValue, Dest: dest, Next: len(g.t.Ins)})
	}
}

// step generates one operation of a chain.
func (g *generator) step(op vm.Op, to, x int, y vm.Operand) {
	switch {
	case y.Immediate && op == vm.OpSub:
		g.emit(vm.OpAddi, 1, vm.Reg(to), vm.Reg(x), uint16(int16(-y.N)))
	case y.Immediate:
		g.emit(vm.OpAddi, 0, vm.Reg(to), vm.Reg(x), uint16(int16(y.N)))
	default:
		g.regs(op, to, x, y.N)
	}
}

// addImmediate generates x + k and x - k for a small integer k.
func (g *generator) addImmediate(n *primNode, dest int) bool {
	x, y := n.args[0], n.args[1]
	swapped := false
	if _, ok := smallInt(x); ok && n.op == "+" {
		x, y, swapped = y, x, true
	}
	k, ok := smallInt(y)
	if !ok {
		return false
	}
	r := g.operand(x, simple(x))
	g.mark(n.span)
	step, minus := k, 0
	if n.op == "-" {
		step, minus = -k, 1
	}
	args := []vm.Operand{{N: r}, {Immediate: true, N: k}}
	if swapped {
		args[0], args[1] = args[1], args[0]
	}
	at := g.emit(vm.OpAddi, minus, vm.Reg(dest), vm.Reg(r), uint16(int16(step)))
	g.inline(n, at, vm.NoBranch, args...)
	return true
}

package robust_test

import "fmt"

// generator makes a program of random bytes. When they run out it answers 0,
// which leads to the simplest choices.
type generator struct {
	data  []byte
	names int
}

// pick answers a number below n.
func (g *generator) pick(n int) int {
	if len(g.data) == 0 {
		return 0
	}
	b := int(g.data[0])
	g.data = g.data[1:]
	return b % n
}

func (g *generator) fresh() string {
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

// known are the variables in scope, and the caught errors, which only some
// forms may use.
type known struct {
	vars   []string
	nums   []string // those that hold numbers
	caught []string
	loops  []loopName
}

type loopName struct {
	name string
	n    int
}

func (k known) with(names ...string) known {
	k.vars = append(append([]string{}, k.vars...), names...)
	return k
}

var binary = []string{"+", "-", "*", "quotient", "remainder", "modulo", "<", "<=", ">", ">=", "=", "eq?", "cons"}
var unary = []string{"car", "cdr", "not", "null?", "pair?", "throw"}
var chains = []string{"+", "-", "*"}

// expr makes an expression that is at most depth deep.
func (g *generator) expr(k known, depth int) program {
	if depth <= 0 || len(g.data) == 0 {
		return g.atom(k)
	}
	if g.pick(2) == 0 {
		return g.number(k, depth)
	}
	makers := []func(known, int) program{g.atomAt, g.atomAt, g.binary, g.binary, g.binary, g.unary, g.chain, g.list, g.logic, g.choice, g.choice, g.cond, g.casing,
		g.letting, g.letting, g.body, g.assignment, g.assignment, g.function, g.call, g.call, g.loop, g.loop, g.again, g.again, g.doLoop, g.counting, g.trying, g.guarding,
		g.higher, g.delaying, g.switching, g.recursive,
		g.taking, g.taking, g.matching, g.matching, g.collecting, g.handing, g.times, g.several}
	return makers[g.pick(len(makers))](k, depth-1)
}

func (g *generator) exprs(n int, k known, depth int) (ps []program) {
	for range n {
		ps = append(ps, g.expr(k, depth))
	}
	return ps
}

func (g *generator) atomAt(k known, _ int) program { return g.atom(k) }

var integers = []int64{0, 1, 2, 3, -1, 10, 7, 100, -5, 32000, -32001, 70000, 1 << 40, 9223372036854775807, -9223372036854775808}

func (g *generator) atom(k known) program {
	switch n := g.pick(8); {
	case n < 2 && len(k.nums) > 0:
		return reference{k.nums[g.pick(len(k.nums))]}
	case n < 5 && len(k.vars) > 0:
		return reference{k.vars[g.pick(len(k.vars))]}
	case n == 5:
		return literal{g.pick(2) == 0}
	case n == 6:
		return literal{nothing{}}
	case n == 7 && len(k.caught) > 0:
		return information{k.caught[g.pick(len(k.caught))]}
	}
	return literal{integers[g.pick(len(integers))]}
}

func (g *generator) binary(k known, d int) program {
	return operation{binary[g.pick(len(binary))], g.exprs(2, k, d)}
}

func (g *generator) unary(k known, d int) program {
	if len(k.caught) > 0 && g.pick(8) == 0 {
		return operation{"throw", []program{reference{k.caught[g.pick(len(k.caught))]}}}
	}
	return operation{unary[g.pick(len(unary))], g.exprs(1, k, d)}
}

func (g *generator) chain(k known, d int) program {
	return operation{chains[g.pick(len(chains))], g.exprs(3+g.pick(2), k, d)}
}

func (g *generator) list(k known, d int) program { return operation{"list", g.exprs(g.pick(4), k, d)} }

func (g *generator) logic(k known, d int) program {
	return logic{[]string{"and", "or", "begin"}[g.pick(3)], g.exprs(1+g.pick(3), k, d)}
}

func (g *generator) choice(k known, d int) program {
	c := choice{g.expr(k, d), g.expr(k, d), nil}
	if g.pick(4) > 0 {
		c.otherwise = g.expr(k, d)
	}
	return c
}

func (g *generator) clauses(k known, d int) (list []clause) {
	for range 1 + g.pick(3) {
		list = append(list, clause{g.expr(k, d), g.exprs(1+g.pick(2), k, d)})
	}
	if g.pick(2) == 0 {
		list = append(list, clause{nil, g.exprs(1, k, d)})
	}
	return list
}

func (g *generator) cond(k known, d int) program { return clauses{g.clauses(k, d)} }

func (g *generator) casing(k known, d int) program {
	c := casing{key: g.expr(k, d)}
	for range 1 + g.pick(3) {
		c.list = append(c.list, caseClause{[]int64{int64(g.pick(4)), integers[g.pick(len(integers))]}, g.expr(k, d)})
	}
	if g.pick(2) == 0 {
		c.list = append(c.list, caseClause{nil, g.expr(k, d)})
	}
	return c
}

// variable makes a name; sometimes one that hides another.
func (g *generator) variable(k known, taken []string) string {
	if len(k.vars) > 0 && g.pick(4) == 0 {
		name := k.vars[g.pick(len(k.vars))]
		for _, t := range taken {
			if t == name {
				return g.fresh()
			}
		}
		return name
	}
	return g.fresh()
}

func (g *generator) variables(n int, k known) (names []string) {
	for range n {
		names = append(names, g.variable(k, names))
	}
	return names
}

func (g *generator) letting(k known, d int) program {
	p := letting{kind: []string{"let", "let*"}[g.pick(2)], names: g.variables(1+g.pick(3), k)}
	inner := k
	for _, n := range p.names {
		if p.kind == "let*" {
			p.inits = append(p.inits, g.expr(inner, d))
			inner = inner.with(n)
		} else {
			p.inits = append(p.inits, g.expr(k, d))
		}
	}
	p.body = g.exprs(1+g.pick(2), k.with(p.names...), d)
	return p
}

// body makes internal definitions, or a letrec: each sees all, also too early.
func (g *generator) body(k known, d int) program {
	names := g.variables(1+g.pick(3), k)
	inner := k.with(names...)
	inits := g.exprs(len(names), inner, d)
	for i := range inits {
		if g.pick(2) == 0 {
			inits[i] = g.function(inner, d)
		}
	}
	rest := g.exprs(1+g.pick(2), inner, d)
	if g.pick(3) == 0 {
		return letting{"letrec", names, inits, rest}
	}
	return body{names, inits, rest}
}

func (g *generator) assignment(k known, d int) program {
	if len(k.vars) == 0 {
		return g.atom(k)
	}
	return assignment{k.vars[g.pick(len(k.vars))], g.expr(k, d)}
}

func (g *generator) function(k known, d int) program {
	f := function{params: g.variables(g.pick(4), k)}
	names := f.params
	if g.pick(4) == 0 {
		f.rest = g.fresh()
		names = append(names[:len(names):len(names)], f.rest)
	}
	k.loops = nil
	f.body = g.exprs(1+g.pick(2), k.with(names...), d)
	return f
}

func (g *generator) call(k known, d int) program {
	if len(k.vars) > 0 && g.pick(2) == 0 {
		return call{reference{k.vars[g.pick(len(k.vars))]}, g.exprs(g.pick(3), k, d)}
	}
	f := g.function(k, d).(function)
	n := len(f.params)
	if f.rest != "" {
		n += g.pick(3)
	}
	if g.pick(16) == 0 {
		n++
	}
	return call{f, g.exprs(n, k, d)}
}

// loop makes a named let that counts to a few: calls of it stand anywhere.
func (g *generator) loop(k known, d int) program {
	name, counter := g.fresh(), g.fresh()
	names := append([]string{counter}, g.variables(g.pick(3), k)...)
	inner := k.with(append(names, name)...)
	inner.loops = append(append([]loopName{}, k.loops...), loopName{name, len(names)})
	step := g.again(inner, d)
	if c, ok := step.(call); ok {
		c.args[0] = operation{"+", []program{reference{counter}, literal{int64(1)}}}
	}
	test := operation{">=", []program{reference{counter}, literal{int64(1 + g.pick(4))}}}
	inits := append([]program{literal{int64(0)}}, g.exprs(len(names)-1, k, d)...)
	again := logic{"begin", append(g.exprs(g.pick(2), inner, d), step)}
	return loop{name, names, inits, []program{choice{test, g.expr(inner, d), again}}}
}

// again calls a loop around, with the number of arguments that it takes.
func (g *generator) again(k known, d int) program {
	if len(k.loops) == 0 {
		return g.atom(k)
	}
	l := k.loops[len(k.loops)-1-g.pick(min(2, len(k.loops)))]
	args := g.exprs(l.n, k, d)
	if len(args) > 0 && g.pick(4) > 0 {
		args[0] = literal{int64(5)}
	}
	return call{reference{l.name}, args}
}

func (g *generator) doLoop(k known, d int) program {
	counter := g.fresh()
	names := append([]string{counter}, g.variables(g.pick(3), k)...)
	inner := k.with(names...)
	p := doLoop{names: names, inits: append([]program{literal{int64(0)}}, g.exprs(len(names)-1, k, d)...)}
	p.steps = append([]program{operation{"+", []program{reference{counter}, literal{int64(1)}}}}, g.exprs(len(names)-1, inner, d)...)
	p.test = operation{">=", []program{reference{counter}, literal{int64(1 + g.pick(4))}}}
	p.result, p.body = g.exprs(1+g.pick(2), inner, d), g.exprs(g.pick(3), inner, d)
	return p
}

func (g *generator) counting(k known, d int) program {
	name := g.fresh()
	return counting{name, int64(1 + g.pick(4)), g.exprs(1+g.pick(2), k.with(name), d)}
}

func (g *generator) trying(k known, d int) program {
	name := g.fresh()
	inner := k
	inner.caught = append(append([]string{}, k.caught...), name)
	return trying{g.exprs(1+g.pick(2), k, d), name, g.expr(inner, d)}
}

func (g *generator) guarding(k known, d int) program {
	name := g.fresh()
	list := []clause{{operation{"pair?", []program{reference{name}}}, g.exprs(1, k, d)}}
	if g.pick(2) == 0 {
		list = g.clauses(k, d)
	}
	return guarding{g.exprs(1+g.pick(2), k, d), name, list}
}

// higher calls back through a builtin.
func (g *generator) higher(k known, d int) program {
	switch list := g.list(k, d); g.pick(3) {
	case 0:
		return mapping{g.function(k, d), list}
	case 1:
		return folding{g.function(k, d), g.expr(k, d), list}
	default:
		return applying{g.function(k, d), list}
	}
}

func (g *generator) delaying(k known, d int) program {
	k.loops = nil
	return delaying{g.expr(k, d)}
}

func (g *generator) switching(known, int) program { return switching{} }

// recursive makes a function that calls itself on a smaller number, not only in
// tail position.
func (g *generator) recursive(k known, d int) program {
	name, n := g.fresh(), g.fresh()
	inner := k.with(name, n)
	smaller := call{reference{name}, []program{operation{"-", []program{reference{n}, literal{int64(1)}}}}}
	end := operation{[]string{"<=", "<"}[g.pick(2)], []program{reference{n}, literal{int64(0)}}}
	step := operation{binary[g.pick(len(binary))], []program{g.expr(inner, d), smaller}}
	if g.pick(2) == 0 {
		step.args[0], step.args[1] = step.args[1], step.args[0]
	}
	f := function{params: []string{n}, body: []program{choice{end, g.expr(inner, d), step}}}
	return body{[]string{name}, []program{f}, []program{call{reference{name}, []program{literal{int64(g.pick(6))}}}}}
}

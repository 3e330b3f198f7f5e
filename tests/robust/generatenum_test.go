package robust_test

// Programs of nothing but random parts soon end in a type error. So half of all
// expressions are numbers, made of variables that hold numbers.

func (k known) withNumbers(names ...string) known {
	k.nums = append(append([]string{}, k.nums...), names...)
	return k
}

// number makes an expression whose value is a number, if it does not fail.
func (g *generator) number(k known, depth int) program {
	if depth <= 0 || len(g.data) == 0 {
		return g.numberAtom(k)
	}
	makers := []func(known, int) program{g.numberAtomAt, g.numberAtomAt, g.arithmetic, g.arithmetic, g.arithmetic, g.division, g.numberChoice, g.numberChoice,
		g.numberLet, g.numberLet, g.numberSet, g.numberSet, g.numberLoop, g.numberLoop, g.numberCall, g.numberTry, g.numberFold, g.numberCond, g.counter, g.accumulator}
	return makers[g.pick(len(makers))](k, depth-1)
}

func (g *generator) numberAtomAt(k known, _ int) program { return g.numberAtom(k) }

func (g *generator) numberAtom(k known) program {
	if n := len(k.nums); n > 0 && g.pick(4) > 0 {
		return reference{k.nums[g.pick(n)]}
	}
	return literal{integers[g.pick(len(integers))]}
}

func (g *generator) numbers(n int, k known, d int) (ps []program) {
	for range n {
		ps = append(ps, g.number(k, d))
	}
	return ps
}

func (g *generator) arithmetic(k known, d int) program {
	return operation{chains[g.pick(3)], g.numbers(2+g.pick(4)/3, k, d)}
}

func (g *generator) division(k known, d int) program {
	divisor := literal{[]int64{2, 3, -3, 7, 1 << 33, -1, 0}[g.pick(7)]}
	return operation{binary[3+g.pick(3)], []program{g.number(k, d), divisor}}
}

// truth makes a test of numbers.
func (g *generator) truth(k known, d int) program {
	if d <= 0 {
		return operation{binary[6+g.pick(5)], g.numbers(2, k, 0)}
	}
	switch g.pick(6) {
	case 0:
		return operation{"not", []program{g.truth(k, d-1)}}
	case 1:
		return logic{[]string{"and", "or"}[g.pick(2)], []program{g.truth(k, d-1), g.truth(k, d-1)}}
	case 2:
		return g.expr(k, d-1)
	}
	return operation{binary[6+g.pick(5)], g.numbers(2, k, d-1)}
}

func (g *generator) numberChoice(k known, d int) program {
	return choice{g.truth(k, d), g.number(k, d), g.number(k, d)}
}

func (g *generator) numberCond(k known, d int) program {
	return clauses{[]clause{{g.truth(k, d), g.numbers(1, k, d)}, {g.truth(k, d), g.numbers(2, k, d)}, {nil, g.numbers(1, k, d)}}}
}

func (g *generator) numberLet(k known, d int) program {
	p := letting{kind: []string{"let", "let*"}[g.pick(2)], names: []string{g.fresh(), g.fresh()}}
	inner := k.withNumbers(p.names...)
	p.inits = g.numbers(2, k, d)
	if p.kind == "let*" {
		p.inits[1] = g.number(k.withNumbers(p.names[0]), d)
	}
	p.body = []program{g.expr(inner, d), g.number(inner, d)}[g.pick(2):]
	return p
}

func (g *generator) numberSet(k known, d int) program {
	if len(k.nums) == 0 {
		return g.number(k, d)
	}
	set := assignment{k.nums[g.pick(len(k.nums))], g.number(k, d)}
	if g.pick(2) == 0 {
		return set
	}
	return logic{"begin", []program{set, g.number(k, d)}}
}

// numberLoop is a loop in the usual shape, whose accumulators depend on each
// other and on the counter.
func (g *generator) numberLoop(k known, d int) program {
	name, i, a, b := g.fresh(), g.fresh(), g.fresh(), g.fresh()
	inner := k.withNumbers(i, a, b)
	end := operation{[]string{">=", "="}[g.pick(2)], []program{reference{i}, literal{int64(1 + g.pick(5))}}}
	next := operation{"+", []program{reference{i}, literal{int64(1)}}}
	again := program(call{reference{name}, []program{next, g.number(inner, d), g.number(inner, d)}})
	if g.pick(3) == 0 {
		again = choice{g.truth(inner, d), again, call{reference{name}, []program{next, reference{b}, reference{a}}}}
	}
	if g.pick(4) == 0 {
		again = operation{"+", []program{again, g.number(inner, d)}} // no tail call
	}
	if g.pick(3) == 0 {
		again = logic{"begin", []program{g.expr(inner, d), again}}
	}
	body := choice{end, g.number(inner, d), again}
	if g.pick(3) == 0 {
		body = choice{operation{"not", []program{end}}, again, body.then}
	}
	return loop{name, []string{i, a, b}, append([]program{literal{int64(0)}}, g.numbers(2, k, d)...), []program{body}}
}

func (g *generator) numberCall(k known, d int) program {
	f := function{params: []string{g.fresh(), g.fresh()}}
	k2 := k.withNumbers(f.params...)
	k2.loops = nil
	f.body = g.numbers(1+g.pick(2), k2, d)
	return call{f, g.numbers(2, k, d)}
}

func (g *generator) numberTry(k known, d int) program {
	name := g.fresh()
	k2 := k
	k2.caught = append(append([]string{}, k.caught...), name)
	body := g.numbers(1, k, d)
	if g.pick(2) == 0 {
		body = []program{choice{g.truth(k, d), operation{"throw", g.numbers(1, k, d)}, g.number(k, d)}}
	}
	return trying{body, name, g.number(k2, d)}
}

func (g *generator) numberFold(k known, d int) program {
	f := function{params: []string{g.fresh(), g.fresh()}}
	k2 := k.withNumbers(f.params...)
	k2.loops = nil
	f.body = g.numbers(1, k2, d)
	return folding{f, g.number(k, d), operation{"list", g.numbers(g.pick(4), k, d)}}
}

// counter makes a closure over a variable that it changes, and calls it.
func (g *generator) counter(k known, d int) program {
	n, f := g.fresh(), g.fresh()
	step := assignment{n, operation{"+", []program{reference{n}, g.number(k.withNumbers(n), d-1)}}}
	inits := []program{function{params: nil, body: []program{step}}}
	calls := operation{"+", []program{call{reference{f}, nil}, call{reference{f}, nil}, reference{n}}}
	return letting{"let", []string{n}, g.numbers(1, k, d), []program{body{[]string{f}, inits, []program{calls}}}}
}

// accumulator collects closures in a loop, each over variables of its turn, and
// adds up what they answer.
func (g *generator) accumulator(k known, d int) program {
	fs, i, x := g.fresh(), g.fresh(), g.fresh()
	inner := k.withNumbers(i)
	inner.loops = nil
	f := function{params: nil, body: []program{g.number(inner, d)}}
	next := []program{operation{"+", []program{reference{i}, literal{int64(1)}}}, operation{"cons", []program{f, reference{fs}}}}
	loop := doLoop{[]string{i, fs}, []program{literal{int64(0)}, operation{"list", nil}}, next,
		operation{">=", []program{reference{i}, literal{int64(3)}}}, []program{reference{fs}}, nil}
	answers := mapping{function{params: []string{x}, body: []program{call{reference{x}, nil}}}, loop}
	sum := function{params: []string{fs, x}, body: []program{operation{"+", []program{reference{fs}, reference{x}}}}}
	return folding{sum, literal{int64(0)}, answers}
}

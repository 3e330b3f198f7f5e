package eval

import (
	"slices"

	"github.com/gosema/gosema/eval/value"
)

func loopForms() []form {
	return []form{
		{name: "dotimes", shape: "(dotimes (var count) expr ...)", min: 1, max: -1, soft: true, analyze: analyzeDotimes, binds: bindsHeader,
			doc: "Evaluates the expressions count times, with var from 0 on; nil."},
		{name: "for-range", aliases: []string{"for/range"}, shape: "(for-range (var start end [step]) expr ...)", min: 1, max: -1, soft: true, analyze: analyzeForRange, binds: bindsHeader,
			doc: "Evaluates the expressions with var from start to before end; nil. A negative step counts down."},
		{name: "for", shape: "(for ((var seq) ... [(:when test)] ...) expr ...)", min: 2, max: -1, soft: true, analyze: analyzeFor, binds: bindsLet,
			doc: "Evaluates the expressions for every element of a list, vector, map or string; nil. Several sequences nest, the last one turns fastest; :when skips."},
		{name: "for/list", shape: "(for/list ((var seq) ... [(:when test)] ...) expr ...)", min: 2, max: -1, soft: true, analyze: analyzeForList, binds: bindsLet,
			doc: "Is for that lists the values of the last expression."},
		{name: "for/map", shape: "(for/map ((var seq) ... [(:when test)] ...) expr ...)", min: 2, max: -1, soft: true, analyze: analyzeForMap, binds: bindsLet,
			doc: "Is for that makes a map: the last expression gives (values key value), or a list or vector of both."},
		{name: "for/filter", shape: "(for/filter ((var seq) [(:when test)] ...) expr ...)", min: 2, max: -1, soft: true, analyze: analyzeForFilter, binds: bindsLet,
			doc: "Is for that lists the elements for which the last expression is true."},
		{name: "for/fold", shape: "(for/fold ((acc init) ...) ((var seq) ... [(:when test)] ...) expr ...)", min: 3, max: -1, soft: true, analyze: analyzeForFold, binds: bindsFold,
			doc: "Is for that hands results on: the last expression gives the next acc, or (values acc ...) for several; so does the form in the end."},
	}
}

// prim is a call of an inlined builtin that no redefinition changes.
func prim(op string, span value.Span, args ...node) node { return &primNode{op, args, -1, span} }

func local(v *variable) node { return &localNode{v: v} }

func intNode(i int64) node { return &constNode{value.Int(i)} }

var nilNode = &constNode{value.Nil}

// header checks the list of parts that follows the name of a loop.
func (c *compiler) header(u *use, minParts, maxParts int, shape string) []syntax {
	h := u.args[0]
	parts := c.elements(h)
	if !h.v.IsSeq() || len(parts) < minParts || len(parts) > maxParts {
		c.misshapen(u, h, shape)
	}
	c.symbol(u, parts[0], "the name of the variable")
	return parts
}

func analyzeDotimes(c *compiler, u *use) node {
	h := c.header(u, 2, 2, "(var count)")
	return c.count(u, h[0].v, intNode(0), c.analyze(h[1], u.scope, nil), intNode(1))
}

func analyzeForRange(c *compiler, u *use) node {
	h := c.header(u, 3, 4, "(var start end [step])")
	step := intNode(1)
	if len(h) == 4 {
		step = callHelper(helpers.loopStep, h[3].span, c.analyze(h[3], u.scope, nil))
		if h[3].v.IsNumber() {
			step = &constNode{h[3].v}
		}
	}
	return c.count(u, h[0].v, c.analyze(h[1], u.scope, nil), c.analyze(h[2], u.scope, nil), step)
}

// count is a loop over numbers. What the body assigns to the variable does not
// change the count: then the variable is a copy of the counter.
func (c *compiler) count(u *use, name Value, start, end, step node) node {
	span := u.form.span
	l := &loop{name: "loop", v: &variable{name: "loop"}, ok: true, span: span}
	inner := newScope(u.scope)
	i := inner.bind(name)
	turn := c.body(u.args[1:], newScope(inner), nil)
	if v := i; v.assigned {
		i = &variable{name: "counter"}
		turn = &letNode{[]*variable{v}, []node{local(i)}, turn}
	}
	last, by := &variable{name: "end"}, &variable{name: "step"}
	l.vars = []*variable{i}
	again := &continueNode{l, []node{prim("+", span, local(i), local(by))}, span}
	var test node = &ifNode{prim(">", span, local(by), intNode(0)), prim("<", span, local(i), local(last)), prim(">", span, local(i), local(last))}
	if k, ok := step.(*constNode); ok {
		test = c.countTest(u, k.v, local(i), local(last))
		again.args = []node{prim("+", span, local(i), k)}
	}
	body := &ifNode{test, &seqNode{[]node{turn, again}}, nilNode}
	return &letNode{[]*variable{last, by}, []node{end, step}, &loopNode{l, []node{start}, body}}
}

// countTest is the test of a loop whose step is known.
func (c *compiler) countTest(u *use, step Value, i, end node) node {
	switch value.Compare(step, value.Int(0)) {
	case 1:
		return prim("<", u.form.span, i, end)
	case -1:
		return prim(">", u.form.span, i, end)
	}
	c.misshapen(u, u.args[0], "a step that is not 0")
	return nil
}

// loopStep checks the step of for-range.
func loopStep(t *Thread, args []Value) (Value, error) {
	n := args[0]
	if !n.IsNumber() {
		return value.Nil, TypeError("a number as the step", n)
	}
	if value.Compare(n, value.Int(0)) == 0 {
		return value.Nil, Errorf(KindEval, "the step is 0: the loop would not end")
	}
	return n, nil
}

// traversal is a for loop being analysed: what it hands on from turn to turn,
// and what it does with each combination of elements.
type traversal struct {
	c    *compiler
	u    *use
	accs []*variable
	last *variable // the element of the innermost sequence
	turn func(t *traversal, s *scope) node
}

// nested makes the loops over the clauses. Its value is that of acc after the
// last turn: a list of them, where there are several.
func (t *traversal) nested(clauses []syntax, s *scope) node {
	c := t.c
	if len(clauses) == 0 {
		return t.turn(t, s)
	}
	x := clauses[0]
	c.enter(x)
	defer c.leave()
	parts := c.elements(x)
	if !x.v.IsSeq() || len(parts) != 2 {
		c.misshapen(t.u, x, "(var seq) or (:when test)")
	}
	if k, ok := parts[0].v.KeywordName(); ok {
		if k != "when" {
			c.misshapen(t.u, parts[0], "(:when test)")
		}
		return &ifNode{c.analyze(parts[1], s, nil), t.nested(clauses[1:], s), t.packed()}
	}
	return t.loop(parts[0], parts[1], clauses[1:], s)
}

func (t *traversal) loop(target, seq syntax, rest []syntax, s *scope) node {
	c, span := t.c, target.span
	items := &variable{name: "items"}
	l := &loop{name: "for", v: &variable{name: "for"}, ok: true, span: t.u.form.span, vars: []*variable{items}}
	n := &loopNode{loop: l, inits: []node{callHelper(helpers.items, seq.span, c.analyze(seq, s, nil))}}
	inner := newScope(s)
	outer := t.accs
	t.accs = nil
	for _, a := range outer {
		v := &variable{name: a.name}
		n.inits = append(n.inits, local(a))
		t.accs, l.vars = append(t.accs, v), append(l.vars, v)
		if a.name != "" {
			inner.names[value.Symbol(a.name)] = binding{v: v}
		}
	}
	inner = newScope(inner)
	k := c.unpacker(t.u, inner)
	item := k.targetVar(c.target(t.u, target, map[Value]bool{}), inner)
	t.last = item
	turn := &letNode{[]*variable{item}, []node{prim("car", span, local(items))}, k.around(t.again(l, t.nested(rest, inner)))}
	n.body = &ifNode{prim("null?", span, local(items)), t.packed(), turn}
	t.accs = outer
	return n
}

// again starts the next turn with what this one hands on.
func (t *traversal) again(l *loop, result node) node {
	args := []node{prim("cdr", l.span, local(l.vars[0]))}
	next := &continueNode{l, args, l.span}
	switch n := len(t.accs); n {
	case 0:
		return &seqNode{[]node{result, next}}
	case 1:
		next.args = append(args, result)
		return next
	default:
		pack := &variable{name: "results"}
		for i := range n {
			next.args = append(next.args, prim("nth", l.span, local(pack), intNode(int64(i))))
		}
		return &letNode{[]*variable{pack}, []node{result}, next}
	}
}

// packed is what is handed on.
func (t *traversal) packed() node {
	switch len(t.accs) {
	case 0:
		return nilNode
	case 1:
		return local(t.accs[0])
	}
	var all []node
	for _, a := range t.accs {
		all = append(all, local(a))
	}
	return callHelper(helpers.list, t.u.form.span, all...)
}

// over runs a traversal over the clauses in one argument of the form; the
// expressions behind it are what each turn evaluates.
func (c *compiler) over(u *use, clauses int, accs []*variable, turn func(t *traversal, body node) node) node {
	if !u.args[clauses].v.IsSeq() {
		c.misshapen(u, u.args[clauses], "a list ((var seq) ...)")
	}
	t := &traversal{c: c, u: u, accs: accs, turn: func(t *traversal, s *scope) node {
		return turn(t, c.body(u.args[clauses+1:], newScope(s), nil))
	}}
	parts := c.elements(u.args[clauses])
	if !slices.ContainsFunc(parts, func(x syntax) bool { return !partOf(x.v, 0).IsKeyword() }) {
		c.misshapen(u, u.args[clauses], "at least one (var seq)")
	}
	return t.nested(parts, u.scope)
}

func analyzeFor(c *compiler, u *use) node {
	loops := c.over(u, 0, nil, func(_ *traversal, body node) node { return body })
	return &seqNode{[]node{loops, nilNode}}
}

// collect is a traversal that hands one value on, from init.
func (c *compiler) collect(u *use, init node, turn func(t *traversal, body node) node) node {
	acc := &variable{}
	return &letNode{[]*variable{acc}, []node{init}, c.over(u, 0, []*variable{acc}, turn)}
}

func analyzeForList(c *compiler, u *use) node {
	list := c.collect(u, &constNode{value.Empty}, func(t *traversal, body node) node {
		return prim("cons", u.form.span, body, local(t.accs[0]))
	})
	return callHelper(helpers.reverse, u.form.span, list)
}

func analyzeForMap(c *compiler, u *use) node {
	return c.collect(u, &constNode{value.EmptyMap()}, func(t *traversal, body node) node {
		return callHelper(helpers.putPair, u.form.span, local(t.accs[0]), body)
	})
}

func analyzeForFilter(c *compiler, u *use) node {
	sequences := 0
	for _, x := range c.elements(u.args[0]) {
		if !partOf(x.v, 0).IsKeyword() {
			sequences++
		}
		if sequences > 1 {
			c.misshapen(u, x, "one sequence: use for/list with :when for several")
		}
	}
	list := c.collect(u, &constNode{value.Empty}, func(t *traversal, body node) node {
		acc := local(t.accs[0])
		return &ifNode{body, prim("cons", u.form.span, local(t.last), acc), acc}
	})
	return callHelper(helpers.reverse, u.form.span, list)
}

func analyzeForFold(c *compiler, u *use) node {
	n := &letNode{}
	inner := newScope(u.scope)
	for _, b := range c.bindingList(u, u.args[0]) {
		parts := c.elements(b)
		if len(parts) != 2 {
			c.misshapen(u, b, "(acc init)")
		}
		n.inits = append(n.inits, c.analyze(parts[1], u.scope, nil))
		n.vars = append(n.vars, c.bindOnce(u, b, inner, c.symbol(u, parts[0], "the name of what is handed on")))
	}
	if len(n.vars) == 0 {
		c.misshapen(u, u.args[0], "at least one (acc init)")
	}
	sub := *u
	sub.scope = inner
	size := intNode(int64(len(n.vars)))
	n.body = c.over(&sub, 1, n.vars, func(t *traversal, body node) node {
		if len(t.accs) == 1 {
			return body
		}
		return callHelper(helpers.spread, u.form.span, body, size, &constNode{value.False})
	})
	if len(n.vars) > 1 {
		n.body = callHelper(helpers.bundle, u.form.span, n.body)
	}
	return n
}

// itemsOf is the list of the elements of what a for loop goes over.
func itemsOf(t *Thread, args []Value) (Value, error) {
	v := args[0]
	switch {
	case v.IsList():
		return v, nil
	case v.IsNil():
		return value.Empty, nil
	case v.IsVector(), v.IsMap(), v.IsString(), v.IsBytes():
		if err := claim(t, v.Len()); err != nil {
			return value.Nil, err
		}
	default:
		return value.Nil, TypeError("a list, a vector, a map or a string to go over", v)
	}
	var elems []Value
	switch {
	case v.IsVector():
		elems = v.Slice()
	case v.IsMap():
		for k, x := range v.Entries() {
			elems = append(elems, value.Vector([]Value{k, x}))
		}
	case v.IsBytes():
		b, _ := v.AsBytes()
		for _, x := range b {
			elems = append(elems, value.Int(int64(x)))
		}
	default:
		s, _ := v.AsString()
		for _, r := range s {
			elems = append(elems, value.Char(r))
		}
	}
	return t.Heap().List(elems), nil
}

func reverseList(t *Thread, args []Value) (Value, error) {
	if err := claim(t, args[0].Len()); err != nil {
		return value.Nil, err
	}
	out := value.Empty
	for x := range args[0].Elems() {
		out = t.Heap().Cons(x, out)
	}
	return out, nil
}

// putPair is the turn of for/map.
func putPair(t *Thread, args []Value) (Value, error) {
	pair := results(args[1])
	if len(pair) == 1 && pair[0].IsSeq() {
		pair = pair[0].Slice()
	}
	if len(pair) != 2 {
		return value.Nil, TypeError("(values key value), or a list or vector of both", args[1])
	}
	return args[0].Assoc(pair[0], pair[1]), nil
}

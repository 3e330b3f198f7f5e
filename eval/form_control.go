package eval

import (
	"github.com/gosema/gosema/eval/value"
)

func controlForms() []form {
	return []form{
		{name: "if", shape: "(if test then [else])", min: 2, max: 3, analyze: analyzeIf,
			doc: "Evaluates then if test is true, else otherwise; nil without one. Only #f and nil are false."},
		{name: "cond", shape: "(cond (test expr ...) ... (else expr ...))", min: 0, max: -1, analyze: analyzeCond,
			doc: "Evaluates the clause of the first true test. (test => f) calls f with the test's value."},
		{name: "case", shape: "(case key ((datum ...) expr ...) ... (else expr ...))", min: 1, max: -1, analyze: analyzeCase,
			doc: "Evaluates the clause that lists the key's value."},
		{name: "when", shape: "(when test expr ...)", min: 1, max: -1, analyze: analyzeWhen,
			doc: "Evaluates the expressions if test is true; nil otherwise."},
		{name: "unless", shape: "(unless test expr ...)", min: 1, max: -1, analyze: analyzeUnless,
			doc: "Evaluates the expressions if test is false; nil otherwise."},
		{name: "and", shape: "(and expr ...)", min: 0, max: -1, analyze: analyzeAnd,
			doc: "The first false value, or the last value."},
		{name: "or", shape: "(or expr ...)", min: 0, max: -1, analyze: analyzeOr,
			doc: "The first true value, or the last value."},
		{name: "begin", shape: "(begin expr ...)", min: 0, max: -1, analyze: analyzeBegin, aliases: []string{"progn"},
			doc: "Evaluates in order; the value is the last one's."},
		{name: "while", shape: "(while test expr ...)", min: 1, max: -1, analyze: analyzeWhile,
			doc: "Evaluates the expressions as long as test is true; nil."},
		{name: "do", shape: "(do ((name init [step]) ...) (test result ...) expr ...)", min: 2, max: -1, analyze: analyzeDo, binds: bindsLet,
			doc: "Loops until test is true: all steps are evaluated before any name changes."},
	}
}

func analyzeIf(c *compiler, u *use) node {
	n := &ifNode{c.analyze(u.args[0], u.scope, nil), c.analyze(u.args[1], u.scope, u.tail), &constNode{value.Nil}}
	if len(u.args) == 3 {
		n.otherwise = c.analyze(u.args[2], u.scope, u.tail)
	}
	return n
}

func analyzeWhen(c *compiler, u *use) node {
	return &ifNode{c.analyze(u.args[0], u.scope, nil), c.sequence(u.args[1:], u.scope, u.tail), &constNode{value.Nil}}
}

func analyzeUnless(c *compiler, u *use) node {
	return &ifNode{c.analyze(u.args[0], u.scope, nil), &constNode{value.Nil}, c.sequence(u.args[1:], u.scope, u.tail)}
}

func analyzeBegin(c *compiler, u *use) node { return c.sequence(u.args, u.scope, u.tail) }

func analyzeAnd(c *compiler, u *use) node { return c.andOr(u, false) }
func analyzeOr(c *compiler, u *use) node  { return c.andOr(u, true) }

func (c *compiler) andOr(u *use, or bool) node {
	switch len(u.args) {
	case 0:
		return &constNode{value.Bool(!or)}
	case 1:
		return c.analyze(u.args[0], u.scope, u.tail)
	}
	n := &andOrNode{or: or}
	for i, x := range u.args {
		tl := u.tail
		if i < len(u.args)-1 {
			tl = nil
		}
		n.nodes = append(n.nodes, c.analyze(x, u.scope, tl))
	}
	return n
}

func analyzeCond(c *compiler, u *use) node {
	return c.cond(u, u.args, u.scope, u.tail, &constNode{value.Nil})
}

// cond analyses clauses; otherwise is what happens when none applies. Clauses
// are linked in a loop, since there may be thousands.
func (c *compiler) cond(u *use, clauses []syntax, s *scope, tl tail, otherwise node) node {
	var first node
	last := &first
	defer c.unwound(c.t.Nest(0))
	for i, clause := range clauses {
		if !clause.v.IsList() || clause.v.Len() == 0 {
			c.misshapen(u, clause, "a clause (test expr ...)")
		}
		parts := c.elements(clause)
		if parts[0].v.IsSymbolNamed("else") {
			if i < len(clauses)-1 {
				c.misshapen(u, clauses[i+1], "no clause after else")
			}
			*last = c.sequence(parts[1:], s, tl)
			return first
		}
		n := c.clause(u, parts, s, tl)
		*last = n.outer
		last = &n.test.otherwise
	}
	*last = otherwise
	return first
}

// condClause is a clause whose otherwise branch is still open.
type condClause struct {
	outer node
	test  *ifNode
}

func (c *compiler) clause(u *use, parts []syntax, s *scope, tl tail) condClause {
	test := c.analyze(parts[0], s, nil)
	isArrow := len(parts) > 1 && parts[1].v.IsSymbolNamed("=>")
	if len(parts) > 1 && !isArrow {
		n := &ifNode{test: test, then: c.sequence(parts[1:], s, tl)}
		return condClause{n, n}
	}
	c.enter(parts[0]) // the clauses behind it are nested in it
	v := &variable{name: "test"}
	n := &ifNode{test: &localNode{v: v}, then: &localNode{v: v}}
	if isArrow {
		if len(parts) != 3 {
			c.misshapen(u, parts[1], "one function after =>")
		}
		n.then = &callNode{fn: c.analyze(parts[2], s, nil), args: []node{local(v)}, span: parts[2].span}
	}
	return condClause{&letNode{[]*variable{v}, []node{test}, n}, n}
}

func analyzeCase(c *compiler, u *use) node {
	key := &variable{name: "key"}
	outer := &letNode{vars: []*variable{key}, inits: []node{c.analyze(u.args[0], u.scope, nil)}}
	last := &outer.body
	for i, clause := range u.args[1:] {
		parts := c.elements(clause)
		if !clause.v.IsList() || len(parts) == 0 {
			c.misshapen(u, clause, "a clause ((datum ...) expr ...)")
		}
		if parts[0].v.IsSymbolNamed("else") {
			if i < len(u.args)-2 {
				c.misshapen(u, u.args[i+2], "no clause after else")
			}
			*last = c.sequence(parts[1:], u.scope, u.tail)
			return outer
		}
		if !parts[0].v.IsList() {
			c.misshapen(u, parts[0], "a list of data (datum ...)")
		}
		n := &ifNode{test: c.oneOf(key, parts[0]), then: c.sequence(parts[1:], u.scope, u.tail)}
		*last = n
		last = &n.otherwise
	}
	*last = &constNode{value.Nil}
	return outer
}

// oneOf tests whether a variable equals one of some data.
func (c *compiler) oneOf(key *variable, data syntax) node {
	n := &andOrNode{or: true}
	for _, d := range c.elements(data) {
		n.nodes = append(n.nodes, &primNode{"eq?", []node{&localNode{v: key}, &constNode{d.v}}, -1, d.span})
	}
	if len(n.nodes) == 0 {
		return &constNode{value.False}
	}
	return n
}

func analyzeWhile(c *compiler, u *use) node {
	return &whileNode{c.analyze(u.args[0], u.scope, nil), c.sequence(u.args[1:], u.scope, nil)}
}

func analyzeDo(c *compiler, u *use) node {
	l := &loop{name: "do", v: &variable{name: "do"}, ok: true, span: u.form.span}
	n := &loopNode{loop: l}
	inner := newScope(u.scope)
	var steps []syntax
	for _, b := range c.bindingList(u, u.args[0]) {
		parts := c.elements(b)
		if !b.v.IsList() || len(parts) < 2 || len(parts) > 3 {
			c.misshapen(u, b, "(name init [step])")
		}
		n.inits = append(n.inits, c.analyze(parts[1], u.scope, nil))
		l.vars = append(l.vars, c.bindOnce(u, b, inner, c.symbol(u, parts[0], "a name")))
		steps = append(steps, parts[len(parts)-1])
		if len(parts) == 2 {
			steps[len(steps)-1] = parts[0]
		}
	}
	end := c.elements(u.args[1])
	if !u.args[1].v.IsList() || len(end) == 0 {
		c.misshapen(u, u.args[1], "(test result ...)")
	}
	test := c.analyze(end[0], inner, nil)
	result := c.sequence(end[1:], inner, u.tail)
	again := &seqNode{[]node{c.sequence(u.args[2:], inner, nil), &continueNode{l, c.list(steps, inner), u.form.span}}}
	n.body = &ifNode{test, result, again}
	return n
}

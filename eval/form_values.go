package eval

import "github.com/gosema/gosema/eval/value"

func valuesForms() []form {
	return []form{
		{name: "let-values", shape: "(let-values (((var ...) expr) ...) expr ...)", min: 2, max: -1, soft: true, analyze: analyzeLetValues, binds: bindsFormals,
			doc: "Binds variables to the several values of expressions that do not see them. (a . rest) collects further values in a list, a single name all of them."},
		{name: "let*-values", shape: "(let*-values (((var ...) expr) ...) expr ...)", min: 2, max: -1, soft: true, analyze: analyzeLetStarValues, binds: bindsFormals,
			doc: "Is let-values in which each expression sees the variables before it."},
		{name: "define-values", shape: "(define-values (name ...) expr)", min: 2, max: 2, soft: true, analyze: analyzeDefineValues, binds: bindsParams, defines: definesFormals,
			doc: "Defines names as the several values of an expression."},
	}
}

// formals reads what takes several values: (a b), (a . rest) or a single name.
func (c *compiler) formals(u *use, x syntax, names map[Value]bool) *seqPattern {
	switch {
	case x.v.IsSymbol():
		return &seqPattern{rest: c.target(u, x, names), at: x}
	case x.v.IsList():
		return c.seqPattern(u, x, false, names).(*seqPattern)
	}
	c.misshapen(u, x, "names for the values: (name ...), (name . rest) or name")
	return nil
}

// spread is the list of the values that init gives for p.
func (p *seqPattern) spread(init node) node {
	n, open := p.size()
	return callHelper(helpers.spread, p.at.span, init, n, open)
}

// valuesBinding splits (formals init).
func (c *compiler) valuesBinding(u *use, b syntax, names map[Value]bool) (p *seqPattern, init syntax) {
	parts := c.elements(b)
	if !b.v.IsList() || len(parts) != 2 {
		c.misshapen(u, b, "a binding ((var ...) expr)")
	}
	return c.formals(u, parts[0], names), parts[1]
}

func analyzeLetValues(c *compiler, u *use) node {
	n := &letNode{}
	inner := newScope(u.scope)
	k := c.unpacker(u, inner)
	names := map[Value]bool{}
	for _, b := range c.bindingList(u, u.args[0]) {
		p, init := c.valuesBinding(u, b, names)
		v := &variable{name: "values"}
		n.vars = append(n.vars, v)
		n.inits = append(n.inits, p.spread(c.analyze(init, u.scope, nil)))
		k.items(p, v)
	}
	n.body = k.around(c.body(u.args[1:], inner, u.tail))
	return n
}

func analyzeLetStarValues(c *compiler, u *use) node {
	all := &unpackNode{}
	s := u.scope
	for _, b := range c.bindingList(u, u.args[0]) {
		p, init := c.valuesBinding(u, b, map[Value]bool{})
		v := &variable{name: "values"}
		all.steps = append(all.steps, step{v: v, e: p.spread(c.analyze(init, s, nil))})
		s = newScope(s)
		k := c.unpacker(u, s)
		k.items(p, v)
		all.steps = append(all.steps, k.steps...)
	}
	all.body = c.body(u.args[1:], newScope(s), u.tail)
	return all
}

func definesFormals(form Value) []Value {
	x := form.Nth(1)
	if x.IsSymbol() {
		return []Value{x}
	}
	if !x.IsList() {
		return nil
	}
	return patternNames(value.Vector(x.Slice()), nil, 0)
}

func analyzeDefineValues(c *compiler, u *use) node {
	p := c.formals(u, u.args[0], map[Value]bool{})
	v := &variable{name: "values"}
	k := &unpacker{c: c, u: u, bind: func(name syntax, e node) step {
		return step{e: c.define(u, name.v, func() node { return e })}
	}}
	k.items(p, v)
	return &letNode{[]*variable{v}, []node{p.spread(c.analyze(u.args[1], u.scope, nil))}, k.around(&constNode{value.Nil})}
}

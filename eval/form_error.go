package eval

func errorForms() []form {
	return []form{
		{name: "try", shape: "(try expr ... (catch name expr ...))", min: 2, max: -1, analyze: analyzeTry, binds: bindsTry,
			doc: "Evaluates the expressions. An error ends them, and catch gets it as a map: :type :message :stack-trace, and :value of what was thrown."},
		{name: "guard", shape: "(guard (name (test expr ...) ...) expr ...)", min: 2, max: -1, soft: true, analyze: analyzeGuard, binds: bindsHeader,
			doc: "Evaluates the expressions. An error binds name to what was raised and goes through the clauses like cond; if none applies it is raised again."},
	}
}

func analyzeTry(c *compiler, u *use) node {
	last := u.args[len(u.args)-1]
	if !last.v.IsList() || last.v.Len() == 0 || !last.v.First().IsSymbolNamed("catch") {
		c.misshapen(u, last, "(catch name expr ...) at the end")
	}
	parts := c.elements(last)
	if len(parts) < 3 {
		c.misshapen(u, last, "(catch name expr ...) with a name and a body")
	}
	inner := newScope(u.scope)
	n := &tryNode{body: c.body(u.args[:len(u.args)-1], newScope(u.scope), nil)}
	n.v = inner.bind(c.symbol(u, parts[1], "a name for the error"))
	n.h = c.body(parts[2:], inner, u.tail)
	return n
}

func analyzeGuard(c *compiler, u *use) node {
	if !u.args[0].v.IsList() || u.args[0].v.Len() == 0 {
		c.misshapen(u, u.args[0], "(name (test expr ...) ...)")
	}
	parts := c.elements(u.args[0])
	caught := &variable{name: "caught"}
	n := &tryNode{v: caught, body: c.body(u.args[1:], newScope(u.scope), nil)}
	inner := newScope(u.scope)
	raised := inner.bind(c.symbol(u, parts[0], "a name for what was raised"))
	again := &primNode{"throw", []node{&localNode{v: caught}}, -1, u.form.span}
	n.h = &letNode{[]*variable{raised}, []node{callHelper(helpers.raised, u.form.span, &localNode{v: caught})},
		c.cond(u, parts[1:], inner, u.tail, again)}
	return n
}

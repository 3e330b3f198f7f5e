package eval

func definitionForms() []form {
	return []form{
		{name: "define", shape: "(define name expr) or (define (name param ...) expr ...)", min: 2, max: -1, analyze: analyzeDefine, binds: bindsDefinition, aliases: []string{"def"}, defines: definesTarget,
			doc: "Binds a name: globally at top level, locally in a body."},
		{name: "defun", shape: "(defun name (param ...) expr ...)", min: 3, max: -1, analyze: analyzeDefun, binds: bindsFunction, aliases: []string{"defn"}, defines: definesName,
			doc: "Defines a function."},
		{name: "set!", shape: "(set! name expr)", min: 2, max: 2, analyze: analyzeSet,
			doc: "Changes a variable that exists; the value is the new one."},
		{name: "define-syntax", shape: "(define-syntax name (syntax-rules (literal ...) (pattern template) ...))", min: 2, max: 2, analyze: analyzeDefineSyntax,
			doc: "Defines a macro by rules: the first pattern that fits a use says which template replaces it. What x ... matches is repeated; names that a template binds are made fresh."},
		{name: "defmacro", shape: "(defmacro name (param ...) expr ...)", min: 3, max: -1, analyze: analyzeDefmacro,
			doc: "Defines a macro: a function from forms to the form that replaces its call."},
	}
}

// definedNames is what a definition form defines.
func definedNames(v Value) []Value {
	if !v.IsList() || v.Len() < 3 {
		return nil
	}
	head, _ := v.First().SymbolName()
	if f := formTable[head]; f != nil && f.defines != nil {
		return f.defines(v)
	}
	return nil
}

// definesTarget is for (define target ...), where target may be a pattern or
// (name param ...).
func definesTarget(v Value) []Value {
	target := v.Nth(1)
	for target.IsList() && target.Len() > 0 {
		target = target.First()
	}
	return patternNames(target, nil, 0)
}

func definesName(v Value) []Value {
	if name := v.Nth(1); name.IsSymbol() {
		return []Value{name}
	}
	return nil
}

func analyzeDefine(c *compiler, u *use) node {
	target := u.args[0]
	switch {
	case target.v.IsSymbol():
		c.oneExpression(u)
		name, _ := target.v.SymbolName()
		return c.define(u, target.v, func() node { return c.named(u.args[1], u.scope, name) })
	case isPattern(target.v):
		c.oneExpression(u)
		return c.definePattern(u, target)
	case !target.v.IsList() || target.v.Len() == 0:
		c.misshapen(u, target, "a name, a pattern, or (name param ...)")
	}
	parts := c.elements(target)
	if !parts[0].v.IsSymbol() {
		c.misshapen(u, parts[0], "the name of the function")
	}
	return c.defineFunction(u, parts[0], parts[1:], u.args[1:])
}

func (c *compiler) oneExpression(u *use) {
	if len(u.args) > 2 {
		c.misshapen(u, u.args[2], "one expression")
	}
}

// definePattern defines the names of a pattern.
func (c *compiler) definePattern(u *use, target syntax) node {
	p := c.pattern(u, target, false, map[Value]bool{})
	init := c.analyze(u.args[1], u.scope, nil)
	return c.setApart(u, p, init, func(name syntax, e node) node {
		return c.define(u, name.v, func() node { return e })
	})
}

func analyzeDefun(c *compiler, u *use) node {
	c.symbol(u, u.args[0], "the name of the function")
	if !u.args[1].v.IsSeq() {
		c.misshapen(u, u.args[1], "a list of parameters")
	}
	return c.defineFunction(u, u.args[0], c.elements(u.args[1]), u.args[2:])
}

func (c *compiler) defineFunction(u *use, name syntax, params, body []syntax) node {
	text, _ := name.v.SymbolName()
	return c.define(u, name.v, func() node { return c.function(u, text, params, body) })
}

// define binds a name in the innermost body, or globally outside of any.
func (c *compiler) define(u *use, name Value, init func() node) node {
	s := u.scope
	for s != nil && s.body == nil {
		s = s.outer
	}
	if s == nil {
		return &setGlobalNode{c.in.own(c.origin.ns, name), init(), true, u.form.span}
	}
	b, ok := s.names[name]
	if !ok { // a define in the middle of an expression
		b = binding{v: s.bind(name)}
		s.body.vars = append(s.body.vars, b.v)
	}
	return &setLocalNode{v: b.v, e: init(), init: true, span: u.form.span}
}

func analyzeSet(c *compiler, u *use) node {
	name := c.symbol(u, u.args[0], "the name of a variable")
	b, ok := u.scope.lookup(name)
	e := c.analyze(u.args[1], u.scope, nil)
	switch {
	case !ok:
		return &setGlobalNode{c.global(name), e, false, u.form.span}
	case b.loop != nil:
		b.loop.ok = false
		return &setLocalNode{v: b.loop.v, e: e, span: u.form.span}
	}
	b.v.assigned = true
	return &setLocalNode{v: b.v, e: e, span: u.form.span}
}

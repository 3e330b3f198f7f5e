package eval

import "github.com/gosema/gosema/eval/value"

func definitionForms() map[string]*form {
	return map[string]*form{
		"define": {"(define name expr) or (define (name param ...) expr ...)", 2, -1,
			"Binds a name: globally at top level, locally in a body.", analyzeDefine},
		"defun":    {"(defun name (param ...) expr ...)", 3, -1, "Defines a function.", analyzeDefun},
		"set!":     {"(set! name expr)", 2, 2, "Changes a variable that exists; the value is the new one.", analyzeSet},
		"defmacro": {"(defmacro name (param ...) expr ...)", 3, -1, "Defines a macro: a function from forms to the form that replaces its call.", analyzeDefmacro},
	}
}

// definedName is what a definition form defines.
func definedName(v Value) (Value, bool) {
	if !v.IsList() || v.Len() < 3 {
		return value.Nil, false
	}
	head, _ := v.First().SymbolName()
	target := v.Nth(1)
	switch head {
	case "define", "def":
		for target.IsList() && target.Len() > 0 {
			target = target.First()
		}
	case "defun", "defn":
	default:
		return value.Nil, false
	}
	return target, target.IsSymbol()
}

func analyzeDefine(c *compiler, u *use) node {
	target := u.args[0]
	if target.v.IsSymbol() {
		if len(u.args) > 2 {
			c.misshapen(u, u.args[2], "one expression")
		}
		name, _ := target.v.SymbolName()
		return c.define(u, target.v, func() node { return c.named(u.args[1], u.scope, name) })
	}
	if !target.v.IsList() || target.v.Len() == 0 {
		c.misshapen(u, target, "a name, or (name param ...)")
	}
	parts := c.elements(target)
	if !parts[0].v.IsSymbol() {
		c.misshapen(u, parts[0], "the name of the function")
	}
	return c.defineFunction(u, parts[0], syntax{value.List(), target.span}, parts[1:], u.args[1:])
}

func analyzeDefun(c *compiler, u *use) node {
	c.symbol(u, u.args[0], "the name of the function")
	if !u.args[1].v.IsSeq() {
		c.misshapen(u, u.args[1], "a list of parameters")
	}
	return c.defineFunction(u, u.args[0], u.args[1], c.elements(u.args[1]), u.args[2:])
}

func (c *compiler) defineFunction(u *use, name, at syntax, params, body []syntax) node {
	text, _ := name.v.SymbolName()
	return c.define(u, name.v, func() node {
		fn := &function{name: text, span: u.form.span}
		inner := newScope(u.scope)
		c.params(u, fn, params, inner)
		fn.body = c.body(body, inner, nil)
		return &lambdaNode{fn}
	})
}

// define binds a name in the innermost body, or globally outside of any.
func (c *compiler) define(u *use, name Value, init func() node) node {
	s := u.scope
	for s != nil && s.body == nil {
		s = s.outer
	}
	if s == nil {
		return &setGlobalNode{c.in.machine.Global(name), init(), true, u.form.span}
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
		return &setGlobalNode{c.in.machine.Global(name), e, false, u.form.span}
	case b.loop != nil:
		b.loop.ok = false
		return &setLocalNode{v: b.loop.v, e: e, span: u.form.span}
	}
	return &setLocalNode{v: b.v, e: e, span: u.form.span}
}

package eval

import (
	"github.com/gosema/gosema/eval/value"
)

func bindingForms() map[string]*form {
	return map[string]*form{
		"let": {"(let [name] ((var init) ...) expr ...)", 2, -1,
			"Binds variables to values that do not see each other. With a name it is a loop: calling the name starts over with new values.", analyzeLet},
		"let*":   {"(let* ((var init) ...) expr ...)", 2, -1, "Binds variables one after the other: each sees those before it.", analyzeLetStar},
		"letrec": {"(letrec ((var init) ...) expr ...)", 2, -1, "Binds variables that all see each other, for functions that call each other.", analyzeLetrec},
		"lambda": {"(lambda (param ...) expr ...)", 2, -1, "A function. (a . rest) collects further arguments in a list.", analyzeLambda},
		"delay":  {"(delay expr ...)", 1, -1, "A promise: force evaluates the expressions once.", analyzeDelay},
	}
}

// bindingList checks that x is a list of bindings.
func (c *compiler) bindingList(u *use, x syntax) []syntax {
	if !x.v.IsList() && !x.v.IsNil() {
		c.misshapen(u, x, "a list of bindings ((var init) ...)")
	}
	if x.v.IsNil() {
		return nil
	}
	return c.elements(x)
}

// binding splits (var init).
func (c *compiler) binding(u *use, b syntax) (name Value, nameAt, init syntax) {
	parts := c.elements(b)
	if !b.v.IsSeq() || len(parts) != 2 {
		c.misshapen(u, b, "a binding (var init)")
	}
	if parts[0].v.IsSeq() || parts[0].v.IsMap() {
		c.misshapen(u, parts[0], "a variable name (patterns are not supported here yet)")
	}
	return c.symbol(u, parts[0], "a variable name"), parts[0], parts[1]
}

func analyzeLet(c *compiler, u *use) node {
	if u.args[0].v.IsSymbol() {
		return c.namedLet(u)
	}
	n := &letNode{}
	var names []Value
	for _, b := range c.bindingList(u, u.args[0]) {
		name, _, init := c.binding(u, b)
		for _, before := range names {
			if before == name {
				c.duplicate(u, b, name)
			}
		}
		names = append(names, name)
		n.inits = append(n.inits, c.analyze(init, u.scope, nil))
	}
	inner := newScope(u.scope)
	for _, name := range names {
		n.vars = append(n.vars, inner.bind(name))
	}
	n.body = c.body(u.args[1:], inner, u.tail)
	return n
}

func (c *compiler) namedLet(u *use) node {
	if len(u.args) < 3 {
		c.misshapen(u, u.form, "a body after the bindings of a named let")
	}
	name := u.args[0].v
	text, _ := name.SymbolName()
	l := &loop{name: text, v: &variable{name: text}, ok: true, span: u.form.span}
	n := &loopNode{loop: l}
	outer := newScope(u.scope)
	outer.names[name] = binding{loop: l}
	inner := newScope(outer)
	for _, b := range c.bindingList(u, u.args[1]) {
		sym, _, init := c.binding(u, b)
		n.inits = append(n.inits, c.analyze(init, u.scope, nil))
		l.vars = append(l.vars, c.bindOnce(u, b, inner, sym))
	}
	n.body = c.body(u.args[2:], inner, u.tail.with(l))
	if !l.ok {
		for _, o := range l.outer {
			o.ok = false
		}
	}
	return n
}

func analyzeLetStar(c *compiler, u *use) node {
	var first node
	last := &first
	s := u.scope
	defer c.unwound(c.t.Nest(0))
	for _, b := range c.bindingList(u, u.args[0]) {
		c.enter(b) // each is nested in the one before
		name, _, init := c.binding(u, b)
		n := &letNode{inits: []node{c.analyze(init, s, nil)}}
		s = newScope(s)
		n.vars = []*variable{s.bind(name)}
		*last = n
		last = &n.body
	}
	*last = c.body(u.args[1:], newScope(s), u.tail)
	return first
}

func analyzeLetrec(c *compiler, u *use) node {
	inner := newScope(u.scope)
	n := &bodyNode{}
	inner.body = n
	var inits []syntax
	for _, b := range c.bindingList(u, u.args[0]) {
		name, _, init := c.binding(u, b)
		n.vars = append(n.vars, c.bindOnce(u, b, inner, name))
		inits = append(inits, init)
	}
	for i, init := range inits {
		n.items = append(n.items, &setLocalNode{n.vars[i], c.named(init, inner, n.vars[i].name), true, true, init.span})
	}
	n.items = append(n.items, c.body(u.args[1:], newScope(inner), u.tail))
	return n
}

func analyzeLambda(c *compiler, u *use) node {
	return c.lambda(u, "", u.args[0], u.args[1:])
}

// named analyses an expression that is going to be called name.
func (c *compiler) named(x syntax, s *scope, name string) node {
	n := c.analyze(x, s, nil)
	if l, ok := n.(*lambdaNode); ok && l.fn.name == "" {
		l.fn.name = name
	}
	return n
}

// lambda makes a function; params is a list of parameters, or a symbol that
// gets all arguments.
func (c *compiler) lambda(u *use, name string, params syntax, body []syntax) node {
	fn := &function{name: name, span: u.form.span}
	inner := newScope(u.scope)
	switch {
	case params.v.IsSymbol():
		fn.rest = true
		fn.params = []*variable{inner.bind(params.v)}
	case params.v.IsSeq():
		c.params(u, fn, c.elements(params), inner)
	default:
		c.misshapen(u, params, "a list of parameters")
	}
	if len(body) == 0 {
		c.misshapen(u, u.form, "a body after the parameters")
	}
	fn.body = c.body(body, inner, nil)
	return &lambdaNode{fn}
}

const maxParams = 200

func (c *compiler) params(u *use, fn *function, params []syntax, inner *scope) {
	for i, p := range params {
		if p.v.IsSymbolNamed(".") || p.v.IsSymbolNamed("&") {
			if i != len(params)-2 {
				c.misshapen(u, p, "exactly one name after "+p.v.String())
			}
			fn.rest = true
			continue
		}
		if p.v.IsSeq() || p.v.IsMap() {
			c.misshapen(u, p, "a parameter name (patterns are not supported here yet)")
		}
		fn.params = append(fn.params, c.bindOnce(u, p, inner, c.symbol(u, p, "a parameter name")))
	}
	if len(fn.params) > maxParams {
		c.misshapen(u, params[maxParams], "at most 200 parameters")
	}
}

// bindOnce binds a name that must not be there twice.
func (c *compiler) bindOnce(u *use, at syntax, s *scope, name Value) *variable {
	if _, twice := s.names[name]; twice {
		c.duplicate(u, at, name)
	}
	return s.bind(name)
}

func (c *compiler) duplicate(u *use, at syntax, name Value) {
	c.misshapen(u, at, "every name once, but "+name.String()+" is there twice")
}

func analyzeDelay(c *compiler, u *use) node {
	fn := &function{name: "delay", span: u.form.span, body: c.body(u.args, newScope(u.scope), nil)}
	return callHelper(helpers.promise, u.form.span, &lambdaNode{fn})
}

// body analyses the body of a function or of a let: definitions in it are local
// to it, and its forms see all of them.
func (c *compiler) body(forms []syntax, s *scope, tl tail) node {
	n := &bodyNode{}
	s.body = n
	for _, x := range forms {
		s.predefine(x.v)
	}
	items := c.spliceBegins(forms, s, nil)
	for i, x := range items {
		itemTail := tl
		if i < len(items)-1 {
			itemTail = nil
		}
		item := c.analyze(x, s, itemTail)
		if d, ok := item.(*setLocalNode); ok && d.init {
			d.item = true
		}
		n.items = append(n.items, item)
	}
	if len(n.vars) > 0 {
		return n
	}
	switch len(n.items) {
	case 0:
		return &constNode{value.Nil}
	case 1:
		return n.items[0]
	}
	return &seqNode{n.items}
}

// spliceBegins expands the macros at the heads of a body's forms, to find the
// definitions that they make, and opens begins.
func (c *compiler) spliceBegins(forms []syntax, s *scope, out []syntax) []syntax {
	for _, x := range forms {
		x = c.expand(x, s)
		s.predefine(x.v)
		if isBegin(x.v) && x.v.Len() > 1 {
			c.enter(x)
			out = c.spliceBegins(c.elements(x)[1:], s, out)
			c.leave()
			continue
		}
		out = append(out, x)
	}
	return out
}

package eval

import (
	"github.com/gosema/gosema/eval/value"
)

func bindingForms() []form {
	return []form{
		{name: "let", shape: "(let [name] ((var init) ...) expr ...)", min: 2, max: -1, analyze: analyzeLet, binds: bindsLet,
			doc: "Binds variables to values that do not see each other. With a name it is a loop: calling the name starts over with new values."},
		{name: "let*", shape: "(let* ((var init) ...) expr ...)", min: 2, max: -1, analyze: analyzeLetStar, binds: bindsLet,
			doc: "Binds variables one after the other: each sees those before it."},
		{name: "letrec", shape: "(letrec ((var init) ...) expr ...)", min: 2, max: -1, analyze: analyzeLetrec, binds: bindsLet,
			doc: "Binds variables that all see each other, for functions that call each other."},
		{name: "lambda", shape: "(lambda (param ...) expr ...)", min: 2, max: -1, analyze: analyzeLambda, binds: bindsParams, aliases: []string{"fn"},
			doc: "A function. (a . rest) collects further arguments in a list."},
		{name: "parameterize", shape: "(parameterize ((parameter expr) ...) expr ...)", min: 2, max: -1, soft: true, analyze: analyzeParameterize,
			doc: "Evaluates the expressions while parameters have other values, which their converters are given first."},
		{name: "delay", shape: "(delay expr ...)", min: 1, max: -1, analyze: analyzeDelay,
			doc: "A promise: force evaluates the expressions once."},
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

// binding splits (target init); the target is a name or a pattern, whose names
// are added to those known.
func (c *compiler) binding(u *use, b syntax, names map[Value]bool) (target pattern, init syntax) {
	parts := c.elements(b)
	if !b.v.IsSeq() || len(parts) != 2 {
		c.misshapen(u, b, "a binding (var init)")
	}
	return c.target(u, parts[0], names), parts[1]
}

// target reads a name or a pattern that is to be bound; _ is a name like any
// other where it stands alone.
func (c *compiler) target(u *use, x syntax, names map[Value]bool) pattern {
	if !isPattern(x.v) {
		c.symbol(u, x, "a variable name, or a pattern such as [a b & rest] or {:keys [a b]}")
		if names[x.v] {
			c.duplicate(u, x, x.v)
		}
		names[x.v] = true
		return &namePattern{x}
	}
	return c.pattern(u, x, false, names)
}

// targetVar is the variable that a target's value goes into: the name's, or one
// that the pattern takes apart afterwards.
func (k *unpacker) targetVar(p pattern, s *scope) *variable {
	if name, ok := p.(*namePattern); ok {
		return s.bind(name.at.v)
	}
	v := &variable{name: "part"}
	k.unpack(p, v)
	return v
}

func (c *compiler) unpacker(u *use, s *scope) *unpacker {
	return &unpacker{c: c, u: u, bind: bindIn(s)}
}

func analyzeLet(c *compiler, u *use) node {
	if u.args[0].v.IsSymbol() {
		return c.namedLet(u)
	}
	n := &letNode{}
	var targets []pattern
	names := map[Value]bool{}
	for _, b := range c.bindingList(u, u.args[0]) {
		target, init := c.binding(u, b, names)
		targets = append(targets, target)
		n.inits = append(n.inits, c.analyze(init, u.scope, nil))
	}
	inner := newScope(u.scope)
	k := c.unpacker(u, inner)
	for _, p := range targets {
		n.vars = append(n.vars, k.targetVar(p, inner))
	}
	n.body = k.around(c.body(u.args[1:], inner, u.tail))
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
	k := c.unpacker(u, inner)
	names := map[Value]bool{}
	for _, b := range c.bindingList(u, u.args[1]) {
		target, init := c.binding(u, b, names)
		n.inits = append(n.inits, c.analyze(init, u.scope, nil))
		l.vars = append(l.vars, k.targetVar(target, inner))
	}
	n.body = k.around(c.body(u.args[2:], inner, u.tail.with(l)))
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
		target, init := c.binding(u, b, map[Value]bool{})
		n := &letNode{inits: []node{c.analyze(init, s, nil)}}
		s = newScope(s)
		k := c.unpacker(u, s)
		n.vars = []*variable{k.targetVar(target, s)}
		*last = n
		last = &n.body
		if len(k.steps) > 0 {
			apart := &unpackNode{steps: k.steps}
			*last = apart
			last = &apart.body
		}
	}
	*last = c.body(u.args[1:], newScope(s), u.tail)
	return first
}

func analyzeLetrec(c *compiler, u *use) node {
	inner := newScope(u.scope)
	n := &bodyNode{}
	inner.body = n
	var targets []pattern
	var inits []syntax
	names := map[Value]bool{}
	for _, b := range c.bindingList(u, u.args[0]) {
		target, init := c.binding(u, b, names)
		targets, inits = append(targets, target), append(inits, init)
	}
	for name := range names {
		n.vars = append(n.vars, inner.bind(name))
	}
	for i, init := range inits {
		n.items = append(n.items, c.letrecItem(u, targets[i], init, inner))
	}
	n.items = append(n.items, c.body(u.args[1:], newScope(inner), u.tail))
	return n
}

func (c *compiler) letrecItem(u *use, target pattern, init syntax, s *scope) node {
	if name, ok := target.(*namePattern); ok {
		v := s.names[name.at.v].v
		return &setLocalNode{v, c.named(init, s, v.name), true, true, init.span}
	}
	return c.setApart(u, target, c.analyze(init, s, nil), func(name syntax, e node) node {
		return &setLocalNode{v: s.names[name.v].v, e: e, init: true, span: init.span}
	})
}

// setApart takes the value of init apart; set gives each name its part.
func (c *compiler) setApart(u *use, p pattern, init node, set func(name syntax, e node) node) node {
	k := &unpacker{c: c, u: u, bind: func(name syntax, e node) step { return step{e: set(name, e)} }}
	v := &variable{name: "part"}
	k.unpack(p, v)
	return &letNode{[]*variable{v}, []node{init}, k.around(&constNode{value.Nil})}
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
	if len(body) == 0 {
		c.misshapen(u, u.form, "a body after the parameters")
	}
	switch {
	case params.v.IsSymbol():
		fn := &function{name: name, span: u.form.span, rest: true}
		inner := newScope(u.scope)
		fn.params = []*variable{inner.bind(params.v)}
		fn.body = c.body(body, inner, nil)
		return &lambdaNode{fn}
	case params.v.IsSeq():
		return c.function(u, name, c.elements(params), body)
	}
	c.misshapen(u, params, "a list of parameters")
	return nil
}

// function makes a function of a list of parameters: names, or patterns that
// take their argument apart.
func (c *compiler) function(u *use, name string, params, body []syntax) node {
	fn := &function{name: name, span: u.form.span}
	inner := newScope(u.scope)
	k := c.unpacker(u, inner)
	c.params(u, fn, params, inner, k)
	fn.body = k.around(c.body(body, inner, nil))
	return &lambdaNode{fn}
}

const maxParams = 200

func (c *compiler) params(u *use, fn *function, params []syntax, inner *scope, k *unpacker) {
	names := map[Value]bool{}
	for i, p := range params {
		if isRestMark(p.v) {
			if i != len(params)-2 {
				c.misshapen(u, p, "exactly one name after "+p.v.String())
			}
			fn.rest = true
			continue
		}
		fn.params = append(fn.params, k.targetVar(c.target(u, p, names), inner))
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
			parts := c.elements(x)[1:]
			for i := range parts {
				if parts[i].span == x.span { // the macro's own, not what the caller wrote
					parts[i].from = x.from
				}
			}
			out = c.spliceBegins(parts, s, out)
			c.leave()
			continue
		}
		out = append(out, x)
	}
	return out
}

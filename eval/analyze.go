package eval

import (
	"github.com/gosema/gosema/eval/value"
)

// analyze makes a node of a form. tl are the loops that the form is in tail
// position of.
func (c *compiler) analyze(x syntax, s *scope, tl tail) node {
	if x.from != nil {
		return c.analyzeExpansion(x, s, tl)
	}
	if x.v.IsSymbol() {
		return c.reference(x, s)
	}
	if x.v.Len() <= 0 || x.v.IsString() || x.v.IsBytes() {
		return &constNode{x.v}
	}
	c.enter(x)
	defer c.leave()
	switch x.v.Kind() {
	case value.KindVector:
		return c.vectorLiteral(x, s)
	case value.KindMap, value.KindHashMap:
		return c.mapLiteral(x, s)
	}
	return c.combination(x, s, tl)
}

// combination is a form with a head: a special form, a macro or a call.
func (c *compiler) combination(x syntax, s *scope, tl tail) node {
	elems := c.elements(x)
	head := elems[0]
	if name, ok := head.v.SymbolName(); ok {
		if f := c.form(head.v, s); f != nil {
			c.checkShape(f, x, elems[1:])
			return f.analyze(c, &use{form: x, args: elems[1:], scope: s, tail: tl})
		}
		if b, ok := s.lookup(head.v); ok {
			return c.localCall(x, b, elems, s, tl)
		}
		c.require(head)
		if m, ok := c.macro(head.v); ok {
			return c.analyze(c.expandOnce(m, x), s, tl)
		}
		if n := c.primitive(x, name, elems, s); n != nil {
			return n
		}
	}
	fn := c.analyze(head, s, nil)
	call := c.call(x, fn, elems[1:], s)
	call.calleeFirst = c.isMistaken(fn, elems)
	return call
}

func (c *compiler) reference(x syntax, s *scope) node {
	b, ok := s.lookup(x.v)
	if !ok {
		c.require(x)
		return &globalNode{c.global(x.v), x.span}
	}
	if b.loop != nil {
		b.loop.ok = false
		return &localNode{v: b.loop.v, span: x.span}
	}
	return &localNode{v: b.v, span: x.span}
}

func (c *compiler) localCall(x syntax, b binding, elems []syntax, s *scope, tl tail) node {
	if b.loop == nil {
		return c.call(x, &localNode{v: b.v, span: elems[0].span}, elems[1:], s)
	}
	l := b.loop
	args := c.list(elems[1:], s)
	if !tl.in(l) || len(args) != len(l.vars) {
		l.ok = false
	}
	for _, inner := range tl.inside(l) { // should one of these become a function, l cannot be a jump
		inner.outer = append(inner.outer, l)
	}
	return &continueNode{l, args, x.span}
}

func (c *compiler) list(xs []syntax, s *scope) []node {
	out := make([]node, len(xs))
	for i, x := range xs {
		out[i] = c.analyze(x, s, nil)
	}
	return out
}

// call is an ordinary call. Very long ones are made through apply, which has no
// limit on arguments.
func (c *compiler) call(x syntax, fn node, args []syntax, s *scope) *callNode {
	nodes := c.list(args, s)
	if len(nodes) <= maxCallArgs {
		return &callNode{fn: fn, args: nodes, span: x.span}
	}
	return callHelper(helpers.apply, x.span, fn, c.longList(nodes, x.span))
}

const maxCallArgs = 200

// longList makes a list of any number of nodes.
func (c *compiler) longList(nodes []node, span value.Span) node {
	var parts []node
	for len(nodes) > maxCallArgs {
		parts = append(parts, callHelper(helpers.list, span, nodes[:maxCallArgs]...))
		nodes = nodes[maxCallArgs:]
	}
	parts = append(parts, callHelper(helpers.list, span, nodes...))
	for len(parts) > 1 { // append in rounds of no more parts than a call can take
		n := min(len(parts), maxCallArgs)
		parts = append([]node{callHelper(helpers.append, span, parts[:n]...)}, parts[n:]...)
	}
	return parts[0]
}

func callHelper(h Value, span value.Span, args ...node) *callNode {
	return &callNode{fn: &constNode{h}, args: args, span: span}
}

func (c *compiler) vectorLiteral(x syntax, s *scope) node {
	if constant(x.v) {
		return &constNode{x.v}
	}
	list := c.longList(c.list(c.elements(x), s), x.span)
	return callHelper(helpers.vector, x.span, list)
}

// mapLiteral evaluates keys and values in the order they are written.
func (c *compiler) mapLiteral(x syntax, s *scope) node {
	if constant(x.v) {
		return &constNode{x.v}
	}
	elems := c.mapElements(x)
	if n := c.shapedLiteral(x, elems, s); n != nil {
		return n
	}
	return callHelper(helpers.mapOf, x.span, c.longList(c.list(elems, s), x.span))
}

// shapedLiteral is a literal whose keys are constant atoms: its maps share their
// keys.
func (c *compiler) shapedLiteral(x syntax, elems []syntax, s *scope) node {
	if len(elems)/2 > maxCallArgs {
		return nil
	}
	var keys []Value
	var vals []syntax
	for i := 0; i+1 < len(elems); i += 2 {
		if k := elems[i].v; k.IsSymbol() || k.Identity() != nil {
			return nil
		}
		keys, vals = append(keys, elems[i].v), append(vals, elems[i+1])
	}
	return callHelper(shapedMap(value.NewShape(keys)), x.span, c.list(vals, s)...)
}

func (c *compiler) mapElements(x syntax) []syntax {
	place := c.place(x.v)
	var out []syntax
	if place != nil && len(place.Order) > 0 {
		for i, v := range place.Order {
			out = append(out, syntax{v: v, span: place.Elems[i]})
		}
		return out
	}
	for k, v := range x.v.Entries() {
		out = append(out, syntax{v: k, span: x.span}, syntax{v: v, span: x.span})
	}
	return out
}

// constant reports whether evaluating v would give v itself.
func constant(v Value) bool {
	switch v.Kind() {
	case value.KindSymbol:
		return false
	case value.KindList:
		return v.Len() == 0
	case value.KindVector:
		for _, e := range v.Slice() {
			if e.Identity() != nil || !constant(e) { // nested literals are rare: not worth a deep walk
				return false
			}
		}
	case value.KindMap, value.KindHashMap:
		for k, e := range v.Entries() {
			if k.Identity() != nil || e.Identity() != nil || !constant(k) || !constant(e) {
				return false
			}
		}
	}
	return true
}

// sequence is forms in order; the value is that of the last.
func (c *compiler) sequence(xs []syntax, s *scope, tl tail) node {
	switch len(xs) {
	case 0:
		return &constNode{value.Nil}
	case 1:
		return c.analyze(xs[0], s, tl)
	}
	seq := &seqNode{}
	for i, x := range xs {
		if i < len(xs)-1 {
			seq.nodes = append(seq.nodes, c.analyze(x, s, nil))
		} else {
			seq.nodes = append(seq.nodes, c.analyze(x, s, tl))
		}
	}
	return seq
}

package eval

import (
	"strings"

	"github.com/gosema/gosema/eval/value"
)

func quoteForms() []form {
	return []form{
		{name: "quote", shape: "(quote datum)", min: 1, max: 1, analyze: analyzeQuote,
			doc: "The datum itself, not evaluated: 'x is short for it."},
		{name: "quasiquote", shape: "(quasiquote template)", min: 1, max: 1, analyze: analyzeQuasiquote,
			doc: "The template with ,expr replaced by values and ,@expr by the elements of lists: `x is short for it."},
	}
}

func analyzeQuote(c *compiler, u *use) node { return &constNode{u.args[0].v} }

// template is a quasiquote being analysed. Names that end in # become symbols
// made afresh each time it is evaluated.
type template struct {
	c     *compiler
	scope *scope
	fresh map[Value]*variable
	let   letNode
	span  value.Span
}

func analyzeQuasiquote(c *compiler, u *use) node {
	t := &template{c: c, scope: u.scope, fresh: map[Value]*variable{}, span: u.form.span}
	n := t.part(u.args[0], 1)
	if len(t.let.vars) == 0 {
		return n
	}
	t.let.body = n
	return &t.let
}

// part makes the node of a part of the template, nested level quasiquotes deep.
func (t *template) part(x syntax, level int) node {
	t.c.enter(x)
	defer t.c.leave()
	switch {
	case x.v.IsSymbol():
		return t.symbol(x.v)
	case x.v.IsVector():
		return callHelper(helpers.vector, x.span, t.sequence(t.c.elements(x), level, x.span))
	case x.v.IsMap():
		return callHelper(helpers.mapOf, x.span, t.sequence(t.c.mapElements(x), level, x.span))
	case !x.v.IsList() || x.v.Len() == 0:
		return &constNode{x.v}
	}
	elems := t.c.elements(x)
	switch head, _ := elems[0].v.SymbolName(); {
	case len(elems) != 2:
	case head == "unquote" && level == 1:
		return t.c.analyze(elems[1], t.scope, nil)
	case head == "unquote" || head == "unquote-splicing":
		return t.sequence(elems, level-1, x.span)
	case head == "quasiquote":
		return t.sequence(elems, level+1, x.span)
	}
	return t.sequence(elems, level, x.span)
}

// sequence builds the list of the elements: runs of plain ones, and what ,@
// splices between them.
func (t *template) sequence(elems []syntax, level int, span value.Span) node {
	var parts, run []node
	spliced := false
	flush := func() {
		if len(run) > 0 {
			parts = append(parts, t.c.longList(run, span))
			run = nil
		}
	}
	for _, e := range elems {
		if expr, ok := splice(t.c, e); ok && level == 1 {
			flush()
			parts = append(parts, t.c.analyze(expr, t.scope, nil))
			spliced = true
			continue
		}
		run = append(run, t.part(e, level))
	}
	flush()
	if !spliced {
		if len(parts) == 0 {
			return &constNode{value.Empty}
		}
		return parts[0]
	}
	for len(parts) > maxCallArgs {
		n := maxCallArgs
		parts = append([]node{callHelper(helpers.append, span, parts[:n]...)}, parts[n:]...)
	}
	return callHelper(helpers.append, span, parts...)
}

// splice returns the expression of ,@expr.
func splice(c *compiler, x syntax) (syntax, bool) {
	if !x.v.IsList() || x.v.Len() != 2 || !x.v.First().IsSymbolNamed("unquote-splicing") {
		return syntax{}, false
	}
	return c.elements(x)[1], true
}

func (t *template) symbol(sym Value) node {
	name, _ := sym.SymbolName()
	if len(name) < 2 || !strings.HasSuffix(name, "#") {
		return &constNode{sym}
	}
	v, ok := t.fresh[sym]
	if !ok {
		v = &variable{name: name}
		t.fresh[sym] = v
		t.let.vars = append(t.let.vars, v)
		t.let.inits = append(t.let.inits, callHelper(helpers.gensym, t.span, &constNode{value.String(strings.TrimSuffix(name, "#"))}))
	}
	return &localNode{v: v}
}

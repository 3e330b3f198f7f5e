package eval

import (
	"fmt"

	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
)

// origin is where a top-level form comes from: its text and the places in it,
// or nothing for data that a program evaluates.
type origin struct {
	places *value.Places
	source *value.Source
	span   value.Span
	ns     *namespace // where it is evaluated
	from   *macro     // whose expansion the form is, see syntax
}

// syntax is a form and where it stands.
type syntax struct {
	v    Value
	span value.Span
	from *macro // whose expansion it is, nil if it was written so
}

// compiler compiles one top-level form.
type compiler struct {
	in     *Interp
	t      *Thread
	unit   *vm.Unit
	origin *origin
	macros []expansion // being expanded, outermost first
}

type expansion struct {
	name string
	span value.Span
}

func (c *compiler) newUnit() *vm.Unit {
	u := c.in.machine.NewUnit()
	if c.origin.ns != nil {
		u.Env = c.origin.ns
	}
	return u
}

// global is the slot of a global name.
func (c *compiler) global(name Value) int { return c.in.slot(c.origin.ns, name) }

// maxFormDepth bounds how deep forms may be nested after expansion, over all
// compilations that are under way on a thread.
const maxFormDepth = 4000

// bailout carries a syntax error up through the analysis, as in go/parser.
type bailout struct{ err *Error }

// evalTop evaluates a top-level form. The forms inside a begin count as
// top-level ones, so that a macro works from the next one on.
func (in *Interp) evalTop(t *Thread, form Value, at *origin) (Value, error) {
	c := &compiler{in: in, t: t, origin: at}
	defer t.Nest(-1)
	if t.Nest(1) > maxFormDepth {
		e := Errorf(KindEval, "forms nested more than %d deep", maxFormDepth)
		e.Source, e.Span = at.source, at.span
		return value.Nil, e
	}
	x, err := c.expandTop(syntax{form, at.span, at.from})
	if err != nil {
		return value.Nil, err
	}
	switch {
	case isBegin(x.v):
		sub := *at
		sub.from = x.from
		return in.evalForms(t, c.elements(x)[1:], &sub)
	case x.v.IsList() && x.v.Len() > 0 && x.v.First().IsSymbolNamed("module"):
		return in.evalModule(t, c, x)
	}
	code, err := c.compile(x)
	if err != nil {
		return value.Nil, err
	}
	return t.Call(vm.NewClosure(code))
}

func isBegin(v Value) bool {
	return v.IsList() && v.Len() > 0 && (v.First().IsSymbolNamed("begin") || v.First().IsSymbolNamed("progn"))
}

// evalForms evaluates top-level forms in order.
func (in *Interp) evalForms(t *Thread, forms []syntax, at *origin) (Value, error) {
	result := value.Nil
	for _, f := range forms {
		sub := *at
		if f.span.Start.IsValid() {
			sub.span = f.span
		}
		if sub.span != at.span { // what the caller wrote, not the macro's own
			sub.from = nil
		}
		v, err := in.evalTop(t, f.v, &sub)
		if err != nil {
			return value.Nil, err
		}
		result = v
	}
	return result, nil
}

// compile makes a function without parameters of a form.
func (c *compiler) compile(x syntax) (code *vm.Code, err error) {
	defer c.unwound(c.t.Nest(0))
	defer c.recover(&err)
	c.unit = c.newUnit()
	fn := &function{name: "<top level>", top: true, span: x.span, body: c.analyze(x, nil, nil)}
	c.resolve(fn)
	return c.generate(fn, nil), nil
}

func (c *compiler) expandTop(x syntax) (out syntax, err error) {
	defer c.unwound(c.t.Nest(0))
	defer c.recover(&err)
	return c.expand(x, nil), nil
}

// expandOnceTop expands the macro at the head of x, if there is one, once.
func (c *compiler) expandOnceTop(x syntax) (out syntax, err error) {
	defer c.unwound(c.t.Nest(0))
	defer c.recover(&err)
	if m, ok := c.macroAt(x, nil); ok {
		return c.expandOnce(m, x), nil
	}
	return x, nil
}

// recover turns a bailout into the error that it carries.
func (c *compiler) recover(err *error) {
	switch r := recover().(type) {
	case nil:
	case bailout:
		*err = r.err
	default:
		panic(r)
	}
}

// fail gives up on the form at span.
func (c *compiler) fail(span value.Span, format string, args ...any) {
	c.failWith(span, Errorf(KindEval, format, args...))
}

func (c *compiler) failWith(span value.Span, e *Error) {
	if e.Source == nil && c.origin.source != nil && span.Start.IsValid() {
		e.Source, e.Span = c.origin.source, span
	}
	if n := len(c.macros); n > 0 && e.Note == "" {
		m := c.macros[n-1]
		e.Note = "in the expansion of the macro " + m.name
	}
	panic(bailout{e})
}

// elements returns the elements of a list or vector form with their places, none
// of any other form.
func (c *compiler) elements(x syntax) []syntax {
	if !x.v.IsSeq() {
		return nil
	}
	vals := x.v.Slice()
	out := make([]syntax, len(vals))
	place := c.place(x.v)
	for i, v := range vals {
		out[i] = syntax{v: v, span: x.span}
		if p := c.place(v); p != nil {
			out[i].span = p.Span
		} else if place != nil && i < len(place.Elems) {
			out[i].span = place.Elems[i]
		}
	}
	return out
}

// place is where a form stands. In an expansion only the parts that the caller
// wrote have a place; what the macro added counts as standing at the call.
func (c *compiler) place(v Value) *value.Place {
	p := c.origin.places.Of(v)
	if p == nil || len(c.macros) == 0 {
		return p
	}
	if call := c.macros[0].span; before(p.Span.Start, call.Start) || before(call.End, p.Span.End) {
		return nil
	}
	return p
}

func before(a, b value.Pos) bool { return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col }

// enter counts nesting; leave must follow.
func (c *compiler) enter(x syntax) {
	if c.t.Nest(1) > maxFormDepth {
		c.fail(x.span, "forms nested more than %d deep", maxFormDepth)
	}
}

func (c *compiler) leave() { c.t.Nest(-1) }

// unwound brings the count back to what it was: a bailout passes leave by.
func (c *compiler) unwound(before int) { c.t.Nest(before - c.t.Nest(0)) }

// suggest is the hint for an unbound name.
func (in *Interp) suggest(name string) string {
	if s, ok := foreignNames[name]; ok {
		return fmt.Sprintf("this language calls it %s", s)
	}
	if len([]rune(name)) < 4 { // everything is near a short name
		return ""
	}
	names := append(in.names(), formNames()...)
	if near := Nearest(name, names); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return ""
}

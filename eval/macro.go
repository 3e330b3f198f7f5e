package eval

import (
	"unsafe"

	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
)

// macro is what defmacro and define-syntax bind a name to.
type macro struct {
	info  value.FuncInfo // first: see value.FuncInfo
	fn    Value          // from forms to a form
	rules *syntaxRules   // or rules, if fn is none

	library bool // of the prelude: a word of the language
}

func macroValue(m *macro) Value { return value.Object(unsafe.Pointer(m), value.KindMacro) }

// macro returns the macro that a global symbol is bound to.
func (c *compiler) macro(sym Value) (*macro, bool) {
	g, ok := c.in.lookup(c.origin.ns, sym)
	if !ok {
		return nil, false
	}
	v := c.in.machine.GlobalValue(g)
	if v.Kind() != value.KindMacro {
		return nil, false
	}
	return (*macro)(v.Ref()), true
}

// analyzeDefmacro defines the macro at once, so that the forms behind it can
// use it.
func analyzeDefmacro(c *compiler, u *use) node {
	name := c.symbol(u, u.args[0], "the name of the macro")
	text, _ := name.SymbolName()
	fn := c.lambda(&use{form: u.form, args: u.args}, text, u.args[1], u.args[2:])
	sub := &compiler{in: c.in, t: c.t, origin: c.origin}
	sub.unit = sub.newUnit()
	top := &function{name: text, body: fn}
	sub.resolve(top)
	f, err := c.t.Call(vm.NewClosure(sub.generate(top, nil)))
	if err != nil {
		c.failWith(u.form.span, AsError(err))
	}
	c.in.machine.SetGlobal(c.in.own(c.origin.ns, name), macroValue(&macro{info: value.FuncInfo{Name: text}, fn: f, library: c.in.ownsPlaces(c.origin.places)}))
	return &constNode{value.Nil}
}

// expand expands the macro at the head of x until there is none.
func (c *compiler) expand(x syntax, s *scope) syntax {
	for steps := 0; ; steps++ {
		m, ok := c.macroAt(x, s)
		if !ok {
			return x
		}
		if steps > maxFormDepth {
			c.fail(x.span, "the macro %s expands to itself without end", m.info.Name)
		}
		x = c.expandOnce(m, x)
	}
}

// macroAt returns the macro that the head of x names, if it names one.
func (c *compiler) macroAt(x syntax, s *scope) (*macro, bool) {
	if !x.v.IsList() || x.v.Len() == 0 || !x.v.First().IsSymbol() {
		return nil, false
	}
	head := x.v.First()
	if c.form(head, s) != nil {
		return nil, false
	}
	if _, local := s.lookup(head); local {
		return nil, false
	}
	c.require(syntax{v: head, span: x.span})
	return c.macro(head)
}

// expandOnce replaces a macro call by its expansion, which counts as standing at
// the call.
func (c *compiler) expandOnce(m *macro, x syntax) syntax {
	v, e := m.expand(c.t, x.v)
	if e != nil {
		if e.Note == "" {
			e.Note = "while expanding the macro " + m.info.Name
		}
		c.failWith(x.span, e)
	}
	from := x.from
	if from == nil {
		from = m
	}
	return syntax{v, x.span, from}
}

func (m *macro) expand(t *Thread, form Value) (Value, *Error) {
	if m.rules != nil {
		return m.rules.expand(t, m.info.Name, form)
	}
	v, err := t.Call(m.fn, form.Rest().Slice()...)
	if err != nil {
		return value.Nil, AsError(err)
	}
	return v, nil
}

// analyzeExpansion analyses what a macro made of a form: for errors, it stands
// where the macro is used.
func (c *compiler) analyzeExpansion(x syntax, s *scope, tl tail) node {
	m := x.from
	x.from = nil
	if len(c.macros) == 0 && !m.library && x.span.Start.IsValid() {
		if c.unit.Expansions == nil {
			c.unit.Expansions = map[value.Span]string{}
		}
		c.unit.Expansions[x.span] = m.info.Name
	}
	c.macros = append(c.macros, expansion{m.info.Name, x.span})
	defer func() { c.macros = c.macros[:len(c.macros)-1] }()
	return c.analyze(x, s, tl)
}

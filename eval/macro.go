package eval

import (
	"unsafe"

	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
)

// macro is what defmacro binds a name to.
type macro struct {
	info value.FuncInfo // first: see value.FuncInfo
	fn   Value          // from forms to a form
}

func macroValue(m *macro) Value { return value.Object(unsafe.Pointer(m), value.KindMacro) }

// macro returns the macro that a global symbol is bound to.
func (c *compiler) macro(sym Value) (*macro, bool) {
	g, ok := c.in.machine.Lookup(sym)
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
	sub := &compiler{in: c.in, t: c.t, unit: c.in.machine.NewUnit(), origin: c.origin}
	top := &function{name: text, body: fn}
	sub.resolve(top)
	f, err := c.t.Call(vm.NewClosure(sub.generate(top, nil)))
	if err != nil {
		c.failWith(u.form.span, AsError(err))
	}
	c.in.machine.SetGlobal(c.in.machine.Global(name), macroValue(&macro{value.FuncInfo{Name: text}, f}))
	return &constNode{value.Nil}
}

// expand expands the macro at the head of x until there is none.
func (c *compiler) expand(x syntax, s *scope) syntax {
	for steps := 0; ; steps++ {
		if !x.v.IsList() || x.v.Len() == 0 || !x.v.First().IsSymbol() {
			return x
		}
		head := x.v.First()
		name, _ := head.SymbolName()
		if formTable[name] != nil {
			return x
		}
		if _, local := s.lookup(head); local {
			return x
		}
		c.require(syntax{head, x.span})
		m, ok := c.macro(head)
		if !ok {
			return x
		}
		if steps > maxFormDepth {
			c.fail(x.span, "the macro %s expands to itself without end", name)
		}
		x = c.expandOnce(m, x)
	}
}

// expandOnce replaces a macro call by its expansion, which counts as standing at
// the call.
func (c *compiler) expandOnce(m *macro, x syntax) syntax {
	args := x.v.Rest().Slice()
	v, err := c.t.Call(m.fn, args...)
	if err != nil {
		e := AsError(err)
		if e.Note == "" {
			e.Note = "while expanding the macro " + m.info.Name
		}
		c.failWith(x.span, e)
	}
	return syntax{v, x.span}
}

// expandInto analyses the expansion of a macro call.
func (c *compiler) expandInto(m *macro, x syntax, s *scope, analyze func(syntax) node) node {
	y := c.expandOnce(m, x)
	c.macros = append(c.macros, expansion{m.info.Name, x.span})
	defer func() { c.macros = c.macros[:len(c.macros)-1] }()
	return analyze(y)
}

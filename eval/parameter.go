package eval

import (
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
)

func parameterBuiltins() []Builtin {
	return []Builtin{
		{Name: "make-parameter", Arity: Between(1, 2), Fn: makeParameter,
			Doc:     "(make-parameter init [converter]) is a function of no arguments that gives its value, which parameterize replaces for a while. The converter is called with init and with every value that is set.",
			Example: "(let ((radix (make-parameter 10))) (list (radix) (parameterize ((radix 16)) (radix)))) ; => (10 16)"},
	}
}

// parameter is what make-parameter makes. It is the key, in a scope, of the cell
// that parameterize put there.
type parameter struct {
	base      cell
	converter Value // nil: none
}

type cell struct{ v Value }

func makeParameter(t *Thread, args []Value) (Value, error) {
	p := &parameter{converter: value.Nil}
	if len(args) > 1 {
		a := ArgsOf(args)
		p.converter = a.Func(1)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
	}
	v, err := p.convert(t, args[0])
	p.base.v = v
	return vm.NewBuiltin("parameter", 0, 1, p.call).With(p).Value(), err
}

func (p *parameter) convert(t *Thread, v Value) (Value, error) {
	if p.converter.IsNil() {
		return v, nil
	}
	return t.Call(p.converter, v)
}

// cell is where the parameter's value stands in the dynamic extent of t.
func (p *parameter) cell(t *Thread) *cell {
	if c, ok := t.Scope().Get(p).(*cell); ok {
		return c
	}
	return &p.base
}

// call gives the parameter's value, after setting it if there is an argument.
func (p *parameter) call(t *Thread, args []Value) (Value, error) {
	if len(args) == 0 {
		return p.cell(t).v, nil
	}
	v, err := p.convert(t, args[0])
	if err != nil {
		return value.Nil, err
	}
	p.cell(t).v = v
	return v, nil
}

// parameterize calls a thunk, its last argument, in a scope where parameters have
// other values; the arguments before it are the parameters and their values in
// turn. Nothing is to be restored afterwards: the scope ends.
func parameterize(t *Thread, args []Value) (Value, error) {
	scope := t.Scope()
	pairs, thunk := args[:len(args)-1], args[len(args)-1]
	for i := 0; i < len(pairs); i += 2 {
		p, ok := vm.BuiltinData(pairs[i]).(*parameter)
		if !ok {
			e := TypeError("a parameter", pairs[i])
			e.Hint = "(make-parameter init) makes one"
			return value.Nil, e
		}
		v, err := p.convert(t, pairs[i+1])
		if err != nil {
			return value.Nil, err
		}
		scope = scope.With(p, &cell{v})
	}
	return t.InScope(scope, func() (Value, error) { return t.Call(thunk) })
}

const maxParameters = 90

func analyzeParameterize(c *compiler, u *use) node {
	bindings := c.bindingList(u, u.args[0])
	if len(bindings) > maxParameters {
		c.misshapen(u, bindings[maxParameters], "at most 90 parameters")
	}
	var args []node
	for _, b := range bindings {
		parts := c.elements(b)
		if len(parts) != 2 {
			c.misshapen(u, b, "(parameter expr)")
		}
		args = append(args, c.analyze(parts[0], u.scope, nil), c.analyze(parts[1], u.scope, nil))
	}
	thunk := &function{name: "parameterize", span: u.form.span, body: c.body(u.args[1:], newScope(u.scope), nil)}
	return callHelper(helpers.parameterize, u.form.span, append(args, &lambdaNode{thunk})...)
}

package eval

import (
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
)

// multimethod is a function that calls one of its methods, by what its dispatch
// function answers for the arguments.
type multimethod struct {
	name     string
	dispatch Value
	methods  Value // a map
}

var keyDefault = value.Keyword("default")

func multiForms() []form {
	return []form{
		{name: "defmulti", shape: "(defmulti name dispatch)", min: 2, max: 2, analyze: analyzeDefmulti, defines: definesName, binds: bindsParams,
			doc: "Defines a function that calls one of its methods: the one for what dispatch answers for the arguments."},
		{name: "defmethod", shape: "(defmethod name value function)", min: 3, max: 3, analyze: analyzeDefmethod,
			doc: "Gives a function made by defmulti a method for what dispatch answers; the one for :default serves all else."},
	}
}

func analyzeDefmulti(c *compiler, u *use) node {
	name := c.symbol(u, u.args[0], "the name of the function")
	text, _ := name.SymbolName()
	make_ := vm.NewBuiltin("defmulti", 1, 1, func(t *Thread, args []Value) (Value, error) {
		a := ArgsOf(args)
		m := &multimethod{name: text, dispatch: a.Func(0), methods: value.EmptyMap()}
		return vm.NewRedirect(text, 0, -1, m.method).With(m).As("multimethod").Value(), a.Err()
	})
	return c.define(u, name, func() node {
		return callHelper(make_.Value(), u.form.span, c.analyze(u.args[1], u.scope, nil))
	})
}

func analyzeDefmethod(c *compiler, u *use) node {
	c.symbol(u, u.args[0], "the name of a function made by defmulti")
	return callHelper(helpers.addMethod, u.form.span, c.list(u.args, u.scope)...)
}

func addMethod(t *Thread, args []Value) (Value, error) {
	m, ok := vm.BuiltinData(args[0]).(*multimethod)
	if !ok {
		e := TypeError("a function made by defmulti", args[0])
		e.Hint = "(defmulti name dispatch) comes first"
		return value.Nil, e
	}
	if !IsCallable(args[2]) {
		return value.Nil, TypeError("a function as the method", args[2])
	}
	m.methods = m.methods.Assoc(args[1], args[2])
	return value.Nil, nil
}

// method chooses what a call of m calls.
func (m *multimethod) method(t *Thread, args []Value) (fn Value, passed []Value, err error) {
	key, err := t.Call(m.dispatch, args...)
	if err != nil {
		return value.Nil, nil, err
	}
	if f, ok := m.methods.Get(key); ok {
		return f, args, nil
	}
	if f, ok := m.methods.Get(keyDefault); ok {
		return f, args, nil
	}
	e := Errorf(KindEval, "%s: no method for %s", m.name, Brief(key))
	e.Hint = "add one with (defmethod " + m.name + " " + Brief(key) + " (fn ...)), or for :default"
	return value.Nil, nil, e
}

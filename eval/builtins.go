package eval

import (
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/reader"
)

// languageBuiltins are the builtins that need the evaluator itself.
func languageBuiltins() []Builtin {
	return []Builtin{
		{Name: "eval", Arity: Exactly(1), Fn: evalForm,
			Doc: "(eval form) evaluates data as a top-level form.", Example: "(eval '(+ 1 2)) ; => 3"},
		{Name: "macroexpand", Arity: Exactly(1), Fn: macroexpand,
			Doc: "(macroexpand form) expands the macro at the head of form once.", Example: "(macroexpand '(+ 1 2)) ; => (+ 1 2)"},
		{Name: "gensym", Arity: Between(0, 1), Fn: gensym,
			Doc: "(gensym [prefix]) is a symbol that no program has written.", Example: "(symbol? (gensym \"tmp\")) ; => #t"},
		{Name: "force", Arity: Exactly(1), Fn: force,
			Doc: "(force p) evaluates a promise once and answers its value; any other value is its own.", Example: "(force (delay (+ 1 2))) ; => 3"},
		{Name: "load", Arity: Exactly(1), Fn: load, Caps: CapFSRead,
			Doc: "(load path) evaluates the forms of a file here.", NoRun: "needs a file"},
	}
}

func evalForm(t *Thread, args []Value) (Value, error) {
	return InterpOf(t).evalTop(t, args[0], &origin{ns: callerNamespace(t)})
}

func macroexpand(t *Thread, args []Value) (Value, error) {
	c := &compiler{in: InterpOf(t), t: t, origin: &origin{ns: callerNamespace(t)}}
	x, err := c.expandOnceTop(syntax{v: args[0]})
	return x.v, err
}

func gensym(t *Thread, args []Value) (Value, error) {
	prefix := "g"
	if len(args) > 0 {
		a := ArgsOf(args)
		if args[0].IsSymbol() {
			prefix = a.Symbol(0)
		} else {
			prefix = a.String(0)
		}
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
	}
	return InterpOf(t).Gensym(prefix), nil
}

// force evaluates a promise. The thunk may force the promise itself: the first
// result stays.
func force(t *Thread, args []Value) (Value, error) {
	p, ok := args[0].AsPromise()
	if !ok {
		return args[0], nil
	}
	if p.Forced {
		return p.Result, nil
	}
	v, err := t.Call(p.Thunk)
	if err != nil {
		return value.Nil, err
	}
	if !p.Forced {
		p.Result, p.Forced, p.Thunk = v, true, value.Nil
	}
	return p.Result, nil
}

// EvalString evaluates text on a thread, as part of a running evaluation.
func EvalString(t *Thread, src *value.Source) (Value, error) {
	unit, err := reader.ReadAll(src)
	if err != nil {
		return value.Nil, readError(err)
	}
	return InterpOf(t).evalUnit(t, unit, callerNamespace(t))
}

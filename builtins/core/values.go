package core

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func valuesBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "values", Arity: eval.AtLeast(0), Fn: values,
			Doc: "(values x ...) bundles several results for call-with-values; a single one is itself.", Example: "(+ (values 5) 1) ; => 6"},
		{Name: "call-with-values", Arity: eval.Exactly(2), Fn: callWithValues,
			Doc:     "(call-with-values producer consumer) calls consumer with the results of (producer) as arguments.",
			Example: "(call-with-values (fn () (values 1 2 3)) list) ; => (1 2 3)\n(call-with-values (fn () 42) list) ; => (42)"},
	}
}

// bundle is the type of several results in one; it is never changed.
var bundle = &value.RecordType{Name: "%multiple-values%"}

func values(t *eval.Thread, args []Value) (Value, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	return value.NewRecord(bundle, append([]Value(nil), args...)), nil
}

func callWithValues(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	producer, consumer := a.Func(0), a.Func(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	v, err := t.Call(producer)
	if err != nil {
		return value.Nil, err
	}
	if r, ok := v.AsRecord(); ok && r.Type == bundle {
		return t.Call(consumer, r.Fields...)
	}
	return t.Call(consumer, v)
}

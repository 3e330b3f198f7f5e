package eval

import (
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
)

func valuesBuiltins() []Builtin {
	return []Builtin{
		{Name: "values", Arity: AtLeast(0), Fn: values,
			Doc: "(values x ...) bundles several results for call-with-values, let-values and the like; a single one is itself.", Example: "(+ (values 5) 1) ; => 6"},
		{Name: "call-with-values", Arity: Exactly(2), redirect: callWithValues,
			Doc:     "(call-with-values producer consumer) calls consumer with the results of (producer) as arguments.",
			Example: "(call-with-values (fn () (values 1 2 3)) list) ; => (1 2 3)\n(call-with-values (fn () 42) list) ; => (42)"},
	}
}

// bundle is the type of several results in one; it is never changed.
var bundle = &value.RecordType{Name: "%multiple-values%"}

// Values bundles results; a single one is itself.
func Values(results ...Value) Value {
	if len(results) == 1 {
		return results[0]
	}
	return value.NewRecord(bundle, append([]Value(nil), results...))
}

func values(t *Thread, args []Value) (Value, error) { return Values(args...), nil }

// results are what v bundles, or v alone.
func results(v Value) []Value {
	if r, ok := v.AsRecord(); ok && r.Type == bundle {
		return r.Fields
	}
	return []Value{v}
}

func callWithValues(t *Thread, args []Value) (fn Value, passed []Value, err error) {
	a := ArgsOf(args)
	producer, consumer := a.Func(0), a.Func(1)
	if err := a.Err(); err != nil {
		return value.Nil, nil, err
	}
	v, err := t.Call(producer)
	if err != nil {
		return value.Nil, nil, err
	}
	return consumer, results(v), nil
}

// spreadValues is the list of the results that args[0] bundles: args[1] of them,
// or more if args[2] is true.
func spreadValues(t *Thread, args []Value) (Value, error) {
	rs := results(args[0])
	n, _ := args[1].AsInt()
	if int64(len(rs)) == n || int64(len(rs)) > n && args[2].Truthy() {
		return t.Heap().List(rs), nil
	}
	want := value.Int(n).String()
	if args[2].Truthy() {
		want = "at least " + want
	}
	return value.Nil, Errorf(vm.KindArity, "wrong number of values: expected %s, got %d", want, len(rs))
}

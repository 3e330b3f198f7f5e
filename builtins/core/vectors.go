package core

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func vectorBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "vector", Arity: eval.AtLeast(0), Fn: vector,
			Doc: "(vector x ...) is the vector of its arguments.", Example: "(vector 1 2) ; => [1 2]"},
		{Name: "list->vector", Arity: eval.Exactly(1), Fn: listToVector,
			Doc: "(list->vector list) is the vector of the same elements.", Example: "(list->vector '(1 2)) ; => [1 2]"},
		{Name: "vector->list", Arity: eval.Exactly(1), Fn: vectorToList,
			Doc: "(vector->list vector) is the list of the same elements.", Example: "(vector->list [1 2]) ; => (1 2)"},
	}
}

func vector(t *eval.Thread, args []Value) (Value, error) {
	return value.Vector(append([]Value(nil), args...)), nil
}

func listToVector(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if seq.IsVector() {
		return seq, nil
	}
	return value.Vector(seq.Slice()), t.Tick(seq.Len())
}

func vectorToList(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if seq.IsList() {
		return seq, nil
	}
	return t.Heap().List(seq.Slice()), t.Tick(seq.Len())
}

package core

import (
	"slices"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func mutableBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "mutable-array/new", Arity: eval.Between(0, 2), Fn: mutableArrayNew,
			Doc: "(mutable-array/new [n x]) is an array that can be changed: of n times x, or an empty one.", Example: "(mutable-array/->vector (mutable-array/new 2 0)) ; => [0 0]"},
		{Name: "mutable-array/get", Arity: eval.Exactly(2), Fn: mutableArrayGet,
			Doc: "(mutable-array/get a i) is element i, counted from 0.", Example: "(mutable-array/get (mutable-array/new 2 7) 1) ; => 7"},
		{Name: "mutable-array/set!", Arity: eval.Exactly(3), Fn: mutableArraySet,
			Doc: "(mutable-array/set! a i x) makes x element i.", Example: "(let ((a (mutable-array/new 2 0))) (mutable-array/set! a 1 5) (mutable-array/->vector a)) ; => [0 5]"},
		{Name: "mutable-array/push!", Arity: eval.Exactly(2), Fn: mutableArrayPush,
			Doc: "(mutable-array/push! a x) adds x at the end.", Example: "(let ((a (mutable-array/new))) (mutable-array/push! a 1) (mutable-array/length a)) ; => 1"},
		{Name: "mutable-array/length", Arity: eval.Exactly(1), Fn: mutableArrayLength,
			Doc: "(mutable-array/length a) is the number of elements.", Example: "(mutable-array/length (mutable-array/new 3 0)) ; => 3"},
		{Name: "mutable-array/->vector", Arity: eval.Exactly(1), Fn: mutableArrayVector,
			Doc: "(mutable-array/->vector a) is a vector of the elements.", Example: "(mutable-array/->vector (mutable-array/new 1 'x)) ; => [x]"},
		{Name: "mutable-cell/new", Arity: eval.Exactly(1), Fn: mutableCellNew,
			Doc: "(mutable-cell/new x) is a cell that holds x and can be changed.", Example: "(mutable-cell/get (mutable-cell/new 5)) ; => 5"},
		{Name: "mutable-cell/get", Arity: eval.Exactly(1), Fn: mutableCellGet,
			Doc: "(mutable-cell/get c) is what the cell holds.", Example: "(mutable-cell/get (mutable-cell/new 'x)) ; => x"},
		{Name: "mutable-cell/set!", Arity: eval.Exactly(2), Fn: mutableCellSet,
			Doc: "(mutable-cell/set! c x) makes the cell hold x.", Example: "(let ((c (mutable-cell/new 1))) (mutable-cell/set! c 2) (mutable-cell/get c)) ; => 2"},
	}
}

// mutableArray and mutableCell change in place: they are used under the
// interpreter's lock only, and Go code must not look into them.
type (
	mutableArray struct{ elems []Value }
	mutableCell  struct{ v Value }
)

func arrayAt(a *eval.Args, i int) *mutableArray {
	if o, ok := a.Value(i).AsOpaque(); ok {
		if m, ok := o.Data.(*mutableArray); ok {
			return m
		}
	}
	a.Bad(i, "a mutable array")
	return &mutableArray{}
}

func mutableArrayNew(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m := &mutableArray{}
	fill := value.Nil
	if len(args) > 1 {
		fill = args[1]
	}
	if len(args) > 0 {
		n := a.Int(0)
		if n < 0 {
			a.Bad(0, "a length that is not negative")
		}
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		if len(args) > 1 { // a length alone is room for so many
			if err := reserve(t, n, 16); err != nil {
				return value.Nil, err
			}
			m.elems = slices.Repeat([]Value{fill}, int(n))
		}
	}
	return value.NewOpaque(&value.Opaque{Type: "mutable-array", Data: m}), nil
}

// slot reads an array and an index of it.
func slot(a *eval.Args) (*mutableArray, int64) {
	m, i := arrayAt(a, 0), a.Int(1)
	if a.Err() == nil && (i < 0 || i >= int64(len(m.elems))) {
		a.Fail(outOfBounds(i, len(m.elems)))
	}
	return m, i
}

func mutableArrayGet(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m, i := slot(&a)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return m.elems[i], nil
}

func mutableArraySet(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m, i := slot(&a)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	m.elems[i] = args[2]
	return value.Nil, nil
}

func mutableArrayPush(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m := arrayAt(&a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if len(m.elems) == cap(m.elems) {
		if err := reserve(t, int64(len(m.elems)), 32); err != nil {
			return value.Nil, err
		}
	}
	m.elems = append(m.elems, args[1])
	return value.Nil, nil
}

func mutableArrayLength(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m := arrayAt(&a, 0)
	return value.Int(int64(len(m.elems))), a.Err()
}

func mutableArrayVector(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m := arrayAt(&a, 0)
	a.Fail(reserve(t, int64(len(m.elems)), 16))
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.Vector(slices.Clone(m.elems)), nil
}

func cellAt(a *eval.Args, i int) *mutableCell {
	if o, ok := a.Value(i).AsOpaque(); ok {
		if c, ok := o.Data.(*mutableCell); ok {
			return c
		}
	}
	a.Bad(i, "a mutable cell")
	return &mutableCell{v: value.Nil}
}

func mutableCellNew(_ *eval.Thread, args []Value) (Value, error) {
	return value.NewOpaque(&value.Opaque{Type: "mutable-cell", Data: &mutableCell{args[0]}}), nil
}

func mutableCellGet(_ *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	c := cellAt(&a, 0)
	return c.v, a.Err()
}

func mutableCellSet(_ *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	cellAt(&a, 0).v = args[1]
	return value.Nil, a.Err()
}

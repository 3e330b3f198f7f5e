package core

import (
	"slices"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func mutableBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "mutable-array/new", Arity: eval.Between(0, 2), Fn: mutableArrayNew,
			Doc: "(mutable-array/new [n [x]]) is an array that can be changed: of n times x, or an empty one with room for n.", Example: "(mutable-array/->vector (mutable-array/new 2 0)) ; => [0 0]"},
		{Name: "mutable-array/get", Arity: eval.Between(2, 3), Fn: mutableArrayGet,
			Doc:     "(mutable-array/get a i [default]) is element i, counted from 0; default stands for what lies behind the end.",
			Example: "(mutable-array/get (mutable-array/new 2 7) 1) ; => 7\n(mutable-array/get (mutable-array/new) 0 :none) ; => :none"},
		{Name: "mutable-array/set!", Arity: eval.Exactly(3), Fn: mutableArraySet,
			Doc: "(mutable-array/set! a i x) makes x element i, and is the array.", Example: "(mutable-array/->vector (mutable-array/set! (mutable-array/new 2 0) 1 5)) ; => [0 5]"},
		{Name: "mutable-array/push!", Arity: eval.Exactly(2), Fn: mutableArrayPush,
			Doc: "(mutable-array/push! a x) adds x at the end, and is the array.", Example: "(mutable-array/->vector (foldl mutable-array/push! (mutable-array/new) '(1 2))) ; => [1 2]"},
		{Name: "mutable-array/length", Arity: eval.Exactly(1), Fn: mutableArrayLength,
			Doc: "(mutable-array/length a) is the number of elements.", Example: "(mutable-array/length (mutable-array/new 3 0)) ; => 3"},
		{Name: "mutable-array/->vector", Arity: eval.Exactly(1), Fn: mutableArrayVector,
			Doc: "(mutable-array/->vector a) is a vector of the elements as they are now.", Example: "(mutable-array/->vector (mutable-array/new 1 'x)) ; => [x]"},
		{Name: "mutable-cell/new", Arity: eval.Exactly(1), Fn: mutableCellNew,
			Doc: "(mutable-cell/new x) is a cell that holds x and can be changed.", Example: "(mutable-cell/get (mutable-cell/new 5)) ; => 5"},
		{Name: "mutable-cell/get", Arity: eval.Exactly(1), Fn: mutableCellGet,
			Doc: "(mutable-cell/get c) is what the cell holds.", Example: "(mutable-cell/get (mutable-cell/new 'x)) ; => x"},
		{Name: "mutable-cell/set!", Arity: eval.Exactly(2), Fn: mutableCellSet,
			Doc: "(mutable-cell/set! c x) makes the cell hold x, and is the cell.", Example: "(mutable-cell/get (mutable-cell/set! (mutable-cell/new 1) 2)) ; => 2"},
	}
}

// mutableArray and mutableCell change in place, under the interpreter's lock.
// A Go program that got one from an evaluation may print it at any time, but
// must not compare it while the interpreter goes on: mutable-array/->vector and
// mutable-cell/get give what is safe to keep.
type (
	mutableArray struct{ elems []Value }
	mutableCell  struct{ v Value }
)

func newMutableArray(elems []Value) Value {
	return value.NewOpaque(&value.Opaque{Type: "mutable-array", Data: &mutableArray{elems}})
}

func (m *mutableArray) Len() int { return len(m.elems) }

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
	if len(args) == 0 {
		return newMutableArray(nil), nil
	}
	a := eval.ArgsOf(args)
	n := a.Int(0)
	if n < 0 {
		a.Bad(0, "a length that is not negative")
	}
	if a.Err() == nil {
		a.Fail(reserve(t, n, valueSize))
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if len(args) == 1 {
		return newMutableArray(make([]Value, 0, n)), nil
	}
	return newMutableArray(slices.Repeat(args[1:2], int(n))), t.Tick(int(n) / 64)
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
	if m := arrayAt(&a, 0); len(args) == 3 && a.Int(1) >= int64(len(m.elems)) {
		return args[2], a.Err()
	}
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
	return args[0], nil
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
	return args[0], nil
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
	return args[0], a.Err()
}

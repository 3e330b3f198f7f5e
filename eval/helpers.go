package eval

import (
	"fmt"
	"sync/atomic"

	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
)

// helperSet are builtins that compiled code calls and programs cannot name, so
// that redefining list does not change what `(a ,b) means.
type helperSet struct {
	apply, list, append, vector, mapOf, promise, gensym, raised Value

	seqOf, isSeqOf, drop, needMap, isMap, hasKey, field, noMatch, spread Value // of patterns

	loopStep, items, reverse, putPair, bundle Value // of loops

	parameterize, addMethod Value
}

var helpers = helperSet{
	apply:        vm.NewRedirect("apply", 2, -1, vm.Apply).Value(),
	list:         vm.NewBuiltin("list", 0, -1, func(t *Thread, args []Value) (Value, error) { return t.Heap().List(args), nil }).Value(),
	append:       vm.NewBuiltin("append", 0, -1, appendAll).Value(),
	vector:       vm.NewBuiltin("vector", 1, 1, vectorOf).Value(),
	mapOf:        vm.NewBuiltin("map", 1, 1, mapOf).Value(),
	promise:      vm.NewBuiltin("delay", 1, 1, makePromise).Value(),
	gensym:       vm.NewBuiltin("gensym", 1, 1, freshSymbol).Value(),
	seqOf:        vm.NewBuiltin("destructuring", 3, 3, seqOf).Value(),
	isSeqOf:      vm.NewBuiltin("match", 3, 3, isSeqOf).Value(),
	drop:         vm.NewBuiltin("destructuring", 2, 2, dropElems).Value(),
	needMap:      vm.NewBuiltin("destructuring", 1, 1, needMap).Value(),
	isMap:        vm.NewBuiltin("match", 1, 1, isMap).Value(),
	hasKey:       vm.NewBuiltin("match", 2, 2, hasKey).Value(),
	field:        vm.NewBuiltin("destructuring", 2, 2, field).Value(),
	spread:       vm.NewBuiltin("values", 3, 3, spreadValues).Value(),
	loopStep:     vm.NewBuiltin("for-range", 1, 1, loopStep).Value(),
	items:        vm.NewBuiltin("for", 1, 1, itemsOf).Value(),
	reverse:      vm.NewBuiltin("for/list", 1, 1, reverseList).Value(),
	putPair:      vm.NewBuiltin("for/map", 2, 2, putPair).Value(),
	bundle:       vm.NewBuiltin("for/fold", 1, 1, func(_ *Thread, args []Value) (Value, error) { return Values(args[0].Slice()...), nil }).Value(),
	addMethod:    vm.NewBuiltin("defmethod", 3, 3, addMethod).Value(),
	parameterize: vm.NewBuiltin("parameterize", 1, -1, parameterize).Value(),
	noMatch:      vm.NewBuiltin("match", 1, 1, noMatch).Value(),
	raised:       vm.NewBuiltin("guard", 1, 1, func(t *Thread, args []Value) (Value, error) { return vm.Raised(args[0]), nil }).Value(),
}

// appendAll joins the parts of a quasiquote; ,@ takes lists, vectors and nil.
func appendAll(t *Thread, args []Value) (Value, error) {
	if len(args) == 0 {
		return value.Empty, nil
	}
	var elems []Value
	for _, a := range args[:len(args)-1] {
		if a.IsNil() {
			continue
		}
		if !a.IsSeq() {
			return value.Nil, spliceError(a)
		}
		if err := claim(t, len(elems)+a.Len()); err != nil {
			return value.Nil, err
		}
		elems = a.AppendTo(elems)
	}
	last := args[len(args)-1]
	switch {
	case last.IsNil():
		last = value.Empty
	case last.IsVector():
		last = t.Heap().List(last.Slice())
	case !last.IsList():
		return value.Nil, spliceError(last)
	}
	return t.Heap().Prepend(elems, last), nil
}

// claim asks for the memory of n elements, and counts them as steps.
func claim(t *Thread, n int) error {
	if err := t.Reserve(int64(n) * 16); err != nil {
		return err
	}
	return t.Tick(n / 16)
}

func spliceError(v Value) error {
	e := TypeError("a list or a vector after ,@", v)
	e.Hint = "use , instead of ,@ to insert one value"
	return e
}

func vectorOf(t *Thread, args []Value) (Value, error) {
	if err := claim(t, args[0].Len()); err != nil {
		return value.Nil, err
	}
	return value.Vector(args[0].AppendTo(nil)), nil
}

func mapOf(t *Thread, args []Value) (Value, error) {
	if err := claim(t, args[0].Len()); err != nil {
		return value.Nil, err
	}
	kvs := args[0].Slice()
	if len(kvs)%2 != 0 {
		return value.Nil, Errorf(KindEval, "a map needs a value for every key")
	}
	return value.Map(kvs...), nil
}

// shapedMap makes the helper that builds the maps of one literal from its values
// in source order.
func shapedMap(shape *value.Shape) Value {
	order := shape.Order()
	return vm.NewBuiltin("map", len(order), len(order), func(t *Thread, args []Value) (Value, error) {
		var small [16]Value
		vals := small[:0]
		if shape.Len() > len(small) {
			vals = make([]Value, 0, shape.Len())
		}
		vals = vals[:shape.Len()]
		for i, v := range args {
			vals[order[i]] = v
		}
		return shape.Map(vals), nil
	}).Value()
}

func makePromise(t *Thread, args []Value) (Value, error) {
	return value.NewPromise(&value.Promise{Thunk: args[0]}), nil
}

func freshSymbol(t *Thread, args []Value) (Value, error) {
	prefix, _ := args[0].AsString()
	return InterpOf(t).Gensym(prefix), nil
}

// Gensym returns a symbol that no program has written.
func (in *Interp) Gensym(prefix string) Value {
	n := atomic.AddInt64(&in.gensyms, 1) - 1
	return value.Symbol(fmt.Sprintf("%s__%d", prefix, n))
}

package core

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// number is what a typed array holds.
type number interface{ float64 | int64 }

// arrayKind is what the two kinds of typed arrays differ in.
type arrayKind[T number] struct {
	name   string                       // also of the type
	prefix string                       // of what is printed
	wants  string                       // what an element is called in errors
	read   func(v Value) (T, bool)      // exact; false for other values
	value  func(x T) Value              // back
	sum    func(xs []T) Value           // exact
	write  func(b []byte, x T) []byte   // as it is printed
	step   func(from, step T, i int) T  // element i of a range
	count  func(from, to, step T) int64 // of the elements of a range
}

func floatArrays() *arrayKind[float64] {
	return &arrayKind[float64]{
		name: "f64-array", prefix: "#f64(", wants: "a real number",
		read: func(v Value) (float64, bool) { return v.ToFloat() },
		value: func(x float64) Value {
			return value.Float(x)
		},
		sum: func(xs []float64) Value {
			s := 0.0
			for _, x := range xs {
				s += x
			}
			return value.Float(s)
		},
		write: func(b []byte, x float64) []byte { return append(b, strings.TrimSuffix(value.FormatFloat(x), ".0")...) },
		step:  func(from, step float64, i int) float64 { return from + float64(i)*step },
		count: func(from, to, step float64) int64 {
			n := math.Ceil((to - from) / step)
			if !(n > 0) {
				return 0
			}
			return int64(min(n, math.MaxInt64/2))
		},
	}
}

func intArrays() *arrayKind[int64] {
	return &arrayKind[int64]{
		name: "i64-array", prefix: "#i64(", wants: "an integer of 64 bits",
		read:  func(v Value) (int64, bool) { return v.AsInt() },
		value: func(x int64) Value { return value.Int(x) },
		sum:   sumInts,
		write: func(b []byte, x int64) []byte { return strconv.AppendInt(b, x, 10) },
		step:  func(from, step int64, i int) int64 { return from + int64(i)*step },
		count: func(from, to, step int64) int64 {
			span, by := new(big.Int).Sub(big.NewInt(to), big.NewInt(from)), big.NewInt(step)
			if span.Sign()*by.Sign() <= 0 {
				return 0
			}
			n := span.Div(span.Add(span.Abs(span), by.Abs(by)).Sub(span, big.NewInt(1)), by)
			if !n.IsInt64() {
				return math.MaxInt64 / 2
			}
			return n.Int64()
		},
	}
}

// sumInts never wraps.
func sumInts(xs []int64) Value {
	s := value.Int(0)
	for _, x := range xs {
		s, _ = value.Add(s, value.Int(x))
	}
	return s
}

func typedArrayBuiltins() []eval.Builtin {
	floats, ints := floatArrays(), intArrays()
	dot := eval.Builtin{Name: "f64-array/dot", Arity: eval.Exactly(2), Fn: floats.dot,
		Doc: "(f64-array/dot a b) is the sum of the products of the elements of two arrays of one length.", Example: "(f64-array/dot (f64-array 1 2) (f64-array 3 4)) ; => 11.0"}
	return slices.Concat(floats.builtins(), ints.builtins(), []eval.Builtin{dot})
}

func (k *arrayKind[T]) builtins() []eval.Builtin {
	n := k.name
	shown := k.prefix + "1 2)"
	sum := value.Write(k.sum([]T{1, 2}))
	return []eval.Builtin{
		{Name: n, Arity: eval.AtLeast(0), Fn: k.of, Doc: "(" + n + " x ...) is an array of plain numbers.", Example: "(" + n + " 1 2) ; => " + shown},
		{Name: n + "?", Arity: eval.Exactly(1), Fn: k.is, Doc: "(" + n + "? x) is true of such an array.", Example: "(" + n + "? (" + n + ")) ; => #t"},
		{Name: n + "/make", Arity: eval.Between(1, 2), Fn: k.make, Doc: "(" + n + "/make n [x]) has n times x, or 0.", Example: "(" + n + "/make 2 1) ; => " + k.prefix + "1 1)"},
		{Name: n + "/range", Arity: eval.Between(2, 3), Fn: k.rng, Doc: "(" + n + "/range from to [step]) has the numbers from from to before to.", Example: "(" + n + "/range 1 3) ; => " + shown},
		{Name: n + "/from-list", Arity: eval.Exactly(1), Fn: k.fromList, Doc: "(" + n + "/from-list list) has the numbers of a list or a vector.", Example: "(" + n + "/from-list '(1 2)) ; => " + shown},
		{Name: n + "/ref", Arity: eval.Exactly(2), Fn: k.ref, Doc: "(" + n + "/ref a i) is element i, counted from 0.", Example: "(" + n + "/ref (" + n + " 7 8) 1) ; => " + value.Write(k.value(8))},
		{Name: n + "/set!", Arity: eval.Exactly(3), Fn: k.set, Doc: "(" + n + "/set! a i x) is an array with x for element i; a stays as it is.", Example: "(" + n + "/set! (" + n + " 1 1) 1 2) ; => " + shown},
		{Name: n + "/length", Arity: eval.Exactly(1), Fn: k.length, Doc: "(" + n + "/length a) is the number of elements.", Example: "(" + n + "/length (" + n + " 1 2)) ; => 2"},
		{Name: n + "/sum", Arity: eval.Exactly(1), Fn: k.total, Doc: "(" + n + "/sum a) is the sum of the elements.", Example: "(" + n + "/sum (" + n + " 1 2)) ; => " + sum},
		{Name: n + "/map", Arity: eval.Exactly(2), Fn: k.mapped, Doc: "(" + n + "/map f a) has (f x) for each x.", Example: "(" + n + "/map (fn (x) (+ x 1)) (" + n + " 0 1)) ; => " + shown},
		{Name: n + "/fold", Arity: eval.Exactly(3), Fn: k.fold, Doc: "(" + n + "/fold f acc a) is (f ... (f (f acc x1) x2) ...).", Example: "(" + n + "/fold + 0 (" + n + " 1 2)) ; => " + sum},
	}
}

// Show writes the array as the language prints it.
func (a *typedArray[T]) Show(emit func(part string) bool) {
	if !emit(a.kind.prefix) {
		return
	}
	var buf []byte
	for i, x := range a.seen() {
		buf = buf[:0]
		if i > 0 {
			buf = append(buf, ' ')
		}
		if buf = a.kind.write(buf, x); !emit(string(buf)) {
			return
		}
	}
	emit(")")
}

// Len is the number of elements, also for length.
func (a *typedArray[T]) Len() int { return a.n }

// arrayLen is the length of a typed or a mutable array, -1 of what is neither.
func arrayLen(v Value) int {
	if o, ok := v.AsOpaque(); ok {
		if a, ok := o.Data.(interface{ Len() int }); ok {
			return a.Len()
		}
	}
	return -1
}

// Equal and Hash make arrays of equal numbers equal.
func (a *typedArray[T]) Equal(other any) bool {
	o, ok := other.(*typedArray[T])
	return ok && (a == o || a.n == o.n && slices.Equal(a.seen(), o.seen()))
}

func (a *typedArray[T]) Hash() uint32 {
	h := uint32(2166136261)
	for _, x := range a.seen() {
		h = (h ^ value.Hash(a.kind.value(x))) * 16777619
	}
	return h
}

func (k *arrayKind[T]) wrap(elems []T) Value {
	return value.NewOpaque(&value.Opaque{Type: k.name, Data: newTypedArray(k, elems)})
}

func (k *arrayKind[T]) find(v Value) (*typedArray[T], bool) {
	o, ok := v.AsOpaque()
	if !ok {
		return nil, false
	}
	a, ok := o.Data.(*typedArray[T])
	return a, ok
}

// array reads argument i as an array, elems as its elements, elem as an element.
func (k *arrayKind[T]) array(a *eval.Args, i int) *typedArray[T] {
	array, ok := k.find(a.Value(i))
	if !ok {
		a.Bad(i, "a "+k.name)
		return newTypedArray[T](k, nil)
	}
	return array
}

func (k *arrayKind[T]) elems(t *eval.Thread, a *eval.Args, i int) []T {
	elems, err := k.array(a, i).all(t)
	a.Fail(err)
	return elems
}

func (k *arrayKind[T]) elem(a *eval.Args, i int) T {
	x, ok := k.read(a.Value(i))
	if !ok {
		a.Bad(i, k.wants)
	}
	return x
}

func (k *arrayKind[T]) is(_ *eval.Thread, args []Value) (Value, error) {
	_, ok := k.find(args[0])
	return value.Bool(ok), nil
}

func (k *arrayKind[T]) of(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	elems := make([]T, len(args))
	for i := range args {
		elems[i] = k.elem(&a, i)
	}
	return k.wrap(elems), a.Err()
}

func (k *arrayKind[T]) fromList(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	list := a.Elems(0)
	a.Fail(reserve(t, int64(len(list)), 8))
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	elems := make([]T, len(list))
	for i, v := range list {
		x, ok := k.read(v)
		if !ok {
			return value.Nil, eval.TypeError(k.wants+" for each element", v)
		}
		elems[i] = x
	}
	return k.wrap(elems), nil
}

func (k *arrayKind[T]) make(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n := a.Int(0)
	if n < 0 {
		a.Bad(0, "a length that is not negative")
	}
	var fill T
	if len(args) > 1 {
		fill = k.elem(&a, 1)
	}
	if a.Err() == nil {
		a.Fail(reserve(t, n, 8))
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return k.wrap(slices.Repeat([]T{fill}, int(n))), nil
}

func (k *arrayKind[T]) rng(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	from, to, step := k.elem(&a, 0), k.elem(&a, 1), T(1)
	if len(args) > 2 {
		step = k.elem(&a, 2)
	}
	if step == 0 {
		a.Bad(2, "a step that is not 0")
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	n := k.count(from, to, step)
	if err := reserve(t, n, 8); err != nil {
		return value.Nil, err
	}
	elems := make([]T, n)
	for i := range elems {
		elems[i] = k.step(from, step, i)
	}
	return k.wrap(elems), t.Tick(len(elems) / 64)
}

// at reads an array and an index of it.
func (k *arrayKind[T]) at(a *eval.Args) (*typedArray[T], int64) {
	array, i := k.array(a, 0), a.Int(1)
	if a.Err() == nil && (i < 0 || i >= int64(array.n)) {
		a.Fail(outOfBounds(i, array.n))
	}
	return array, i
}

func (k *arrayKind[T]) ref(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	array, i := k.at(&a)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	x, err := array.elem(t, i)
	return k.value(x), err
}

func (k *arrayKind[T]) set(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	array, i := k.at(&a)
	x := k.elem(&a, 2)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	changed, err := array.with(t, i, x)
	return value.NewOpaque(&value.Opaque{Type: k.name, Data: changed}), err
}

func (k *arrayKind[T]) length(_ *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	array := k.array(&a, 0)
	return value.Int(int64(array.n)), a.Err()
}

func (k *arrayKind[T]) total(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	elems := k.elems(t, &a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return k.sum(elems), t.Tick(len(elems) / 64)
}

func (k *arrayKind[T]) dot(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	x, y := k.elems(t, &a, 0), k.elems(t, &a, 1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if len(x) != len(y) {
		return value.Nil, eval.Errorf(eval.KindEval, "the arrays have different lengths: %d and %d", len(x), len(y))
	}
	var s T
	for i := range x {
		s += x[i] * y[i]
	}
	return k.value(s), t.Tick(len(x) / 64)
}

func (k *arrayKind[T]) mapped(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	fn, elems := a.Func(0), k.elems(t, &a, 1)
	a.Fail(reserve(t, int64(len(elems)), 8))
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	out := make([]T, len(elems))
	c := t.Caller(fn, 1)
	defer c.Done()
	for i, x := range elems {
		v, err := c.Call1(k.value(x))
		if err != nil {
			return value.Nil, err
		}
		y, ok := k.read(v)
		if !ok {
			return value.Nil, eval.TypeError(k.wants+" from the function", v)
		}
		out[i] = y
		if err := t.Tick(1); err != nil {
			return value.Nil, err
		}
	}
	return k.wrap(out), nil
}

func (k *arrayKind[T]) fold(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	fn, acc, elems := a.Func(0), a.Value(1), k.elems(t, &a, 2)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	c := t.Caller(fn, 2)
	defer c.Done()
	for _, x := range elems {
		err := t.Tick(1)
		if err == nil {
			acc, err = c.Call2(acc, k.value(x))
		}
		if err != nil {
			return value.Nil, err
		}
	}
	return acc, nil
}

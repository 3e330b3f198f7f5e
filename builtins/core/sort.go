package core

import (
	"cmp"
	"slices"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func sortBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "sort", Arity: eval.Between(1, 2), Fn: sort_,
			Doc: "(sort seq [before]) lists the elements in ascending order. They must be of one type, unless before decides: " +
				"(before a b) is true, or a negative number, if a comes first. Equal elements keep their order.",
			Example: "(sort '(3 1.5 2)) ; => (1.5 2 3)\n(sort '(3 1 2) >) ; => (3 2 1)\n(sort '(\"b\" \"a\")) ; => (\"a\" \"b\")"},
		{Name: "sort-by", Arity: eval.Exactly(2), Fn: sortBy,
			Doc: "(sort-by f seq) lists the elements in the order of (f element), which is called once for each. " +
				"Results of different types are ordered by type.",
			Example: "(sort-by abs '(-3 1 -2)) ; => (1 -2 -3)\n(sort-by :age '({:age 30} {:age 25})) ; => ({:age 25} {:age 30})"},
	}
}

func sort_(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	elems := a.Seq(0).AppendTo(nil)
	var before Value
	if len(args) > 1 {
		before = a.Func(1)
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	var err error
	if len(args) > 1 {
		err = sortWith(t, elems, before)
	} else {
		err = sortPlain(t, elems)
	}
	return t.Heap().List(elems), err
}

// sortWith sorts by a function of the program.
func sortWith(t *eval.Thread, elems []Value, before Value) error {
	c := t.Caller(before, 2)
	defer c.Done()
	return mergeSort(elems, func(x, y Value) (bool, error) {
		if err := t.Tick(1); err != nil {
			return false, err
		}
		r, err := c.Call2(x, y)
		if err != nil {
			return false, err
		}
		if o, isNumber := value.CompareNumbers(r, value.Int(0)); isNumber {
			return o == -1, nil
		}
		return r.Truthy(), nil
	})
}

// sortPlain sorts elements of one type.
func sortPlain(t *eval.Thread, elems []Value) error {
	allInts := true
	for _, x := range elems {
		if !comparable_(elems[0], x) {
			e := eval.Errorf(eval.KindType, "sort: expected elements of one type, got %s and %s", eval.Brief(elems[0]), eval.Brief(x))
			e.Hint = "(sort seq before) and (sort-by f seq) can order different types"
			return e
		}
		if x.IsComplex() {
			return eval.TypeError(notReal, x)
		}
		allInts = allInts && x.IsInt()
	}
	if allInts {
		slices.SortFunc(elems, func(x, y Value) int {
			i, _ := x.AsInt()
			j, _ := y.AsInt()
			return cmp.Compare(i, j)
		})
		return t.Tick(len(elems))
	}
	return mergeSort(elems, func(x, y Value) (bool, error) { return order(x, y) < 0, t.Tick(1) })
}

func comparable_(x, y Value) bool { return x.Kind() == y.Kind() || x.IsNumber() && y.IsNumber() }

// order is a total order in which real numbers of all types are ordered by value,
// with NaN behind them; anything else as in a map.
func order(x, y Value) int {
	o, ok := value.CompareNumbers(x, y)
	switch {
	case !ok:
		return value.Compare(asNumber(x), asNumber(y))
	case o == 2:
		return boolInt(isNaN(x)) - boolInt(isNaN(y))
	}
	return o
}

// asNumber lets one number stand for all that are real, so that types have one
// order.
func asNumber(x Value) Value {
	if x.IsReal() {
		return value.Int(0)
	}
	return x
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func sortBy(t *eval.Thread, args []Value) (Value, error) {
	fn, seq, err := fnAndSeq(args)
	if err != nil {
		return value.Nil, err
	}
	type keyed struct{ key, x Value }
	pairs := make([]keyed, 0, seq.Len())
	err = calling(t, fn, seq, func(x, key Value) bool {
		pairs = append(pairs, keyed{key, x})
		return true
	})
	if err != nil {
		return value.Nil, err
	}
	err = mergeSort(pairs, func(p, q keyed) (bool, error) { return order(p.key, q.key) < 0, t.Tick(1) })
	elems := make([]Value, len(pairs))
	for i, p := range pairs {
		elems[i] = p.x
	}
	return t.Heap().List(elems), err
}

// mergeSort is a stable sort that asks as few questions as it can, since a
// question may be a call of the program, and that stops at the first error.
func mergeSort[T any](xs []T, before func(x, y T) (bool, error)) error {
	return mergeInto(xs, make([]T, len(xs)), before)
}

func mergeInto[T any](xs, spare []T, before func(x, y T) (bool, error)) error {
	if len(xs) < 2 {
		return nil
	}
	mid := len(xs) / 2
	if err := mergeInto(xs[:mid], spare[:mid], before); err != nil {
		return err
	}
	if err := mergeInto(xs[mid:], spare[mid:], before); err != nil {
		return err
	}
	if swapped, err := before(xs[mid], xs[mid-1]); !swapped || err != nil {
		return err // in order already
	}
	copy(spare, xs)
	left, right := spare[:mid], spare[mid:len(xs)]
	for i := range xs {
		takeRight := len(left) == 0
		if len(left) > 0 && len(right) > 0 {
			var err error
			if takeRight, err = before(right[0], left[0]); err != nil {
				return err
			}
		}
		if takeRight {
			xs[i], right = right[0], right[1:]
		} else {
			xs[i], left = left[0], left[1:]
		}
	}
	return nil
}

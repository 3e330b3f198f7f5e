package core

import (
	"slices"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func setBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "list/unique", Arity: eval.Exactly(1), Fn: listUnique,
			Doc: "(list/unique seq) keeps the first of equal elements.", Example: "(list/unique '(3 1 3 2 1)) ; => (3 1 2)"},
		{Name: "list/dedupe", Arity: eval.Exactly(1), Fn: listDedupe,
			Doc: "(list/dedupe seq) keeps one of equal neighbours.", Example: "(list/dedupe '(1 1 2 2 1)) ; => (1 2 1)"},
		{Name: "list/duplicates", Arity: eval.Exactly(1), Fn: listDuplicates,
			Doc: "(list/duplicates seq) lists in order, and once, each value that occurs more than once.", Example: "(list/duplicates '(1 2 2 3 3 3)) ; => (2 3)"},
		{Name: "list/diff", Arity: eval.Exactly(2), Fn: listDiff,
			Doc: "(list/diff xs ys) lists the elements of xs that are not in ys.", Example: "(list/diff '(1 2 3 4) '(3 4)) ; => (1 2)"},
		{Name: "list/intersect", Arity: eval.Exactly(2), Fn: listIntersect,
			Doc: "(list/intersect xs ys) lists the elements of xs that are in ys.", Example: "(list/intersect '(1 2 3) '(3 2 9)) ; => (2 3)"},
		{Name: "frequencies", Arity: eval.Exactly(1), Fn: frequencies,
			Doc: "(frequencies seq) maps each element to the number of times it occurs.", Example: "(frequencies '(a b a)) ; => {a 2 b 1}"},
		{Name: "list/mode", Arity: eval.Exactly(1), Fn: listMode,
			Doc:     "(list/mode seq) is the most frequent element; the list of them, in order, if there are several.",
			Example: "(list/mode '(1 2 2)) ; => 2\n(list/mode '(1 1 2 2)) ; => (1 2)"},
		{Name: "list/group-by", Arity: eval.Exactly(2), Fn: listGroupBy,
			Doc: "(list/group-by f seq) maps each result of f to the list of elements that gave it.", Example: "(list/group-by even? '(1 2 3)) ; => {#f (1 3) #t (2)}"},
		{Name: "list/key-by", Arity: eval.Exactly(2), Fn: listKeyBy,
			Doc: "(list/key-by f seq) maps each result of f to the last element that gave it.", Example: "(list/key-by :id '({:id 1} {:id 2})) ; => {1 {:id 1} 2 {:id 2}}"},
		{Name: "list/pluck", Arity: eval.Exactly(2), Fn: listPluck,
			Doc: "(list/pluck key maps) lists the value at key of each map, nil where it is missing.", Example: "(list/pluck :a '({:a 1} {:b 2})) ; => (1 nil)"},
	}
}

// tally numbers the distinct elements of args[0] and counts each.
func tally(t *eval.Thread, args []Value) (seen *table, counts []int64, err error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(0)
	if err := a.Err(); err != nil {
		return nil, nil, err
	}
	seen = newTable()
	for x := range seq.Elems() {
		if err := t.Tick(1); err != nil {
			return nil, nil, err
		}
		i, isNew := seen.add(x)
		if isNew {
			counts = append(counts, 0)
		}
		counts[i]++
	}
	return seen, counts, nil
}

func listUnique(t *eval.Thread, args []Value) (Value, error) {
	seen, _, err := tally(t, args)
	if err != nil {
		return value.Nil, err
	}
	return t.Heap().List(seen.keys), nil
}

func listDuplicates(t *eval.Thread, args []Value) (Value, error) {
	seen, counts, err := tally(t, args)
	var elems []Value
	for i, n := range counts {
		if n > 1 {
			elems = append(elems, seen.keys[i])
		}
	}
	slices.SortFunc(elems, value.Compare)
	return t.Heap().List(elems), err
}

func frequencies(t *eval.Thread, args []Value) (Value, error) {
	seen, counts, err := tally(t, args)
	if err != nil {
		return value.Nil, err
	}
	m := value.NewMapBuilder(value.KindMap, len(counts))
	for i, n := range counts {
		m.Set(seen.keys[i], value.Int(n))
	}
	return m.Map(), nil
}

func listMode(t *eval.Thread, args []Value) (Value, error) {
	seen, counts, err := tally(t, args)
	if err != nil {
		return value.Nil, err
	}
	most := int64(0)
	var modes []Value
	for i, n := range counts {
		if n > most {
			most, modes = n, nil
		}
		if n == most {
			modes = append(modes, seen.keys[i])
		}
	}
	switch len(modes) {
	case 0:
		return value.Nil, emptyOf("list/mode")
	case 1:
		return modes[0], nil
	}
	slices.SortFunc(modes, value.Compare)
	return t.Heap().List(modes), nil
}

func listDedupe(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	var elems []Value
	for x := range seq.Elems() {
		if n := len(elems); n == 0 || !value.Equal(elems[n-1], x) {
			elems = append(elems, x)
		}
	}
	return t.Heap().List(elems), t.Tick(seq.Len())
}

// members lists the elements of args[0] by whether they are in args[1].
func members(t *eval.Thread, args []Value, wanted bool) (Value, error) {
	a := eval.ArgsOf(args)
	xs, ys := a.Seq(0), a.Seq(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	other := newTable()
	for y := range ys.Elems() {
		if err := t.Tick(1); err != nil {
			return value.Nil, err
		}
		other.add(y)
	}
	var elems []Value
	for x := range xs.Elems() {
		if err := t.Tick(1); err != nil {
			return value.Nil, err
		}
		if (other.find(x) >= 0) == wanted {
			elems = append(elems, x)
		}
	}
	return t.Heap().List(elems), nil
}

func listDiff(t *eval.Thread, args []Value) (Value, error) { return members(t, args, false) }

func listIntersect(t *eval.Thread, args []Value) (Value, error) { return members(t, args, true) }

func listGroupBy(t *eval.Thread, args []Value) (Value, error) {
	fn, seq, err := fnAndSeq(args)
	if err != nil {
		return value.Nil, err
	}
	keys := newTable()
	var groups [][]Value
	err = calling(t, fn, seq, func(x, key Value) bool {
		i, isNew := keys.add(key)
		if isNew {
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], x)
		return true
	})
	if err != nil {
		return value.Nil, err
	}
	m := value.NewMapBuilder(value.KindMap, len(groups))
	for i, g := range groups {
		m.Set(keys.keys[i], t.Heap().List(g))
	}
	return m.Map(), nil
}

func listKeyBy(t *eval.Thread, args []Value) (Value, error) {
	fn, seq, err := fnAndSeq(args)
	if err != nil {
		return value.Nil, err
	}
	m := value.NewMapBuilder(value.KindMap, seq.Len())
	err = calling(t, fn, seq, func(x, key Value) bool {
		m.Set(key, x)
		return true
	})
	return m.Map(), err
}

func listPluck(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	elems := make([]Value, 0, seq.Len())
	for m := range seq.Elems() {
		x := value.Nil
		if m.IsMap() {
			x, _ = m.Get(args[0])
		}
		elems = append(elems, x)
	}
	return t.Heap().List(elems), t.Tick(len(elems))
}

package core

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func mapBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "map/new", Aliases: []string{"hash-map"}, Arity: eval.AtLeast(0), Fn: newMap(value.KindMap),
			Doc: "(map/new key value ...) is the map of the pairs; its entries are in key order.", Example: "(map/new :b 2 :a 1) ; => {:a 1 :b 2}"},
		{Name: "hashmap/new", Arity: eval.AtLeast(0), Fn: newMap(value.KindHashMap),
			Doc: "(hashmap/new key value ...) is the unordered map of the pairs.", Example: "(get (hashmap/new :a 1) :a) ; => 1\n(type (hashmap/new)) ; => :hashmap"},
		{Name: "get", Aliases: []string{"hash-ref"}, Arity: eval.Between(2, 3), Fn: get,
			Doc:     "(get map key [default]) is the value at key; default, nil, if there is none.",
			Example: "(get {:a 1} :a) ; => 1\n(get {:a 1} :z 0) ; => 0"},
		{Name: "assoc", Arity: eval.AtLeast(2), Fn: assoc,
			Doc: "(assoc map key value ...) is the map with the keys set. " +
				"(assoc key alist) is the first list in alist whose first element equals key, or #f.",
			Example: "(assoc {:a 1} :b 2 :a 3) ; => {:a 3 :b 2}\n(assoc \"b\" '((\"a\" 1) (\"b\" 2))) ; => (\"b\" 2)"},
		{Name: "dissoc", Arity: eval.AtLeast(2), Fn: dissoc,
			Doc: "(dissoc map key ...) is the map without the keys.", Example: "(dissoc {:a 1 :b 2} :a) ; => {:b 2}"},
		{Name: "contains?", Arity: eval.Exactly(2), Fn: contains,
			Doc: "(contains? map key) tells whether the map has key, be its value nil.", Example: "(contains? {:a nil} :a) ; => #t"},
		{Name: "keys", Arity: eval.Exactly(1), Fn: keys,
			Doc: "(keys map) lists the keys.", Example: "(keys {:b 2 :a 1}) ; => (:a :b)"},
		{Name: "vals", Arity: eval.Exactly(1), Fn: vals,
			Doc: "(vals map) lists the values, in the order of keys.", Example: "(vals {:b 2 :a 1}) ; => (1 2)"},
		{Name: "count", Arity: eval.Exactly(1), Fn: count,
			Doc: "(count coll) is length, and 0 for nil.", Example: "(count {:a 1}) ; => 1\n(count nil) ; => 0"},
		{Name: "merge", Arity: eval.AtLeast(0), Fn: merge,
			Doc:     "(merge map ...) has the entries of all; later ones win. The result is of the first map's type.",
			Example: "(merge {:a 1 :b 2} {:b 3}) ; => {:a 1 :b 3}"},
		{Name: "map/entries", Arity: eval.Exactly(1), Fn: mapEntries,
			Doc: "(map/entries map) lists the entries as lists of key and value.", Example: "(map/entries {:a 1}) ; => ((:a 1))"},
		{Name: "map/from-entries", Arity: eval.Exactly(1), Fn: mapFromEntries,
			Doc: "(map/from-entries seq) is the map of entries of key and value, lists or vectors.", Example: "(map/from-entries '((:a 1) [:b 2])) ; => {:a 1 :b 2}"},
		{Name: "map/zip", Arity: eval.Exactly(2), Fn: mapZip,
			Doc: "(map/zip keys values) is the map of both, up to the shorter.", Example: "(map/zip '(:a :b) '(1 2)) ; => {:a 1 :b 2}"},
		{Name: "map/select-keys", Arity: eval.Exactly(2), Fn: mapSelectKeys,
			Doc: "(map/select-keys map keys) keeps the entries with those keys.", Example: "(map/select-keys {:a 1 :b 2} '(:a :z)) ; => {:a 1}"},
		{Name: "map/except", Arity: eval.Exactly(2), Fn: mapExcept,
			Doc: "(map/except map keys) drops the entries with those keys.", Example: "(map/except {:a 1 :b 2} '(:a)) ; => {:b 2}"},
		{Name: "map/sort-keys", Arity: eval.Exactly(1), Fn: mapSortKeys,
			Doc: "(map/sort-keys map) is the map as an ordered one.", Example: "(map/sort-keys (hashmap/new :b 2 :a 1)) ; => {:a 1 :b 2}"},
		{Name: "hashmap/to-map", Arity: eval.Exactly(1), Fn: mapSortKeys,
			Doc: "(hashmap/to-map map) is the map as an ordered one.", Example: "(hashmap/to-map (hashmap/new :b 2 :a 1)) ; => {:a 1 :b 2}"},
		{Name: "hashmap/get", Arity: eval.Between(2, 3), Fn: get,
			Doc: "(hashmap/get map key [default]) is get.", Example: "(hashmap/get (hashmap/new :a 1) :z \"d\") ; => \"d\""},
		{Name: "hashmap/assoc", Arity: eval.AtLeast(3), Fn: assocPairs,
			Doc: "(hashmap/assoc map key value ...) is assoc for maps.", Example: "(get (hashmap/assoc (hashmap/new) :a 1) :a) ; => 1"},
		{Name: "hashmap/keys", Arity: eval.Exactly(1), Fn: keys,
			Doc: "(hashmap/keys map) is keys.", Example: "(sort (hashmap/keys (hashmap/new :b 2 :a 1))) ; => (:a :b)"},
		{Name: "hashmap/contains?", Arity: eval.Exactly(2), Fn: contains,
			Doc: "(hashmap/contains? map key) is contains?.", Example: "(hashmap/contains? (hashmap/new :a 1) :a) ; => #t"},
	}
}

func newMap(kind value.Kind) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		if len(args)%2 != 0 {
			return value.Nil, oddPairs()
		}
		m := value.NewMapBuilder(kind, len(args)/2)
		for i := 0; i < len(args); i += 2 {
			m.Set(args[i], args[i+1])
		}
		return m.Map(), nil
	}
}

func oddPairs() error {
	return eval.Errorf(eval.KindEval, "expected a value for every key, got an odd number of arguments")
}

func get(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m := a.Map(0)
	if v, ok := m.Get(args[1]); ok || a.Err() != nil {
		return v, a.Err()
	}
	return a.Value(2), nil
}

func assoc(t *eval.Thread, args []Value) (Value, error) {
	if len(args) == 2 {
		if !args[1].IsSeq() && !args[1].IsNil() {
			e := eval.TypeError("an association list", args[1])
			e.Hint = "it is (assoc map key value) or (assoc key alist)"
			return value.Nil, e
		}
		return assq(t, args)
	}
	return assocPairs(t, args)
}

func assocPairs(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m := a.Map(0)
	if len(args)%2 == 0 {
		a.Fail(oddPairs())
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	for i := 1; i < len(args); i += 2 {
		m = m.Assoc(args[i], args[i+1])
	}
	return m, nil
}

func dissoc(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m := a.Map(0)
	for _, k := range args[1:] {
		m = m.Dissoc(k)
	}
	return m, a.Err()
}

func contains(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	_, ok := a.Map(0).Get(args[1])
	return value.Bool(ok), a.Err()
}

// entries lists what pick makes of each entry of args[0].
func entries(t *eval.Thread, args []Value, pick func(k, x Value) Value) (Value, error) {
	a := eval.ArgsOf(args)
	m := a.Map(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	elems := make([]Value, 0, m.Len())
	for k, x := range m.Entries() {
		elems = append(elems, pick(k, x))
	}
	return t.Heap().List(elems), t.Tick(len(elems))
}

func keys(t *eval.Thread, args []Value) (Value, error) {
	return entries(t, args, func(k, _ Value) Value { return k })
}

func vals(t *eval.Thread, args []Value) (Value, error) {
	return entries(t, args, func(_, x Value) Value { return x })
}

func mapEntries(t *eval.Thread, args []Value) (Value, error) {
	return entries(t, args, func(k, x Value) Value { return t.Heap().List([]Value{k, x}) })
}

func count(t *eval.Thread, args []Value) (Value, error) {
	if args[0].IsNil() {
		return value.Int(0), nil
	}
	return length(t, args)
}

func merge(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	if len(args) == 0 {
		return value.EmptyMap(), nil
	}
	m := a.Map(0)
	for i := 1; i < len(args); i++ {
		other := a.Map(i)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		for k, x := range other.Entries() {
			if err := t.Tick(1); err != nil {
				return value.Nil, err
			}
			m = m.Assoc(k, x)
		}
	}
	return m, a.Err()
}

func mapFromEntries(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(0)
	m := value.NewMapBuilder(value.KindMap, seq.Len())
	for entry := range seq.Elems() {
		if !entry.IsSeq() || entry.Len() != 2 {
			return value.Nil, eval.TypeError("an entry of key and value", entry)
		}
		pair := entry.Slice()
		m.Set(pair[0], pair[1])
		if err := t.Tick(1); err != nil {
			return value.Nil, err
		}
	}
	return m.Map(), a.Err()
}

func mapZip(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seqs, n := rows(&a, 0)
	m := value.NewMapBuilder(value.KindMap, n)
	for i := range n {
		m.Set(seqs[0][i], seqs[1][i])
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return m.Map(), t.Tick(n)
}

func mapSelectKeys(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m, wanted := a.Map(0), a.Seq(1)
	out := value.NewMapBuilder(m.Kind(), wanted.Len())
	for k := range wanted.Elems() {
		if x, ok := m.Get(k); ok {
			out.Set(k, x)
		}
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return out.Map(), t.Tick(wanted.Len())
}

func mapExcept(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m, unwanted := a.Map(0), a.Seq(1)
	for k := range unwanted.Elems() {
		m = m.Dissoc(k)
	}
	return m, a.Err()
}

func mapSortKeys(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m := a.Map(0)
	if err := a.Err(); err != nil || m.Kind() == value.KindMap {
		return m, err
	}
	return ordered(t, m)
}

// ordered is the sorted map of the same entries.
func ordered(t *eval.Thread, m Value) (Value, error) {
	out := value.NewMapBuilder(value.KindMap, m.Len())
	for k, x := range m.Entries() {
		if err := t.Tick(1); err != nil {
			return value.Nil, err
		}
		out.Set(k, x)
	}
	return out.Map(), nil
}

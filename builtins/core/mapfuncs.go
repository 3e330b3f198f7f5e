package core

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func mapFuncBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "map/map-vals", Arity: eval.Exactly(2), Fn: mapMapVals,
			Doc: "(map/map-vals f map) puts (f value) in the place of each value.", Example: "(map/map-vals - {:a 1 :b 2}) ; => {:a -1 :b -2}"},
		{Name: "map/map-keys", Arity: eval.Exactly(2), Fn: mapMapKeys,
			Doc: "(map/map-keys f map) puts (f key) in the place of each key; of equal ones the last wins.", Example: "(map/map-keys keyword/to-string {:a 1}) ; => {\"a\" 1}"},
		{Name: "map/filter", Arity: eval.Exactly(2), Fn: mapFilter,
			Doc: "(map/filter pred map) keeps the entries that (pred key value) is true of.", Example: "(map/filter (fn (k v) (> v 1)) {:a 1 :b 2}) ; => {:b 2}"},
		{Name: "map/update", Aliases: []string{"update"}, Arity: eval.AtLeast(3), Fn: mapUpdate,
			Doc:     "(map/update map key f x ...) sets key to (f value x ...), where value is nil if there was none.",
			Example: "(map/update {:a 1} :a (fn (v) (+ v 10))) ; => {:a 11}\n(map/update {:a 1} :a + 5) ; => {:a 6}"},
	}
}

// mapping gives body each entry of a map and the result of fn for key, value
// or both.
func mapping(t *eval.Thread, fn, m Value, call func(c *eval.Caller, k, x Value) (Value, error), nargs int,
	body func(k, x, result Value)) error {
	c := t.Caller(fn, nargs)
	defer c.Done()
	for k, x := range m.Entries() {
		if err := t.Tick(1); err != nil {
			return err
		}
		r, err := call(&c, k, x)
		if err != nil {
			return err
		}
		body(k, x, r)
	}
	return nil
}

func withKey(c *eval.Caller, k, _ Value) (Value, error)  { return c.Call1(k) }
func withVal(c *eval.Caller, _, x Value) (Value, error)  { return c.Call1(x) }
func withBoth(c *eval.Caller, k, x Value) (Value, error) { return c.Call2(k, x) }

// fnAndMap reads (f fn map), with a builder for a map of the same type.
func fnAndMap(args []Value) (fn, m Value, out *value.MapBuilder, err error) {
	a := eval.ArgsOf(args)
	fn, m = a.Func(0), a.Map(1)
	return fn, m, value.NewMapBuilder(m.Kind(), m.Len()), a.Err()
}

func mapMapVals(t *eval.Thread, args []Value) (Value, error) {
	fn, m, out, err := fnAndMap(args)
	if err == nil {
		err = mapping(t, fn, m, withVal, 1, func(k, _, r Value) { out.Set(k, r) })
	}
	return out.Map(), err
}

func mapMapKeys(t *eval.Thread, args []Value) (Value, error) {
	fn, m, out, err := fnAndMap(args)
	if err == nil {
		err = mapping(t, fn, m, withKey, 1, func(_, x, r Value) { out.Set(r, x) })
	}
	return out.Map(), err
}

func mapFilter(t *eval.Thread, args []Value) (Value, error) {
	fn, m, out, err := fnAndMap(args)
	if err == nil {
		err = mapping(t, fn, m, withBoth, 2, func(k, x, r Value) {
			if r.Truthy() {
				out.Set(k, x)
			}
		})
	}
	return out.Map(), err
}

func mapUpdate(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m, fn := a.Map(0), a.Func(2)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	x, err := callUpdate(t, fn, m, args[1], args[3:])
	return m.Assoc(args[1], x), err
}

// callUpdate is the new value at key of a map: (fn old extra ...).
func callUpdate(t *eval.Thread, fn, m, key Value, extra []Value) (Value, error) {
	old, _ := m.Get(key)
	return t.Call(fn, append([]Value{old}, extra...)...)
}

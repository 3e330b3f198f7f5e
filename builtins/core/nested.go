package core

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func nestedBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "get-in", Aliases: []string{"map/get-in"}, Arity: eval.Between(2, 3), Fn: getIn,
			Doc:     "(get-in map path [default]) looks up each key of path in the map found before; default, nil, if one is missing.",
			Example: "(get-in {:a {:b 42}} [:a :b]) ; => 42\n(get-in {:a {:b 1}} [:a :c] \"none\") ; => \"none\""},
		{Name: "assoc-in", Aliases: []string{"map/assoc-in"}, Arity: eval.Exactly(3), Fn: assocIn,
			Doc: "(assoc-in map path x) sets the place at path to x, with new maps where there are none.", Example: "(assoc-in {:a {:b 1}} [:a :c] 2) ; => {:a {:b 1 :c 2}}"},
		{Name: "update-in", Aliases: []string{"map/update-in"}, Arity: eval.AtLeast(3), Fn: updateIn,
			Doc:     "(update-in map path f x ...) sets the place at path to (f value x ...), where value is nil if there was none.",
			Example: "(update-in {:a {:b 1}} [:a :b] (fn (x) (+ x 10))) ; => {:a {:b 11}}"},
		{Name: "deep-merge", Aliases: []string{"map/deep-merge"}, Arity: eval.AtLeast(0), Fn: deepMerge,
			Doc:     "(deep-merge map ...) is merge that merges maps inside the maps too. The result is an ordered map.",
			Example: "(deep-merge {:a {:x 1}} {:a {:y 2}}) ; => {:a {:x 1 :y 2}}"},
	}
}

func getIn(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	x, path := args[0], a.Seq(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	for k := range path.Elems() {
		if !x.IsMap() {
			return a.Value(2), nil
		}
		var ok bool
		if x, ok = x.Get(k); !ok {
			return a.Value(2), nil
		}
	}
	return x, nil
}

func assocIn(t *eval.Thread, args []Value) (Value, error) {
	return changeIn(t, args, func(Value) (Value, error) { return args[2], nil })
}

func updateIn(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	fn := a.Func(2)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return changeIn(t, args, func(old Value) (Value, error) {
		return t.Call(fn, append([]Value{old}, args[3:]...)...)
	})
}

// changeIn changes what stands at path args[1] in args[0]. On the way down it
// collects the maps it passes, and rebuilds them on the way up.
func changeIn(t *eval.Thread, args []Value, change func(old Value) (Value, error)) (Value, error) {
	a := eval.ArgsOf(args)
	x, path := a.Map(0), a.Elems(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	maps := make([]Value, len(path))
	for i, k := range path {
		if !x.IsMap() {
			x = value.EmptyMap()
		}
		maps[i] = x
		x, _ = x.Get(k)
	}
	x, err := change(x)
	if err != nil {
		return value.Nil, err
	}
	for i := len(path) - 1; i >= 0; i-- {
		x = maps[i].Assoc(path[i], x)
	}
	return x, t.Tick(len(path))
}

func deepMerge(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m := value.EmptyMap()
	for i := range args {
		other := a.Map(i)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		var err error
		if m, err = mergeDeep(t, m, other, 0); err != nil {
			return value.Nil, err
		}
	}
	return m, nil
}

func mergeDeep(t *eval.Thread, m, other Value, depth int) (Value, error) {
	checkDepth(depth)
	for k, x := range other.Entries() {
		err := t.Tick(1)
		if old, _ := m.Get(k); err == nil && old.IsMap() && x.IsMap() {
			x, err = mergeDeep(t, old, x, depth+1)
		}
		if err != nil {
			return value.Nil, err
		}
		m = m.Assoc(k, x)
	}
	return m, nil
}

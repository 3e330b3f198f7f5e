package core

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// The context is data that functions find without being passed it: a stack of
// maps, the frames, of which the inner hide the outer. The outermost frame is the
// interpreter's; (context/with m thunk) has one in the scope of thunk. Stacks and
// hidden values are the interpreter's, whatever the frame.
func contextBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "context/set", Arity: eval.Exactly(2), Fn: contextSet,
			Doc:     "(context/set key x) puts x into the innermost frame of the context, for all that is called from here on.",
			Example: "(begin (context/set :user 42) (context/get :user)) ; => 42"},
		{Name: "context/get", Arity: eval.Exactly(1), Fn: contextGet,
			Doc: "(context/get key) is the innermost value of key in the context, nil if there is none.", Example: "(context/get :missing) ; => nil"},
		{Name: "context/has?", Arity: eval.Exactly(1), Fn: hasContext,
			Doc: "(context/has? key) tells whether the context has key, with whatever value.", Example: "(context/has? :missing) ; => #f"},
		{Name: "context/remove", Aliases: []string{"context/pull"}, Arity: eval.Exactly(1), Fn: contextRemove,
			Doc:     "(context/remove key) takes key out of all frames and is the value it had, nil if it had none.",
			Example: "(begin (context/set :token 1) (list (context/pull :token) (context/has? :token))) ; => (1 #f)"},
		{Name: "context/all", Arity: eval.Exactly(0), Fn: contextAll,
			Doc: "(context/all) is one map of all the context, without what is hidden.", Example: "(begin (context/clear) (context/set :a 1) (context/all)) ; => {:a 1}"},
		{Name: "context/merge", Arity: eval.Exactly(1), Fn: contextMerge,
			Doc: "(context/merge m) puts the entries of a map into the innermost frame of the context.", Example: "(begin (context/merge {:a 1 :b 2}) (context/get :b)) ; => 2"},
		{Name: "context/clear", Arity: eval.Exactly(0), Fn: contextClear,
			Doc: "(context/clear) empties all frames of the context; stacks and hidden values stay.", Example: "(begin (context/set :a 1) (context/clear) (context/all)) ; => {}"},
		{Name: "context/with", Arity: eval.Exactly(2), Fn: contextWith,
			Doc:     "(context/with m thunk) calls thunk with the entries of a map in the context. They are gone afterwards, as is what thunk sets.",
			Example: "(context/with {:env \"staging\"} (fn () (context/get :env))) ; => \"staging\""},
		{Name: "context/push", Arity: eval.Exactly(2), Fn: contextPush,
			Doc: "(context/push key x) puts x on the stack of that name.", Example: "(begin (context/push :a 1) (context/push :a 2) (context/stack :a)) ; => (1 2)"},
		{Name: "context/pop", Arity: eval.Exactly(1), Fn: contextPop,
			Doc: "(context/pop key) takes the value that was pushed last off a stack; nil if it is empty.", Example: "(begin (context/push :steps 1) (context/pop :steps)) ; => 1"},
		{Name: "context/stack", Arity: eval.Exactly(1), Fn: contextStack,
			Doc: "(context/stack key) lists what is on a stack, the oldest first.", Example: "(context/stack :none) ; => ()"},
		{Name: "context/set-hidden", Arity: eval.Exactly(2), Fn: contextSetHidden,
			Doc:     "(context/set-hidden key x) keeps x where context/get, context/all and the log do not see it.",
			Example: "(begin (context/set-hidden :key \"secret\") (list (context/get :key) (context/get-hidden :key))) ; => (nil \"secret\")"},
		{Name: "context/get-hidden", Arity: eval.Exactly(1), Fn: contextGetHidden,
			Doc: "(context/get-hidden key) is a hidden value, nil if there is none.", Example: "(context/get-hidden :missing) ; => nil"},
		{Name: "context/has-hidden?", Arity: eval.Exactly(1), Fn: hasContextHidden,
			Doc: "(context/has-hidden? key) tells whether there is a hidden value of key.", Example: "(context/has-hidden? :missing) ; => #f"},
	}
}

// ambient is the context of an interpreter, guarded by its lock.
type ambient struct {
	outermost frame
	hidden    Value // a map
	stacks    Value // a map of lists, see contextPush
}

// frame is one map of the context.
type frame struct{ entries Value }

type ambientKey struct{} // in an interpreter's state
type frameKey struct{}   // in a scope

func ambientOf(t *eval.Thread) *ambient {
	return eval.InterpOf(t).State(ambientKey{}, func() any {
		return &ambient{frame{value.EmptyMap()}, value.EmptyMap(), value.EmptyMap()}
	}).(*ambient)
}

// frames calls f with the frames that t sees, the innermost first, until it
// returns false.
func frames(t *eval.Thread, f func(*frame) bool) {
	more := true
	t.Scope().All(frameKey{}, func(x any) bool {
		more = f(x.(*frame))
		return more
	})
	if more {
		f(&ambientOf(t).outermost)
	}
}

func innermost(t *eval.Thread) (in *frame) {
	frames(t, func(f *frame) bool {
		in = f
		return false
	})
	return in
}

// look finds the innermost value of key.
func look(t *eval.Thread, key Value) (v Value, ok bool) {
	frames(t, func(f *frame) bool {
		v, ok = f.entries.Get(key)
		return !ok
	})
	return v, ok
}

func contextSet(t *eval.Thread, args []Value) (Value, error) {
	f := innermost(t)
	f.entries = f.entries.Assoc(args[0], args[1])
	return value.Nil, nil
}

func contextGet(t *eval.Thread, args []Value) (Value, error) {
	v, ok := look(t, args[0])
	if !ok {
		return value.Nil, nil
	}
	return v, nil
}

func hasContext(t *eval.Thread, args []Value) (Value, error) {
	_, ok := look(t, args[0])
	return value.Bool(ok), nil
}

func contextRemove(t *eval.Thread, args []Value) (Value, error) {
	v, ok := look(t, args[0])
	if !ok {
		return value.Nil, nil
	}
	frames(t, func(f *frame) bool {
		f.entries = f.entries.Dissoc(args[0])
		return true
	})
	return v, nil
}

func contextAll(t *eval.Thread, args []Value) (Value, error) { return mergedContext(t) }

// mergedContext is what all frames say, the inner over the outer.
func mergedContext(t *eval.Thread) (Value, error) {
	var all []Value
	frames(t, func(f *frame) bool {
		all = append(all, f.entries)
		return true
	})
	m := all[len(all)-1]
	for i := len(all) - 2; i >= 0; i-- {
		for k, v := range all[i].Entries() {
			if err := t.Tick(1); err != nil {
				return value.Nil, err
			}
			m = m.Assoc(k, v)
		}
	}
	return m, nil
}

func contextMerge(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m := a.Map(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	f := innermost(t)
	for k, v := range m.Entries() {
		if err := t.Tick(1); err != nil {
			return value.Nil, err
		}
		f.entries = f.entries.Assoc(k, v)
	}
	return value.Nil, nil
}

func contextClear(t *eval.Thread, args []Value) (Value, error) {
	frames(t, func(f *frame) bool {
		f.entries = value.EmptyMap()
		return true
	})
	return value.Nil, nil
}

func contextWith(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	m, thunk := a.Map(0), a.Func(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	f := &frame{value.EmptyMap()}
	for k, v := range m.Entries() {
		if err := t.Tick(1); err != nil {
			return value.Nil, err
		}
		f.entries = f.entries.Assoc(k, v)
	}
	return t.InScope(t.Scope().With(frameKey{}, f), func() (Value, error) { return t.Call(thunk) })
}

// A stack is a list with the newest value first: pushing copies nothing.
func (c *ambient) stack(key Value) Value {
	if v, ok := c.stacks.Get(key); ok {
		return v
	}
	return value.Empty
}

func contextPush(t *eval.Thread, args []Value) (Value, error) {
	c := ambientOf(t)
	c.stacks = c.stacks.Assoc(args[0], t.Heap().Cons(args[1], c.stack(args[0])))
	return value.Nil, nil
}

func contextPop(t *eval.Thread, args []Value) (Value, error) {
	c := ambientOf(t)
	s := c.stack(args[0])
	if s.Len() == 0 {
		return value.Nil, nil
	}
	c.stacks = c.stacks.Assoc(args[0], s.Rest())
	return s.First(), nil
}

func contextStack(t *eval.Thread, args []Value) (Value, error) {
	return reverse(t, []Value{ambientOf(t).stack(args[0])})
}

func contextSetHidden(t *eval.Thread, args []Value) (Value, error) {
	c := ambientOf(t)
	c.hidden = c.hidden.Assoc(args[0], args[1])
	return value.Nil, nil
}

func contextGetHidden(t *eval.Thread, args []Value) (Value, error) {
	if v, ok := ambientOf(t).hidden.Get(args[0]); ok {
		return v, nil
	}
	return value.Nil, nil
}

func hasContextHidden(t *eval.Thread, args []Value) (Value, error) {
	_, ok := ambientOf(t).hidden.Get(args[0])
	return value.Bool(ok), nil
}

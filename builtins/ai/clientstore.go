package ai

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// store keeps conversations: two functions of the program, or of ours.
type store struct{ get, save eval.Value }

// storeOption reads :store. Without it a client has a store of its own.
func storeOption(o *eval.Options) store {
	v, given := o.Get("store")
	if !given {
		return newStore()
	}
	if !v.IsMap() {
		o.Bad("store", "a store {:get (fn (id)) :save (fn (id messages))}")
		return store{}
	}
	get, _ := v.Get(keyword("get"))
	save, _ := v.Get(keyword("save"))
	if !isFunction(get) || !isFunction(save) {
		o.Bad("store", "a store with the functions :get and :save")
	}
	return store{get, save}
}

func clientInMemoryStore(*eval.Thread, []eval.Value) (eval.Value, error) {
	s := newStore()
	return value.Map(keyword("get"), s.get, keyword("save"), s.save), nil
}

// newStore keeps messages in memory.
func newStore() store {
	kept := value.EmptyHashMap()
	get := func(_ *eval.Thread, args []eval.Value) (eval.Value, error) {
		messages, _ := kept.Get(args[0])
		return messages, nil
	}
	save := func(_ *eval.Thread, args []eval.Value) (eval.Value, error) {
		kept = kept.Assoc(args[0], args[1])
		return value.Nil, nil
	}
	return store{eval.NewFunction(eval.Builtin{Name: "get", Arity: eval.Exactly(1), Fn: get}),
		eval.NewFunction(eval.Builtin{Name: "save", Arity: eval.Exactly(2), Fn: save})}
}

package core

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func searchBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "member", Arity: eval.Exactly(2), Fn: member,
			Doc:     "(member x seq) is the list from the first element equal to x on, #f if there is none.",
			Example: "(member 2 '(1 2 3)) ; => (2 3)\n(member 9 '(1 2 3)) ; => #f"},
		{Name: "list/contains?", Arity: eval.Exactly(2), Fn: listContains,
			Doc: "(list/contains? seq x) tells whether an element equals x.", Example: "(list/contains? '(1 2) 2) ; => #t"},
		{Name: "list/index-of", Arity: eval.Exactly(2), Fn: listIndexOf,
			Doc:     "(list/index-of seq x) is the index of the first element equal to x, or nil.",
			Example: "(list/index-of '(a b) 'b) ; => 1\n(list/index-of '(a b) 'c) ; => nil"},
		{Name: "assq", Aliases: []string{"assv"}, Arity: eval.Exactly(2), Fn: assq,
			Doc:     "(assq key alist) is the first list in alist whose first element equals key, or #f.",
			Example: "(assq 'b '((a 1) (b 2))) ; => (b 2)"},
	}
}

// position is the index of the first element equal to x, -1 if there is none.
func position(t *eval.Thread, seq, x Value) (int, error) {
	i := 0
	for y := range seq.Elems() {
		if value.Equal(x, y) {
			return i, nil
		}
		if err := t.Tick(1); err != nil {
			return -1, err
		}
		i++
	}
	return -1, nil
}

func member(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	i, err := position(t, seq, args[0])
	if i < 0 {
		return value.False, err
	}
	return part(t, seq, i, seq.Len())
}

func listContains(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	i, err := position(t, seq, args[1])
	return value.Bool(i >= 0), err
}

func listIndexOf(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	i, err := position(t, seq, args[1])
	if i < 0 {
		return value.Nil, err
	}
	return value.Int(int64(i)), nil
}

func assq(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	alist := a.Seq(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	for entry := range alist.Elems() {
		if isEntryOf(entry, args[0]) {
			return entry, nil
		}
		if err := t.Tick(1); err != nil {
			return value.Nil, err
		}
	}
	return value.False, nil
}

// isEntryOf reports whether entry is a list or vector that starts with key.
func isEntryOf(entry, key Value) bool {
	if !entry.IsSeq() || entry.Len() == 0 {
		return false
	}
	first, _ := eval.Car(entry)
	return value.Equal(first, key)
}

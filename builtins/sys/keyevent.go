package sys

import (
	"github.com/gosema/gosema/eval/value"
)

// event is what the terminal reports: the entries of the map that a program gets.
type event map[string]Value

func keyword(name string) Value { return value.Keyword(name) }
func number(n int) Value        { return value.Int(int64(n)) }

func char(r rune) event {
	return event{"kind": keyword("char"), "char": value.String(string(r))}
}

// key is a key with a name. mods are as terminals count them: the bits, plus one.
func key(name string, mods int) event {
	return event{"kind": keyword("key"), "name": keyword(name)}.with(mods, 0)
}

func (e event) kind() string {
	name, _ := e["kind"].KeywordName()
	return name
}

const (
	modShift = 1 << iota
	modAlt
	modCtrl
)

var modNames = []string{"shift", "alt", "ctrl", "super", "hyper", "meta", "caps-lock", "num-lock"}

// with adds modifiers, and what happened to the key if the terminal says so.
func (e event) with(mods, action int) event {
	var list []Value
	for i, name := range modNames {
		if (mods-1)>>i&1 != 0 {
			list = append(list, keyword(name))
		}
	}
	if len(list) > 0 {
		e["mods"] = value.List(list...)
	}
	if action >= 1 && action <= 3 {
		e["event"] = keyword([]string{"press", "repeat", "release"}[action-1])
	}
	return e
}

func (e event) value() Value {
	m := value.NewMapBuilder(value.KindMap, len(e))
	for name, v := range e {
		m.Set(keyword(name), v)
	}
	return m.Map()
}

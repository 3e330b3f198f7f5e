package sys

import (
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func tomlEncode(t *eval.Thread, args []Value) (Value, error) {
	if !args[0].IsMap() {
		return value.Nil, eval.TypeError("a map", args[0])
	}
	e := &tomlEncoder{t: t}
	table, err := e.table(args[0])
	if err != nil {
		return value.Nil, err
	}
	var b strings.Builder
	enc := toml.NewEncoder(&b)
	enc.Indent = ""
	if err := enc.Encode(table); err != nil {
		return value.Nil, err
	}
	return value.String(b.String()), t.Tick(b.Len() / 16)
}

// tomlEncoder makes Go data of values for the library.
type tomlEncoder struct {
	t       *eval.Thread
	depth   int
	size    int64 // of the data and the text so far
	claimed int64
}

// claim asks for the memory of another part before it is made: data that is
// shared in the value is not shared in the text.
func (e *tomlEncoder) claim(n int) error {
	if e.size += int64(n) + tomlWeight; e.size > e.claimed {
		e.claimed = 2 * e.size
		if e.claimed > maxBytes {
			return eval.Errorf(eval.KindEval, "refused: TOML of more than %d bytes", maxBytes/2)
		}
		if err := e.t.Reserve(e.claimed); err != nil {
			return err
		}
	}
	return e.t.Tick(1 + n/16)
}

func (e *tomlEncoder) enter() error {
	if e.depth++; e.depth > maxTOMLDepth {
		return eval.Errorf(eval.KindEval, "nested more than %d deep: TOML that deep cannot be read again", maxTOMLDepth)
	}
	return nil
}

func (e *tomlEncoder) table(m Value) (map[string]any, error) {
	if err := e.enter(); err != nil {
		return nil, err
	}
	table := map[string]any{}
	for k, x := range m.Entries() {
		if k.IsSeq() || k.IsMap() {
			return nil, eval.TypeError("a key that TOML can say: a keyword, a string, a symbol or a number", k)
		}
		name := bareName(k)
		if err := e.claim(len(name)); err != nil {
			return nil, err
		}
		v, err := e.value(x)
		if err != nil {
			return nil, err
		}
		table[name] = v
	}
	e.depth--
	return table, nil
}

// bareName is what a value is called in TOML: keywords lose their colon.
func bareName(v Value) string {
	if name, ok := v.KeywordName(); ok {
		return name
	}
	return value.Display(v)
}

func (e *tomlEncoder) value(v Value) (any, error) {
	switch v.Kind() {
	case value.KindBool:
		return v.Truthy(), e.claim(0)
	case value.KindInt:
		n, _ := v.AsInt()
		return n, e.claim(0)
	case value.KindFloat:
		f, _ := v.AsFloat()
		return f, e.claim(0)
	case value.KindString, value.KindSymbol, value.KindKeyword:
		s := bareName(v)
		return s, e.claim(len(s))
	case value.KindMap, value.KindHashMap:
		return e.table(v)
	case value.KindList, value.KindVector:
		return e.array(v)
	}
	bad := eval.TypeError("a value that TOML can say", v)
	bad.Hint = "TOML has booleans, integers of 64 bits, floats, strings, lists and maps; (str x) makes a string"
	return nil, bad
}

func (e *tomlEncoder) array(v Value) (any, error) {
	if err := e.enter(); err != nil {
		return nil, err
	}
	elems := []any{}
	for x := range v.Elems() {
		elem, err := e.value(x)
		if err != nil {
			return nil, err
		}
		if err := e.claim(0); err != nil {
			return nil, err
		}
		elems = append(elems, elem)
	}
	e.depth--
	return elems, nil
}

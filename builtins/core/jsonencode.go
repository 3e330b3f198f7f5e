package core

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func jsonBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "json/decode", Arity: eval.Exactly(1), Fn: jsonDecode,
			Doc:     "(json/decode text) reads JSON: objects become maps with keywords, arrays lists, null nil; integers keep all digits.",
			Example: `(json/decode "{\"a\": [1, 2.5, null]}") ; => {:a (1 2.5 nil)}`},
		{Name: "json/encode", Arity: eval.Exactly(1), Fn: jsonEncode,
			Doc:     "(json/encode x) is x as JSON on one line; what JSON cannot say, such as functions and NaN, is an error.",
			Example: `(json/encode {:a [1 2.5 nil #t] :b "x"}) ; => "{\"a\":[1,2.5,null,true],\"b\":\"x\"}"`},
		{Name: "json/encode-pretty", Arity: eval.Exactly(1), Fn: jsonEncodePretty,
			Doc: "(json/encode-pretty x) is x as JSON, indented by two spaces.", Example: `(json/encode-pretty [1]) ; => "[\n  1\n]"`},
	}
}

func jsonEncode(t *eval.Thread, args []Value) (Value, error) { return encodeJSON(t, args[0], "") }

func jsonEncodePretty(t *eval.Thread, args []Value) (Value, error) {
	return encodeJSON(t, args[0], "  ")
}

func encodeJSON(t *eval.Thread, v Value, indent string) (Value, error) {
	e := &jsonEncoder{t: t, indent: indent}
	if err := e.value(v); err != nil {
		return value.Nil, err
	}
	return value.String(e.out.String()), nil
}

type jsonEncoder struct {
	t      *eval.Thread
	out    strings.Builder
	indent string // "" writes one line
	depth  int
}

func (e *jsonEncoder) value(v Value) error {
	if err := e.t.Tick(1); err != nil {
		return err
	}
	switch v.Kind() {
	case value.KindNil:
		e.out.WriteString("null")
	case value.KindBool:
		e.out.WriteString(strconv.FormatBool(v.Truthy()))
	case value.KindInt, value.KindBigInt:
		e.out.WriteString(value.Write(v))
	case value.KindFloat:
		return e.float(v)
	case value.KindString, value.KindSymbol, value.KindKeyword, value.KindRational:
		e.quoted(bareText(v))
	case value.KindList, value.KindVector:
		return e.array(v)
	case value.KindMap, value.KindHashMap:
		return e.object(v)
	default:
		return refuseJSON(v)
	}
	return nil
}

// bareText is what a value is called as text in JSON: keywords lose their colon.
func bareText(v Value) string {
	if name, ok := v.KeywordName(); ok {
		return name
	}
	return value.Display(v)
}

func refuseJSON(v Value) error {
	e := eval.TypeError("a value that JSON can say", v)
	e.Hint = "JSON has null, booleans, numbers, strings, lists and maps; (str x) makes a string"
	return e
}

func (e *jsonEncoder) float(v Value) error {
	f, _ := v.AsFloat()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return refuseJSON(v)
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") { // stays a float when it is read again
		text += ".0"
	}
	e.out.WriteString(text)
	return nil
}

// quoted writes a string in quotes.
func (e *jsonEncoder) quoted(s string) {
	e.out.WriteByte('"')
	start := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if size > 1 {
			i += size - 1
			continue
		}
		e.out.WriteString(s[start:i])
		start = i + 1
		switch k := strings.IndexByte(escaped, s[i]); {
		case r == utf8.RuneError:
			e.out.WriteString("\ufffd")
		case k >= 0:
			e.out.WriteString(`\` + escapes[k:k+1])
		default:
			e.out.WriteString(`\u00` + hexDigits[s[i]>>4:s[i]>>4+1] + hexDigits[s[i]&15:s[i]&15+1])
		}
	}
	e.out.WriteString(s[start:])
	e.out.WriteByte('"')
}

const hexDigits = "0123456789abcdef"

// nested writes the parts of an array or an object between brackets.
func (e *jsonEncoder) nested(open, end byte, n int, parts func(next func()) error) error {
	e.out.WriteByte(open)
	if n > 0 {
		if e.depth++; e.depth > maxJSONDepth {
			return eval.Errorf(eval.KindEval, "nested more than %d deep: JSON that deep cannot be read again", maxJSONDepth)
		}
		first := true
		next := func() {
			if !first {
				e.out.WriteByte(',')
			}
			first = false
			e.newline()
		}
		if err := parts(next); err != nil {
			return err
		}
		e.depth--
		e.newline()
	}
	e.out.WriteByte(end)
	return reserve(e.t, int64(e.out.Len()), 1)
}

func (e *jsonEncoder) newline() {
	if e.indent != "" {
		e.out.WriteByte('\n')
		for range e.depth {
			e.out.WriteString(e.indent)
		}
	}
}

func (e *jsonEncoder) array(v Value) error {
	return e.nested('[', ']', v.Len(), func(next func()) error {
		for x := range v.Elems() {
			next()
			if err := e.value(x); err != nil {
				return err
			}
		}
		return nil
	})
}

// object writes the entries in the order of their names.
func (e *jsonEncoder) object(v Value) error {
	type entry struct {
		name string
		v    Value
	}
	var entries []entry
	for k, x := range v.Entries() {
		if k.IsSeq() || k.IsMap() {
			return eval.TypeError("a key that JSON can say: a keyword, a string, a symbol or a number", k)
		}
		entries = append(entries, entry{bareText(k), x})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return e.nested('{', '}', len(entries), func(next func()) error {
		for _, x := range entries {
			next()
			e.quoted(x.name)
			e.out.WriteByte(':')
			if e.indent != "" {
				e.out.WriteByte(' ')
			}
			if err := e.value(x.v); err != nil {
				return err
			}
		}
		return nil
	})
}

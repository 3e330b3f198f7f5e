package sys

import (
	"errors"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func tomlBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "toml/decode", Arity: eval.Exactly(1), Fn: tomlDecode,
			Doc:     "(toml/decode text) reads TOML: tables become maps with keywords, arrays lists, dates and times strings.",
			Example: `(toml/decode "name = \"x\"\n[server]\nports = [80, 443]") ; => {:name "x" :server {:ports (80 443)}}`},
		{Name: "toml/encode", Arity: eval.Exactly(1), Fn: tomlEncode,
			Doc:     "(toml/encode map) is a map as TOML, its plain entries before its tables; what TOML cannot say, such as nil, is an error.",
			Example: `(toml/encode {:server {:ports [80 443]} :name "x"}) ; => "name = \"x\"\n\n[server]\nports = [80, 443]\n"`},
	}
}

const (
	// maxTOMLDepth bounds arrays, tables and dotted keys, whose parser calls
	// itself and remembers every prefix of a key.
	maxTOMLDepth = 100
	// tomlWeight and tomlPartWeight are about how many bytes of memory a byte of
	// TOML and a part of a dotted key, which is a table, take while they are read.
	tomlWeight     = 64
	tomlPartWeight = 1 << 10
)

func tomlDecode(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	text := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := admitTOML(t, text); err != nil {
		return value.Nil, err
	}
	var table map[string]any
	if _, err := toml.Decode(text, &table); err != nil {
		return value.Nil, tomlError(err)
	}
	return fromTOML(t, table)
}

// admitTOML refuses what the parser, which knows no bounds, would choke on.
func admitTOML(t *eval.Thread, text string) error {
	depth, weight := measureTOML(text)
	if depth > maxTOMLDepth {
		return eval.Errorf(eval.KindEval, "the TOML is nested more than %d deep", maxTOMLDepth)
	}
	if weight > maxBytes {
		return eval.Errorf(eval.KindEval, "refused: reading this TOML takes more than %d bytes", maxBytes)
	}
	if err := t.Reserve(weight); err != nil {
		return err
	}
	return t.Tick(int(weight / 1024))
}

func tomlError(err error) error {
	bad, ok := errors.AsType[toml.ParseError](err)
	if !ok {
		return err
	}
	return eval.Errorf(eval.KindEval, "line %d, column %d of the TOML: %s", bad.Position.Line, bad.Position.Col, bad.Message)
}

// fromTOML makes values of what the library reads.
func fromTOML(t *eval.Thread, x any) (Value, error) {
	if err := t.Tick(1); err != nil {
		return value.Nil, err
	}
	switch x := x.(type) {
	case map[string]any:
		m := value.NewMapBuilder(value.KindMap, len(x))
		for k, part := range x {
			v, err := fromTOML(t, part)
			if err != nil {
				return value.Nil, err
			}
			m.Set(value.Keyword(k), v)
		}
		return m.Map(), nil
	case []map[string]any:
		return listTOML(t, x)
	case []any:
		return listTOML(t, x)
	case time.Time:
		return value.String(timeTOML(x)), nil
	}
	return value.From(x)
}

func listTOML[T any](t *eval.Thread, parts []T) (Value, error) {
	elems := make([]Value, len(parts))
	for i, part := range parts {
		v, err := fromTOML(t, part)
		if err != nil {
			return value.Nil, err
		}
		elems[i] = v
	}
	return t.Heap().List(elems), nil
}

// timeTOML writes a time as TOML does; the library tells by the name of the zone
// which parts were there.
func timeTOML(x time.Time) string {
	switch x.Location().String() {
	case "datetime-local":
		return x.Format("2006-01-02T15:04:05.999999999")
	case "date-local":
		return x.Format(time.DateOnly)
	case "time-local":
		return x.Format("15:04:05.999999999")
	}
	return x.Format(time.RFC3339Nano)
}

// measureTOML tells how deep brackets are nested, or how many dots a key has,
// whichever is more, and about how much memory reading the text takes. Behind the
// first error of a text both may be wrong, which no longer matters: the parser
// stops there.
func measureTOML(text string) (most int, weight int64) {
	depth, dots, start := 0, 0, 0
	weight = int64(len(text)) * tomlWeight
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '#':
			i += lineLength(text[i:]) - 1
		case '"', '\'':
			i += quotedLength(text[i:]) - 1
		case '[', '{':
			depth++
			dots, start = 0, i
		case ']', '}':
			depth = max(depth-1, 0)
		case '.':
			dots++
			weight += tomlPartWeight + 2*int64(i-start) // the prefix is kept, too
		case '\n', '=', ',':
			dots, start = 0, i
		}
		most = max(most, depth, dots)
	}
	return most, weight
}

func lineLength(text string) int {
	if i := strings.IndexByte(text, '\n'); i > 0 {
		return i
	}
	return len(text)
}

// quotedLength is the length of the string that text begins with, of whichever
// kind, up to the end of text if it has none.
func quotedLength(text string) int {
	quote := text[:1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(text, long) {
		quote = long
	}
	for i := len(quote); i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote[0] == '"':
			i++
		case strings.HasPrefix(text[i:], quote):
			i += len(quote)
			for n := 0; len(quote) == 3 && n < 2 && i < len(text) && text[i] == quote[0]; n++ {
				i++ // a quote or two may stand before the closing three
			}
			return i
		}
	}
	return len(text)
}

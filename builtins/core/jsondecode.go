package core

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// maxJSONDepth bounds how deep JSON may be nested.
const maxJSONDepth = 1000

// jsonDecode reads JSON straight into values: integers keep all their digits,
// the keys of objects become keywords, arrays lists.
func jsonDecode(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	text := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := reserve(t, int64(len(text)), 8); err != nil {
		return value.Nil, err
	}
	d := &jsonDecoder{t: t, text: text, keys: map[string]Value{}}
	v := d.value()
	if d.skip(); d.err == nil && d.pos < len(d.text) {
		d.expected("the end of the text")
	}
	if d.err != nil {
		return value.Nil, d.err
	}
	return v, nil
}

type jsonDecoder struct {
	t     *eval.Thread
	text  string
	pos   int
	depth int
	err   error
	keys  map[string]Value // keywords by name, most of which come again
}

// expected fails at the current place.
func (d *jsonDecoder) expected(what string) Value {
	if d.err != nil {
		return value.Nil
	}
	got := "the end of the text"
	if d.pos < len(d.text) {
		r, _ := utf8.DecodeRuneInString(d.text[d.pos:])
		got = strconv.QuoteRune(r)
	}
	return d.fail("expected %s, got %s", what, got)
}

func (d *jsonDecoder) fail(format string, args ...any) Value {
	if d.err == nil {
		before := d.text[:d.pos]
		line := strings.Count(before, "\n") + 1
		col := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
		d.err = eval.Errorf(eval.KindEval, "line %d, column %d of the JSON: %s", line, col, fmt.Sprintf(format, args...))
	}
	return value.Nil
}

// skip passes blanks.
func (d *jsonDecoder) skip() {
	for d.pos < len(d.text) {
		switch d.text[d.pos] {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return
		}
	}
}

// take passes the byte c, if it comes next.
func (d *jsonDecoder) take(c byte) bool {
	d.skip()
	if d.err == nil && d.pos < len(d.text) && d.text[d.pos] == c {
		d.pos++
		return true
	}
	return false
}

func (d *jsonDecoder) value() Value {
	d.skip()
	if err := d.t.Tick(1); err != nil && d.err == nil {
		d.err = err
	}
	if d.err != nil || d.pos >= len(d.text) {
		return d.expected("a value")
	}
	switch c := d.text[d.pos]; {
	case c == '{':
		return d.nested((*jsonDecoder).object)
	case c == '[':
		return d.nested((*jsonDecoder).array)
	case c == '"':
		return value.String(d.string())
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	}
	for word, v := range map[string]Value{"null": value.Nil, "true": value.True, "false": value.False} {
		if strings.HasPrefix(d.text[d.pos:], word) {
			d.pos += len(word)
			return v
		}
	}
	return d.expected("a value")
}

func (d *jsonDecoder) nested(read func(*jsonDecoder) Value) Value {
	if d.depth++; d.depth > maxJSONDepth {
		return d.fail("nested more than %d deep", maxJSONDepth)
	}
	d.pos++
	v := read(d)
	d.depth--
	return v
}

func (d *jsonDecoder) array() Value {
	var elems []Value
	for first := true; !d.take(']'); first = false {
		if !first && !d.take(',') {
			return d.expected("] or ,")
		}
		elems = append(elems, d.value())
		if d.err != nil {
			return value.Nil
		}
	}
	return d.t.Heap().List(elems)
}

func (d *jsonDecoder) object() Value {
	b := value.NewMapBuilder(value.KindMap, 0)
	for first := true; !d.take('}'); first = false {
		if !first && !d.take(',') {
			return d.expected("} or ,")
		}
		d.skip()
		if d.pos >= len(d.text) || d.text[d.pos] != '"' {
			return d.expected("a key in quotes")
		}
		key := d.key()
		if !d.take(':') {
			return d.expected("a colon")
		}
		v := d.value()
		if d.err != nil {
			return value.Nil
		}
		b.Set(key, v)
	}
	return b.Map()
}

func (d *jsonDecoder) key() Value {
	name := d.string()
	k, known := d.keys[name]
	if !known {
		k = value.Keyword(name)
		if len(d.keys) < 1000 {
			d.keys[name] = k
		}
	}
	return k
}

// string reads a string, whose quote comes next.
func (d *jsonDecoder) string() string {
	d.pos++
	start := d.pos
	rest := d.text[start:]
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '"':
			d.pos = start + i + 1
			return strings.ToValidUTF8(rest[:i], "\ufffd")
		case c == '\\':
			return d.escaped(start)
		case c < ' ':
			d.pos = start + i
			d.fail("a control character in a string: write it as an escape")
			return ""
		}
	}
	d.pos = len(d.text)
	d.expected("the end of the string, which begins at byte " + strconv.Itoa(start-1))
	return ""
}

// escaped reads a string with escapes, from start.
func (d *jsonDecoder) escaped(start int) string {
	var b strings.Builder
	d.pos = start
	for d.err == nil && d.pos < len(d.text) {
		c := d.text[d.pos]
		switch {
		case c == '"':
			d.pos++
			return strings.ToValidUTF8(b.String(), "\ufffd")
		case c == '\\':
			d.escape(&b)
		case c < ' ':
			d.fail("a control character in a string: write it as an escape")
		default:
			b.WriteByte(c)
			d.pos++
		}
	}
	d.expected("the end of the string, which begins at byte " + strconv.Itoa(start-1))
	return ""
}

const (
	escapes = `"\/bfnrt`
	escaped = "\"\\/\b\f\n\r\t"
)

func (d *jsonDecoder) escape(b *strings.Builder) {
	d.pos++
	if d.pos >= len(d.text) {
		d.expected("the rest of an escape")
		return
	}
	c := d.text[d.pos]
	if i := strings.IndexByte(escapes, c); i >= 0 {
		b.WriteByte(escaped[i])
		d.pos++
		return
	}
	if c != 'u' {
		d.expected("an escape: one of \" \\ / b f n r t u")
		return
	}
	d.pos++
	r := d.hex()
	if utf16.IsSurrogate(r) && strings.HasPrefix(d.text[d.pos:], `\u`) {
		d.pos += 2
		r = utf16.DecodeRune(r, d.hex())
	}
	b.WriteRune(r) // half a pair becomes the replacement character
}

// hex reads four hexadecimal digits.
func (d *jsonDecoder) hex() rune {
	if d.pos+4 > len(d.text) {
		d.pos = len(d.text)
		d.expected("four hexadecimal digits")
		return 0
	}
	n, err := strconv.ParseUint(d.text[d.pos:d.pos+4], 16, 16)
	if err != nil {
		d.expected("four hexadecimal digits")
		return 0
	}
	d.pos += 4
	return rune(n)
}

// number reads a number, by the grammar of JSON.
func (d *jsonDecoder) number() Value {
	start := d.pos
	whole := true
	d.byte('-')
	if !d.byte('0') && !d.digits() {
		return d.expected("a digit")
	}
	if d.byte('.') {
		whole = false
		if !d.digits() {
			return d.expected("a digit after the point")
		}
	}
	if d.byte('e') || d.byte('E') {
		whole = false
		if !d.byte('+') {
			d.byte('-')
		}
		if !d.digits() {
			return d.expected("a digit of the exponent")
		}
	}
	text := d.text[start:d.pos]
	if whole {
		return d.integer(text)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && math.IsInf(f, 0) {
		d.pos = start
		return d.fail("the number %s does not fit a float", shortened(text))
	}
	return value.Float(f)
}

// maxDigits bounds integers: reading long ones takes more than linear time.
const maxDigits = 1_000_000

func (d *jsonDecoder) integer(text string) Value {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value.Int(i)
	}
	if len(text) > maxDigits {
		return d.fail("an integer of more than %d digits", maxDigits)
	}
	i, _ := new(big.Int).SetString(text, 10)
	return value.Big(i)
}

func shortened(s string) string {
	if len(s) > 40 {
		return s[:37] + "..."
	}
	return s
}

func (d *jsonDecoder) byte(c byte) bool {
	if d.pos < len(d.text) && d.text[d.pos] == c {
		d.pos++
		return true
	}
	return false
}

func (d *jsonDecoder) digits() bool {
	start := d.pos
	for d.pos < len(d.text) && d.text[d.pos]-'0' <= 9 {
		d.pos++
	}
	return d.pos > start
}

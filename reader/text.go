package reader

import (
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval/value"
)

// str reads "...". Strings are copied, so that a short one does not keep the
// whole text alive.
func (r *reader) str(start value.Pos) (value.Value, error) {
	r.off++
	if err := r.push(start, "string", `"`); err != nil {
		return value.Nil, err
	}
	if n := strings.IndexAny(r.rest(), `"\`); n >= 0 && r.peek(n) == '"' {
		s := strings.Clone(r.rest()[:n])
		r.off += n + 1
		r.pop()
		return value.String(s), nil
	}
	buf, err := r.literal(nil, false)
	if err != nil {
		return value.Nil, err
	}
	r.off++
	r.pop()
	return value.String(string(buf)), nil
}

// literal appends to buf what stands before the next " and, if holes is set, the
// next ${, and leaves the cursor there.
func (r *reader) literal(buf []byte, holes bool) ([]byte, error) {
	for {
		n := strings.IndexAny(r.rest(), `"\$`)
		if n < 0 {
			return nil, r.unclosed()
		}
		buf = append(buf, r.rest()[:n]...)
		r.off += n
		switch c := r.text[r.off]; {
		case c == '\\':
			var err error
			if buf, err = r.escape(buf); err != nil {
				return nil, err
			}
		case c == '"' || holes && r.peek(1) == '{':
			return buf, nil
		default:
			buf = append(buf, c)
			r.off++
		}
	}
}

// escape appends what the escape at the cursor stands for. Like the language's
// definition it keeps a backslash that has no meaning, so "\d+" is \d+.
func (r *reader) escape(buf []byte) ([]byte, error) {
	if len(r.rest()) < 2 {
		return nil, r.unclosed()
	}
	c := r.text[r.off+1]
	switch c {
	case 'x':
		return r.hexEscape(buf)
	case 'u':
		return r.fixedEscape(buf, 4)
	case 'U':
		return r.fixedEscape(buf, 8)
	}
	if plain, ok := escaped(c); ok {
		r.off += 2
		return append(buf, plain), nil
	}
	r.off++
	return append(buf, '\\'), nil
}

func escaped(c byte) (byte, bool) {
	switch c {
	case 'n':
		return '\n', true
	case 't':
		return '\t', true
	case 'r':
		return '\r', true
	case '0':
		return 0, true
	case '\\', '"', '$':
		return c, true
	}
	return 0, false
}

// hexEscape reads \x41; of any number of digits.
func (r *reader) hexEscape(buf []byte) ([]byte, error) {
	n := hexLen(r.text[r.off+2:])
	end := r.off + 2 + n
	if n == 0 || end == len(r.text) || r.text[end] != ';' {
		e := r.failAt(r.off, end, `expected hexadecimal digits and ; after \x`)
		e.Hint = `the letter A is \x41; and a backslash is \\`
		return nil, e
	}
	return r.code(buf, r.text[r.off+2:end], end+1)
}

// fixedEscape reads \u and \U with so many digits.
func (r *reader) fixedEscape(buf []byte, digits int) ([]byte, error) {
	n := min(hexLen(r.text[r.off+2:]), digits)
	end := r.off + 2 + n
	if n < digits {
		e := r.failAt(r.off, end, `expected %d hexadecimal digits after \%c, got %d`, digits, r.text[r.off+1], n)
		e.Hint = `\x41; takes any number of digits, and a backslash is \\`
		return nil, e
	}
	return r.code(buf, r.text[r.off+2:end], end)
}

// code appends the character of that code and moves to end.
func (r *reader) code(buf []byte, digits string, end int) ([]byte, error) {
	c, ok := codePoint(digits)
	if !ok {
		e := r.failAt(r.off, end, "%s is not the code of a character", summary(r.text[r.off:end]))
		e.Hint = `codes go up to 10ffff without d800 to dfff; 😀 is \x1f600; or \U0001f600`
		return nil, e
	}
	r.off = end
	return utf8.AppendRune(buf, c), nil
}

func hexLen(s string) int {
	i := 0
	for i < len(s) && (isDigit(s[i]) || 'a' <= s[i]|0x20 && s[i]|0x20 <= 'f') {
		i++
	}
	return i
}

// regex reads #"...", in which only \" is an escape: a backslash stays one.
func (r *reader) regex(start value.Pos) (value.Value, error) {
	r.off += 2
	if err := r.push(start, "regex", `"`); err != nil {
		return value.Nil, err
	}
	var buf []byte
	for {
		n := strings.IndexAny(r.rest(), `"\`)
		if n < 0 {
			return value.Nil, r.unclosed()
		}
		buf = append(buf, r.rest()[:n]...)
		r.off += n
		if r.text[r.off] == '"' {
			r.off++
			r.pop()
			return value.String(string(buf)), nil
		}
		buf = r.backslash(buf)
	}
}

// backslash appends a backslash of a regex and what it protects.
func (r *reader) backslash(buf []byte) []byte {
	switch r.peek(1) {
	case '"':
		r.off += 2
		return append(buf, '"')
	case '\\':
		r.off += 2
		return append(buf, `\\`...)
	}
	r.off++
	return append(buf, '\\')
}

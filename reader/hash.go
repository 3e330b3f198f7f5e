package reader

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval/value"
)

// hash reads what starts with #; comments are skipped elsewhere.
func (r *reader) hash(start value.Pos) (value.Value, error) {
	switch c := r.peek(1); c {
	case '(':
		return r.shortLambda(start)
	case '"':
		return r.regex(start)
	case '\\':
		return r.char(start)
	case 't', 'f':
		return r.boolean(start)
	case 'u':
		if strings.HasPrefix(r.rest(), "#u8(") {
			return r.bytes(start)
		}
	case 'x', 'X', 'o', 'O', 'b', 'B', 'd', 'D', 'e', 'E', 'i', 'I':
		return r.prefixedNumber(start)
	}
	return value.Nil, r.unknownHash()
}

// unknownHash is the error of a # that starts nothing.
func (r *reader) unknownHash() *Error {
	after := r.text[r.off+1:]
	n := symbolLen(after)
	if n == 0 && after != "" {
		_, n = utf8.DecodeRuneInString(after)
	}
	if strings.TrimSpace(after[:n]) == "" {
		n = 0
	}
	e := r.failAt(r.off, r.off+1+n, "unknown syntax #%s", summary(after[:n]))
	switch {
	case strings.HasPrefix(after, "<"):
		e.Hint = "what prints as #<...> cannot be read back"
	case strings.HasPrefix(after, "!"):
		e.Hint = "a #! line may only be the first line of a text"
	case strings.HasPrefix(after, "u8"):
		e.Hint = "a bytevector is written #u8(1 2 3)"
	case strings.HasPrefix(after, "{"), strings.HasPrefix(after, "["):
		e.Hint = "vectors are written [1 2], maps {:a 1}"
	}
	return e
}

// boolean reads #t and #f, also spelt out.
func (r *reader) boolean(start value.Pos) (value.Value, error) {
	word := r.text[r.off+1 : min(r.off+1+len("false?"), len(r.text))]
	word, _, _ = strings.Cut(word[:symbolLen(word)], "#") // which ends a boolean like a bracket does
	switch word {
	case "t", "true":
		r.off += 1 + len(word)
		return value.True, nil
	case "f", "false":
		r.off += 1 + len(word)
		return value.False, nil
	}
	e := r.failAt(r.off, r.off+1+len(word), "unknown syntax #%s", word)
	e.Hint = "booleans are #t and #f"
	return value.Nil, e
}

// char reads #\a, #\space and #\x41. Only a letter starts a name, so that #\1
// and #\( are complete.
func (r *reader) char(start value.Pos) (value.Value, error) {
	text := r.text[r.off+2:]
	if text == "" {
		e := r.failAt(r.off, r.off+2, `expected a character after #\, got %s`, endOfText)
		e.Incomplete = true // a line break would be one
		return value.Nil, e
	}
	c, size := utf8.DecodeRuneInString(text)
	if !isAlphabetic(c) {
		r.off += 2 + size
		return value.Char(c), nil
	}
	name := text[:symbolLen(text)]
	if len(name) > size {
		var ok bool
		if c, ok = charNamed(name); !ok {
			return value.Nil, r.unknownChar(name)
		}
	}
	r.off += 2 + len(name)
	return value.Char(c), nil
}

func charNamed(name string) (rune, bool) {
	if c, ok := value.CharByName(name); ok {
		return c, true
	}
	if name[0] != 'x' {
		return 0, false
	}
	return codePoint(name[1:])
}

// codePoint is the character whose code is written in hexadecimal digits.
func codePoint(digits string) (rune, bool) {
	n, err := strconv.ParseUint(digits, 16, 32)
	c := rune(n)
	return c, err == nil && n <= utf8.MaxRune && utf8.ValidRune(c)
}

func (r *reader) unknownChar(name string) *Error {
	e := r.failAt(r.off, r.off+2+len(name), `unknown character #\%s`, summary(name))
	e.Hint = `one letter follows #\, or a name: space newline tab return nul delete escape backspace alarm, or a code: #\x41`
	return e
}

package reader

import (
	"unicode"
	"unicode/utf8"

	"github.com/gosema/gosema/eval/value"
)

// symbolMarks are the characters of symbols beside letters and digits.
const symbolMarks = "+-*/!?<>=_&%^~."

// symbolBytes has true for the ASCII characters that symbols may start with or
// go on with, digits included. It is never written to.
var symbolBytes = func() (set [utf8.RuneSelf]bool) {
	for c := range set {
		set[c] = isAlnum(byte(c))
	}
	for i := range len(symbolMarks) {
		set[symbolMarks[i]] = true
	}
	return set
}()

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }

// startsSymbol is for ASCII; see isAlphabetic for the rest.
func startsSymbol(c byte) bool { return c < utf8.RuneSelf && symbolBytes[c] && !isDigit(c) }

// isAlphabetic is Unicode's property of that name, which takes in the vowel
// signs that many scripts cannot do without.
func isAlphabetic(c rune) bool {
	return unicode.IsLetter(c) || c >= utf8.RuneSelf && (unicode.Is(unicode.Nl, c) || unicode.Is(unicode.Other_Alphabetic, c))
}

// symbolLen is the length of the symbol that s starts with, digits in front
// allowed; # is a part of symbols but not their start.
func symbolLen(s string) int {
	i := 0
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			if !symbolBytes[c] && (c != '#' || i == 0) {
				break
			}
			i++
			continue
		}
		letter, size := utf8.DecodeRuneInString(s[i:])
		if !isAlphabetic(letter) {
			break
		}
		i += size
	}
	return i
}

// symbol reads the symbol at the cursor, which must be one.
func (r *reader) symbol(start value.Pos) (value.Value, error) {
	text := r.rest()[:symbolLen(r.rest())]
	r.off += len(text)
	if r.holes != nil && text[0] == '%' {
		name, ok := r.holes.name(text)
		if !ok {
			return value.Nil, r.fail(r.from(start), "a short lambda takes at most %d parameters, got %s", maxHoles, summary(text))
		}
		text = name
	}
	return r.named(text), nil
}

// named is the value of a symbol's text. Looking it up here is cheaper than
// interning every occurrence.
func (r *reader) named(text string) value.Value {
	v, ok := r.names[text]
	if !ok {
		v = constant(text)
		r.names[text] = v
	}
	return v
}

func constant(text string) value.Value {
	switch text {
	case "true":
		return value.True
	case "false":
		return value.False
	case "nil":
		return value.Nil
	}
	return value.Symbol(text)
}

func (r *reader) keyword(start value.Pos) (value.Value, error) {
	n := symbolLen(r.text[r.off+1:])
	if n == 0 {
		e := r.failAt(r.off, r.off+1, "expected a name after :")
		e.Hint = "a keyword is written :name"
		return value.Nil, e
	}
	text := r.rest()[:n+1]
	r.off += len(text)
	v, ok := r.names[text] // no symbol starts with a colon
	if !ok {
		v = value.Keyword(text[1:])
		r.names[text] = v
	}
	return v, nil
}

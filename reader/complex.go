package reader

import (
	"strings"

	"github.com/gosema/gosema/eval/value"
)

// realLen is the length of the real number that s starts with, sign included,
// 0 if there is none.
func realLen(s string) int {
	sign := signLen(s)
	n, _ := scanNumeral(s[sign:])
	if n == 0 {
		return 0
	}
	return sign + n
}

// imaginaryLen is the length of the imaginary part that s starts with, 0 if
// there is none: +4i, -i. Only a delimiter after the i makes it one.
func imaginaryLen(s string) int {
	n := max(realLen(s), signLen(s))
	if n == 0 || n >= len(s) || s[n] != 'i' {
		return 0
	}
	if n+1 < len(s) && !strings.ContainsRune(" \t\r\n()[]{}\"';`,#", rune(s[n+1])) {
		return 0
	}
	return n + 1
}

// complexLen is the length of the complex number that s starts with, 0 if it
// does not: 3+4i, 1/2-i, 2i, -i.
func complexLen(s string) int {
	if n := imaginaryLen(s); n > 0 {
		return n
	}
	re := realLen(s)
	if re == 0 || signLen(s[re:]) == 0 {
		return 0
	}
	if im := imaginaryLen(s[re:]); im > 0 {
		return re + im
	}
	return 0
}

// complex reads a complex number of n bytes.
func (r *reader) complex(start value.Pos, n int) (value.Value, error) {
	text := r.rest()[:n]
	r.off += n
	re := 0 // the length of the real part
	if imaginaryLen(text) == 0 {
		re = realLen(text)
	}
	x := value.Int(0)
	if re > 0 {
		var err error
		if x, err = r.part(start, text[:re]); err != nil {
			return value.Nil, err
		}
	}
	y, err := r.part(start, text[re:n-1])
	if err != nil {
		return value.Nil, err
	}
	return value.Complex(x, y), nil
}

// part reads one part of a complex number; a sign alone stands for one.
func (r *reader) part(start value.Pos, text string) (value.Value, error) {
	sign := signLen(text)
	if sign == len(text) {
		text += "1"
	}
	_, kind := scanNumeral(text[sign:])
	return r.real(start, text, kind)
}

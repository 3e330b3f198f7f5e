package reader

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/gosema/gosema/eval/value"
)

// maxDigits bounds the length of a number: reading more would take long, and
// nobody writes them.
const maxDigits = 1_000_000

// numeral says how a decimal number is written.
type numeral int

const (
	whole   numeral = iota // 12
	ratio                  // 1/3
	decimal                // 1.5 1e3
)

// scanNumeral finds the unsigned number that s starts with; n is 0 if none.
func scanNumeral(s string) (n int, kind numeral) {
	n = digitsLen(s)
	if n == 0 {
		return 0, whole
	}
	if n < len(s) && s[n] == '/' {
		if d := digitsLen(s[n+1:]); d > 0 {
			return n + 1 + d, ratio
		}
	}
	if n < len(s) && s[n] == '.' {
		if d := digitsLen(s[n+1:]); d > 0 {
			n, kind = n+1+d, decimal
		}
	}
	if e := exponentLen(s[n:]); e > 0 {
		n, kind = n+e, decimal
	}
	return n, kind
}

func digitsLen(s string) int {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func exponentLen(s string) int {
	if s == "" || s[0]|0x20 != 'e' {
		return 0
	}
	sign := signLen(s[1:])
	if d := digitsLen(s[1+sign:]); d > 0 {
		return 1 + sign + d
	}
	return 0
}

func signLen(s string) int {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return 1
	}
	return 0
}

// number reads a decimal number. After a prefix there may be none: an error.
func (r *reader) number(start value.Pos, prefix string) (value.Value, error) {
	sign := signLen(r.rest())
	n, kind := scanNumeral(r.rest()[sign:])
	n += sign
	if c := r.peek(n); c == 'i' || c == '+' || c == '-' {
		if n := complexLen(r.rest()); n > 0 {
			return r.complex(start, n)
		}
	}
	if n == sign {
		return value.Nil, r.fail(r.from(start), "expected a number after %s", prefix)
	}
	text := r.rest()[:n]
	r.off += n
	if r.peek(0) == '.' {
		return value.Nil, r.pointAfter(start, text)
	}
	return r.real(start, text, kind)
}

// real is the number that a text of known kind spells.
func (r *reader) real(start value.Pos, text string, kind numeral) (value.Value, error) {
	switch {
	case len(text) > maxDigits:
		return value.Nil, r.tooLong(start, len(text))
	case kind == ratio:
		return r.ratio(start, text)
	case kind == decimal:
		return parseFloat(text), nil
	}
	return wholeNumber(text, 10), nil
}

// parseFloat is inf or 0 for what lies beyond the range of floats.
func parseFloat(text string) value.Value {
	f, _ := strconv.ParseFloat(text, 64)
	return value.Float(f)
}

func (r *reader) tooLong(start value.Pos, n int) *Error {
	return r.fail(r.from(start), "a number of %d digits is too long: at most %d are read", n, maxDigits)
}

// pointAfter is the error of a point right after a number.
func (r *reader) pointAfter(start value.Pos, text string) *Error {
	r.off += 1 + symbolLen(r.text[r.off+1:])
	e := r.fail(r.from(start), "expected digits on both sides of the point of a number")
	if len(text) < 20 && !strings.ContainsAny(text, "./eE") {
		e.Hint = "write " + text + ".0"
	}
	return e
}

func (r *reader) ratio(start value.Pos, text string) (value.Value, error) {
	num, denom, _ := strings.Cut(text, "/")
	x, _ := wholeNumber(num, 10).AsBig()
	y, _ := wholeNumber(denom, 10).AsBig()
	if y.Sign() == 0 {
		return value.Nil, r.fail(r.from(start), "the denominator of %s is zero", summary(text))
	}
	return value.Rational(new(big.Rat).SetFrac(x, y)), nil
}

// wholeNumber reads an integer whose digits are known to be valid.
func wholeNumber(text string, base int) value.Value {
	if len(text) <= 18 {
		i, err := strconv.ParseInt(text, base, 64)
		if err == nil {
			return value.Int(i)
		}
	}
	digits, negative := strings.CutPrefix(text, "-")
	digits = strings.TrimPrefix(digits, "+")
	i := bigNumber(digits, base)
	if negative {
		i.Neg(i)
	}
	return value.Big(i)
}

// bigNumber splits long numbers in halves, since math/big's own conversion from
// decimal takes time quadratic in their length.
func bigNumber(digits string, base int) *big.Int {
	const short = 5000
	if len(digits) <= short || base != 10 {
		i, _ := new(big.Int).SetString(digits, base)
		return i
	}
	low := short
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(low)), nil)
	for low*2 < len(digits) {
		low *= 2
		scale.Mul(scale, scale)
	}
	high := bigNumber(digits[:len(digits)-low], base)
	high.Mul(high, scale)
	return high.Add(high, bigNumber(digits[len(digits)-low:], base))
}

package reader

import "github.com/gosema/gosema/eval/value"

// numberPrefix is what stands before a number: #x, #e or both, in either order.
type numberPrefix struct {
	base  int  // 0 if not given
	exact byte // 'e', 'i', or 0
	text  string
}

// prefixedNumber reads a number with a radix or an exactness.
func (r *reader) prefixedNumber(start value.Pos) (value.Value, error) {
	p, err := r.numberPrefix(start)
	if err != nil {
		return value.Nil, err
	}
	var v value.Value
	if p.base == 0 || p.base == 10 {
		v, err = r.prefixedDecimal(start, p.text)
	} else {
		v, err = r.radix(start, p)
	}
	if err != nil {
		return value.Nil, err
	}
	return r.exactness(start, v, p.exact)
}

func (r *reader) numberPrefix(start value.Pos) (p numberPrefix, err error) {
	from := r.off
	for r.peek(0) == '#' {
		c := r.peek(1) | 0x20
		base := radixOf(c)
		switch {
		case base == 0 && c != 'e' && c != 'i':
			return p, nil // reported as a missing number
		case base > 0 && p.base > 0:
			return p, r.failAt(from, r.off+2, "a number takes one radix prefix, got a second: #%c", c)
		case base == 0 && p.exact > 0:
			return p, r.failAt(from, r.off+2, "a number takes one exactness prefix, got a second: #%c", c)
		case base > 0:
			p.base = base
		default:
			p.exact = c
		}
		r.off += 2
		p.text = r.text[from:r.off]
	}
	return p, nil
}

func radixOf(c byte) int {
	switch c {
	case 'x':
		return 16
	case 'o':
		return 8
	case 'b':
		return 2
	case 'd':
		return 10
	}
	return 0
}

// prefixedDecimal takes .5 for 0.5, which without a prefix is a symbol.
func (r *reader) prefixedDecimal(start value.Pos, prefix string) (value.Value, error) {
	sign := signLen(r.rest())
	if r.peek(sign) != '.' || !isDigit(r.peek(sign+1)) {
		return r.number(start, prefix)
	}
	n := sign + 1
	n += digitsLen(r.rest()[n:])
	n += exponentLen(r.rest()[n:])
	text := r.rest()[:n]
	r.off += n
	if n > maxDigits {
		return value.Nil, r.tooLong(start, n)
	}
	return parseFloat(text), nil
}

// radix reads an integer with base 16, 8 or 2.
func (r *reader) radix(start value.Pos, p numberPrefix) (value.Value, error) {
	n := signLen(r.rest())
	sign := n
	bad := byte(0)
	for ; isAlnum(r.peek(n)); n++ {
		if bad == 0 && digitValue(r.peek(n)) >= p.base {
			bad = r.peek(n)
		}
	}
	text := r.rest()[:n]
	r.off += n
	name := map[int]string{16: "hexadecimal", 8: "octal", 2: "binary"}[p.base] + " digits"
	switch {
	case n == sign:
		return value.Nil, r.fail(r.from(start), "expected %s after %s", name, p.text)
	case bad != 0:
		return value.Nil, r.fail(r.from(start), "expected %s after %s, got %c in %s", name, p.text, bad, summary(text))
	case n > maxDigits*4/5: // so that its decimal digits are not too many either
		return value.Nil, r.fail(r.from(start), "a number of %d digits is too long: at most %d %s are read", n, maxDigits*4/5, name)
	}
	return wholeNumber(text, p.base), nil
}

func digitValue(c byte) int {
	if isDigit(c) {
		return int(c - '0')
	}
	return int(c|0x20-'a') + 10
}

// exactness applies #e or #i.
func (r *reader) exactness(start value.Pos, v value.Value, exact byte) (value.Value, error) {
	switch exact {
	case 'i':
		v, _ = v.Inexact()
	case 'e':
		n, ok := v.AsExact()
		if !ok {
			return value.Nil, r.fail(r.from(start), "expected a number in the range of floats after #e, got one beyond it")
		}
		v = n
	}
	return v, nil
}

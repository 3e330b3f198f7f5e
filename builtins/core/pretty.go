package core

import (
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval/value"
)

const (
	pageWidth = 80
	maxIndent = 200 // what is nested deeper is not laid out: indenting it would be quadratic
)

// pretty lays a value out in lines of 80 columns, as far as it has parts to
// break at:
//
//	(first          {:key value
//	 second          :long-key
//	 third)            (value)}
func pretty(v Value) string {
	var b strings.Builder
	layOut(&b, v, 0, 0)
	return b.String()
}

// layOut writes v at a column, with so many closing brackets to follow it.
func layOut(b *strings.Builder, v Value, column, closing int) {
	if column > maxIndent || fits(v, pageWidth-column-closing) >= 0 {
		b.WriteString(value.Write(v))
		return
	}
	switch {
	case v.IsMap():
		layOutMap(b, v, column, closing)
	case v.IsVector():
		layOutSeq(b, "[", v, "]", column, closing)
	case v.IsList():
		layOutSeq(b, "(", v, ")", column, closing)
	default:
		b.WriteString(value.Write(v))
	}
}

func layOutSeq(b *strings.Builder, open string, v Value, end string, column, closing int) {
	i, last := 0, v.Len()-1
	for x := range v.Elems() {
		if i == 0 {
			b.WriteString(open)
		} else {
			newLine(b, column+1)
		}
		layOut(b, x, column+1, (closing+1)*boolInt(i == last))
		i++
	}
	b.WriteString(end)
}

func layOutMap(b *strings.Builder, v Value, column, closing int) {
	i, last := 0, v.Len()-1
	for k, x := range v.Entries() {
		if i == 0 {
			b.WriteByte('{')
		} else {
			newLine(b, column+1)
		}
		key := value.Write(k)
		b.WriteString(key)
		after := (closing + 1) * boolInt(i == last)
		at := column + 2 + utf8.RuneCountInString(key)
		if !x.IsSeq() && !x.IsMap() || fits(x, pageWidth-at-after) >= 0 {
			b.WriteByte(' ')
			b.WriteString(value.Write(x))
		} else {
			newLine(b, column+3)
			layOut(b, x, column+3, after)
		}
		i++
	}
	b.WriteByte('}')
}

func newLine(b *strings.Builder, column int) {
	b.WriteByte('\n')
	b.WriteString(strings.Repeat(" ", column))
}

// fits returns what is left of so many columns behind v on one line, and a
// negative number as soon as there is not enough. It looks at no more of v
// than it needs to.
func fits(v Value, columns int) int {
	n := v.Len()
	switch {
	case columns < 0:
		return -1
	case !v.IsSeq() && !v.IsMap():
		return columns - utf8.RuneCountInString(value.Write(v))
	case n > columns:
		return -1
	}
	columns -= max(2, n+1) // brackets and spaces
	if v.IsMap() {
		for k, x := range v.Entries() {
			if columns = fits(x, fits(k, columns-1)); columns < 0 {
				return -1
			}
		}
		return columns
	}
	for x := range v.Elems() {
		if columns = fits(x, columns); columns < 0 {
			return -1
		}
	}
	return columns
}

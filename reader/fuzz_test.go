package reader

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

// sample uses all of the syntax, one construct a line or more.
const sample = `;; All of the syntax.
(define (area r) (* 3.14159 r r)) ; a comment
(let ((xs '(1 -2 3/4 1e3 #xFF)) [a & more] xs)
  {:sum (foldl + 0 xs) "k" #\space :nested {:a [1 2 {}]}})
(map #(+ % (* %2 2)) xs ys) #(str f"${%}!") ,@x ` + "`(a ,b ,@c x#)" + `
f"total: ${(+ 1 2)} of ${f"${n}"} \${x} \x41;"
"multi
line \"string\" \u0041\U0001F600\d" #"\d+\"x" #u8(0 1 255)
#| block #| nested |# |# #;(left out) (a . b) (a b . c)
nil true false #t #f #\a #\( #\x41 λ :kw/x @p -0.0 1/2/3 12abc #e1.5 #i1/3
99999999999999999999999999 :a:b a"b"`

func FuzzRead(f *testing.F) {
	for _, line := range strings.Split(sample, "\n") {
		f.Add(line)
	}
	for _, s := range []string{sample, "", "\ufeff#!x\n1", "(", ")", "(a ]", "'", "\"", "f\"${", "#|", "#;", "#\\", "(a .", "{1}", "3+4i", "-i", "1/2-0.0i", "1e400-1e400i", "#e1.5+.5i", "1/0", "5.", "\xff", "a\x00", "#(%9999", "\"\\x", "1e400"} {
		f.Add(s)
	}
	f.Fuzz(checkText)
}

// checkText tests what must hold of every text.
func checkText(t *testing.T, text string) {
	u, err := ReadAll(source(text))
	if err != nil {
		var e *Error
		require.True(t, errors.As(err, &e))
		require.Nil(t, u)
		require.NotEmpty(t, e.Message)
		require.LessOrEqual(t, offset(text, e.Span.Start), offset(text, e.Span.End))
		if e.Incomplete && e.Opened.Start.IsValid() {
			require.LessOrEqual(t, offset(text, e.Opened.End), offset(text, e.Span.Start))
		}
		return
	}
	last := 0
	for _, form := range u.Forms {
		from, to := offset(text, form.Span.Start), offset(text, form.Span.End)
		require.LessOrEqual(t, last, from)
		require.Less(t, from, to)
		last = to
		checkPlaces(t, u.Places, form.Value, form.Span)
		reread(t, form.Value, text[from:to])
		if printed := value.Write(form.Value); readable(form.Value) {
			reread(t, form.Value, printed)
		}
	}
}

// reread tests that text is one form, which equals want.
func reread(t *testing.T, want value.Value, text string) {
	u, err := ReadAll(source(text))
	require.NoError(t, err, "%s", text)
	require.Len(t, u.Forms, 1, "%s", text)
	if readable(want) { // a NaN equals nothing
		require.True(t, value.Equal(want, u.Forms[0].Value), "%s was read as %s", text, value.Write(u.Forms[0].Value))
	}
}

// readable is false of what contains an inf, which has no literal.
func readable(v value.Value) bool {
	if z, ok := v.ToComplex(); ok && !v.IsExact() {
		return z-z == 0
	}
	if v.IsMap() {
		for k, x := range v.Entries() {
			if !readable(k) || !readable(x) {
				return false
			}
		}
	}
	if v.IsSeq() {
		for x := range v.Elems() {
			if !readable(x) {
				return false
			}
		}
	}
	return true
}

// checkPlaces tests that elements stand inside what they are elements of.
func checkPlaces(t *testing.T, places *value.Places, v value.Value, span value.Span) {
	if v.Identity() == nil {
		return
	}
	place := places.Of(v)
	require.NotNil(t, place, "%v", v)
	require.Equal(t, span, place.Span)
	elems := place.Order
	if v.IsSeq() {
		require.Nil(t, elems)
		elems = v.Slice()
	}
	require.Len(t, place.Elems, len(elems))
	for i, x := range elems {
		require.False(t, before(place.Elems[i].Start, span.Start) || before(span.End, place.Elems[i].End))
		checkPlaces(t, places, x, place.Elems[i])
	}
}

func before(a, b value.Pos) bool { return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col }

// offset is the byte that stands at a position, counted the plain way.
func offset(text string, at value.Pos) int {
	off := 0
	for range at.Line - 1 {
		off += strings.IndexByte(text[off:], '\n') + 1
	}
	for range at.Col - 1 {
		_, size := utf8.DecodeRuneInString(text[off:])
		off += size
	}
	return off
}

package reader

import (
	"slices"
	"strings"
	"testing"

	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

// marked takes the brackets ‹ and › out of a text and returns the span that
// they enclose.
func marked(t *testing.T, text string) (string, value.Span) {
	t.Helper()
	before, rest, ok := strings.Cut(text, "‹")
	require.True(t, ok, "no mark in %q", text)
	inner, after, ok := strings.Cut(rest, "›")
	require.True(t, ok, "no end mark in %q", text)
	start := advance(value.Pos{Line: 1, Col: 1}, before)
	return before + inner + after, value.Span{Start: start, End: advance(start, inner)}
}

// element follows a path from the forms of a unit to an element and its span.
func element(t *testing.T, u *Unit, path []int) (value.Value, value.Span) {
	t.Helper()
	v, span := u.Forms[path[0]].Value, u.Forms[path[0]].Span
	for _, i := range path[1:] {
		place := u.Places.Of(v)
		require.NotNil(t, place, "no place of %v", v)
		require.Equal(t, span, place.Span, "the place of %v and its span in the form around it", v)
		span = place.Elems[i]
		if place.Order != nil {
			v = place.Order[i]
		} else {
			v = v.Slice()[i]
		}
	}
	return v, span
}

func TestPlaces(t *testing.T) {
	cases := []struct {
		text string
		path []int
		want string
	}{
		{"‹a›", []int{0}, "a"},
		{"a\n  ‹(b c)› d", []int{1}, "(b c)"},
		{"(a ‹b›)", []int{0, 1}, "b"},
		{"(a\n  (b\r\n ; c (\n\t‹:d› e))", []int{0, 1, 1}, ":d"},
		{"(λ \"日本\" ‹x›)", []int{0, 2}, "x"},
		{"[1 ‹[2]›]", []int{0, 1}, "[2]"},
		{"{:b ‹(x)› :a 1}", []int{0, 1}, "(x)"},
		{"{:b (x) ‹:a› 1}", []int{0, 2}, ":a"},
		{"{:a 1 :a ‹(y)›}", []int{0, 3}, "(y)"},
		{"(a #;(b\n) #| \n |# ‹c›)", []int{0, 1}, "c"},
		{"‹'(a)›", []int{0}, "(quote (a))"},
		{"'‹(a)›", []int{0, 1}, "(a)"},
		{"‹'›(a)", []int{0, 0}, "quote"},
		{"`(a ‹,@›b)", []int{0, 1, 1, 0}, "unquote-splicing"},
		{"(a ‹.› b)", []int{0, 1}, "."},
		{"(a . ‹b›)", []int{0, 2}, "b"},
		{"‹f\"a ${x}\"›", []int{0}, `(str "a " x)`},
		{"f\"a ${‹x›} b\"", []int{0, 2}, "x"},
		{"f\"λ\\n\n${(g ‹y›)}\"", []int{0, 2, 1}, "y"},
		{"f\"‹a \\u0041›${x}\"", []int{0, 1}, `"a A"`},
		{"‹f›\"a\"", []int{0, 0}, "str"},
		{"f\"${f\"${\"}\" }${(a ‹b›)}\"}\"", []int{0, 1, 2, 1}, "b"},
		{"‹#(+ % 1)›", []int{0}, "(lambda (%1) (+ %1 1))"},
		{"#‹(+ % 1)›", []int{0, 2}, "(+ %1 1)"},
		{"‹#›(+ % 1)", []int{0, 1}, "(%1)"},
		{"‹#›(+ % 1)", []int{0, 1, 0}, "%1"},
		{"#(+ ‹%› 1)", []int{0, 2, 1}, "%1"},
		{"(‹#u8(1 2)›)", []int{0, 0}, "#u8(1 2)"},
		{"(‹#\\space› a)", []int{0, 0}, `#\space`},
		{"(‹-1.5e3› a)", []int{0, 0}, "-1500.0"},
		{"(‹#e#x-F›)", []int{0, 0}, "-15"},
		{"(\"a\nb\" ‹\"c\nd\"›)", []int{0, 1}, `"c\nd"`},
		{"#!/bin/x\n‹a›", []int{0}, "a"},
	}
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			text, want := marked(t, c.text)
			u, err := ReadAll(source(text))
			require.NoError(t, err)
			v, span := element(t, u, c.path)
			require.Equal(t, c.want, value.Write(v))
			require.Equal(t, want, span)
		})
	}
}

func TestEveryListHasAPlaceOfItsOwn(t *testing.T) {
	u, err := ReadAll(source("(a) (a) [] [] {} {} 'a 'a (a " + strings.Repeat("x ", 20000) + ")"))
	require.NoError(t, err)
	seen := map[value.Span]bool{}
	for _, f := range u.Forms {
		p := u.Places.Of(f.Value)
		require.NotNil(t, p)
		require.Equal(t, f.Span, p.Span)
		require.False(t, seen[p.Span])
		seen[p.Span] = true
	}
	last := u.Forms[len(u.Forms)-1]
	elems := u.Places.Of(last.Value).Elems
	require.Len(t, elems, 20001)
	require.True(t, slices.IsSortedFunc(elems, func(a, b value.Span) int { return int(a.Start.Col - b.Start.Col) }))
}

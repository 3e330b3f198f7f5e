package core

import (
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// charIndex knows where the characters of a text begin, so that a loop over the
// characters of a long text that is not ASCII does not count from its start for
// each of them.
type charIndex struct {
	text  string
	chars int
	marks []int32 // where every markEvery-th character begins
}

const (
	markEvery   = 64
	shortText   = 256      // bytes; counting is as fast
	longText    = 16 << 20 // not worth keeping alive
	shortPiece  = 1024     // characters that are copied
	keptIndexes = 4
)

type charIndexesKey struct{}

// charIndexes are those of the texts that an interpreter looked into last, used
// under its lock.
type charIndexes struct {
	kept [keptIndexes]*charIndex
	next int
}

func charIndexesOf(t *eval.Thread) *charIndexes {
	return eval.InterpOf(t).State(charIndexesKey{}, func() any { return &charIndexes{} }).(*charIndexes)
}

// find is nil for a text that is not known.
func (known *charIndexes) find(text string) *charIndex {
	for _, x := range known.kept {
		if x != nil && x.text == text { // at once if it is the same text
			return x
		}
	}
	return nil
}

// isIndexed is false where counting does as well: short texts and ASCII.
func isIndexed(v Value) (text string, yes bool) {
	text, _ = v.AsString()
	return text, !v.IsASCII() && len(text) >= shortText && len(text) <= longText
}

// charIndexOf is nil for what is not indexed.
func charIndexOf(t *eval.Thread, v Value) *charIndex {
	text, yes := isIndexed(v)
	if !yes {
		return nil
	}
	known := charIndexesOf(t)
	if x := known.find(text); x != nil {
		return x
	}
	x := newCharIndex(text)
	known.kept[known.next] = x
	known.next = (known.next + 1) % keptIndexes
	return x
}

func newCharIndex(text string) *charIndex {
	x := &charIndex{text: text, marks: make([]int32, 0, len(text)/markEvery+1)}
	for at := range text {
		if x.chars%markEvery == 0 {
			x.marks = append(x.marks, int32(at))
		}
		x.chars++
	}
	return x
}

// offset is where character i begins; i may be the number of characters.
func (x *charIndex) offset(i int) int {
	if i == x.chars {
		return len(x.text)
	}
	at := int(x.marks[i/markEvery])
	for range i % markEvery {
		_, size := utf8.DecodeRuneInString(x.text[at:])
		at += size
	}
	return at
}

// charCount, charAt and substringOf are Len, RuneAt and Substring of v, a string.
func charCount(t *eval.Thread, v Value) int {
	if text, yes := isIndexed(v); yes {
		if x := charIndexesOf(t).find(text); x != nil {
			return x.chars
		}
	}
	return v.Len()
}

func charAt(t *eval.Thread, v Value, i int) rune {
	if x := charIndexOf(t, v); x != nil {
		r, _ := utf8.DecodeRuneInString(x.text[x.offset(i):])
		return r
	}
	return v.RuneAt(i)
}

func substringOf(t *eval.Thread, v Value, start, end int) Value {
	if x := charIndexOf(t, v); x != nil && end-start < shortPiece {
		return value.String(strings.Clone(x.text[x.offset(start):x.offset(end)]))
	}
	return v.Substring(start, end)
}

package value

import (
	"fmt"
	"strings"
	"unsafe"
)

// Source is a text that forms were read from. Code keeps its Source, so that an
// error can show the line it happened on.
type Source struct {
	Name string // a path, or something like "<eval>"
	Text string
}

// Line returns line n, counted from 1, without its line break.
func (s *Source) Line(n int) string {
	text := s.Text
	for ; n > 1; n-- {
		i := strings.IndexByte(text, '\n')
		if i < 0 {
			return ""
		}
		text = text[i+1:]
	}
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r")
}

// Pos is a place in a Source, both counted from 1; columns count code points.
// The zero Pos is no place.
type Pos struct{ Line, Col int32 }

// IsValid reports whether p is a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }

// Span is the text from Start up to End, which is just behind its last
// character.
type Span struct{ Start, End Pos }

// Identity is the address that tells v from other values of the same content;
// nil for atoms and for the empty list. A list as the reader made it has an
// identity of its own.
func (v Value) Identity() unsafe.Pointer {
	switch v.Kind() {
	case KindVector, KindMap, KindHashMap:
		return v.ref
	case KindList:
		if v.listLen() > 0 {
			return v.ref
		}
	}
	return nil
}

// Places is a side table: where the lists, vectors and maps that a reader made
// stand in their Source, and where each of their elements does. It keeps
// positions out of the values themselves, which stay plain data.
type Places struct {
	Source *Source
	nodes  map[unsafe.Pointer]*Place
	pinned []Value // so that no address is used again while the table lives
}

// Place tells where one collection stands. Elems has one span an element; for
// a map, keys and values alternate in source order, and Order has the elements
// themselves in that order.
type Place struct {
	Span  Span
	Elems []Span
	Order []Value
}

// NewPlaces returns an empty table for forms of src.
func NewPlaces(src *Source) *Places {
	return &Places{Source: src, nodes: map[unsafe.Pointer]*Place{}}
}

// Set records where v stands. Values without an identity are ignored.
func (p *Places) Set(v Value, place *Place) {
	if id := v.Identity(); id != nil {
		p.nodes[id] = place
		p.pinned = append(p.pinned, v)
	}
}

// Of returns where v stands, nil when that is not known. A nil table knows
// nothing.
func (p *Places) Of(v Value) *Place {
	if p == nil {
		return nil
	}
	return p.nodes[v.Identity()] // nothing is stored under nil
}

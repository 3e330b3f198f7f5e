package value

import (
	"bytes"
	"fmt"
	"math/big"
)

// MaxDepth bounds how deep nested data may be for a walk over it.
const MaxDepth = 10_000

// DepthError is the panic of a walk over data nested deeper than [MaxDepth].
type DepthError struct{}

func (*DepthError) Error() string {
	return fmt.Sprintf("data nested more than %d deep", MaxDepth)
}

// LimitError is the panic of an operation whose result would be too large.
type LimitError struct{ What string }

func (e *LimitError) Error() string { return "refused: " + e.What }

// maxVisits bounds how many collections a walk looks into: data that shares its
// parts can be small in memory and endless to walk, such as 50 lists of two,
// each with the next one twice.
const maxVisits = 1 << 24

// depth is how deep a walk is, and how many collections it has looked into.
type depth struct {
	level  int
	visits *int
}

func start(visits *int) depth { return depth{visits: visits} }

// deeper goes into a collection.
func (d depth) deeper() depth {
	if d.level >= MaxDepth {
		panic(&DepthError{})
	}
	if *d.visits++; *d.visits > maxVisits {
		panic(&LimitError{fmt.Sprintf("a walk over data of more than %d parts", maxVisits)})
	}
	return depth{d.level + 1, d.visits}
}

// Equal is structural equality without numeric coercion: (equal? 1 1.0) is
// false. Lists equal only lists, vectors only vectors.
func Equal(a, b Value) bool { return equal(a, b, start(new(int))) }

func equal(a, b Value, d depth) bool {
	if a == b {
		return true
	}
	k := a.Kind()
	if k != b.Kind() {
		return false
	}
	switch k {
	case KindFloat:
		x, _ := a.AsFloat()
		y, _ := b.AsFloat()
		return x == y
	case KindString:
		return a.text() == b.text()
	case KindBigInt:
		return (*big.Int)(a.ref).Cmp((*big.Int)(b.ref)) == 0
	case KindRational:
		return (*big.Rat)(a.ref).Cmp((*big.Rat)(b.ref)) == 0
	case KindComplex:
		x, y := a.complex(), b.complex()
		return equal(x.re, y.re, d) && equal(x.im, y.im, d)
	case KindList:
		return equalLists(a, b, d.deeper())
	case KindVector:
		return equalSlices(a.vector(), b.vector(), d.deeper())
	case KindBytes:
		return bytes.Equal(*(*[]byte)(a.ref), *(*[]byte)(b.ref))
	case KindMap, KindHashMap:
		return equalMaps(a, b, d.deeper())
	case KindRecord:
		x, y := a.record(), b.record()
		return x.Type == y.Type && equalSlices(x.Fields, y.Fields, d.deeper())
	case KindOpaque:
		return equalOpaque(a, b)
	}
	return false
}

func equalLists(a, b Value, d depth) bool {
	if a.listLen() != b.listLen() {
		return false
	}
	for a.listLen() > 0 {
		if !equal(a.First(), b.First(), d) {
			return false
		}
		a, b = a.Rest(), b.Rest()
		if a == b {
			return true
		}
	}
	return true
}

func equalSlices(a, b []Value, d depth) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equal(a[i], b[i], d) {
			return false
		}
	}
	return true
}

func equalMaps(a, b Value, d depth) bool {
	if a.mapLen() != b.mapLen() {
		return false
	}
	for k, x := range a.Entries() {
		y, ok := b.Get(k)
		if !ok || !equal(x, y, d) {
			return false
		}
	}
	return true
}

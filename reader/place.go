package reader

import "github.com/gosema/gosema/eval/value"

// slabs allocates the many small records of the table of places in chunks. A
// table lives and dies as a whole, so nothing is kept alive in vain.
type slabs struct {
	places slab[value.Place]
	spans  slab[value.Span]
}

// slab hands out pieces of chunks, which grow so that a short text stays cheap.
type slab[T any] struct {
	free []T
	size int
}

const maxSlab = 256

func (s *slab[T]) take(n int) []T {
	if n > maxSlab/4 {
		return make([]T, n)
	}
	if len(s.free) < n {
		s.size = min(max(2*s.size, 4, n), maxSlab)
		s.free = make([]T, s.size)
	}
	piece := s.free[:n:n]
	s.free = s.free[n:]
	return piece
}

func (s *slabs) place(span value.Span, elems []value.Span) *value.Place {
	p := &s.places.take(1)[0]
	p.Span, p.Elems = span, s.spans.take(len(elems))
	copy(p.Elems, elems)
	return p
}

// add appends one element to the collection being read.
func (r *reader) add(v value.Value, span value.Span) {
	r.elems = append(r.elems, v)
	r.spans = append(r.spans, span)
}

// take removes the elements from base on; they are valid until the next add.
func (r *reader) take(base int) ([]value.Value, []value.Span) {
	elems, spans := r.elems[base:], r.spans[base:]
	r.elems, r.spans = r.elems[:base], r.spans[:base]
	return elems, spans
}

// list makes a list of the elements from base on and registers its place.
func (r *reader) list(base int, span value.Span) value.Value {
	elems, spans := r.take(base)
	v := value.List(elems...)
	r.place(v, span, spans)
	return v
}

func (r *reader) place(v value.Value, span value.Span, elems []value.Span) *value.Place {
	p := r.slabs.place(span, elems)
	r.places.Set(v, p)
	return p
}

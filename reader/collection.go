package reader

import (
	"slices"

	"github.com/gosema/gosema/eval/value"
)

// parens reads a list. A dotted pair is a list with the symbol . before its
// last element.
func (r *reader) parens(start value.Pos) (value.Value, error) {
	r.off++
	if err := r.push(start, "(", ")"); err != nil {
		return value.Nil, err
	}
	base := len(r.elems)
	for {
		done, err := r.atCloser()
		if err == nil && !done {
			if r.atDot() {
				done, err = true, r.dotted()
			} else {
				err = r.element()
			}
		}
		if err != nil {
			return value.Nil, err
		}
		if done {
			r.pop()
			return r.list(base, r.from(start)), nil
		}
	}
}

// atDot reports whether a point comes that is not part of a symbol.
func (r *reader) atDot() bool {
	return r.text[r.off] == '.' && symbolLen(r.text[r.off+1:]) == 0
}

// dotted reads a point, the one element after it, and the bracket.
func (r *reader) dotted() error {
	start := r.pos()
	r.off++
	r.add(r.named("."), r.from(start))
	if err := r.push(start, ".", ""); err != nil {
		return err
	}
	v, span, err := r.prefixed()
	if err != nil {
		return err
	}
	r.add(v, span)
	r.pop()
	done, err := r.atCloser()
	if err != nil || done {
		return err
	}
	from := r.off
	if c := r.text[from]; c == ']' || c == '}' {
		return r.misplaced(c)
	}
	e := r.failAt(from, from+1, "expected ) after the form that follows the point, got another form")
	e.Opened = r.innermost().span
	e.Hint = "a dotted pair is written (a . b)"
	return e
}

func (r *reader) vector(start value.Pos) (value.Value, error) {
	r.off++
	if err := r.push(start, "[", "]"); err != nil {
		return value.Nil, err
	}
	base, err := r.elements()
	if err != nil {
		return value.Nil, err
	}
	r.pop()
	elems, spans := r.take(base)
	v := value.Vector(slices.Clone(elems))
	r.place(v, r.from(start), spans)
	return v, nil
}

// mapping reads {k v ...}; of equal keys the last wins.
func (r *reader) mapping(start value.Pos) (value.Value, error) {
	r.off++
	if err := r.push(start, "{", "}"); err != nil {
		return value.Nil, err
	}
	base, err := r.elements()
	if err != nil {
		return value.Nil, err
	}
	r.pop()
	elems, spans := r.take(base)
	if len(elems)%2 != 0 {
		return value.Nil, r.oddMap(r.from(start), elems, spans)
	}
	b := value.NewMapBuilder(value.KindMap, len(elems)/2)
	for i := 0; i < len(elems); i += 2 {
		b.Set(elems[i], elems[i+1])
	}
	m := b.Map()
	r.place(m, r.from(start), spans).Order = slices.Clone(elems)
	return m, nil
}

func (r *reader) oddMap(whole value.Span, elems []value.Value, spans []value.Span) *Error {
	last := len(elems) - 1
	e := r.fail(spans[last], "expected a value for the last key of the map, got }")
	e.Opened = value.Span{Start: whole.Start, End: value.Pos{Line: whole.Start.Line, Col: whole.Start.Col + 1}}
	e.Hint = "a map has pairs of a key and a value"
	return e
}

// bytes reads #u8(1 2 3).
func (r *reader) bytes(start value.Pos) (value.Value, error) {
	r.off += len("#u8(")
	if err := r.push(start, "#u8(", ")"); err != nil {
		return value.Nil, err
	}
	out := []byte{}
	for {
		done, err := r.atCloser()
		if err != nil {
			return value.Nil, err
		}
		if done {
			r.pop()
			return value.Bytes(out), nil
		}
		v, span, err := r.form()
		if err != nil {
			return value.Nil, err
		}
		n, ok := v.AsInt()
		if !ok || n < 0 || n > 255 {
			return value.Nil, r.fail(span, "expected an integer from 0 to 255 in #u8(...), got %s", summary(v.String()))
		}
		out = append(out, byte(n))
	}
}

package reader

import (
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval/value"
)

// MaxDepth bounds how deep forms may be nested, prefixes like ' included.
const MaxDepth = 2000

// Form is one form of a text and where it stands.
type Form struct {
	Value value.Value
	Span  value.Span
}

// Unit is a text that was read.
type Unit struct {
	Forms  []Form
	Places *value.Places
}

// ReadAll reads every form of src. The error is an [*Error].
func ReadAll(src *value.Source) (*Unit, error) {
	r, err := newReader(src)
	if err != nil {
		return nil, err
	}
	u := &Unit{Places: r.places}
	for {
		f, more, err := r.topForm()
		if err != nil {
			return nil, err
		}
		if !more {
			return u, nil
		}
		u.Forms = append(u.Forms, f)
	}
}

// ReadOne reads the first form of src and leaves what follows it unread. A text
// without a form is an error, an incomplete one.
func ReadOne(src *value.Source) (Form, *value.Places, error) {
	r, err := newReader(src)
	if err != nil {
		return Form{}, nil, err
	}
	f, more, err := r.topForm()
	if err != nil {
		return Form{}, nil, err
	}
	if !more {
		e := r.failAt(r.off, r.off, "expected a form, got %s", endOfText)
		e.Incomplete = true
		return Form{}, nil, e
	}
	return f, r.places, nil
}

// reader reads one text. Positions are found by a second cursor, at, which
// follows off and counts lines and columns once for the whole text.
type reader struct {
	src  *value.Source
	text string
	off  int // the byte to read next

	mark int // the byte that at stands for; never behind off
	at   value.Pos

	places *value.Places
	slabs  slabs
	names  map[string]value.Value // symbols and keywords met so far
	elems  []value.Value          // of the collections being read, outermost first
	spans  []value.Span           // theirs
	open   []opening              // the constructs being read, outermost first
	holes  *holes                 // of the innermost short lambda being read
	stray  *misread               // in the top-level form being read
}

const byteOrderMark = "\ufeff"

func newReader(src *value.Source) (*reader, error) {
	r := &reader{
		src: src, text: src.Text, at: value.Pos{Line: 1, Col: 1},
		places: value.NewPlaces(src), names: map[string]value.Value{},
	}
	if !utf8.ValidString(r.text) {
		return nil, r.notUTF8()
	}
	if strings.HasPrefix(r.text, byteOrderMark) {
		r.off = len(byteOrderMark)
	}
	if strings.HasPrefix(r.text[r.off:], "#!") {
		r.skipLine()
	}
	return r, nil
}

func (r *reader) notUTF8() *Error {
	i := 0
	for i < len(r.text) {
		c, size := utf8.DecodeRuneInString(r.text[i:])
		if c == utf8.RuneError && size == 1 {
			break
		}
		i += size
	}
	e := r.failAt(i, i+1, "the text is not UTF-8: it has the byte 0x%02x here", r.text[i])
	e.Hint = "save the file as UTF-8"
	return e
}

func (r *reader) topForm() (f Form, more bool, err error) {
	if more, err = r.skip(); !more || err != nil {
		return f, false, err
	}
	r.stray = nil
	f.Value, f.Span, err = r.form()
	return f, err == nil, err
}

// pos is the position of the cursor.
func (r *reader) pos() value.Pos {
	r.at = advance(r.at, r.text[r.mark:r.off])
	r.mark = r.off
	return r.at
}

// posAt is the position of any byte. It counts from the start of the text, so
// it is for errors only, of which there is one.
func (r *reader) posAt(off int) value.Pos {
	return advance(value.Pos{Line: 1, Col: 1}, r.text[:off])
}

func advance(at value.Pos, passed string) value.Pos {
	for i := 0; i < len(passed); i++ {
		switch c := passed[i]; {
		case c == '\n':
			at.Line++
			at.Col = 1
		case utf8.RuneStart(c):
			at.Col++
		}
	}
	return at
}

// from is the span from start to the cursor.
func (r *reader) from(start value.Pos) value.Span { return value.Span{Start: start, End: r.pos()} }

// rest is the text that is not read yet.
func (r *reader) rest() string { return r.text[r.off:] }

// peek is the byte after n more, 0 behind the end of the text.
func (r *reader) peek(n int) byte {
	if r.off+n < len(r.text) {
		return r.text[r.off+n]
	}
	return 0
}

// push enters a construct whose opening token starts at start and ends at the
// cursor.
func (r *reader) push(start value.Pos, name, closer string) error {
	o := opening{r.from(start), name, closer}
	if len(r.open) >= MaxDepth {
		return r.fail(o.span, "forms are nested more than %d deep", MaxDepth)
	}
	r.open = append(r.open, o)
	return nil
}

func (r *reader) pop() { r.open = r.open[:len(r.open)-1] }

func (r *reader) innermost() *opening { return &r.open[len(r.open)-1] }

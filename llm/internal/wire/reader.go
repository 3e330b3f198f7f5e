package wire

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Reader reads JSON of a known shape in one pass, without reflection. It is the
// quick way through a reply as it should be: whatever it does not expect, be it
// wrong or only rare, ends it, and [Client.Decode] has the word instead. It never
// takes what encoding/json would not.
//
//	r := wire.NewReader(body)
//	r.Object(func(name []byte) {
//		switch string(name) {
//		case "model":
//			r.String(&c.Model)
//		default:
//			r.Skip()
//		}
//	})
//	if !r.Done() { ... }
type Reader struct {
	data  []byte
	pos   int
	depth int
	bad   bool
}

const maxReaderDepth = 100

// NewReader returns a reader of one JSON value.
func NewReader(data []byte) *Reader { return &Reader{data: data} }

// Done reports whether everything was read and was as expected.
func (r *Reader) Done() bool { return r.peek() == 0 && r.pos == len(r.data) && !r.bad }

// peek skips blanks and returns the byte that follows, 0 at the end and after
// something unexpected.
func (r *Reader) peek() byte {
	for !r.bad && r.pos < len(r.data) {
		switch c := r.data[r.pos]; c {
		case ' ', '\n', '\t', '\r':
			r.pos++
		default:
			return c
		}
	}
	return 0
}

func (r *Reader) fail() { r.bad = true }

// expect takes the byte c, which must come next.
func (r *Reader) expect(c byte) {
	if r.peek() != c {
		r.fail()
		return
	}
	r.pos++
}

// Null takes null, if it comes next.
func (r *Reader) Null() bool {
	if r.peek() != 'n' {
		return false
	}
	r.word("null")
	return true
}

func (r *Reader) word(w string) {
	if !bytes.HasPrefix(r.data[r.pos:], []byte(w)) {
		r.fail()
		return
	}
	r.pos += len(w)
}

// Object reads an object: field must read the value of the name. Null is an
// object without fields.
func (r *Reader) Object(field func(name []byte)) {
	if r.Null() {
		return
	}
	r.group('{', '}', func() {
		name, plain := r.quoted()
		if !plain {
			r.fail() // the names that count have no escapes
		}
		r.expect(':')
		if !r.bad {
			field(name)
		}
	})
}

// Array reads an array: elem must read an element. Null is an empty array.
func (r *Reader) Array(elem func()) {
	if !r.Null() {
		r.group('[', ']', elem)
	}
}

// group reads what is between brackets and commas.
func (r *Reader) group(open, end byte, elem func()) {
	r.expect(open)
	if r.depth++; r.depth > maxReaderDepth {
		r.fail()
	}
	for first := true; !r.bad; first = false {
		if first && r.peek() == end {
			break
		}
		elem()
		if r.peek() != ',' {
			break
		}
		r.pos++
	}
	r.expect(end)
	r.depth--
}

// String reads a string. Null leaves it as it was.
func (r *Reader) String(to *string) {
	if r.Null() {
		return
	}
	start := r.pos
	inner, plain := r.quoted()
	switch {
	case r.bad:
	case plain:
		*to = string(inner)
	default:
		r.escaped(to, inner, r.data[start:r.pos])
	}
}

// Same is String for a text that is likely to be there already: then it costs no
// memory.
func (r *Reader) Same(to *string) {
	start := r.pos
	if r.peek() == '"' {
		if inner, plain := r.quoted(); plain && string(inner) == *to {
			return
		}
		r.pos = start
	}
	r.String(to)
}

// escaped reads a string with escapes in it: those that model output is full of,
// such as \n, and leaves all that is rarer to encoding/json.
func (r *Reader) escaped(to *string, inner, quoted []byte) {
	text := make([]byte, 0, len(inner))
	for {
		i := bytes.IndexByte(inner, '\\')
		if i < 0 {
			text = append(text, inner...)
			break
		}
		plain := simpleEscape(inner[i+1])
		if plain == 0 {
			r.bad = json.Unmarshal(quoted, to) != nil
			return
		}
		text = append(append(text, inner[:i]...), plain)
		inner = inner[i+2:]
	}
	if !utf8.Valid(text) {
		r.bad = json.Unmarshal(quoted, to) != nil
		return
	}
	*to = string(text)
}

// simpleEscape is the byte that is written with this one after a backslash; 0
// for other escapes.
func simpleEscape(c byte) byte {
	switch c {
	case '"', '\\', '/':
		return c
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	}
	return 0
}

// quoted takes a string and returns what is between its quotes; plain says that
// it stands for itself.
func (r *Reader) quoted() (inner []byte, plain bool) {
	r.expect('"')
	rest := r.data[r.pos:]
	plain = true
	for i := 0; i < len(rest) && !r.bad; i++ {
		switch c := rest[i]; {
		case c == '"':
			r.pos += i + 1
			return rest[:i], plain && utf8.Valid(rest[:i])
		case c == '\\':
			plain = false
			i++
		case c < ' ':
			r.fail()
		}
	}
	r.fail()
	return nil, false
}

// Raw reads a value of any type and returns its text.
func (r *Reader) Raw() json.RawMessage {
	r.peek()
	start := r.pos
	r.Skip()
	if r.bad {
		return nil
	}
	return json.RawMessage(r.data[start:r.pos])
}

// Skip reads a value of any type.
func (r *Reader) Skip() {
	switch c := r.peek(); c {
	case '{':
		r.Object(func([]byte) { r.Skip() })
	case '[':
		r.Array(r.Skip)
	case '"':
		r.skipString()
	case 't':
		r.word("true")
	case 'f':
		r.word("false")
	case 'n':
		r.word("null")
	default:
		r.number()
	}
}

func (r *Reader) skipString() {
	start := r.pos
	if _, plain := r.quoted(); !plain && !r.bad {
		r.bad = !json.Valid(r.data[start:r.pos]) // its escapes
	}
}

// number takes a number, by the grammar of JSON.
func (r *Reader) number() {
	if r.peek() == '-' {
		r.pos++
	}
	if r.at('0') {
		r.pos++
	} else {
		r.digits()
	}
	if r.at('.') {
		r.pos++
		r.digits()
	}
	if r.at('e') || r.at('E') {
		r.pos++
		if r.at('+') || r.at('-') {
			r.pos++
		}
		r.digits()
	}
}

func (r *Reader) at(c byte) bool { return r.pos < len(r.data) && r.data[r.pos] == c }

func (r *Reader) digits() {
	start := r.pos
	for r.pos < len(r.data) && r.data[r.pos]-'0' <= 9 {
		r.pos++
	}
	if r.pos == start {
		r.fail()
	}
}

// Count reads a number of tokens.
func (r *Reader) Count() (c Count) {
	raw := r.Raw()
	if !r.bad {
		c.UnmarshalJSON(raw)
	}
	return c
}

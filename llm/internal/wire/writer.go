package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/gosema/gosema/llm"
)

// Writer writes a request body as JSON, without reflection: a call costs little
// more than its bytes. Equal calls give equal bytes. The commas come by
// themselves; that brackets match is up to the caller.
type Writer struct {
	buf []byte
	err error
}

// NewWriter returns a writer with room for a body of about so many bytes.
func NewWriter(size int) *Writer { return &Writer{buf: make([]byte, 0, size)} }

// Body returns what was written, or an [*llm.Error].
func (w *Writer) Body() ([]byte, error) { return w.buf, w.err }

// next separates a value or a name from the one before it.
func (w *Writer) next() {
	if n := len(w.buf); n > 0 {
		switch w.buf[n-1] {
		case '{', '[', ':':
		default:
			w.buf = append(w.buf, ',')
		}
	}
}

// Open begins an object or an array, by its bracket.
func (w *Writer) Open(bracket byte) {
	w.next()
	w.buf = append(w.buf, bracket)
}

// Close ends an object or an array, by its bracket.
func (w *Writer) Close(bracket byte) { w.buf = append(w.buf, bracket) }

// Name begins a field of an object; a value must follow. The name must need no
// escapes.
func (w *Writer) Name(name string) *Writer {
	w.next()
	w.buf = append(w.buf, '"')
	w.buf = append(w.buf, name...)
	w.buf = append(w.buf, '"', ':')
	return w
}

// Null writes null.
func (w *Writer) Null() {
	w.next()
	w.buf = append(w.buf, "null"...)
}

// Bool writes a boolean.
func (w *Writer) Bool(b bool) {
	w.next()
	w.buf = strconv.AppendBool(w.buf, b)
}

// Int writes a whole number.
func (w *Writer) Int(n int) {
	w.next()
	w.buf = strconv.AppendInt(w.buf, int64(n), 10)
}

// Float writes a number, which must be finite.
func (w *Writer) Float(f float64) {
	w.next()
	w.buf = strconv.AppendFloat(w.buf, f, 'g', -1, 64)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		w.fail(fmt.Errorf("%v is not a number of JSON", f))
	}
}

func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = &llm.Error{Kind: llm.KindBadRequest, Message: "the request cannot be encoded: " + err.Error(), Cause: err}
	}
}

// Text writes a field that is a string, unless it is empty.
func (w *Writer) Text(name, s string) {
	if s != "" {
		w.Name(name).String(s)
	}
}

// Strings writes a field that is a list of strings, unless it is empty.
func (w *Writer) Strings(name string, list []string) {
	if len(list) == 0 {
		return
	}
	w.Name(name).Open('[')
	for _, s := range list {
		w.String(s)
	}
	w.Close(']')
}

// JSON writes a value that is JSON already.
func (w *Writer) JSON(raw json.RawMessage) {
	w.next()
	buf := bytes.NewBuffer(w.buf)
	if err := json.Compact(buf, raw); err != nil {
		w.fail(err)
	}
	w.buf = buf.Bytes()
}

// String writes a string. Bytes that are not UTF-8, lone surrogates among them,
// become U+FFFD.
func (w *Writer) String(s string) {
	w.next()
	b := append(slices.Grow(w.buf, len(s)+2), '"')
	done := 0 // what comes before it is written
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		size := 1
		if c >= utf8.RuneSelf {
			var r rune
			if r, size = utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size != 1 {
				i += size
				continue
			}
		}
		b = appendEscape(append(b, s[done:i]...), c)
		i++
		done = i
	}
	w.buf = append(append(b, s[done:]...), '"')
}

// Base64 writes a string: a prefix that needs no escapes, and the data encoded.
func (w *Writer) Base64(prefix string, data []byte) {
	w.next()
	w.buf = append(append(w.buf, '"'), prefix...)
	w.buf = append(base64.StdEncoding.AppendEncode(w.buf, data), '"')
}

// appendEscape appends the escape of a byte that cannot stand for itself.
func appendEscape(b []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	if c >= utf8.RuneSelf {
		return append(b, `\ufffd`...)
	}
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

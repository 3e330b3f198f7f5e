package reader

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// skip passes white space and comments, and reports whether anything follows.
func (r *reader) skip() (more bool, err error) {
	for r.off < len(r.text) {
		switch c := r.text[r.off]; {
		case c == ' ' || '\t' <= c && c <= '\r':
			r.off++
		case c == ';':
			r.skipLine()
		case c == '#' && r.peek(1) == '|':
			err = r.skipBlock()
		case c == '#' && r.peek(1) == ';':
			err = r.skipDatum()
		case c >= utf8.RuneSelf:
			n := spaceLen(r.rest())
			if n == 0 {
				return true, nil
			}
			r.off += n
		default:
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// spaceLen is the length of the white space character that s starts with.
func spaceLen(s string) int {
	c, size := utf8.DecodeRuneInString(s)
	if unicode.IsSpace(c) {
		return size
	}
	return 0
}

func (r *reader) skipLine() {
	n := strings.IndexByte(r.rest(), '\n')
	if n < 0 {
		n = len(r.rest())
	}
	r.off += n
}

// skipBlock passes #| ... |#, which nests.
func (r *reader) skipBlock() error {
	start := r.pos()
	r.off += 2
	if err := r.push(start, "comment", "|#"); err != nil {
		return err
	}
	for level := 1; level > 0; {
		n := strings.IndexAny(r.rest(), "|#")
		if n < 0 {
			return r.unclosed()
		}
		r.off += n
		switch r.text[r.off:min(r.off+2, len(r.text))] {
		case "|#":
			level--
			r.off++
		case "#|":
			level++
			r.off++
		}
		r.off++
	}
	r.pop()
	return nil
}

// skipDatum passes #; and the form after it.
func (r *reader) skipDatum() error {
	start, outer := r.pos(), r.holes
	r.holes = nil // a % in there is no argument
	r.off += 2
	if err := r.push(start, "#;", ""); err != nil {
		return err
	}
	_, _, err := r.prefixed()
	if err != nil {
		return err
	}
	r.pop()
	r.holes = outer
	return nil
}

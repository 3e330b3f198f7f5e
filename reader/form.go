package reader

import (
	"unicode/utf8"

	"github.com/gosema/gosema/eval/value"
)

// form reads one form, which must start at the cursor.
func (r *reader) form() (value.Value, value.Span, error) {
	start := r.pos()
	v, err := r.datum(start)
	if err != nil {
		return value.Nil, value.Span{}, err
	}
	return v, r.from(start), nil
}

func (r *reader) datum(start value.Pos) (value.Value, error) {
	c := r.text[r.off]
	switch {
	case startsSymbol(c):
		return r.word(start)
	case isDigit(c):
		return r.number(start, "")
	}
	switch c {
	case '(':
		return r.parens(start)
	case '[':
		return r.vector(start)
	case '{':
		return r.mapping(start)
	case '"':
		return r.str(start)
	case ':':
		return r.keyword(start)
	case '#':
		return r.hash(start)
	case '\'', '`', ',', '@':
		return r.prefix(start)
	case ')', ']', '}':
		return value.Nil, r.misplaced(c)
	}
	if letter, size := utf8.DecodeRuneInString(r.rest()); !isAlphabetic(letter) {
		return value.Nil, r.unexpected(letter, size)
	}
	return r.symbol(start)
}

// word reads what starts like a symbol: a symbol, a negative number, an
// f-string, or a lone point.
func (r *reader) word(start value.Pos) (value.Value, error) {
	switch c, next := r.text[r.off], r.peek(1); {
	case c == 'f' && next == '"':
		return r.fstring(start)
	case c == '-' && isDigit(next):
		return r.number(start, "")
	case (c == '-' || c == '+') && complexLen(r.rest()) > 0:
		return r.complex(start, complexLen(r.rest()))
	case r.atDot():
		e := r.failAt(r.off, r.off+1, "unexpected . outside a list")
		e.Hint = "a dotted pair is written (a . b)"
		return value.Nil, e
	}
	return r.symbol(start)
}

// prefix reads a quotation mark and its kin with the form after it.
func (r *reader) prefix(start value.Pos) (value.Value, error) {
	mark := r.prefixMark()
	r.off += len(mark)
	if err := r.push(start, mark, ""); err != nil {
		return value.Nil, err
	}
	base := len(r.elems)
	r.add(r.named(prefixSymbol(mark)), r.from(start))
	v, span, err := r.prefixed()
	if err != nil {
		return value.Nil, err
	}
	r.add(v, span)
	r.pop()
	return r.list(base, r.from(start)), nil
}

func (r *reader) prefixMark() string {
	if r.text[r.off] == ',' && r.peek(1) == '@' {
		return ",@"
	}
	return r.text[r.off : r.off+1]
}

// prefixSymbol is the symbol that a prefix stands for, "" for the others.
func prefixSymbol(mark string) string {
	switch mark {
	case "'":
		return "quote"
	case "`":
		return "quasiquote"
	case ",":
		return "unquote"
	case ",@":
		return "unquote-splicing"
	case "@":
		return "deref"
	}
	return ""
}

// prefixed reads the form that the innermost construct, a prefix, needs.
func (r *reader) prefixed() (value.Value, value.Span, error) {
	more, err := r.skip()
	if err == nil && !more {
		err = r.unclosed()
	}
	if err != nil {
		return value.Nil, value.Span{}, err
	}
	return r.form()
}

// elements reads up to the closing bracket of the innermost construct and
// returns where its elements start on the stack.
func (r *reader) elements() (base int, err error) {
	base = len(r.elems)
	for {
		done, err := r.atCloser()
		if done || err != nil {
			return base, err
		}
		if err := r.element(); err != nil {
			return base, err
		}
	}
}

// atCloser passes space and the closing bracket, if that is what comes.
func (r *reader) atCloser() (done bool, err error) {
	more, err := r.skip()
	if err != nil {
		return false, err
	}
	if !more {
		return false, r.unclosed()
	}
	if c := r.text[r.off]; r.innermost().closer[0] == c {
		r.off++
		return true, nil
	}
	return false, nil
}

func (r *reader) element() error {
	c := r.text[r.off]
	r.watch(r.pos(), c)
	v, span, err := r.form()
	if err != nil {
		return err
	}
	r.add(v, span)
	return nil
}

package reader

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gosema/gosema/eval/value"
)

// Error is why a text could not be read.
type Error struct {
	Source  *value.Source
	Span    value.Span // the token that could not be read, or the end of the text
	Message string     // what was expected and what came
	Hint    string     // what to do about it, or ""
	Opened  value.Span // the opening token of the form left open; zero if none

	// Incomplete is true exactly when more lines could complete the text.
	Incomplete bool
}

func (e *Error) Error() string { return e.Message }

// Incomplete reports whether err says that a text ends in the middle of a form,
// so that more lines could complete it. What cannot be continued on another
// line, like a lone #x at the end, does not count.
func Incomplete(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Incomplete
}

// opening is a construct that is being read, as errors speak of it.
type opening struct {
	span   value.Span // of the opening token
	name   string     // "(", "string", "'"
	closer string     // "" for a prefix, which ends with the form after it
}

// need says what the construct still lacks.
func (o *opening) need() string {
	if o.closer == "" {
		if symbol := prefixSymbol(o.name); symbol != "" {
			return fmt.Sprintf("expected a form after %s (%s)", o.name, symbol)
		}
		return "expected a form after " + o.name
	}
	return fmt.Sprintf("expected %s to close the %s opened at %s", o.closer, o.name, o.span.Start)
}

// misread is a straying line: a form that starts a line no further right than
// the form around it, which probably was to be closed before.
type misread struct {
	at    value.Pos
	inner opening
}

const endOfText = "the end of the text"

func (r *reader) fail(span value.Span, format string, args ...any) *Error {
	return &Error{Source: r.src, Span: span, Message: fmt.Sprintf(format, args...)}
}

// failAt is fail for the bytes from up to to, which may lie behind the cursor.
func (r *reader) failAt(from, to int, format string, args ...any) *Error {
	return r.fail(value.Span{Start: r.posAt(from), End: r.posAt(to)}, format, args...)
}

// unclosed is the error of a text that ends inside a construct.
func (r *reader) unclosed() *Error {
	o := r.innermost()
	end := r.posAt(len(strings.TrimRightFunc(r.text, unicode.IsSpace)))
	e := r.fail(value.Span{Start: end, End: end}, "%s, got %s", o.need(), endOfText)
	e.Opened, e.Incomplete = o.span, true
	e.Hint = r.strayHint()
	return e
}

// misplaced is the error of a closing bracket at the cursor that closes nothing.
func (r *reader) misplaced(closer byte) *Error {
	span := value.Span{Start: r.posAt(r.off), End: r.posAt(r.off + 1)}
	if len(r.open) == 0 {
		e := r.fail(span, "unexpected %c: no form is open here", closer)
		e.Hint = "remove it, or look before it for a form that is closed too early"
		return e
	}
	o := r.innermost()
	e := r.fail(span, "%s, got %c", o.need(), closer)
	e.Opened = o.span
	e.Hint = r.strayHint()
	return e
}

func (r *reader) strayHint() string {
	m := r.stray
	if m == nil {
		return ""
	}
	return fmt.Sprintf("line %d starts at column %d although it is inside the %s opened at %s: a %s may be missing before it",
		m.at.Line, m.at.Col, m.inner.name, m.inner.span.Start, m.inner.closer)
}

// watch notices the first line of a top-level form that strays.
func (r *reader) watch(start value.Pos, c byte) {
	o := r.innermost()
	if r.stray == nil && c == '(' && o.closer == ")" && start.Line > o.span.Start.Line && start.Col <= o.span.Start.Col {
		r.stray = &misread{start, *o}
	}
}

// unexpected is the error of a character that starts nothing.
func (r *reader) unexpected(c rune, size int) *Error {
	e := r.failAt(r.off, r.off+size, "unexpected character %s", describe(c))
	switch c {
	case '“', '”', '„', '«', '»':
		e.Hint = `strings are written "like this"`
	case '‘', '’':
		e.Hint = "a quoted form is written 'like-this"
	case '|':
		e.Hint = "names with spaces cannot be written; comments are ; or #| |#"
	case '\\':
		e.Hint = r.backslashHint()
	case '$':
		e.Hint = `${...} has a meaning inside f"..." only`
	}
	return e
}

func (r *reader) backslashHint() string {
	for _, o := range r.open {
		if o.name == "${" {
			return `quotes in ${...} take no backslash: f"${(f "x")}"`
		}
	}
	return `a character is written #\a`
}

// describe shows a character, by its code if it cannot be seen.
func describe(c rune) string {
	if unicode.IsPrint(c) && c != ' ' && !unicode.IsMark(c) {
		return string(c)
	}
	return fmt.Sprintf("U+%04X", c)
}

// summary is the start of a text, for a message.
func summary(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	cut := most
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "..."
}

package vm

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gosema/gosema/eval/value"
)

// Kind is the class of an error: the :type of the map that catch binds.
type Kind string

// The kinds of errors. Those from Cancelled on cannot be caught by programs.
const (
	KindReader     Kind = "reader"
	KindEval       Kind = "eval"
	KindType       Kind = "type-error"
	KindArity      Kind = "arity"
	KindUnbound    Kind = "unbound"
	KindLLM        Kind = "llm"
	KindIO         Kind = "io"
	KindPermission Kind = "permission-denied"
	KindUser       Kind = "user"
	KindInternal   Kind = "internal"
	KindCancelled  Kind = "cancelled"
	KindTimeout    Kind = "timeout"
	KindLimit      Kind = "limit"
	KindExit       Kind = "exit"
)

// Error is an error of the language. Error() is the message alone; Render adds
// the place, the source line and the trace.
type Error struct {
	Kind    Kind
	Message string
	Hint    string // what to do about it
	Note    string // a fact that helps
	Value   Value  // what was thrown, for KindUser
	Fields  []Value
	Cause   error
	Source  *value.Source // where it happened; nil if that is not known
	Span    value.Span
	Builtin string // the builtin that failed, if one did
	trace   []traceEntry
}

// Frame is one function that was running when an error happened.
type Frame struct {
	Name   string
	Source *value.Source
	Span   value.Span
}

// Errorf makes an error of a kind.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// TypeError says that a builtin wanted something else: "expected a number, got \"a\"".
func TypeError(expected string, got Value) *Error {
	e := Errorf(KindType, "expected %s, got %s", expected, Brief(got))
	e.Fields = []Value{value.Keyword("expected"), value.String(expected), value.Keyword("got"), value.String(got.TypeName())}
	return e
}

// Brief prints a value for a message, cut when it is long.
func Brief(v Value) string {
	s := []rune(value.Excerpt(v, 200))
	if len(s) > 60 {
		return string(s[:57]) + "..."
	}
	return string(s)
}

func arityError(name string, minArgs, maxArgs, got int) *Error {
	if name == "" {
		name = "the function"
	}
	return Errorf(KindArity, "%s expects %s, got %d", name, arityText(minArgs, maxArgs), got)
}

func arityText(minArgs, maxArgs int) string {
	switch {
	case maxArgs < 0:
		return "at least " + plural(minArgs, "argument")
	case minArgs == maxArgs:
		return plural(minArgs, "argument")
	}
	return fmt.Sprintf("%d to %s", minArgs, plural(maxArgs, "argument"))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Error is the message; what was thrown, where that has no message of its own.
func (e *Error) Error() string {
	if e.Message != "" || e.Kind != KindUser {
		return e.Message
	}
	if s, ok := e.Value.AsString(); ok {
		return s
	}
	return e.Value.String()
}

func (e *Error) Unwrap() error { return e.Cause }

// Fatal errors pass every handler of the program: it cannot catch its own
// cancellation.
func (e *Error) Fatal() bool {
	switch e.Kind {
	case KindCancelled, KindTimeout, KindLimit, KindExit:
		return true
	}
	return false
}

// AsError returns err as an error of the language, wrapping it if it is none.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) && e == err {
		return e
	}
	if e != nil { // a Go error around one of ours keeps its kind and its place
		c := *e
		c.Message, c.Cause = err.Error(), err
		return &c
	}
	return &Error{Kind: KindEval, Message: err.Error(), Cause: err}
}

// Frames are the functions that were running, innermost first.
func (e *Error) Frames() []Frame {
	var fs []Frame
	for _, t := range e.trace {
		fs = append(fs, t.frame())
	}
	return fs
}

// Place is where the error happened.
func (e *Error) Place() (*value.Source, value.Span) {
	if e.Source != nil {
		return e.Source, e.Span
	}
	for _, t := range e.trace {
		if f := t.frame(); f.Span.Start.IsValid() {
			return f.Source, f.Span
		}
	}
	return nil, value.Span{}
}

// Render is the error as a person reads it: message, place with the line and
// carets, trace, note and hint.
func (e *Error) Render() string {
	var b strings.Builder
	fmt.Fprintf(&b, "error: %s\n", e.Error())
	if src, span := e.Place(); src != nil && span.Start.IsValid() {
		Snippet(&b, src, span)
	}
	e.renderTrace(&b)
	if note := e.note(); note != "" {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	if e.Hint != "" {
		fmt.Fprintf(&b, "hint: %s\n", e.Hint)
	}
	return b.String()
}

// note is the note of e; failing that, which macro put the failing form there.
func (e *Error) note() string {
	if e.Note != "" || e.Source != nil {
		return e.Note
	}
	for _, t := range e.trace {
		if f := t.frame(); f.Span.Start.IsValid() {
			if macro := t.code.unit.Expansions[f.Span]; macro != "" {
				return "in the expansion of the macro " + macro
			}
			break
		}
	}
	return ""
}

func (e *Error) renderTrace(b *strings.Builder) {
	if e.Builtin != "" {
		fmt.Fprintf(b, "  in %s\n", e.Builtin)
	}
	last, times := "", 0
	flush := func() {
		if times > 1 {
			fmt.Fprintf(b, "  ... %d times\n", times)
		}
	}
	for _, f := range e.Frames() {
		line := "  at " + f.label()
		if line == last {
			times++
			continue
		}
		flush()
		fmt.Fprintln(b, line)
		last, times = line, 1
	}
	flush()
}

func (f Frame) label() string {
	name := f.Name
	if name == "" {
		name = "<lambda>"
	}
	if f.Source == nil || !f.Span.Start.IsValid() {
		return name
	}
	return fmt.Sprintf("%s (%s:%s)", name, f.Source.Name, f.Span.Start)
}

// Snippet writes the place, the source line and carets under the span.
func Snippet(b *strings.Builder, src *value.Source, span value.Span) {
	line := []rune(src.Line(int(span.Start.Line)))
	number := fmt.Sprint(span.Start.Line)
	margin := strings.Repeat(" ", len(number))
	fmt.Fprintf(b, "%s--> %s:%s\n%s |\n", margin, src.Name, span.Start, margin)
	from := min(int(span.Start.Col)-1, len(line))
	to := len(line)
	if span.End.Line == span.Start.Line {
		to = min(int(span.End.Col)-1, len(line))
	}
	line, from, to = clip(line, from, to)
	pad := []rune(strings.Repeat(" ", from))
	for i, r := range line[:from] {
		if r == '\t' { // so that the carets line up
			pad[i] = '\t'
		}
	}
	fmt.Fprintf(b, "%s | %s\n%s | %s%s\n", number, string(line), margin, string(pad), strings.Repeat("^", max(1, to-from)))
}

// clip cuts a very long line around the span.
func clip(line []rune, from, to int) (cut []rune, newFrom, newTo int) {
	const width = 160
	if len(line) <= width {
		return line, from, to
	}
	start := max(0, from-40)
	end := min(len(line), start+width)
	return line[start:end], from - start, min(to, end) - start
}

// ErrInternal marks a Go panic that was caught in a builtin.
var ErrInternal = errors.New("internal error")

package core

import (
	"errors"
	"slices"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/reader"
)

func checkBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "sema/check-string", Arity: eval.Exactly(1), Fn: checkString,
			Doc: "(sema/check-string text) reads and compiles a program without running it, and answers {:ok :diagnostics}: each diagnostic has :level, :code (\"syntax\", \"arity\" or \"error\"), :message, :span and perhaps :hint. " +
				"Forms that define or use macros of the text, import or are modules are only read.",
			Example: "(sema/check-string \"(+ 1 2)\") ; => {:diagnostics () :ok #t}\n(:code (first (:diagnostics (sema/check-string \"(+ 1 2\")))) ; => \"syntax\""},
		{Name: "sema/check-file", Arity: eval.Exactly(1), Fn: checkFile, Caps: eval.CapFSRead, NoRun: "needs a file",
			Doc:     "(sema/check-file path) is sema/check-string of the text of a file; one that cannot be read has a diagnostic with the :code \"io\".",
			Example: "(sema/check-file \"report.sema\") ; => {:diagnostics () :ok #t}"},
		{Name: "format/form", Arity: eval.Exactly(1), Fn: formatForm,
			Doc:     "(format/form form) is a form as source text, laid out in lines of 80 columns.",
			Example: "(format/form '(define  x  1)) ; => \"(define x 1)\"\n(format/form '(when a b c)) ; => \"(when a\\n  b\\n  c)\""},
	}
}

// maxDiagnostics is how many are reported of one text.
const maxDiagnostics = 100

func checkString(t *eval.Thread, args []Value) (Value, error) {
	src, err := source(args)
	if err != nil {
		return value.Nil, err
	}
	return checkSource(t, src)
}

func checkSource(t *eval.Thread, src *value.Source) (Value, error) {
	unit, err := reader.ReadAll(src)
	if err != nil {
		return report(t, []Value{syntaxDiagnostic(err)}), nil
	}
	c := checker{t: t, macros: map[Value]bool{}, cursor: cursor{text: src.Text, at: value.Pos{Line: 1, Col: 1}}}
	for _, f := range unit.Forms {
		c.findMacros(f.Value)
	}
	for _, f := range unit.Forms {
		if err := c.check(f); err != nil {
			return value.Nil, err
		}
	}
	return report(t, c.found), nil
}

func report(t *eval.Thread, found []Value) Value {
	return value.Map(value.Keyword("ok"), value.Bool(len(found) == 0), value.Keyword("diagnostics"), t.Heap().List(found))
}

func diagnostic(code, message, hint string, span value.Span) Value {
	number := func(n int32) Value { return value.Int(int64(n)) }
	d := value.Map(value.Keyword("level"), value.Keyword("error"), value.Keyword("code"), value.String(code),
		value.Keyword("message"), value.String(message), value.Keyword("span"), value.Map(
			value.Keyword("line"), number(span.Start.Line), value.Keyword("col"), number(span.Start.Col),
			value.Keyword("end-line"), number(span.End.Line), value.Keyword("end-col"), number(span.End.Col)))
	if hint != "" {
		d = d.Assoc(value.Keyword("hint"), value.String(hint))
	}
	return d
}

// syntaxDiagnostic points at the bracket that was left open, if one was.
func syntaxDiagnostic(err error) Value {
	var e *reader.Error
	if !errors.As(err, &e) {
		return diagnostic("syntax", err.Error(), "", value.Span{})
	}
	span := e.Span
	if e.Opened.Start.IsValid() {
		span = e.Opened
	}
	return diagnostic("syntax", e.Message, e.Hint, span)
}

// checker compiles forms one by one. A form becomes the body of a function that
// nobody calls.
type checker struct {
	t      *eval.Thread
	macros map[Value]bool // symbols that the text makes macros of
	cursor cursor
	found  []Value
}

// definesMacro reports whether a symbol heads the definition of a macro.
func definesMacro(name string) bool {
	return name == "defmacro" || name == "define-macro" || name == "define-syntax"
}

// findMacros notes what the form makes macros of, at any depth.
func (c *checker) findMacros(v Value) {
	if !v.IsSeq() || v.Len() == 0 {
		return
	}
	elems := v.Slice()
	if head, ok := elems[0].SymbolName(); ok && len(elems) > 1 && definesMacro(head) {
		name := elems[1]
		if name.IsSeq() && name.Len() > 0 {
			name = name.First()
		}
		c.macros[name] = true
	}
	for _, x := range elems {
		c.findMacros(x)
	}
}

// onlyRead reports whether compiling v would run code of the text, which is what
// its macros are, or leave something behind in the interpreter.
func (c *checker) onlyRead(v Value) bool {
	if !v.IsSeq() || v.Len() == 0 {
		return false
	}
	elems := v.Slice()
	switch name, _ := elems[0].SymbolName(); name {
	case "defmacro", "define-macro", "define-syntax", "let-syntax", "letrec-syntax", "import", "module":
		return true
	}
	return c.macros[elems[0]] || slices.ContainsFunc(elems, c.onlyRead)
}

func (c *checker) check(f reader.Form) error {
	from := c.cursor.offset(f.Span.Start)
	text := c.cursor.text[from:c.cursor.offset(f.Span.End)]
	if err := c.t.Tick(1 + len(text)/16); err != nil {
		return err
	}
	if len(c.found) >= maxDiagnostics || c.onlyRead(f.Value) {
		return nil
	}
	src := &value.Source{Name: "<check>", Text: "(fn ()\n" + text + "\n)"}
	_, err := eval.EvalString(c.t, src)
	if err == nil {
		return nil
	}
	e := eval.AsError(err)
	if e.Fatal() || e.Kind == eval.KindInternal {
		return err
	}
	span := f.Span
	if where, at := e.Place(); where == src {
		span = value.Span{Start: moved(at.Start, f.Span.Start), End: moved(at.End, f.Span.Start)}
	}
	code := "error"
	if e.Kind == eval.KindArity {
		code = "arity"
	}
	c.found = append(c.found, diagnostic(code, e.Error(), e.Hint, span))
	return nil
}

// moved is a place in a form, which was compiled from line 2 on, in the text
// where the form begins at start.
func moved(p, start value.Pos) value.Pos {
	if p.Line == 2 {
		p.Col += start.Col - 1
	}
	p.Line += start.Line - 2
	return p
}

// cursor finds the offsets of places that come in order.
type cursor struct {
	text string
	off  int
	at   value.Pos
}

func (c *cursor) offset(p value.Pos) int {
	for i, r := range c.text[c.off:] {
		if c.at.Line > p.Line || c.at.Line == p.Line && c.at.Col >= p.Col {
			c.off += i
			return c.off
		}
		c.at.Col++
		if r == '\n' {
			c.at.Line, c.at.Col = c.at.Line+1, 1
		}
	}
	c.off = len(c.text)
	return c.off
}

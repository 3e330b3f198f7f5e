package core

import (
	"golang.org/x/net/html"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func htmlBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "html/parse", Arity: eval.Exactly(1), Fn: htmlParse,
			Doc:     "(html/parse text) repairs HTML and answers it as the text of a whole document, which the other html functions take, as they do any HTML.",
			Example: "(html/parse \"<p>hello<p>world\") ; => \"<html><head></head><body><p>hello</p><p>world</p></body></html>\""},
		{Name: "html/select", Arity: eval.Exactly(2), Fn: htmlSelect,
			Doc:     "(html/select text selector) lists the elements that a CSS selector matches, in their order, as HTML.",
			Example: "(html/select \"<p class=x>a</p><p>b</p>\" \"p.x\") ; => (\"<p class=\\\"x\\\">a</p>\")"},
		{Name: "html/select-text", Arity: eval.Exactly(2), Fn: htmlSelectText,
			Doc:     "(html/select-text text selector) lists the texts, as html/text has them, of the elements that a CSS selector matches.",
			Example: "(html/select-text \"<ul><li>one</li><li>two</li></ul>\" \"li\") ; => (\"one\" \"two\")"},
		{Name: "html/text", Arity: eval.Exactly(1), Fn: htmlText,
			Doc:     "(html/text text) is the text of HTML that a reader sees, without tags, scripts and styles, with one space for each run of white space and between blocks.",
			Example: "(html/text \"<h1>Title</h1><p>Some <b>bold</b> body.</p>\") ; => \"Title Some bold body.\""},
	}
}

// htmlArg reads and parses argument 0.
func htmlArg(t *eval.Thread, args []Value) (*html.Node, error) {
	a := eval.ArgsOf(args)
	s := a.String(0)
	if err := a.Err(); err != nil {
		return nil, err
	}
	return parseHTML(t, s)
}

func htmlParse(t *eval.Thread, args []Value) (Value, error) {
	doc, err := htmlArg(t, args)
	if err != nil {
		return value.Nil, err
	}
	return outerHTML(t, doc)
}

func outerHTML(t *eval.Thread, n *html.Node) (Value, error) {
	w := htmlWriter{text{t: t}}
	w.node(n)
	return w.value()
}

func htmlText(t *eval.Thread, args []Value) (Value, error) {
	doc, err := htmlArg(t, args)
	if err != nil {
		return value.Nil, err
	}
	return textOf(t, doc)
}

func textOf(t *eval.Thread, n *html.Node) (Value, error) {
	x := visible{text: text{t: t}}
	x.node(n)
	return x.value()
}

func htmlSelect(t *eval.Thread, args []Value) (Value, error) { return selected(t, args, outerHTML) }

func htmlSelectText(t *eval.Thread, args []Value) (Value, error) { return selected(t, args, textOf) }

// selected lists what f makes of the elements that a selector matches. One in
// another counts twice, so that together they may be far longer than the text.
func selected(t *eval.Thread, args []Value, f func(t *eval.Thread, n *html.Node) (Value, error)) (Value, error) {
	a := eval.ArgsOf(args)
	_, selector := a.String(0), a.String(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	s, err := parseSelector(selector)
	if err != nil {
		return value.Nil, err
	}
	doc, err := htmlArg(t, args)
	if err != nil {
		return value.Nil, err
	}
	nodes, err := s.all(t, doc)
	if err != nil {
		return value.Nil, err
	}
	found, total := make([]Value, len(nodes)), int64(0)
	for i, n := range nodes {
		if found[i], err = f(t, n); err != nil {
			return value.Nil, err
		}
		total += found[i].ByteLen()
		if err := reserve(t, total, 1); err != nil {
			return value.Nil, err
		}
	}
	return t.Heap().List(found), nil
}

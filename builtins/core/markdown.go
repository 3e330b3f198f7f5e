package core

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func markdownBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "markdown/to-html", Arity: eval.Exactly(1), Fn: markdownToHTML,
			Doc:     "(markdown/to-html text) is CommonMark as HTML. HTML in the text stays as it is, scripts too: it is for texts that you trust.",
			Example: "(markdown/to-html \"# Title\\n\\nHello **world**.\") ; => \"<h1>Title</h1>\\n<p>Hello <strong>world</strong>.</p>\\n\""},
		{Name: "markdown/headings", Arity: eval.Exactly(1), Fn: markdownHeadings,
			Doc:     "(markdown/headings text) lists the headings as {:level :text}, in order, without their markup.",
			Example: "(markdown/headings \"# Intro\\n\\n## Set *up*\") ; => ({:level 1 :text \"Intro\"} {:level 2 :text \"Set up\"})"},
		{Name: "markdown/frontmatter", Arity: eval.Exactly(1), Fn: markdownFrontmatter,
			Doc:     "(markdown/frontmatter text) divides a text at the --- lines that enclose its beginning: {:frontmatter :body}, as they are; without such lines :frontmatter is nil.",
			Example: "(markdown/frontmatter \"---\\ntitle: Hello\\n---\\nBody\") ; => {:body \"Body\" :frontmatter \"title: Hello\\n\"}"},
	}
}

// markdownArg reads and parses argument 0.
func markdownArg(t *eval.Thread, args []Value) (source []byte, doc ast.Node, err error) {
	a := eval.ArgsOf(args)
	s := a.String(0)
	if err := a.Err(); err != nil {
		return nil, nil, err
	}
	return parseMarkdown(t, s)
}

func markdownToHTML(t *eval.Thread, args []Value) (Value, error) {
	source, doc, err := markdownArg(t, args)
	if err != nil {
		return value.Nil, err
	}
	if err := admitLinks(t, doc); err != nil {
		return value.Nil, err
	}
	out := text{t: t}
	if err := markdown().Renderer().Render(&out, source, doc); err != nil && out.err == nil {
		return value.Nil, err
	}
	return out.value()
}

func markdownHeadings(t *eval.Thread, args []Value) (Value, error) {
	source, doc, err := markdownArg(t, args)
	if err != nil {
		return value.Nil, err
	}
	var headings []Value
	err = walkMarkdown(t, doc, func(n ast.Node) error {
		heading, ok := n.(*ast.Heading)
		if !ok {
			return nil
		}
		s, err := headingText(t, heading, source)
		headings = append(headings, value.Map(value.Keyword("level"), value.Int(int64(heading.Level)), value.Keyword("text"), s))
		return err
	})
	return t.Heap().List(headings), err
}

// headingText is what a reader sees of a heading, a break in it being a space.
func headingText(t *eval.Thread, heading ast.Node, source []byte) (Value, error) {
	out := text{t: t}
	err := walkMarkdown(t, heading, func(n ast.Node) error {
		switch n := n.(type) {
		case *ast.Text:
			s := n.Segment.Value(source)
			if !n.IsRaw() {
				s = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(s)))
			}
			out.add(string(s))
			if n.SoftLineBreak() || n.HardLineBreak() {
				out.add(" ")
			}
		case *ast.String:
			out.add(string(n.Value))
		case *ast.AutoLink:
			out.add(string(n.Label(source)))
		}
		return out.err
	})
	if err != nil {
		return value.Nil, err
	}
	return out.value()
}

func markdownFrontmatter(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := a.String(0)
	a.Fail(t.Tick(1 + len(s)/64))
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	front, body := value.Nil, args[0]
	if matter, rest, ok := cutFrontmatter(s); ok {
		if err := reserve(t, int64(len(s)), 1); err != nil {
			return value.Nil, err
		}
		front, body = piece(s, matter), piece(s, rest)
	}
	return value.Map(value.Keyword("frontmatter"), front, value.Keyword("body"), body), nil
}

// cutFrontmatter divides s behind its second line that is just ---, if the first
// stands at the beginning.
func cutFrontmatter(s string) (front, body string, ok bool) {
	start := -1
	at := 0
	for line := range strings.Lines(s) {
		fence := strings.TrimRight(line, "\r\n") == "---"
		switch {
		case start < 0 && !fence:
			return "", "", false
		case start < 0:
			start = len(line)
		case fence:
			return s[start:at], s[at+len(line):], true
		}
		at += len(line)
	}
	return "", "", false
}

package core

import (
	"bytes"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	mdtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gosema/gosema/eval"
)

const (
	// maxMarkdownDepth bounds quotes and lists in each other.
	maxMarkdownDepth = 100
	// maxMarks bounds the marks of emphasis, and the images, of one paragraph:
	// they nest, and what pairs them takes quadratic time at worst.
	maxMarks = 10_000
	// maxDefinitions bounds the lines of a paragraph that begins like the
	// definition of a link; a blank line now and then makes it shorter.
	maxDefinitions = 20_000
	// markWeight is about how much memory a character takes that may begin
	// something.
	markWeight = 256
)

// markdown is the same for all interpreters: made once, never changed. What one
// text needs is in the parser's context.
var markdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithParserOptions(parser.WithBlockParsers(util.Prioritized(blockGuard{}, 0)), parser.WithInlineParsers(util.Prioritized(inlineGuard{}, 0)),
			parser.WithParagraphTransformers(util.Prioritized(definitionGuard{}, 0))),
		goldmark.WithRendererOptions(html.WithUnsafe(), html.WithXHTML()))
})

// parseMarkdown reads CommonMark.
func parseMarkdown(t *eval.Thread, src string) (source []byte, doc ast.Node, err error) {
	marks := 0
	for _, c := range []byte("*_[!<>`-+#&\n") {
		marks += strings.Count(src, string(c))
	}
	if err := reserve(t, 4*int64(len(src))+markWeight*int64(marks), 1); err != nil {
		return nil, nil, err
	}
	defer func() {
		if x := recover(); x != nil {
			stopped, ok := x.(stopMarkdown)
			if !ok {
				panic(x)
			}
			err = stopped.err
		}
	}()
	pc := parser.NewContext()
	pc.Set(guardKey, &guard{t: t})
	source = []byte(src)
	return source, markdown().Parser().Parse(mdtext.NewReader(source), parser.WithContext(pc)), nil
}

// guard counts the steps of a parser that knows no limits. It is called as if it
// were a parser itself, for each line and each mark, and ends the work by a panic.
type guard struct {
	t     *eval.Thread
	block ast.Node // whose marks are counted
	marks int
}

type stopMarkdown struct{ err error }

var guardKey = parser.NewContextKey()

func (g *guard) tick(n int) {
	if err := g.t.Tick(n); err != nil {
		panic(stopMarkdown{err})
	}
}

func (g *guard) refuse(format string, args ...any) {
	panic(stopMarkdown{eval.Errorf(eval.KindEval, format, args...)})
}

type blockGuard struct{}

// Trigger has all bytes: one without triggers comes last, not first.
func (blockGuard) Trigger() (all []byte) {
	for c := range 256 {
		all = append(all, byte(c))
	}
	return all
}

func (blockGuard) Open(_ ast.Node, reader mdtext.Reader, pc parser.Context) (ast.Node, parser.State) {
	g, line := pc.Get(guardKey).(*guard), 0
	if text, _ := reader.PeekLine(); text != nil {
		line = len(text)
	}
	depth := len(pc.OpenedBlocks())
	if depth > maxMarkdownDepth {
		g.refuse("the Markdown is nested more than %d deep", maxMarkdownDepth)
	}
	g.tick(1 + depth + line/16)
	return nil, parser.NoChildren
}

func (blockGuard) Continue(ast.Node, mdtext.Reader, parser.Context) parser.State { return parser.Close }
func (blockGuard) Close(ast.Node, mdtext.Reader, parser.Context)                 {}
func (blockGuard) CanInterruptParagraph() bool                                   { return true }
func (blockGuard) CanAcceptIndentedLine() bool                                   { return true }

type inlineGuard struct{}

func (inlineGuard) Trigger() []byte { return []byte("*_[]!<`") }

func (inlineGuard) Parse(block ast.Node, reader mdtext.Reader, pc parser.Context) ast.Node {
	g := pc.Get(guardKey).(*guard)
	if g.block != block {
		g.block, g.marks = block, 0
	}
	line, _ := reader.PeekLine()
	switch {
	case bytes.HasPrefix(line, []byte("*")), bytes.HasPrefix(line, []byte("_")), bytes.HasPrefix(line, []byte("![")):
		g.marks++
	}
	if g.marks > maxMarks {
		g.refuse("a paragraph of the Markdown has more than %d marks of emphasis or images", maxMarks)
	}
	g.tick(4 + len(line)/32) // a link that never ends is looked for to the end of the line
	return nil
}

// definitionGuard is for paragraphs that begin with definitions of links, which
// take quadratic time to be read.
type definitionGuard struct{}

func (definitionGuard) Transform(p *ast.Paragraph, reader mdtext.Reader, pc parser.Context) {
	g, lines := pc.Get(guardKey).(*guard), p.Lines()
	if lines.Len() == 0 {
		return
	}
	first := lines.At(0)
	if lines.Len() > maxDefinitions && bytes.HasPrefix(bytes.TrimLeft(first.Value(reader.Source()), " "), []byte("[")) {
		g.refuse("the Markdown has a paragraph of more than %d lines that begins with [", maxDefinitions)
	}
	g.tick(1 + lines.Len())
}

// admitLinks asks for the memory of what links and images repeat of their
// definitions, which may be used any number of times.
func admitLinks(t *eval.Thread, doc ast.Node) error {
	total := int64(0)
	return walkMarkdown(t, doc, func(n ast.Node) error {
		var url, title []byte
		switch n := n.(type) {
		case *ast.Link:
			url, title = n.Destination, n.Title
		case *ast.Image:
			url, title = n.Destination, n.Title
		default:
			return nil
		}
		total += int64(len(url) + len(title))
		if err := reserve(t, total, 4); err != nil {
			return err
		}
		return t.Tick((len(url) + len(title)) / 16)
	})
}

// walkMarkdown calls f for each node.
func walkMarkdown(t *eval.Thread, doc ast.Node, f func(n ast.Node) error) error {
	return ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if err := t.Tick(1); err != nil {
			return ast.WalkStop, err
		}
		return ast.WalkContinue, f(n)
	})
}

package core

import (
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"github.com/gosema/gosema/eval"
)

const (
	maxSelector = 4096 // bytes
	// maxSelectorDepth bounds what is nested in :not(...) and :has(...).
	maxSelectorDepth = 8
	// maxTries bounds how many combinations of elements are tried for one element,
	// which nothing can interrupt.
	maxTries = 1 << 26
)

// selector is a CSS selector and what makes matching it slow.
type selector struct {
	group                            cascadia.SelectorGroup
	ancestors, siblings, descendants int // how often each relation is in it
}

func parseSelector(text string) (*selector, error) {
	if len(text) > maxSelector {
		return nil, eval.Errorf(eval.KindEval, "the selector has more than %d bytes", maxSelector)
	}
	s := &selector{}
	if err := s.measure(text); err != nil {
		return nil, err
	}
	group, err := cascadia.ParseGroup(rewrittenSelector(text))
	if err != nil {
		return nil, eval.Errorf(eval.KindEval, "the selector %q is not valid: %v", text, err)
	}
	s.group = group
	return s, nil
}

// measure counts what relates elements: white space between them, ~, and :has.
// Counting too much is fine, as commas do.
func (s *selector) measure(text string) error {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			i++
		case '"', '\'':
			i += quotedLength(text[i:]) - 1
		case '(':
			if depth++; depth > maxSelectorDepth {
				return eval.Errorf(eval.KindEval, "the selector is nested more than %d deep", maxSelectorDepth)
			}
		case ')':
			depth--
		case '~':
			if i+1 == len(text) || text[i+1] != '=' {
				s.siblings++
			}
		case ' ', '\t', '\n', '\r', '\f':
			if relates(text, i) {
				s.ancestors++
			}
		case ':':
			if strings.HasPrefix(strings.ToLower(text[i:min(len(text), i+4)]), ":has") {
				s.descendants++
			}
		}
	}
	return nil
}

// relates reports whether the white space at i stands between two elements, and
// is the last of its run.
func relates(text string, i int) bool {
	const others = " \t\n\r\f>+~,()[]="
	before := strings.TrimRight(text[:i], " \t\n\r\f")
	return before != "" && i+1 < len(text) && !strings.ContainsRune(">+~,([=", rune(before[len(before)-1])) && !strings.ContainsRune(others, rune(text[i+1]))
}

// quotedLength is the length of the string that text begins with.
func quotedLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return len(text)
}

// all lists the elements that match, in the order of the document.
func (s *selector) all(t *eval.Thread, doc *html.Node) (found []*html.Node, err error) {
	shape := shapeOf(doc, 0)
	if tries := s.tries(shape); tries > maxTries {
		return nil, eval.Errorf(eval.KindEval, "refused: matching this selector could take too long in a document of %d elements, nested %d deep; use > and + where they will do", shape.elements, shape.depth)
	}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if err := t.Tick(8 + s.ancestors + s.siblings + s.descendants); err != nil {
			return nil, err
		}
		if s.group.Match(n) {
			found = append(found, n)
		}
	}
	return found, nil
}

// htmlShape is what bounds the ways through a document.
type htmlShape struct{ elements, depth, children int }

func shapeOf(n *html.Node, depth int) htmlShape {
	s, children := htmlShape{elements: 1, depth: depth}, 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		children++
		in := shapeOf(c, depth+1)
		s = htmlShape{s.elements + in.elements, max(s.depth, in.depth), max(s.children, in.children)}
	}
	s.children = max(s.children, children)
	return s
}

// tries is how many combinations of other elements may be looked at for one.
func (s *selector) tries(shape htmlShape) float64 {
	n := ways(shape.depth, s.ancestors) * ways(shape.children, s.siblings)
	for range s.descendants {
		n *= float64(shape.elements)
	}
	return n
}

// ways is in how many ways at most k can be taken of n.
func ways(n, k int) float64 {
	exactly, sum := 1.0, 1.0
	for i := range min(k, n) {
		exactly *= float64(n-i) / float64(i+1)
		sum += exactly
	}
	return sum
}

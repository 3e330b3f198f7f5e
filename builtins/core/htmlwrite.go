package core

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlWriter writes nodes as the HTML standard says ("serialising HTML
// fragments"). The library's own writer has references for quotes, too, which
// makes texts unlike what they were.
type htmlWriter struct{ text }

var (
	textEscapes = strings.NewReplacer("&", "&amp;", "\u00a0", "&nbsp;", "<", "&lt;", ">", "&gt;")
	attrEscapes = strings.NewReplacer("&", "&amp;", "\u00a0", "&nbsp;", `"`, "&quot;")
)

func (w *htmlWriter) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		if n.Parent != nil && rawText[n.Parent.DataAtom] && n.Parent.Namespace == "" {
			w.add(n.Data)
		} else {
			w.add(textEscapes.Replace(n.Data))
		}
	case html.CommentNode:
		w.all("<!--", n.Data, "-->")
	case html.DoctypeNode:
		w.all("<!DOCTYPE ", n.Data, ">")
	case html.DocumentNode:
		w.children(n)
	case html.ElementNode:
		w.element(n)
	}
}

func (w *htmlWriter) all(parts ...string) {
	for _, s := range parts {
		w.add(s)
	}
}

func (w *htmlWriter) children(n *html.Node) {
	for c := n.FirstChild; c != nil && w.err == nil; c = c.NextSibling {
		w.node(c)
	}
}

func (w *htmlWriter) element(n *html.Node) {
	w.all("<", n.Data)
	for _, a := range n.Attr {
		key := a.Key
		if a.Namespace != "" {
			key = a.Namespace + ":" + key
		}
		w.all(" ", key, `="`, attrEscapes.Replace(a.Val), `"`)
	}
	w.add(">")
	if n.Namespace == "" && void[n.DataAtom] {
		return
	}
	if c := n.FirstChild; c != nil && c.Type == html.TextNode && strings.HasPrefix(c.Data, "\n") && swallowsNewline(n) {
		w.add("\n") // the first one is not read
	}
	w.children(n)
	w.all("</", n.Data, ">")
}

func swallowsNewline(n *html.Node) bool {
	return n.Namespace == "" && (n.DataAtom == atom.Pre || n.DataAtom == atom.Textarea || n.DataAtom == atom.Listing)
}

var (
	// void elements have no end tag.
	void = map[atom.Atom]bool{atom.Area: true, atom.Base: true, atom.Basefont: true, atom.Bgsound: true, atom.Br: true, atom.Col: true, atom.Embed: true, atom.Frame: true, atom.Hr: true, atom.Img: true,
		atom.Input: true, atom.Keygen: true, atom.Link: true, atom.Meta: true, atom.Param: true, atom.Source: true, atom.Track: true, atom.Wbr: true}
	// rawText elements have text that is not escaped.
	rawText = map[atom.Atom]bool{atom.Style: true, atom.Script: true, atom.Xmp: true, atom.Iframe: true, atom.Noembed: true, atom.Noframes: true, atom.Plaintext: true}
	// unseen elements have text that is not for readers.
	unseen = map[atom.Atom]bool{atom.Style: true, atom.Script: true, atom.Template: true}
	// inline elements do not end a word.
	inline = map[atom.Atom]bool{0: true, atom.A: true, atom.Abbr: true, atom.Acronym: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Big: true,
		atom.Cite: true, atom.Code: true, atom.Data: true, atom.Del: true, atom.Dfn: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Ins: true,
		atom.Kbd: true, atom.Label: true, atom.Mark: true, atom.Nobr: true, atom.Noscript: true, atom.Q: true, atom.Rb: true, atom.Ruby: true, atom.S: true, atom.Samp: true,
		atom.Small: true, atom.Span: true, atom.Strike: true, atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Time: true, atom.Tt: true,
		atom.U: true, atom.Var: true, atom.Wbr: true}
)

// visible collects the text that a reader would see, with one space for each run
// of white space and each border of a block.
type visible struct {
	text
	space bool // before the next word
}

func (x *visible) node(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		x.words(n.Data)
	case n.Type == html.ElementNode && unseen[n.DataAtom]:
	case n.Type == html.ElementNode, n.Type == html.DocumentNode:
		x.space = x.space || !inline[n.DataAtom]
		for c := n.FirstChild; c != nil && x.err == nil; c = c.NextSibling {
			x.node(c)
		}
		x.space = x.space || !inline[n.DataAtom]
	}
}

func (x *visible) words(s string) {
	for x.err == nil {
		word := strings.TrimLeftFunc(s, unicode.IsSpace)
		x.space = x.space || len(word) < len(s)
		if word == "" {
			return
		}
		n := strings.IndexFunc(word, unicode.IsSpace)
		if n < 0 {
			n = len(word)
		}
		if x.space && x.b.Len() > 0 {
			x.add(" ")
		}
		x.space = false
		x.add(word[:n])
		s = word[n:]
	}
}

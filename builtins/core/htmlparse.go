package core

import (
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/gosema/gosema/eval"
)

const (
	// htmlNodeWeight and htmlAttrWeight are about how much memory an element and
	// an attribute of it take.
	htmlNodeWeight = 256
	htmlAttrWeight = 96
	// htmlChunk is how much of a text is read between two looks at the limits.
	htmlChunk = 4096
)

// parseHTML repairs and reads a document. The library refuses elements nested
// more than 512 deep, so that walks of the result may be recursive.
func parseHTML(t *eval.Thread, text string) (*html.Node, error) {
	w := newHTMLWeight()
	if err := w.measure(t, text); err != nil {
		return nil, err
	}
	if err := reserve(t, w.total, 1); err != nil {
		return nil, err
	}
	in := &countedReader{t: t, text: text}
	// Nothing runs scripts here, so that what noscript has is a part of the page.
	doc, err := html.ParseWithOptions(in, html.ParseOptionEnableScripting(false))
	switch {
	case in.err != nil:
		return nil, in.err
	case err != nil:
		return nil, eval.Errorf(eval.KindEval, "the HTML is nested too deeply: %s", strings.TrimPrefix(err.Error(), "html: "))
	}
	return doc, nil
}

// countedReader counts what a parser reads as steps, and ends it at a limit.
type countedReader struct {
	t    *eval.Thread
	text string
	err  error
}

func (r *countedReader) Read(p []byte) (int, error) {
	if r.err = r.t.Tick(htmlChunk / 8); r.err != nil {
		return 0, r.err
	}
	n := copy(p[:min(len(p), htmlChunk)], r.text)
	if r.text = r.text[n:]; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// htmlWeight guesses from the tags of a text what its tree takes. Elements of
// formatting that are never closed are why this is needed: the rules of HTML
// repeat all of them in each block that follows.
type htmlWeight struct {
	total   int64
	repeats int64 // what all open elements of formatting weigh together
	open    map[atom.Atom][]openFormat
	same    map[string]int // open elements of formatting by their text: only three of one kind are repeated
}

type openFormat struct {
	weight int64
	text   string
}

func newHTMLWeight() *htmlWeight {
	return &htmlWeight{open: map[atom.Atom][]openFormat{}, same: map[string]int{}}
}

func (w *htmlWeight) measure(t *eval.Thread, text string) error {
	w.total = 3 * int64(len(text))
	in := &countedReader{t: t, text: text}
	for z := html.NewTokenizer(in); ; {
		switch z.Next() {
		case html.ErrorToken:
			return in.err
		case html.StartTagToken, html.SelfClosingTagToken:
			w.start(z)
		case html.EndTagToken:
			name, _ := z.TagName()
			w.end(atom.Lookup(name))
		default:
			w.total += htmlNodeWeight
		}
		if w.total > maxBytes {
			return reserve(t, w.total, 1)
		}
	}
}

func (w *htmlWeight) start(z *html.Tokenizer) {
	raw := z.Raw()
	weight := htmlNodeWeight + htmlAttrWeight*int64(strings.Count(string(raw), "="))
	w.total += weight
	name, _ := z.TagName()
	a := atom.Lookup(name)
	if !formatting[a] {
		w.total += w.repeats
		return
	}
	if a == atom.A {
		w.end(a) // a link ends the one before it
	}
	if text := string(raw); w.same[text] < 3 {
		w.same[text]++
		w.open[a] = append(w.open[a], openFormat{weight + int64(len(text)), text})
		w.repeats += weight + int64(len(text))
	}
}

func (w *htmlWeight) end(a atom.Atom) {
	open := w.open[a]
	switch {
	case !formatting[a]:
		w.total += w.repeats
	case len(open) > 0:
		last := open[len(open)-1]
		w.open[a] = open[:len(open)-1]
		w.same[last.text]--
		w.repeats -= last.weight
		w.total += 8 * last.weight // where blocks begin in it and end behind it, it is divided
	}
}

// formatting has the elements that HTML repeats in the blocks after the one that
// they began in.
var formatting = map[atom.Atom]bool{atom.A: true, atom.B: true, atom.Big: true, atom.Code: true, atom.Em: true, atom.Font: true, atom.I: true,
	atom.Nobr: true, atom.S: true, atom.Small: true, atom.Strike: true, atom.Strong: true, atom.Tt: true, atom.U: true}

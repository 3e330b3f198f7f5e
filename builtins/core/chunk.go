package core

import (
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func chunkBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "text/chunk", Arity: eval.Between(1, 2), Fn: textChunk,
			Doc: "(text/chunk text [{:size 1000 :overlap 200}]) cuts a text into parts of at most size characters: between paragraphs, else lines, sentences, words, and in a word only where nothing else helps. " +
				"Each part begins with the last overlap characters of the one before, if overlap is less than size.",
			Example: "(text/chunk \"One two. Three four. Five.\" {:size 12 :overlap 0}) ; => (\"One two\" \"Three four\" \"Five.\")"},
		{Name: "text/chunk-by-separator", Arity: eval.Exactly(2), Fn: textChunkBySeparator,
			Doc: "(text/chunk-by-separator text sep) lists what is between the separators and not empty.", Example: "(text/chunk-by-separator \"a,b,,c\" \",\") ; => (\"a\" \"b\" \"c\")"},
		{Name: "text/split-sentences", Arity: eval.Exactly(1), Fn: textSplitSentences,
			Doc: "(text/split-sentences text) cuts a text behind each . ! or ? with space behind it.", Example: "(text/split-sentences \"Hello world. How are you?\") ; => (\"Hello world.\" \"How are you?\")"},
	}
}

// separators are where a text is cut, the best first.
func separators() []string { return []string{"\n\n", "\n", ". ", "! ", "? ", "; ", ", ", " "} }

// span is a part of a text in bytes. A part that continues a word has its
// overlap already.
type span struct {
	from, to  int
	continues bool
}

// chunker cuts a text.
type chunker struct {
	t             *eval.Thread
	text          string
	size, overlap int
	parts         []span
}

func newChunker(t *eval.Thread, text string, o *eval.Options) *chunker {
	c := &chunker{t: t, text: text, size: 1000, overlap: 200}
	size, overlap := o.Int("size", 1000), o.Int("overlap", 200)
	if size < 1 {
		o.Bad("size", "a number of characters above 0")
	}
	if overlap < 0 {
		o.Bad("overlap", "a number of characters that is not negative")
	}
	c.size, c.overlap = int(min(size, maxBytes)), int(min(overlap, maxBytes))
	if c.overlap >= c.size {
		c.overlap = 0
	}
	return c
}

// chunks are the parts as strings.
func (c *chunker) chunks() ([]Value, error) {
	if err := c.split(0, len(c.text), separators()); err != nil {
		return nil, err
	}
	if err := reserve(c.t, int64(len(c.parts)), 2*valueSize); err != nil {
		return nil, err
	}
	out := make([]Value, len(c.parts))
	copied := int64(0)
	for i, p := range c.parts {
		part := c.text[p.from:p.to]
		if i > 0 && c.overlap > 0 && !p.continues {
			before := c.parts[i-1]
			part = lastRunes(c.text[before.from:before.to], c.overlap) + part
			copied += int64(len(part))
		}
		if err := reserve(c.t, copied, 1); err != nil {
			return nil, err
		}
		out[i] = value.String(part)
	}
	return out, c.t.Tick(len(out) + int(copied/64))
}

// lastRunes is the end of s, of n characters.
func lastRunes(s string, n int) string {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}

// split cuts a part of the text at the first of the separators that it has.
func (c *chunker) split(from, to int, seps []string) error {
	part := c.text[from:to]
	if err := c.t.Tick(1 + len(part)/64); err != nil {
		return err
	}
	if part == "" {
		return nil
	}
	if utf8.RuneCountInString(part) <= c.size {
		c.parts = append(c.parts, span{from: from, to: to})
		return nil
	}
	for i, sep := range seps {
		if strings.Contains(part, sep) {
			return c.join(from, to, sep, seps[i+1:])
		}
	}
	return c.cut(from, to)
}

// join takes pieces between separators together as long as they fit; pieces
// that do not fit alone are split further.
func (c *chunker) join(from, to int, sep string, rest []string) error {
	cur, size := span{}, 0
	flush := func() {
		if size > 0 {
			c.parts = append(c.parts, cur)
		}
		size = 0
	}
	for at := from; at <= to; {
		end := to
		if n := strings.Index(c.text[at:to], sep); n >= 0 {
			end = at + n
		}
		if err := c.t.Tick(1); err != nil {
			return err
		}
		n := utf8.RuneCountInString(c.text[at:end])
		switch {
		case size > 0 && size+len(sep)+n <= c.size:
			cur.to, size = end, size+len(sep)+n
		case n <= c.size:
			flush()
			cur, size = span{from: at, to: end}, n
		default:
			flush()
			if err := c.split(at, end, rest); err != nil {
				return err
			}
		}
		at = end + len(sep)
	}
	flush()
	return nil
}

// cut makes parts of so many characters, wherever that is.
func (c *chunker) cut(from, to int) error {
	stride := c.size - c.overlap
	var starts []int // of every stride-th character
	n := 0
	for i := range c.text[from:to] {
		if n%stride == 0 {
			starts = append(starts, from+i)
			if err := reserve(c.t, int64(len(starts)), 4*valueSize); err != nil {
				return err
			}
		}
		n++
	}
	end := from
	for i, at := range starts {
		left := c.size // of characters up to the end of the part
		if end < at {
			end = at
		} else if i > 0 {
			left = stride
		}
		for ; left > 0 && end < to; left-- {
			_, size := utf8.DecodeRuneInString(c.text[end:to])
			end += size
		}
		c.parts = append(c.parts, span{at, end, i > 0})
		if err := c.t.Tick(1); err != nil {
			return err
		}
	}
	return nil
}

func textChunk(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	o := eval.OptionsOf("text/chunk", a.Value(1), "size", "overlap")
	c := newChunker(t, a.String(0), o)
	a.Fail(o.Err())
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	chunks, err := c.chunks()
	if err != nil {
		return value.Nil, err
	}
	return t.Heap().List(chunks), nil
}

func textChunkBySeparator(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	text, sep := a.String(0), a.String(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	var parts []Value
	for part := range strings.SplitSeq(text, sep) {
		if part != "" {
			parts = append(parts, piece(text, part))
		}
		if err := t.Tick(1 + len(part)/64); err != nil {
			return value.Nil, err
		}
	}
	return t.Heap().List(parts), nil
}

func textSplitSentences(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	text := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	var sentences []Value
	add := func(s string) error {
		if s = strings.TrimSpace(s); s != "" {
			sentences = append(sentences, piece(text, s))
		}
		return t.Tick(1 + len(s)/64)
	}
	start := 0
	for i := 0; i < len(text); i++ {
		if strings.IndexByte(".!?", text[i]) < 0 || !startsWithSpace(text[i+1:]) {
			continue
		}
		if err := add(text[start : i+1]); err != nil {
			return value.Nil, err
		}
		start = i + 1
	}
	err := add(text[start:])
	return t.Heap().List(sentences), err
}

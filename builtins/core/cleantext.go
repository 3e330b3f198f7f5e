package core

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func cleanTextBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "text/clean-whitespace", Arity: eval.Exactly(1), Fn: cleaned(cleanWhitespace),
			Doc: "(text/clean-whitespace text) has one space for each run of white space, and none at its ends.", Example: "(text/clean-whitespace \"  a\\n  b \") ; => \"a b\""},
		{Name: "text/strip-html", Arity: eval.Exactly(1), Fn: cleaned(stripHTML),
			Doc:     "(text/strip-html text) is the text without tags and comments, with &amp; &lt; &gt; &quot; &#39; &apos; and &nbsp; as characters. It is for reading: it makes no text safe to put into a page.",
			Example: "(text/strip-html \"<p>Hello <b>world</b> &amp; all</p>\") ; => \"Hello world & all\""},
		{Name: "text/normalize-newlines", Arity: eval.Exactly(1), Fn: cleaned(normalizeNewlines),
			Doc: "(text/normalize-newlines text) ends lines with \\n instead of \\r\\n or \\r.", Example: "(text/normalize-newlines \"a\\r\\nb\\rc\") ; => \"a\\nb\\nc\""},
		{Name: "text/trim-indent", Arity: eval.Exactly(1), Fn: cleaned(trimIndent),
			Doc: "(text/trim-indent text) takes the indentation that all lines share, blank ones aside, off each line.", Example: "(text/trim-indent \"  a\\n    b\") ; => \"a\\n  b\""},
		{Name: "text/truncate", Arity: eval.Between(2, 3), Fn: textTruncate,
			Doc:     "(text/truncate text n [suffix]) is the text if it has at most n characters, and else its beginning with suffix (\"...\"), n characters together; a suffix longer than n stands alone.",
			Example: "(text/truncate \"hello world\" 8) ; => \"hello...\""},
		{Name: "text/word-count", Arity: eval.Exactly(1), Fn: textWordCount,
			Doc: "(text/word-count text) counts the words, which are what white space divides.", Example: "(text/word-count \"hello big world\") ; => 3"},
		{Name: "text/excerpt", Arity: eval.Between(2, 3), Fn: textExcerpt,
			Doc:     "(text/excerpt text query [{:radius 100 :omission \"...\"}]) is the first place that has query, in any case, with radius characters on both sides; nil if there is none.",
			Example: "(text/excerpt \"The quick brown fox jumps\" \"BROWN\" {:radius 3}) ; => \"...ck brown fo...\""},
	}
}

// cleaned is a builtin that makes a text of a text, which is at most a little
// longer.
func cleaned(f func(text string) string) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		text := a.String(0)
		a.Fail(reserve(t, int64(len(text)), 2))
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		return value.String(f(text)), t.Tick(1 + len(text)/16)
	}
}

func cleanWhitespace(text string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(text) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

func normalizeNewlines(text string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
}

// stripHTML takes tags out before it reads entities, so that &lt;b&gt; stays
// text, and each entity once, so that &amp;lt; is &lt;.
func stripHTML(text string) string {
	var b strings.Builder
	for {
		before, tag, found := strings.Cut(text, "<")
		b.WriteString(before)
		if !found {
			break
		}
		if !opensTag(tag) {
			b.WriteByte('<')
			text = tag
			continue
		}
		end := ">"
		if strings.HasPrefix(tag, "!--") {
			end = "-->"
		}
		_, text, _ = strings.Cut(tag, end) // one that never ends takes all
	}
	return strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#39;", "'", "&apos;", "'", "&nbsp;", " ").Replace(b.String())
}

// opensTag reports whether a tag or a comment follows a <, which stands for
// itself otherwise.
func opensTag(s string) bool {
	if s == "" {
		return false
	}
	c := s[0] | 0x20
	return c >= 'a' && c <= 'z' || s[0] == '/' || s[0] == '!' || s[0] == '?'
}

func startsWithSpace(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || unicode.IsSpace(r)
}

// indentation counts the white space that a line begins with; blank lines have
// none to count.
func indentation(line string) (n int, blank bool) {
	for _, r := range line {
		if !unicode.IsSpace(r) {
			return n, false
		}
		n++
	}
	return n, true
}

func trimIndent(text string) string {
	least := -1
	for line := range strings.SplitSeq(text, "\n") {
		if n, blank := indentation(line); !blank && (least < 0 || n < least) {
			least = n
		}
	}
	if least <= 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimSuffix(line, "\n")
		b.WriteString(dropRunes(body, least))
		b.WriteString(line[len(body):])
	}
	return b.String()
}

// dropRunes is s without its first n characters.
func dropRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[i:]
		}
		n--
	}
	return ""
}

// firstRunes is the beginning of s, of n characters.
func firstRunes(s string, n int) string { return s[:len(s)-len(dropRunes(s, n))] }

func textTruncate(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	whole, n, suffix := a.String(0), a.Size(1), "..."
	if a.Has(2) {
		suffix = a.String(2)
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if len(whole) <= n || dropRunes(whole, n) == "" {
		return args[0], t.Tick(len(whole) / 64)
	}
	keep := max(n-utf8.RuneCountInString(suffix), 0)
	b := text{t: t}
	b.add(firstRunes(whole, keep))
	b.add(suffix)
	return b.value()
}

func textWordCount(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n := 0
	for range strings.FieldsSeq(a.String(0)) {
		n++
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.Int(int64(n)), t.Tick(n)
}

// findFolded finds query in text in any case, as a part of text in bytes.
// Letters are lowered one by one, so that places stay what they are.
func findFolded(text, query string) (from, to int, ok bool) {
	lowered, wanted := strings.Map(unicode.ToLower, text), strings.Map(unicode.ToLower, query)
	at := strings.Index(lowered, wanted)
	if at < 0 {
		return 0, 0, false
	}
	from = len(firstRunes(text, utf8.RuneCountInString(lowered[:at])))
	return from, from + len(firstRunes(text[from:], utf8.RuneCountInString(wanted))), true
}

func textExcerpt(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	o := eval.OptionsOf("text/excerpt", a.Value(2), "radius", "omission")
	whole, query := a.String(0), a.String(1)
	radius, omission := o.Int("radius", 100), o.String("omission", "...")
	if radius < 0 {
		o.Bad("radius", "a number of characters that is not negative")
	}
	a.Fail(o.Err())
	if a.Err() == nil {
		a.Fail(reserve(t, int64(len(whole)+len(query)), 2))
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	from, to, ok := findFolded(whole, query)
	if !ok {
		return value.Nil, t.Tick(len(whole) / 16)
	}
	around := int(min(radius, maxBytes))
	before, after := lastRunes(whole[:from], around), firstRunes(whole[to:], around)
	b := text{t: t}
	if len(before) < from {
		b.add(omission)
	}
	b.add(whole[from-len(before) : to+len(after)])
	if len(after) < len(whole)-to {
		b.add(omission)
	}
	return b.value()
}

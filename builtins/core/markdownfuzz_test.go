package core_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/eval/value"
)

// FuzzMarkdown: any text is Markdown, and divided at its front matter it is still
// all there.
func FuzzMarkdown(f *testing.F) {
	f.Add("# T\n\n> - *a* **b** `c` [l](u \"t\") ![i](p)\n\n[r]: x\n[r]\n\n```go\nx\n```\n<b>&amp;</b>\\*\n***\n1) a\n2) b")
	f.Add("---\na: b\n---\nT\n===\n\tcode\n- a\n\n  b  \nc")
	in := fuzzInterp()
	f.Fuzz(func(t *testing.T, text string) {
		if v, ok := fuzzed(t, in, "markdown/to-html", text); ok {
			s, _ := v.AsString()
			require.True(t, utf8.ValidString(s) || !utf8.ValidString(text), s)
		}
		fuzzed(t, in, "markdown/headings", text)
		v, ok := fuzzed(t, in, "markdown/frontmatter", text)
		require.True(t, ok)
		front, _ := must(v.Get(value.Keyword("frontmatter"))).AsString()
		body, _ := must(v.Get(value.Keyword("body"))).AsString()
		require.Contains(t, text, front)
		require.True(t, strings.HasSuffix(text, body))
	})
}

package core_test

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/eval/value"
)

// FuzzPromptRender: without values a template stays what it is, and a value is
// put in as often as its key stands in braces, unless braces before it took it.
func FuzzPromptRender(f *testing.F) {
	for _, s := range []string{"Hello {{name}}", "{{a}}{{{a}}}{{a", "}}{{}}{{a {{a}}"} {
		f.Add(s, "a", "v")
	}
	in := fuzzInterp()
	f.Fuzz(func(t *testing.T, template, key, v string) {
		fn, _ := in.Global("prompt/render")
		same, err := in.Call(context.Background(), fn, value.String(template), value.EmptyMap())
		require.NoError(t, err)
		require.Equal(t, template, value.Display(same))
		got, err := in.Call(context.Background(), fn, value.String(template), value.Map(value.Keyword(key), value.String(v)))
		require.NoError(t, err)
		if strings.Count(template, "{") == 2 && !strings.Contains(key, "{") && !strings.Contains(key, "}}") {
			require.Equal(t, strings.ReplaceAll(template, "{{"+key+"}}", v), value.Display(got))
		}
	})
}

// FuzzChunk: parts without overlap are parts of the text, in order, and none is
// too long.
func FuzzChunk(f *testing.F) {
	f.Add("One two. Three!\n\nFour, five; six", 7, 2)
	f.Add("日本語のテキスト", 3, 1)
	in := fuzzInterp()
	f.Fuzz(func(t *testing.T, text string, size, overlap int) {
		chunk := func(overlap int) []value.Value {
			fn, _ := in.Global("text/chunk")
			v, err := in.Call(context.Background(), fn, value.String(text),
				value.Map(value.Keyword("size"), value.Int(int64(size)), value.Keyword("overlap"), value.Int(int64(overlap))))
			if size < 1 || overlap < 0 {
				require.Error(t, err)
				return nil
			}
			require.NoError(t, err)
			return v.Slice()
		}
		if size < 1 || overlap < 0 {
			chunk(overlap)
			return
		}
		rest := text
		for _, c := range chunk(0) {
			s, _ := c.AsString()
			require.LessOrEqual(t, utf8.RuneCountInString(s), size)
			at := strings.Index(rest, s)
			require.GreaterOrEqual(t, at, 0)
			rest = rest[at+len(s):]
		}
		require.Empty(t, strings.Trim(rest, "\n .!?;,"))
		for _, c := range chunk(overlap) {
			s, _ := c.AsString()
			require.LessOrEqual(t, utf8.RuneCountInString(s), size+overlap)
		}
		for _, name := range []string{"text/split-sentences", "text/clean-whitespace", "text/strip-html", "text/trim-indent", "text/word-count", "text/normalize-newlines"} {
			_, ok := fuzzed(t, in, name, text)
			require.True(t, ok)
		}
		_, ok := fuzzed(t, in, "text/excerpt", text, text[len(text)/2:])
		require.True(t, ok)
	})
}

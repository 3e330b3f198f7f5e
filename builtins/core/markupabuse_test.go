package core_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/core"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// hostile are texts that parsers of markup take long for, by the function.
var hostile = map[string][]string{
	"markdown/to-html": {"[a](b", "[a](<b", "a**b_c* ", "![", "1. ", "- a\n", "[a]: b\n", "[a][b]\n", "<a b='c ", "`a``b```c", "*a **a ", "> a\n>", "- a\n\n\n  ", "[x]: y \"t\n", "\t", "&#", "<!--", "\n\\", "![a](", "# a\n", "a\n=\n"},
	"html/parse": {"<p>", "<b><p>", "<a>", "<b a=1 c=2>x<p>", "<table>", "<table><tr><td>", "<select><option>", "</b>", "<br a=1 b=2>", "<svg><p>", "<!--", "<![CDATA[", "<i></p>", "&amp", "<a><div></a>",
		"<form><div></form>", "<template>", "<button><b>", "<font size=1></div>", "<table><b>", "<x y=", "<li><b>", "<dd><i>", "</p>", "<frameset>"},
	"html/text":            {"<p> a ", "a ", "<b>a</b>"},
	"markdown/headings":    {"# a *b* \n", "# &amp;"},
	"markdown/frontmatter": {"---\n-"},
}

// TestMarkupStops: however long a text takes, the evaluation ends soon after it
// is cancelled.
func TestMarkupStops(t *testing.T) {
	in := fuzzInterp()
	for name, units := range hostile {
		for _, unit := range units {
			text := value.String(strings.Repeat(unit, 500_000/len(unit)))
			fn, _ := in.Global(name)
			ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
			start := time.Now()
			_, err := in.Call(ctx, fn, text)
			cancel()
			if err != nil {
				require.NotEqual(t, eval.KindInternal, eval.AsError(err).Kind, "%s %q", name, unit)
			}
			took := time.Since(start)
			if took > time.Second {
				t.Logf("%s %q: %v, %v", name, unit, took, err)
			}
			require.Less(t, took, 10*time.Second, "%s %q", name, unit)
		}
	}
}

// TestSelectorsStop: the same for selectors that try many combinations.
func TestSelectorsStop(t *testing.T) {
	in := fuzzInterp()
	fn, _ := in.Global("html/select-text")
	deep := strings.Repeat(strings.Repeat("<div>", 400)+strings.Repeat("</div>", 400), 20)
	wide := strings.Repeat("<p>x", 30_000)
	for _, text := range []string{deep, wide} {
		for _, s := range []string{"div div div div div b", "div div div b", "* ~ * ~ * ~ b", "* ~ b", "p:nth-last-child(2n)", ":has(:has(b))", ":has(b)", ":not(div div b)", "p ~ p:has(a b)", "div:not(:has(div)):contains('y')"} {
			ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
			start := time.Now()
			_, _ = in.Call(ctx, fn, value.String(text), value.String(s))
			cancel()
			took := time.Since(start)
			if took > time.Second {
				t.Logf("%q: %v", s, took)
			}
			require.Less(t, took, 10*time.Second, s)
		}
	}
}

// TestMarkupMemory: what is refused is refused before it takes the memory.
func TestMarkupMemory(t *testing.T) {
	in := eval.New(eval.Config{Library: eval.NewLibrary(core.Builtins()), Limits: eval.Limits{HeapBytes: 64 << 20}})
	for name, units := range hostile {
		for _, unit := range units {
			fn, _ := in.Global(name)
			ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _ = in.Call(ctx, fn, value.String(strings.Repeat(unit, 400_000/len(unit))))
			runtime.ReadMemStats(&after)
			cancel()
			require.Less(t, int64(after.HeapSys)-int64(before.HeapSys), int64(256<<20), "%s %q", name, unit)
		}
	}
}

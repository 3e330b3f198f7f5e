package core_test

import (
	"testing"
)

// FuzzHTML: any text is HTML, and any text a selector or an error.
func FuzzHTML(f *testing.F) {
	f.Add("<p>hello<p>world", "p.x")
	f.Add("<table><b>a<tr><td>b</table></b><svg><p>x<math><mi><table>", "a[href^=\"x\"] > b ~ c:not(:has(d e))")
	f.Add("<a><div><i>x</a>y<select><option><p></select><frameset><plaintext></p>", ":nth-child(2n+1), *")
	in := fuzzInterp()
	f.Fuzz(func(t *testing.T, text, selector string) {
		if v, ok := fuzzed(t, in, "html/parse", text); ok {
			s, _ := v.AsString()
			fuzzed(t, in, "html/parse", s)
		}
		fuzzed(t, in, "html/text", text)
		fuzzed(t, in, "html/select", text, selector)
		fuzzed(t, in, "html/select-text", text, selector)
	})
}

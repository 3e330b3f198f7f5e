package core_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/eval/value"
)

// FuzzRedact: what is found lies in the text in order, without overlaps, and no
// byte of it is in what is left; spans may be anything.
func FuzzRedact(f *testing.F) {
	f.Add("api_key=AKIAIOSFODNN7EXAMPLE me@x.org -----BEGIN PRIVATE KEY-----\nMIIabcdefghijklmnop", 3, 9, 5, 20)
	f.Add("h\u00e9llo", 2, 3, -1, 99)
	in := fuzzInterp()
	f.Fuzz(func(t *testing.T, text string, a, b, c, d int) {
		for _, name := range []string{"secret/detect", "pii/detect"} {
			found, ok := fuzzed(t, in, name, text)
			require.True(t, ok)
			end := int64(0)
			for x := range found.Elems() {
				get := func(k string) value.Value { v, _ := x.Get(value.Keyword(k)); return v }
				from, _ := get("start").AsInt()
				require.GreaterOrEqual(t, from, end)
				end, _ = get("end").AsInt()
				match, _ := get("match").AsString()
				require.Equal(t, text[from:end], match)
			}
		}
		_, ok := fuzzed(t, in, "secret/redact", text)
		require.True(t, ok)
		span := func(from, to int) value.Value {
			return value.Map(value.Keyword("start"), value.Int(int64(from)), value.Keyword("end"), value.Int(int64(to)))
		}
		fn, _ := in.Global("redact/spans")
		v, err := in.Call(context.Background(), fn, value.String(text), value.Vector([]value.Value{span(a, b), span(c, d)}))
		require.NoError(t, err)
		hidden := 0
		for i := range len(text) {
			if i >= a && i < b || i >= c && i < d {
				hidden++
			}
		}
		s, _ := v.AsString()
		left := len(s) - strings.Count(s, "\u00abredacted\u00bb")*len("\u00abredacted\u00bb")
		if !strings.Contains(text, "\u00ab") {
			require.LessOrEqual(t, left, len(text)-hidden)
		}
	})
}

// TestRedactionIsLinear: many beginnings without an end.
func TestRedactionIsLinear(t *testing.T) {
	in := fuzzInterp()
	for _, s := range []string{"-----BEGIN PRIVATE KEY-----\n", "eyJa.", "token=", "a@", "1.2.3.", "415 ", "AKIA", "aB3xY9zQ7wE2rT5uI8oPkL6mN4bV1cX0-"} {
		start := time.Now()
		text := strings.Repeat(s, 300_000/len(s))
		for _, name := range []string{"secret/redact", "pii/detect"} {
			_, ok := fuzzed(t, in, name, text)
			require.True(t, ok)
		}
		require.Less(t, time.Since(start), 20*time.Second, s)
	}
}

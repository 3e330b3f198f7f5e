package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func FuzzStrip(f *testing.F) {
	for _, s := range []string{"a\x1b[31mb\x1b[0m", "\x1b]0;t\x07x", "\x1b]8;;u\x1b\\l", "\x1b(B", "\x1bP\x1b\x1b", "\x1b[", "é\x1bé"} {
		f.Add(s)
	}
	in, _ := newInterp(eval.Limits{})
	strip, _ := in.Global("term/strip")
	f.Fuzz(func(t *testing.T, s string) {
		v, err := in.Call(t.Context(), strip, value.String(s))
		require.NoError(t, err)
		plain, _ := v.AsString()
		require.NotContains(t, plain, "\x1b")
		require.LessOrEqual(t, len(plain), len(s))
		if !strings.Contains(s, "\x1b") {
			require.Equal(t, s, plain)
		}
	})
}

package sys_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// FuzzTOML: whatever the text, it is read or refused, and what was read is the same
// after it was written and read again.
func FuzzTOML(f *testing.F) {
	for _, s := range []string{"a = 1\n[b.c]\nd = [[1], [{}]]", "[[x]]\n[[x.y]]\nz = 1979-05-27", "a = \"\"\"'\"\"\"\"\"\n'' = '#['", "a = [", "a = 1e400", "b = nan"} {
		f.Add(s)
	}
	in := newInterp(strings.NewReader(""))
	call := func(name string, arg Value) (Value, error) {
		fn, _ := in.Global(name)
		return in.Call(context.Background(), fn, arg)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := call("toml/decode", value.String(text))
		if err != nil {
			require.NotEqual(t, eval.KindInternal, eval.AsError(err).Kind, "%q: %v", text, err)
			return
		}
		written, err := call("toml/encode", v)
		require.NoError(t, err, "%q", text)
		again, err := call("toml/decode", written)
		require.NoError(t, err, "%q became %s", text, written)
		require.Equal(t, value.Write(v), value.Write(again), "%q became %s", text, written)
	})
}

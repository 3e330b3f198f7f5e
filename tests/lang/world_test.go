package lang_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/builtins/core"
	"github.com/gosema/gosema/builtins/sys"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/stdlib"
	"github.com/stretchr/testify/require"
)

var worldLibrary = stdlib.Load(eval.NewLibrary(core.Builtins(), sys.Builtins(), ai.Builtins()).
	WithConstants(core.Constants()).WithConstants(sys.Constants()))

// TestWorld runs the scripts that touch the world, each chunk in an empty
// directory. Their input is two lines, "one" and "two".
func TestWorld(t *testing.T) {
	files, err := filepath.Glob("world/*.sema")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, c := range chunks(file, string(text)) {
			for _, m := range []mode{plain, reread, function} {
				t.Run(strings.ReplaceAll(c.at(c.line), "world/", "")+"/"+string(m), func(t *testing.T) { runInWorld(t, c, m) })
			}
		}
	}
}

func runInWorld(t *testing.T, c *chunk, m mode) {
	t.Chdir(t.TempDir())
	require.Nil(t, c.broken)
	var out strings.Builder
	in := eval.New(eval.Config{Library: worldLibrary, Stdout: &out, Stderr: &out, Stdin: strings.NewReader("one\ntwo\n")})
	defer in.Close()
	for k, form := range c.unit.Forms {
		out.Reset()
		v, err := in.Eval(context.Background(), sourceFor(c, k, form.Value, m))
		check(t, c, m, c.expected(k), outcome{v, err, out.String(), int(form.Span.Start.Line)})
	}
}

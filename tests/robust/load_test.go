package robust_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gosema/gosema/eval"
	"github.com/stretchr/testify/require"
)

// TestLoad: files that are wrong in every way.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	in := newInterp(eval.Limits{})
	load := func(path string) error {
		_, err := in.LoadFile(t.Context(), path)
		return err
	}
	file("defines.sema", "(define loaded 42)\n(define (f) (g))")
	require.NoError(t, load(file("good.sema", "(load \"defines.sema\")")), "relative to the file that loads")
	want(t, in, "42", "loaded")
	for _, c := range []struct {
		kind eval.Kind
		line int
		path string
	}{
		{eval.KindType, 3, file("error.sema", "(define a 1)\n\n(car a)")},
		{eval.KindReader, 3, file("unclosed.sema", "(define never 1)\n\n(list (never")},
		{eval.KindType, 1, file("inner.sema", "(load \"error-inner.sema\")")},
		{eval.KindEval, 1, file("itself.sema", "(load \"itself.sema\")")},
		{eval.KindReader, 1, file("binary.sema", "\x00\x01\xff")},
		{eval.KindIO, 1, file("missing.sema", "(load \"no-such-file.sema\")")},
		{eval.KindIO, 1, file("directory.sema", "(load \".\")")},
	} {
		file("error-inner.sema", "(car 5)")
		e := eval.AsError(load(c.path))
		require.Equal(t, string(c.kind), string(e.Kind), "%s: %s", c.path, e.Render())
		_, span := e.Place()
		require.EqualValues(t, c.line, span.Start.Line, e.Render())
		require.NotEmpty(t, e.Render())
	}
	fails(t, in, eval.KindUnbound, "never", "never")
	require.Equal(t, eval.KindIO, eval.AsError(load(filepath.Join(dir, "none.sema"))).Kind)
	works(t, in)
}

// TestLoadDenied: a sandbox without files has no load.
func TestLoadDenied(t *testing.T) {
	in := eval.New(eval.Config{Library: library, Deny: eval.CapFSRead})
	e := fails(t, in, eval.KindPermission, "load", `(load "x.sema")`)
	require.Contains(t, e.Error(), "fs-read")
	want(t, in, ":permission-denied", `(try (load "x.sema") (catch e (:type e)))`)
	want(t, in, "\"load\"", `(try (load "x.sema") (catch e (:function e)))`)
}

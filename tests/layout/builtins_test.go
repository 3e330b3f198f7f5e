package layout

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/builtins/core"
	"github.com/gosema/gosema/builtins/sys"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

// TestBuiltinsAreDocumented: each has a doc that starts with its shape, and an
// example that is true or a reason why there is none.
func TestBuiltinsAreDocumented(t *testing.T) {
	lib := eval.NewLibrary(core.Builtins(), sys.Builtins(), ai.Builtins())
	for _, name := range lib.Names() {
		b, ok := lib.Lookup(name)
		require.True(t, ok)
		if !strings.HasPrefix(b.Doc, "("+b.Name) && !strings.HasPrefix(b.Doc, b.Name) {
			t.Errorf("%s: its doc does not start with its shape: %q", name, b.Doc)
		}
		if b.Example == "" && b.NoRun == "" {
			t.Errorf("%s has neither an example nor a reason for none", name)
		}
		if b.Arity.Max >= 0 && b.Arity.Max < b.Arity.Min {
			t.Errorf("%s takes from %d to %d arguments", name, b.Arity.Min, b.Arity.Max)
		}
	}
}

// TestExamples runs what the docs show.
func TestExamples(t *testing.T) {
	lib := eval.NewLibrary(core.Builtins())
	for _, name := range lib.Names() {
		b, _ := lib.Lookup(name)
		if b.NoRun != "" || b.Name != name {
			continue
		}
		for _, line := range strings.Split(b.Example, "\n") {
			runExample(t, lib, name, line)
		}
	}
}

func runExample(t *testing.T, lib *eval.Library, name, line string) {
	t.Helper()
	expr, wanted, ok := strings.Cut(line, " ; => ")
	if !ok {
		t.Errorf("%s: an example without a result: %s", name, line)
		return
	}
	in := eval.New(eval.Config{Library: lib, Stdout: io.Discard, Stderr: io.Discard, Stdin: strings.NewReader("")})
	v, err := in.Eval(context.Background(), &value.Source{Name: name, Text: expr})
	if err != nil {
		t.Errorf("%s: %s", name, eval.AsError(err).Render())
		return
	}
	if got := value.Write(v); got != wanted {
		t.Errorf("%s: %s gives %s", name, line, got)
	}
}

// TestFormsAreDocumented: the same for special forms.
func TestFormsAreDocumented(t *testing.T) {
	for _, f := range eval.Forms() {
		require.True(t, strings.HasPrefix(f.Shape, "("), f.Name)
		require.NotEmpty(t, f.Doc, f.Name)
	}
}

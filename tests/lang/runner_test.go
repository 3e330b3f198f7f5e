// Package lang_test runs the scripts beside it. An expectation stands beside
// the line it is about:
//
//	(+ 1 2)          ; => 3        the value of the form, as write prints it
//	(car 5)          ; !! a list   the message contains the text, and the error is on this line
//	(println "a")    ; >> a\n      exactly what was printed, with \n for a line break
//	---                            starts a fresh interpreter
//
// It may also stand on a line of its own behind the form. Every script runs
// three ways: as it is; with all forms printed and read again; and with every
// expression inside a function, which compiles to other code.
package lang_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gosema/gosema/builtins/core"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/stdlib"
	"github.com/stretchr/testify/require"
)

var library = stdlib.Load(eval.NewLibrary(core.Builtins()).WithConstants(core.Constants()))

type mode string

const (
	plain    mode = "plain"
	reread   mode = "reread"
	function mode = "function"
)

func TestScripts(t *testing.T) {
	files, err := filepath.Glob("*.sema")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	total := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		t.Run(strings.TrimSuffix(file, ".sema"), func(t *testing.T) {
			for _, c := range chunks(file, string(text)) {
				for _, ws := range c.wants {
					total += len(ws)
				}
				for _, m := range []mode{plain, reread, function} {
					runChunk(t, c, m)
				}
			}
		})
	}
	t.Logf("%d expectations", total)
}

func runChunk(t *testing.T, c *chunk, m mode) {
	if c.broken != nil {
		checkBroken(t, c)
		return
	}
	var out strings.Builder
	in := eval.New(eval.Config{Library: library, Stdout: &out, Stderr: &out, Stdin: strings.NewReader("")})
	for k, form := range c.unit.Forms {
		out.Reset()
		v, err := in.Eval(context.Background(), sourceFor(c, k, form.Value, m))
		check(t, c, m, c.expected(k), outcome{v, err, out.String(), int(form.Span.Start.Line)})
	}
}

// sourceFor is form k in the way that m wants it.
func sourceFor(c *chunk, k int, form value.Value, m mode) *value.Source {
	switch {
	case m == reread && !c.noread:
		return &value.Source{Name: c.file, Text: value.Write(form)}
	case m == function && !c.nowrap && isExpression(form):
		return c.source(k, "((lambda () ", "))")
	}
	return c.source(k, "", "")
}

type outcome struct {
	value  value.Value
	err    error
	output string
	line   int
}

func check(t *testing.T, c *chunk, m mode, wants []want, got outcome) {
	t.Helper()
	failing := false
	for _, w := range wants {
		switch w.kind {
		case "=>":
			if got.err == nil && value.Write(got.value) != w.text {
				t.Errorf("%s (%s): got %s, want %s", c.at(w.line), m, value.Write(got.value), w.text)
			}
		case ">>":
			if text := escaped(got.output); text != w.text {
				t.Errorf("%s (%s): printed %s, want %s", c.at(w.line), m, text, w.text)
			}
		case "!!":
			failing = true
			checkError(t, c, m, w, got)
		}
	}
	if got.err != nil && !failing {
		t.Errorf("%s (%s): %s", c.at(got.line), m, eval.AsError(got.err).Render())
	}
}

func checkError(t *testing.T, c *chunk, m mode, w want, got outcome) {
	t.Helper()
	if got.err == nil {
		t.Errorf("%s (%s): got %s, want the error %q", c.at(w.line), m, value.Write(got.value), w.text)
		return
	}
	e := eval.AsError(got.err)
	if !strings.Contains(e.Error(), w.text) {
		t.Errorf("%s (%s): the error %q does not say %q", c.at(w.line), m, e.Error(), w.text)
	}
	if e.Kind == eval.KindInternal {
		t.Errorf("%s (%s): internal error: %s", c.at(w.line), m, e.Render())
	}
	if _, span := e.Place(); (m != reread || c.noread) && int(span.Start.Line) != w.line {
		t.Errorf("%s (%s): the error is said to be on line %d\n%s", c.at(w.line), m, span.Start.Line, e.Render())
	}
}

// checkBroken checks a chunk that cannot be read: its error must be expected.
func checkBroken(t *testing.T, c *chunk) {
	t.Helper()
	in := eval.New(eval.Config{Library: library})
	_, err := in.Eval(context.Background(), &value.Source{Name: c.file, Text: strings.Repeat("\n", c.line-1) + c.text})
	require.Error(t, err)
	e := eval.AsError(err)
	_, span := e.Place()
	ws := c.wants[int(span.Start.Line)]
	if len(ws) == 0 {
		t.Errorf("%s: %s", c.at(int(span.Start.Line)), e.Render())
		return
	}
	require.Equal(t, eval.KindReader, e.Kind)
	require.Contains(t, e.Error(), ws[0].text, c.at(ws[0].line))
}

// escaped writes line breaks and the like as escapes.
func escaped(s string) string {
	q := strconv.Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

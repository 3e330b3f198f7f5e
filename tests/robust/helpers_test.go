// Package robust_test throws bad input, endless programs, limits, panics and
// many goroutines at the interpreter: whatever happens must end in a clear
// error with a place and a kind, soon, and leave the interpreter usable.
package robust_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gosema/gosema/builtins/core"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

var library = eval.NewLibrary(core.Builtins())

// patience is how long anything may take before a test calls it hung.
const patience = 60 * time.Second

func newInterp(limits eval.Limits) *eval.Interp {
	return eval.New(eval.Config{Library: library, Limits: limits, Stdout: io.Discard, Stderr: io.Discard, Stdin: strings.NewReader("")})
}

func source(text string) *value.Source { return &value.Source{Name: "test", Text: text} }

// evalText evaluates text, and fails the test if that hangs.
func evalText(t testing.TB, in *eval.Interp, text string) (value.Value, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	v, err := in.Eval(ctx, source(text))
	require.NoError(t, ctx.Err(), "hangs: %.200s", text)
	return v, err
}

// want evaluates text, which must give what is wanted.
func want(t testing.TB, in *eval.Interp, wanted, text string) {
	t.Helper()
	v, err := evalText(t, in, text)
	if err != nil {
		t.Fatalf("%.200s\n%s", text, eval.AsError(err).Render())
	}
	require.Equal(t, wanted, value.Write(v), "%.200s", text)
}

// fails evaluates text, which must end in an error of that kind that says so.
func fails(t testing.TB, in *eval.Interp, kind eval.Kind, says, text string) *eval.Error {
	t.Helper()
	v, err := evalText(t, in, text)
	require.Error(t, err, "%.200s => %.100s", text, v.String())
	e := eval.AsError(err)
	require.Equal(t, string(kind), string(e.Kind), "%.200s: %s", text, e.Render())
	require.Contains(t, e.Error(), says, "%.200s", text)
	require.NotEmpty(t, e.Render())
	return e
}

// works checks that an interpreter is still all right.
func works(t testing.TB, in *eval.Interp) {
	t.Helper()
	want(t, in, "(55 (1 4 9) caught)", `
		(define (works-fib n) (if (< n 2) n (+ (works-fib (- n 1)) (works-fib (- n 2)))))
		(list (works-fib 10) (map (lambda (x) (* x x)) '(1 2 3)) (try (throw 'caught) (catch e (:value e))))`)
}

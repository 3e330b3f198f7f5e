package core_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/gosema/gosema/builtins/core"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// newInterp returns an interpreter with this package's names, and what it
// prints.
func newInterp(limits eval.Limits) (in *eval.Interp, out *bytes.Buffer) {
	out = &bytes.Buffer{}
	in = eval.New(eval.Config{Library: eval.NewLibrary(core.Builtins()), Limits: limits,
		Stdin: strings.NewReader(""), Stdout: out, Stderr: out})
	for name, v := range core.Constants() {
		in.Define(name, v)
	}
	return in, out
}

func run(in *eval.Interp, src string) (Value, error) {
	return in.Eval(context.Background(), &value.Source{Name: "test", Text: src})
}

type Value = value.Value

// checks evaluates expr ; => value lines, and expr ; !! error text lines.
func checks(t *testing.T, in *eval.Interp, lines string) {
	t.Helper()
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		expr, want, isValue := strings.Cut(line, " ; => ")
		if !isValue {
			expr, want, _ = strings.Cut(line, " ; !! ")
		}
		v, err := run(in, expr)
		switch {
		case isValue && err != nil:
			t.Errorf("%s: %v, want %s", expr, err, want)
		case isValue && value.Write(v) != want:
			t.Errorf("%s is %s, want %s", expr, value.Write(v), want)
		case !isValue && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s is %v, %v, want the error %q", expr, v, err, want)
		}
	}
}

func TestExamples(t *testing.T) {
	in, _ := newInterp(eval.Limits{})
	for _, b := range core.Builtins() {
		if !strings.HasPrefix(b.Doc, "("+b.Name+")") && !strings.HasPrefix(b.Doc, "("+b.Name+" ") {
			t.Errorf("%s: the doc must start with the shape of a call: %s", b.Name, b.Doc)
		}
		if !strings.HasSuffix(b.Doc, ".") {
			t.Errorf("%s: the doc is no sentence: %s", b.Name, b.Doc)
		}
		if b.Example == "" {
			t.Errorf("%s has no example", b.Name)
		}
		if b.NoRun == "" {
			checks(t, in, b.Example)
		}
	}
}

package gosema_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gosema/gosema"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

func newInterp(t *testing.T, c gosema.Config) *gosema.Interp {
	c.NoLLM = true
	in, err := gosema.New(c)
	require.NoError(t, err)
	t.Cleanup(in.Close)
	return in
}

func TestRegister(t *testing.T) {
	in := newInterp(t, gosema.Config{})
	type point struct{ X, Y int }
	for name, fn := range map[string]any{
		"area":   func(w, h float64) float64 { return w * h },
		"join":   func(sep string, parts ...string) string { return strings.Join(parts, sep) },
		"fails":  func() error { return errors.New("out of paper") },
		"flip":   func(p point) point { return point{p.Y, p.X} },
		"second": func(v gosema.Value) gosema.Value { return v.Nth(1) },
		"turn":   func(z complex128) complex128 { return z * 1i },
		"alive":  func(ctx context.Context) bool { return ctx.Err() == nil },
	} {
		require.NoError(t, in.Register(name, fn), name)
	}
	for src, want := range map[string]string{
		"(area 2 3.5)": "7.0", `(join "-" "a" "b")`: `"a-b"`, `(join "-")`: `""`, "(flip {:x 1 :y 2})": "{:x 2 :y 1}",
		"(second '(1 2))": "2", "(alive)": "#t", "(turn 3-4i)": "4.0+3.0i", "(turn 2)": "0.0+2.0i", "(try (fails) (catch e (:message e)))": `"out of paper"`,
	} {
		v, err := in.Eval(t.Context(), src)
		require.NoError(t, err, src)
		require.Equal(t, want, v.String(), src)
	}
	for src, want := range map[string]string{
		`(area "a" 1)`: "expected a real number", "(area 1)": "area expects 2 arguments, got 1", "(flip 3)": "expected a map",
		`(turn "a")`: "expected a number", "(area 3+4i 1)": "expected a real number",
	} {
		_, err := in.Eval(t.Context(), src)
		require.ErrorContains(t, err, want, src)
	}
	require.Error(t, in.Register("bad", 5))
	require.Error(t, in.Register("bad", func(chan int) {}))
	require.Error(t, in.Register("bad", func() (int, int) { return 1, 2 }))
}

// A registered function may use the interpreter that calls it.
func TestRegisteredFunctionCallsBack(t *testing.T) {
	in := newInterp(t, gosema.Config{})
	require.NoError(t, in.Register("twice", func(ctx context.Context, n int) (int, error) {
		v, err := in.Call(ctx, "double", n)
		if err != nil {
			return 0, err
		}
		i, _ := v.AsInt()
		return int(i), nil
	}))
	v, err := in.Eval(t.Context(), "(define (double x) (* 2 x)) (twice 21)")
	require.NoError(t, err)
	require.Equal(t, value.Int(42), v)
}

func TestDefineAndCall(t *testing.T) {
	in := newInterp(t, gosema.Config{})
	require.NoError(t, in.Define("config", map[string]any{"name": "x", "ports": []int{1, 2}}))
	_, err := in.Eval(t.Context(), "(define (port k) (nth (:ports config) k))")
	require.NoError(t, err)
	v, err := in.Call(t.Context(), "port", 1)
	require.NoError(t, err)
	require.Equal(t, "2", v.String())
	_, err = in.Call(t.Context(), "nothing")
	require.ErrorContains(t, err, "unbound variable: nothing")
}

func TestRawBuiltinsAndValues(t *testing.T) {
	in := newInterp(t, gosema.Config{})
	in.RegisterBuiltin(gosema.Builtin{Name: "go/pair", Aliases: []string{"go/two"}, Arity: eval.Exactly(2),
		Fn: func(_ *gosema.Thread, args []gosema.Value) (gosema.Value, error) { return value.List(args...), nil }})
	v, err := in.Eval(t.Context(), "(go/two 1 (go/pair 2 3))")
	require.NoError(t, err)
	require.Equal(t, "(1 (2 3))", v.String())
	_, err = in.Eval(t.Context(), "(go/pair 1)")
	require.ErrorContains(t, err, "go/pair expects 2 arguments, got 1")

	double, err := in.Eval(t.Context(), "(fn (x) (* 2 x))")
	require.NoError(t, err)
	v, err = in.CallValue(t.Context(), double, value.Int(21))
	require.NoError(t, err)
	require.Equal(t, value.Int(42), v)
	_, err = in.CallValue(t.Context(), value.Int(5))
	require.ErrorContains(t, err, "5 is not a function")
}

func TestEvalFile(t *testing.T) {
	in := newInterp(t, gosema.Config{})
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.sema"), []byte("(load \"part.sema\")\n(+ part 1)"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "part.sema"), []byte("(define part 41)"), 0o600))
	v, err := in.EvalFile(t.Context(), filepath.Join(dir, "main.sema"))
	require.NoError(t, err)
	require.Equal(t, value.Int(42), v)
	_, err = in.EvalFile(t.Context(), filepath.Join(dir, "none.sema"))
	require.ErrorContains(t, err, "no such file")
}

func TestErrorsRender(t *testing.T) {
	in := newInterp(t, gosema.Config{})
	_, err := in.EvalNamed(t.Context(), "report.sema", "(define (total x)\n  (+ x \"a\"))\n(total 1)")
	var e *gosema.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, `error: expected two numbers or two strings, got "a"
 --> report.sema:2:3
  |
2 |   (+ x "a"))
  |   ^^^^^^^^^
  in +
  at total (report.sema:2:3)
  at <top level> (report.sema:3:1)
hint: (str a b) joins values of any type to a string
`, e.Render())
}

func TestSandbox(t *testing.T) {
	in := newInterp(t, gosema.Config{Deny: gosema.CapFSRead | gosema.CapLLM})
	v, err := in.Eval(t.Context(), `(try (file/read "/etc/passwd") (catch e (list (:type e) (:function e) (:capability e))))`)
	require.NoError(t, err)
	require.Equal(t, `(:permission-denied "file/read" "fs-read")`, v.String())
	_, err = in.Eval(t.Context(), `(llm/complete "hi")`)
	require.ErrorContains(t, err, "not allowed here")
}

func TestCancellationStopsALoop(t *testing.T) {
	in := newInterp(t, gosema.Config{})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err := in.Eval(ctx, "(try (while #t 1) (catch e 1))")
	require.ErrorIs(t, err, context.Canceled)
}

func TestManyGoroutines(t *testing.T) {
	in := newInterp(t, gosema.Config{})
	_, err := in.Eval(t.Context(), "(define n 0) (define (bump) (set! n (+ n 1)) (sleep 1) n)")
	require.NoError(t, err)
	before := runtime.NumGoroutine()
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			_, err := in.Call(context.Background(), "bump")
			require.NoError(t, err)
		})
	}
	wg.Wait()
	v, _ := in.Lookup("n")
	require.Equal(t, value.Int(50), v)
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; {
		require.True(t, time.Now().Before(deadline), "goroutines are left")
		runtime.Gosched()
	}
}

type fakeTransport func(*http.Request) (*http.Response, error)

func (f fakeTransport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestPreload imports modules that the host brings along, also where programs
// may not read files.
func TestPreload(t *testing.T) {
	in := newInterp(t, gosema.Config{Deny: gosema.CapAll})
	in.Preload("greet", `(module greet (export hello) (import "words") (define (hello name) (str word ", " name)))`)
	in.Preload("words", `(define word "Hello") (define count 0) (set! count (+ count 1))`)
	v, err := in.Eval(t.Context(), `(import "greet" hello) (import "words") (list (hello "Ada") count)`)
	require.NoError(t, err)
	require.Equal(t, `("Hello, Ada" 1)`, v.String())
	_, err = in.Eval(t.Context(), `(import "other.sema")`)
	require.ErrorContains(t, err, "not allowed")
	in.Preload("broken", `(define x`)
	_, err = in.Eval(t.Context(), `(import "broken")`)
	require.ErrorContains(t, err, "expected )")
}

// TestPackages imports from directories that the host names.
func TestPackages(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "pack"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "pack", "package.sema"), []byte("(define packed 5)"), 0o644))
	in := newInterp(t, gosema.Config{Packages: []string{t.TempDir(), dir}})
	v, err := in.Eval(t.Context(), `(import "pack") packed`)
	require.NoError(t, err)
	require.Equal(t, "5", v.String())
	_, err = newInterp(t, gosema.Config{}).Eval(t.Context(), `(import "pack")`)
	require.ErrorContains(t, err, "cannot read pack")
}

// TestImportConcurrently imports one module, which waits, from many goroutines.
func TestImportConcurrently(t *testing.T) {
	in := newInterp(t, gosema.Config{})
	in.Preload("slow", `(sleep 1) (define (answer) 42)`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			v, err := in.Eval(t.Context(), `(import "slow") (answer)`)
			require.NoError(t, err)
			require.Equal(t, "42", v.String())
		})
	}
	wg.Wait()
}

package robust_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

// withPanics is an interpreter with builtins that panic in every way.
func withPanics() *eval.Interp {
	in := newInterp(eval.Limits{})
	define := func(name string, n int, fn func(t *eval.Thread, args []eval.Value) (eval.Value, error)) {
		in.DefineBuiltin(eval.Builtin{Name: name, Arity: eval.Exactly(n), Fn: fn})
	}
	define("panic-string", 0, func(*eval.Thread, []eval.Value) (eval.Value, error) { panic("boom") })
	define("panic-error", 0, func(*eval.Thread, []eval.Value) (eval.Value, error) { panic(errors.New("boom")) })
	define("panic-nil", 0, func(*eval.Thread, []eval.Value) (eval.Value, error) { panic(nil) })
	define("panic-index", 0, func(_ *eval.Thread, args []eval.Value) (eval.Value, error) { return args[len(args)+5], nil })
	define("panic-nil-map", 0, func(*eval.Thread, []eval.Value) (eval.Value, error) {
		var m map[string]int
		m["a"] = 1
		return value.Nil, nil
	})
	define("panic-after-call", 1, func(t *eval.Thread, args []eval.Value) (eval.Value, error) {
		v, err := t.Call(args[0])
		panic(fmt.Sprint("boom ", v, err))
	})
	define("panic-in-caller", 2, panicInCaller)
	define("call", 1, func(t *eval.Thread, args []eval.Value) (eval.Value, error) { return t.Call(args[0]) })
	return in
}

// panicInCaller calls a function with the elements of a list, and panics at nil.
func panicInCaller(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	c := t.Caller(args[0], 1)
	defer c.Done()
	last := value.Nil
	for x := range args[1].Elems() {
		if x.IsNil() {
			panic("boom in the middle")
		}
		v, err := c.Call1(x)
		if err != nil {
			return value.Nil, err
		}
		last = v
	}
	return last, nil
}

func TestPanicsInBuiltins(t *testing.T) {
	in := withPanics()
	for _, text := range []string{"(panic-string)", "(panic-error)", "(panic-nil)", "(panic-index)", "(panic-nil-map)", "(panic-after-call (lambda () 1))",
		"(map (lambda (x) (panic-string)) '(1 2))", "(panic-in-caller (lambda (x) x) '(1 2 nil))", "(apply panic-string '())", "(call (lambda () (panic-error)))",
		"(sort-by (lambda (x) (panic-index)) '(2 1))", "(eval '(panic-string))", "(force (delay (panic-string)))", "(call panic-string)",
		"(panic-after-call (lambda () (throw 1)))", "(panic-in-caller (lambda (x) (map (lambda (y) (panic-nil)) '(1))) '(1))"} {
		e := fails(t, in, eval.KindInternal, "", text)
		_, span := e.Place()
		require.True(t, span.Start.IsValid(), text)
		want(t, in, ":internal", "(try "+text+" (catch e (:type e)))")
		want(t, in, "(1 :internal 2)", "(let ((a 1) (b 2)) (list a (try "+text+" (catch e (:type e))) b))")
		want(t, in, "((a :internal) (b :internal))", "(map (lambda (x) (list x (try "+text+" (catch e (:type e))))) '(a b))")
		want(t, in, "after", "(guard (e ((map? e) 'after)) (map (lambda (x) "+text+") '(1 2)))")
		want(t, in, ":internal", "(try (try "+text+" (catch e (throw e))) (catch e (:type e)))")
		want(t, in, "10", "(let loop ((i 0)) (if (= i 10) i (loop (+ i (try "+text+" (catch e 1))))))")
		works(t, in)
	}
}

// TestPanicsFromGo: Call, Do and macros are guarded as well.
func TestPanicsFromGo(t *testing.T) {
	in := withPanics()
	ctx := t.Context()
	for _, name := range []string{"panic-string", "panic-nil", "panic-index"} {
		fn, ok := in.Global(name)
		require.True(t, ok)
		_, err := in.Call(ctx, fn)
		require.Error(t, err)
		require.Equal(t, eval.KindInternal, eval.AsError(err).Kind)
		works(t, in)
	}
	fails(t, in, eval.KindInternal, "", "(defmacro m () (panic-string)) (m)")
	want(t, in, "caught", "(try (eval '(m)) (catch e 'caught))")
	_, err := in.Do(ctx, func(*eval.Thread) (eval.Value, error) { panic("in Do") })
	require.Error(t, err)
	works(t, in)
}

// TestGoexit: a builtin that ends its goroutine leaves the interpreter to others.
func TestGoexit(t *testing.T) {
	in := newInterp(eval.Limits{})
	in.DefineBuiltin(eval.Builtin{Name: "goexit", Arity: eval.Exactly(0), Fn: func(*eval.Thread, []eval.Value) (eval.Value, error) {
		runtime.Goexit()
		return value.Nil, nil
	}})
	for _, text := range []string{"(goexit)", "(map (lambda (x) (goexit)) '(1))", "(try (goexit) (catch e 1))", "(let loop ((i 0)) (if (= i 100) (goexit) (loop (+ i 1))))"} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = in.Eval(t.Context(), source(text))
		}()
		<-done
		works(t, in)
	}
}

// TestBuiltinErrors: a plain Go error gets its place; one of ours keeps its kind.
func TestBuiltinErrors(t *testing.T) {
	in := newInterp(eval.Limits{})
	plain := errors.New("plain failure")
	in.DefineBuiltin(eval.Builtin{Name: "plain", Arity: eval.Exactly(0), Fn: func(*eval.Thread, []eval.Value) (eval.Value, error) { return value.Nil, plain }})
	in.DefineBuiltin(eval.Builtin{Name: "wrapped", Arity: eval.Exactly(0), Fn: func(*eval.Thread, []eval.Value) (eval.Value, error) {
		return value.Nil, fmt.Errorf("wrapped: %w", eval.Errorf(eval.KindIO, "disk on fire"))
	}})
	e := fails(t, in, eval.KindEval, "plain failure", "(define (f)\n (plain))\n(f)")
	require.ErrorIs(t, e, plain)
	_, span := e.Place()
	require.EqualValues(t, 2, span.Start.Line)
	require.Contains(t, e.Render(), "at f")
	fails(t, in, eval.KindIO, "wrapped: disk on fire", "(wrapped)")
	want(t, in, "(:io \"wrapped: disk on fire\")", "(try (wrapped) (catch e (list (:type e) (:message e))))")
}

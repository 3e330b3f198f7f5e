package robust_test

import (
	"context"
	"sync"
	"testing"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

// together is a builtin that calls each function on a thread of its own, all
// at the same time, and lists the results.
var together = eval.Builtin{Name: "together", Arity: eval.AtLeast(0), Fn: func(t *eval.Thread, args []value.Value) (value.Value, error) {
	fns := append([]value.Value(nil), args...)
	results, errs := make([]value.Value, len(fns)), make([]error, len(fns))
	more := t.Spawner()
	err := t.Blocking(func(ctx context.Context) error {
		var all sync.WaitGroup
		for i, fn := range fns {
			all.Go(func() {
				results[i], errs[i] = more.Run(ctx, func(t *eval.Thread) (value.Value, error) { return t.Call(fn) })
			})
		}
		all.Wait()
		return nil
	})
	for _, e := range errs {
		if err == nil {
			err = e
		}
	}
	return value.List(results...), err
}}

var boom = eval.Builtin{Name: "boom", Arity: eval.Exactly(0), Fn: func(*eval.Thread, []value.Value) (value.Value, error) { panic("boom") }}

func newSpawning(limits eval.Limits) *eval.Interp {
	in := newInterp(limits)
	in.DefineBuiltin(together)
	in.DefineBuiltin(boom)
	return in
}

func TestSpawnedThreads(t *testing.T) {
	in := newSpawning(eval.Limits{})
	want(t, in, "(1 2 3)", "(together (fn () 1) (fn () 2) (fn () 3))")
	want(t, in, "(2 2)", "(define p (make-parameter 1)) (parameterize ((p 2)) (together p (fn () (p))))")
	want(t, in, "((1 2) 3)", "(together (fn () (together (fn () 1) (fn () 2))) (fn () 3))")
	want(t, in, "2000", "(define n 0) (define (add) (dotimes (i 1000) (set! n (+ n 1)))) (together add add) n")
	fails(t, in, eval.KindUser, "no", `(together (fn () 1) (fn () (throw "no")))`)
	fails(t, in, eval.KindInternal, "boom", "(together boom (fn () 1))")
	fails(t, in, eval.KindInternal, "boom", "(together (fn () (boom)))")
	fails(t, in, eval.KindEval, "nested too deeply", "(define (deep) (car (together deep))) (deep)")
	works(t, in)
}

// TestSpawnedThreadsTrace: an error tells the way to it, across threads.
func TestSpawnedThreadsTrace(t *testing.T) {
	in := newSpawning(eval.Limits{})
	e := fails(t, in, eval.KindType, "a list", "(define (inner) (+ 1 (car 5)))\n(define (outer) (list (together inner)))\n(define (again) (list (together outer)))\n(list (again))")
	var names []string
	for _, f := range e.Frames() {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"inner", "outer", "again", "<top level>"}, names)
	e = fails(t, in, eval.KindType, "a list", "(define (deep n) (if (= n 0) (car 5) (list (car (together (fn () (deep (- n 1)))))))) (deep 40)")
	require.Len(t, e.Frames(), 32)
	e = fails(t, in, eval.KindType, "a list", "(define (plain) (list (car 5))) (list (plain))")
	require.Len(t, e.Frames(), 2, "a thread that was used before has no other's frames")
}

// TestSpawnedThreadsShareLimits: many threads have no more steps than one.
func TestSpawnedThreadsShareLimits(t *testing.T) {
	in := newSpawning(eval.Limits{Steps: 200_000})
	for name, text := range map[string]string{
		"endless":       "(define (f) (while #t 1)) (together f f f)",
		"short, often":  "(define (f) (dotimes (i 2000) i)) (while #t (together f f f))",
		"short, before": "(define (f) (dotimes (i 2000) i)) (dotimes (i 60) (together f f)) 1",
	} {
		fails(t, in, eval.KindLimit, "step limit", text)
		works(t, in)
		require.NotEmpty(t, name)
	}
	want(t, in, "1", "(define (f) (dotimes (i 2000) i)) (dotimes (i 20) (together f f)) 1")
}

func TestSpawnedThreadsAreCancelled(t *testing.T) {
	in := newSpawning(eval.Limits{})
	ctx, cancel := context.WithCancel(t.Context())
	in.DefineBuiltin(eval.Builtin{Name: "cancel", Arity: eval.Exactly(0), Fn: func(*eval.Thread, []value.Value) (value.Value, error) {
		cancel()
		return value.Nil, nil
	}})
	_, err := in.Eval(ctx, source("(together (fn () (while #t 1)) cancel)"))
	require.Equal(t, eval.KindCancelled, eval.AsError(err).Kind)
	works(t, in)
}

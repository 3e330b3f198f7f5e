package robust_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

// TestManyGoroutines: one interpreter, used from many goroutines at once.
func TestManyGoroutines(t *testing.T) {
	in := newInterp(eval.Limits{})
	_, err := evalText(t, in, `
		(define total 0)
		(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
		(define (bump) (set! total (+ total 1)) total)
		(define add (lambda (a b) (+ a b)))`)
	require.NoError(t, err)
	add, _ := in.Global("add")
	var wg sync.WaitGroup
	for g := range 32 {
		wg.Go(func() {
			for i := range 50 {
				want(t, in, "144", "(bump) (fib 12)")
				name := fmt.Sprintf("g%d-%d", g, i)
				want(t, in, fmt.Sprint(i), fmt.Sprintf("(define (%s) (map (lambda (x) (+ x %d)) '(0))) (car (%s))", name, i, name))
				v, err := in.Call(t.Context(), add, value.Int(int64(g)), value.Int(int64(i)))
				if err != nil || value.Write(v) != fmt.Sprint(g+i) {
					t.Errorf("add: %v %v", v, err)
				}
				_, _ = in.Global(name)
				in.Define(name, value.Int(1))
			}
		})
	}
	wg.Wait()
	want(t, in, "1600", "total")
}

// TestResultsAreSafe: what Eval returns may be read while the interpreter goes on.
func TestResultsAreSafe(t *testing.T) {
	in := newInterp(eval.Limits{})
	want(t, in, "3", "(define l '()) (define m {}) (define h (hashmap/new)) (define s \"\") 3")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 200 {
				v, err := evalText(t, in, fmt.Sprintf(`(set! l (cons %d l)) (set! m (assoc m %d l)) (set! h (assoc h %d m)) (set! s (string-append s "x"))
					(list l m h s (try (car 5) (catch e e)))`, i, i%20, i%7))
				if err != nil {
					t.Error(err)
					return
				}
				_ = value.Equal(v, v)
				if i%20 == 0 {
					_ = value.Write(v.Nth(3))
					_ = value.Write(v.Nth(4))
				}
			}
		})
	}
	wg.Wait()
}

// sleeper is an interpreter with a builtin that waits without the lock.
func sleeper() *eval.Interp {
	in := newInterp(eval.Limits{})
	in.DefineBuiltin(eval.Builtin{Name: "wait-ms", Arity: eval.Exactly(1), Fn: func(t *eval.Thread, args []eval.Value) (eval.Value, error) {
		ms, _ := args[0].AsInt()
		err := t.Blocking(func(ctx context.Context) error {
			select {
			case <-time.After(time.Duration(ms) * time.Millisecond):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		return args[0], err
	}})
	return in
}

// TestBlockingReleasesLock: others run while one waits.
func TestBlockingReleasesLock(t *testing.T) {
	in := sleeper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	started := make(chan struct{})
	in.DefineBuiltin(eval.Builtin{Name: "started", Arity: eval.Exactly(0), Fn: func(*eval.Thread, []eval.Value) (eval.Value, error) {
		close(started)
		return value.Nil, nil
	}})
	go func() {
		_, err := in.Eval(ctx, source("(started) (wait-ms 600000)"))
		done <- err
	}()
	<-started
	for range 10 {
		works(t, in)
	}
	cancel()
	require.Error(t, <-done)
}

// TestBlockingInCallbacks: waits inside map and the like, on many goroutines,
// with definitions, redefinitions and deep stacks meanwhile.
func TestBlockingInCallbacks(t *testing.T) {
	in := sleeper()
	_, err := evalText(t, in, "(define (plus a b) (+ a b)) (define (deep n) (if (= n 0) (wait-ms 1) (+ 1 (deep (- n 1))))) nil")
	require.NoError(t, err)
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 10 {
				want(t, in, "(1 2 3)", "(map (lambda (x) (wait-ms 1) x) '(1 2 3))")
				want(t, in, "6", "(foldl (lambda (a x) (wait-ms 0) (plus a x)) 0 '(1 2 3))")
				want(t, in, "5001", "(deep 5000)")
				want(t, in, "caught", "(try (map (lambda (x) (wait-ms 0) (throw 'caught)) '(1)) (catch e (:value e)))")
				want(t, in, fmt.Sprint(g*100+i), fmt.Sprintf("(define own%d %d) (wait-ms 0) own%d", g, g*100+i, g))
			}
		})
	}
	wg.Wait()
	works(t, in)
}

// TestDeoptWhileOthersWait: one redefines an operator while others are in the
// middle of code that inlined it.
func TestDeoptWhileOthersWait(t *testing.T) {
	in := sleeper()
	_, err := evalText(t, in, `(define old+ +)
		(define (busy n) (let loop ((i 0) (s 0)) (if (< i n) (begin (wait-ms 0) (loop (+ i 1) (+ s i))) s)))`)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				want(t, in, "1225", "(busy 50)")
			}
		})
	}
	want(t, in, "7", "(define (+ . xs) (apply old+ xs)) (+ 3 4)")
	want(t, in, "7", "(define old< <) (define (< a b) (old< a b)) (+ 3 4)")
	wg.Wait()
	works(t, in)
}

// TestFairness: a waiter gets the lock though another takes it again and again.
func TestFairness(t *testing.T) {
	in := sleeper()
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for ctx.Err() == nil {
				_, _ = in.Eval(ctx, source("(let loop ((i 0)) (if (< i 1000) (loop (+ i 1)) i))"))
			}
		})
	}
	wg.Go(func() {
		_, _ = in.Eval(ctx, source("(while #t (wait-ms 0))"))
	})
	for range 50 {
		works(t, in)
	}
	stop()
	wg.Wait()
}

// TestManyInterpreters: many of them, each on a goroutine of its own, share
// nothing that changes.
func TestManyInterpreters(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 5 {
				in := newInterp(eval.Limits{})
				want(t, in, "55", "(define (f n) (if (< n 2) n (+ (f (- n 1)) (f (- n 2))))) (f 10)")
				if g%2 == 0 {
					want(t, in, "2", "(define (+ a b) (- a b)) (+ 5 3)")
				} else {
					works(t, in)
				}
				want(t, in, fmt.Sprint(i), fmt.Sprintf("(define x %d) (define shared '(a b %d)) x", i, g))
			}
		})
	}
	wg.Wait()
}

// TestNoGoroutinesLeft: evaluations, cancellations and errors leave none behind.
func TestNoGoroutinesLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	in := sleeper()
	for i := range 50 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		_, _ = in.Eval(ctx, source([]string{"(while #t 1)", "(wait-ms 1000)", "(car 5)", "(map (lambda (x) (wait-ms 1)) '(1 2 3))"}[i%4]))
		cancel()
	}
	for start := time.Now(); runtime.NumGoroutine() > before && time.Since(start) < soon; time.Sleep(time.Millisecond) {
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}

// TestNestedEntry: a builtin that enters another interpreter, and Go code that
// calls back many times.
func TestNestedEntry(t *testing.T) {
	outer, inner := newInterp(eval.Limits{}), newInterp(eval.Limits{})
	var calls atomic.Int64
	outer.DefineBuiltin(eval.Builtin{Name: "inner", Arity: eval.Exactly(1), Fn: func(t *eval.Thread, args []eval.Value) (eval.Value, error) {
		calls.Add(1)
		text, _ := args[0].AsString()
		return inner.Eval(t.Context(), source(text))
	}})
	want(t, outer, "(3 7)", `(map inner '("(+ 1 2)" "(+ 3 4)"))`)
	e := fails(t, outer, eval.KindType, "a list or a vector", `(inner "(car 5)")`)
	require.NotNil(t, e)
	want(t, outer, ":type-error", `(try (inner "(car 5)") (catch e (:type e)))`)
	require.EqualValues(t, 4, calls.Load())
}

package robust_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/gosema/gosema/eval"
	"github.com/stretchr/testify/require"
)

func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestEvalDoesNotLeak: code that nothing refers to any more is collected.
func TestEvalDoesNotLeak(t *testing.T) {
	in := newInterp(eval.Limits{})
	programs := []string{
		"(let loop ((i 0)) (if (< i 30000) (begin (eval '(lambda (x) (* x (+ x 1)))) (loop (+ i 1))) i))",
		"(let loop ((i 0)) (if (< i 30000) (begin ((eval `(lambda (x) (+ x ,i))) 1) (loop (+ i 1))) i))",
		"(let loop ((i 0)) (if (< i 30000) (begin (eval `(define (leak-f x) (if (< x ,i) x (leak-f (- x 1))))) (leak-f 5) (loop (+ i 1))) i))",
	}
	for _, p := range programs {
		want(t, in, "30000", p)
	}
	before := heapInUse()
	for range 3 {
		for _, p := range programs {
			want(t, in, "30000", p)
		}
	}
	require.Less(t, heapInUse()-before, int64(24<<20))
	runtime.KeepAlive(in)
}

// TestErrorsDoNotLeak: errors hold on to code only as long as someone holds them.
func TestErrorsDoNotLeak(t *testing.T) {
	in := newInterp(eval.Limits{})
	loop := "(let loop ((i 0)) (if (< i 20000) (begin (try (eval '(begin (define (g) (car 5)) (g))) (catch e 1)) (loop (+ i 1))) i))"
	want(t, in, "20000", loop)
	before := heapInUse()
	want(t, in, "20000", loop)
	want(t, in, "20000", loop)
	require.Less(t, heapInUse()-before, int64(24<<20))
	runtime.KeepAlive(in)
}

// TestPredictionsOfCollectedCode: a call site that saw code which is gone must
// not trust an address that other code got: other arity, other frame size.
func TestPredictionsOfCollectedCode(t *testing.T) {
	in := newInterp(eval.Limits{})
	_, err := evalText(t, in, `
		(define (make i)
		  (let ((k (mod i 6)))
		    (eval (cond ((= k 0) '(lambda (x) (+ x 1)))
		                ((= k 1) '(lambda (x . r) (list x r)))
		                ((= k 2) '(lambda (x y) (list x y)))
		                ((= k 3) '(lambda () 'none))
		                ((= k 4) '(lambda (x) (let ((a x) (b (+ x 1)) (c (+ x 2)) (d (+ x 3)) (e (+ x 4)) (f (+ x 5))) (list a b c d e f))))
		                (else '(lambda (x) (define (g n) (if (= n 0) x (g (- n 1)))) (g 3)))))))
		(define wanted (list 101 '(100 ()) :arity :arity '(100 101 102 103 104 105) 100))
		(define (call f) (try (f 100) (catch e (:type e))))
		(define (call-tail f x) (f x))
		(define (check i) (if (not (eq? (call (make i)) (nth wanted (mod i 6)))) (throw (list 'wrong i))))`)
	require.NoError(t, err)
	for round := range 40 {
		want(t, in, "ok", fmt.Sprintf("(let loop ((i %d)) (if (< i %d) (begin (check i) (loop (+ i 1))) 'ok))", round*200, round*200+200))
		want(t, in, "ok", fmt.Sprintf("(define (g x) (+ x %d)) (if (= (call-tail g 1) %d) 'ok 'wrong)", round, round+1))
		runtime.GC()
	}
	works(t, in)
}

// TestGlobalRedefinedByFreshCode: callers compiled once see every new version.
func TestGlobalRedefinedByFreshCode(t *testing.T) {
	in := newInterp(eval.Limits{})
	_, err := evalText(t, in, "(define (caller x) (list (target x) (target x)))")
	require.NoError(t, err)
	for i := range 500 {
		body := []string{"(lambda (x) (+ x %d))", "(lambda xs (+ (car xs) %d))", "(lambda (x . r) (let ((a 1) (b 2) (c 3)) (+ x %d)))"}[i%3]
		want(t, in, fmt.Sprintf("(%d %d)", i+1, i+1), fmt.Sprintf("(define target "+body+") (caller 1)", i))
		if i%50 == 0 {
			runtime.GC()
		}
	}
}

// TestDeoptOfFreshCode: redefining an operator reaches code made by eval, dead
// and alive.
func TestDeoptOfFreshCode(t *testing.T) {
	in := newInterp(eval.Limits{})
	want(t, in, "1000", `
		(define fs '())
		(let loop ((i 0)) (if (< i 1000) (begin (eval '(lambda (x) (* x 2))) (set! fs (cons (eval '(lambda (x) (* x 2))) fs)) (loop (+ i 1))) i))`)
	runtime.GC()
	want(t, in, "#t", "(define (* a b) (list a b)) (every (lambda (f) (eq? (f 3) '(3 2))) fs)")
	works(t, restored(in))
}

// restored gives an interpreter its multiplication back.
func restored(in *eval.Interp) *eval.Interp {
	b, _ := in.Library().Lookup("*")
	in.DefineBuiltin(*b)
	return in
}

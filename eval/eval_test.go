package eval_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

func run(t *testing.T, src string) (string, error) {
	in := eval.New(eval.Config{Library: eval.NewLibrary()})
	v, err := in.Eval(context.Background(), &value.Source{Name: "test", Text: src})
	return value.Write(v), err
}

func TestEval(t *testing.T) {
	for _, c := range [][2]string{
		{"42", "42"},
		{"(+ 1 2)", "3"},
		{"(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 20)", "6765"},
		{"(let loop ((i 0) (acc 0)) (if (< i 10) (loop (+ i 1) (+ acc i)) acc))", "45"},
		{"(define (f . r) r) (f 1 2 3)", "(1 2 3)"},
		{"(define (g a . r) (cons a r)) (g 1)", "(1)"},
		{"(try (throw 42) (catch e (:value e)))", "42"},
		{"(try (car 5) (catch e (:type e)))", ":type-error"},
		{"(define (even n) (if (= n 0) #t (odd (- n 1)))) (define (odd n) (if (= n 0) #f (even (- n 1)))) (even 100001)", "#f"},
		{"(define (h n) (define (ev n) (if (= n 0) #t (od (- n 1)))) (define (od n) (if (= n 0) #f (ev (- n 1)))) (ev n)) (h 11)", "#f"},
		{"(let ((x 1)) (let ((f (lambda () (set! x (+ x 1)) x))) (f) (f)))", "3"},
		{"`(1 ,(+ 1 1) ,@'(3 4))", "(1 2 3 4)"},
		{"(defmacro m (x . r) `(cons ,x '(,@r))) (m 1 2 3)", "(1 2 3)"},
		{"(define (f a b) (if (< a b) (+ a b) (- a b))) (f 1 2) (define (+ a b) (* a b)) (f 3 4)", "12"},
		{"(define (lp n) (let loop ((i 0) (l '())) (if (< i n) (loop (- i -1) (cons i l)) l))) (define (< a b) (not (>= a b))) (lp 3)", "(2 1 0)"},
		{"(define (f x) (if (not (< x 5)) 'big 'small)) (define (not x) x) (f 3)", "big"},
		{"(apply + 1 2 '(3 4))", "10"},
		{"(do ((i 0 (+ i 1)) (s 0 (+ s i))) ((= i 5) s))", "10"},
		{"(case 3 ((1 2) 'a) ((3) 'b) (else 'c))", "b"},
		{"(force (delay (+ 1 2)))", "3"},
		{"(guard (e ((string? e) 1)) 2)", "2"},
		{"(let ((i 0)) (while (< i 5) (set! i (+ i 1))) i)", "5"},
		{"[1 (+ 1 1) {:a (+ 1 2)}]", "[1 2 {:a 3}]"},
		{"(define (deep n) (if (= n 0) 0 (+ 1 (deep (- n 1))))) (deep 100000)", "100000"},
		{"(let loop ((i 0)) (if (= i 5) i (- (loop (- i -1)) 1)))", "0"},
		{"(define (f) (when-ok)) (define (when-ok) 7) (f)", "7"},
		{"(define c (let ((n 0)) (lambda () (set! n (+ n 1)) n))) (c) (c) (c)", "3"},
		{"(map-ish '(1 2)) (define x 1)", ""},
	} {
		got, err := run(t, c[0])
		if c[1] == "" {
			require.Error(t, err)
			continue
		}
		if e, ok := err.(*eval.Error); ok {
			t.Errorf("%s\n%s", c[0], e.Render())
			continue
		}
		require.NoError(t, err, c[0])
		require.Equal(t, c[1], got, c[0])
	}
}

func TestParamNames(t *testing.T) {
	in := eval.New(eval.Config{Library: eval.NewLibrary()})
	for src, want := range map[string]string{"(fn () 1)": "[] false", "(fn (a b) a)": "[a b] false", "(fn (a . more) a)": "[a more] true", "(fn all 1)": "[all] true",
		"(begin (define (f x) (fn (y) x)) (f 1))": "[y] false"} {
		fn, err := in.Eval(t.Context(), &value.Source{Name: "test", Text: src})
		require.NoError(t, err)
		names, rest, ok := eval.ParamNames(fn)
		require.True(t, ok)
		require.Equal(t, want, fmt.Sprint(names, rest), src)
	}
	_, _, ok := eval.ParamNames(value.Int(1))
	require.False(t, ok)
}

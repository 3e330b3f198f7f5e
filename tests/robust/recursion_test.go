package robust_test

import (
	"testing"

	"github.com/gosema/gosema/eval"
	"github.com/stretchr/testify/require"
)

// endlessRecursions are programs that recurse until something stops them.
var endlessRecursions = map[string]string{
	"plain":           "(define (f n) (+ 1 (f n))) (f 1)",
	"mutual":          "(define (f n) (+ 1 (g n))) (define (g n) (* 2 (f n))) (f 1)",
	"in a let":        "(define (f n) (let ((x (f n))) x)) (f 1)",
	"local":           "(let ((n 1)) (define (f) (list (f))) (f))",
	"named let":       "(let loop ((i 0)) (+ 1 (loop (+ i 1))))",
	"self applied":    "((lambda (f) (f f)) (lambda (f) (+ 1 (f f))))",
	"rest":            "(define (f . xs) (cons 1 (apply f xs))) (f 1 2)",
	"apply":           "(define (f n) (+ 1 (apply f (list n)))) (f 1)",
	"try":             "(define (f n) (try (+ 1 (f n)) (catch e (throw e)))) (f 1)",
	"many registers":  "(define (f a b c d e g h i j k) (+ a b c d e g h i j k (f a b c d e g h i j k))) (f 1 2 3 4 5 6 7 8 9 10)",
	"map":             "(define (f n) (map f '(1))) (f 1)",
	"nested map":      "(define (f n) (map (lambda (x) (map f '(1))) '(1))) (f 1)",
	"foldl":           "(define (f a x) (foldl f 0 '(1))) (f 0 1)",
	"sort-by":         "(define (f n) (sort-by f '(1 2))) (f 1)",
	"filter":          "(define (f n) (filter f '(1 2))) (f 1)",
	"for-each":        "(define (f n) (for-each f '(1 2))) (f 1)",
	"apply map":       "(define (f n) (apply map f '((1)))) (f 1)",
	"eval":            "(define (f) (eval '(f))) (f)",
	"eval expression": "(define (f) (+ 1 (eval '(+ 1 (f))))) (f)",
	"force":           "(define (f) (force (delay (f)))) (f)",
	"macro":           "(defmacro m (x) (m2 x)) (define (m2 x) (eval '(m 1))) (m 1)",
	"macro in itself": "(defmacro m (x) `(m ,x)) (m 1)",
	"macro deeper":    "(defmacro m (x) `(+ 1 (m ,x))) (m 1)",
	"macro in body":   "(defmacro m () '(let () (m))) (m)",
	"macro in begin":  "(defmacro m () '(begin 1 (m))) (m)",
	"macro wider":     "(defmacro m () '(list (m) (m))) (m)",
	"redefined":       "(define (f a b) (+ a b)) (define (+ a b) (list (f a b))) (f 1 2)",
	"redefined test":  "(define (f a b) (if (< a b) 1 2)) (define (< a b) (list (f a b))) (f 1 2)",
	"deep eval":       "(define (nest n x) (let loop ((i 0) (x x)) (if (< i n) (loop (+ i 1) (list 'if x 1)) x))) (defmacro m () (eval (nest 3000 '(m)))) (m)",
	"deep macro":      "(define (nest n x) (let loop ((i 0) (x x)) (if (< i n) (loop (+ i 1) (list 'if x 1)) x))) (defmacro m () (nest 3000 '(m))) (m)",
}

// TestEndlessRecursion: it is an error, which the program can catch, and the
// interpreter goes on.
func TestEndlessRecursion(t *testing.T) {
	for name, text := range endlessRecursions {
		t.Run(name, func(t *testing.T) {
			in := newInterp(eval.Limits{StackBytes: 16 << 20})
			e := fails(t, in, eval.KindEval, "", text)
			require.Regexp(t, "overflow|too deep|deep|without end", e.Error())
			_, span := e.Place()
			require.True(t, span.Start.IsValid(), e.Render())
			require.LessOrEqual(t, len(e.Frames()), 100)
			in = newInterp(eval.Limits{StackBytes: 16 << 20})
			want(t, in, ":eval", "(try (eval '(begin "+text+")) (catch e (:type e)))")
			want(t, in, "caught", "(guard (e (#t 'caught)) (eval '(begin "+text+")))")
			want(t, in, "(0 1 2)", "(map (lambda (i) (try (eval '(begin "+text+")) (catch e i))) '(0 1 2))")
		})
	}
}

// TestDefaultStack: without a limit of its own, a program may recurse a million
// times, and overflows somewhere.
func TestDefaultStack(t *testing.T) {
	in := newInterp(eval.Limits{})
	want(t, in, "1000000", "(define (deep n) (if (= n 0) 0 (+ 1 (deep (- n 1))))) (deep 1000000)")
	fails(t, in, eval.KindEval, "stack overflow", "(define (f n) (+ 1 (f n))) (f 1)")
	works(t, in)
}

// TestOverflowUnwinds: what ran before the overflow is in order afterwards.
func TestOverflowUnwinds(t *testing.T) {
	in := newInterp(eval.Limits{StackBytes: 1 << 20})
	want(t, in, "(1 2 3 caught 4)", `
		(define (f n) (+ n (f n)))
		(let ((a 1) (b 2) (c 3))
		  (let ((r (try (f 1) (catch e 'caught))))
		    (list a b c r (+ a c))))`)
	want(t, in, "(caught caught caught)", "(map (lambda (x) (try (f x) (catch e 'caught))) '(1 2 3))")
	want(t, in, "5", "(let loop ((i 0) (n 0)) (if (= i 5) n (loop (+ i 1) (+ n (try (f 1) (catch e 1))))))")
	works(t, in)
}

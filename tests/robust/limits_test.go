package robust_test

import (
	"testing"

	"github.com/gosema/gosema/eval"
	"github.com/stretchr/testify/require"
)

// endlessLoops run until something stops them, without growing.
var endlessLoops = map[string]string{
	"while":        "(while #t 1)",
	"while set!":   "(let ((i 0)) (while #t (set! i (+ i 1))))",
	"named let":    "(let loop ((i 0)) (loop (+ i 1)))",
	"let function": "(let loop ((i 0)) ((if #t loop list) i))",
	"tail call":    "(define (f) (f)) (f)",
	"tail mutual":  "(define (f n) (g n)) (define (g n) (f n)) (f 1)",
	"tail apply":   "(define (f . xs) (apply f xs)) (f 1)",
	"tail rest":    "(define (f . xs) (f 1)) (f 1)",
	"tail closure": "((lambda (f) (f f)) (lambda (f) (f f)))",
	"do":           "(do ((i 0 (+ i 1))) (#f))",
	"in map":       "(map (lambda (x) (let loop () (loop))) '(1 2))",
	"map again":    "(while #t (map (lambda (x) x) '(1 2 3)))",
	"in sort-by":   "(sort-by (lambda (x) (while #t 1)) '(1 2))",
	"in foldl":     "(foldl (lambda (a x) (while #t 1)) 0 '(1 2))",
	"in try":       "(try (while #t 1) (catch e 1))",
	"around try":   "(while #t (try (throw 1) (catch e 2)))",
	"in catch":     "(try (throw 1) (catch e (while #t 1)))",
	"in guard":     "(guard (e (#t 1)) (while #t 1))",
	"in macro":     "(defmacro m () (while #t 1)) (m)",
	"in eval":      "(eval '(while #t 1))",
	"eval again":   "(while #t (eval '(+ 1 2)))",
	"in delay":     "(force (delay (while #t 1)))",
	"redefined":    "(define (f) (mod 1 2)) (define (mod a b) (f)) (while #t (try (f) (catch e 1)))",
	"redefined >":  "(define (f n) (let loop ((i 0)) (if (> i n) (loop i) i))) (define (> a b) #t) (f 1)",
	"builtins":     "(let loop () (range 100000) (reverse (range 1000)) (loop))",
	"long lists":   "(define xs (range 100000)) (while #t (append xs xs))",
	"sorting":      "(define xs (range 100000)) (while #t (sort xs))",
	"callbacks":    "(define xs (range 1000)) (map (lambda (x) (map (lambda (y) (map (lambda (z) (map (lambda (w) w) xs)) xs)) xs)) xs)",
	"no callbacks": "(define xs (range 30000)) (map (lambda (x) (map (lambda (y) (foldl + 0 xs)) xs)) xs)",
	"throw":        "(define (f) (try (throw 1) (catch e (f)))) (f)",
	// the machine decides these tests outside of its loop
	"float end":    "(let loop ((i 0)) (if (< i 1e18) (loop (+ i 1)) i))",
	"float":        "(let loop ((i 0.5)) (if (<= i 1e18) (loop (+ i 1)) i))",
	"big end":      "(let loop ((i 0)) (if (< i 100000000000000000000) (loop (+ i 1)) i))",
	"ratio":        "(let loop ((i 1/2)) (if (= i 1/2) (loop i) i))",
	"ratio zero":   "(let loop ((i 1/2)) (if (zero? i) i (loop i)))",
	"string order": "(let loop ((i \"a\")) (if (> \"b\" i) (loop i) i))",
	"equal lists":  "(let loop ((i '(1))) (if (eq? i '(1)) (loop (list 1)) i))",
	"while float":  "(let ((i 0.5)) (while (< i 1e18) (set! i (+ i 1))))",
	"do float":     "(do ((i 0.5 (+ i 1))) ((> i 1e18)))",
	"match":        "(define (f x) (match x ([a & r] (f (list a 1))) (_ 0))) (f '(1))",
	"dotimes":      "(dotimes (i 1e18) i)",
	"for-range":    "(for-range (i 0 1 1e-300) i)",
	"for":          "(define xs (range 10000)) (for ((a xs) (b xs) (c xs)) c)",
	"method":       "(defmulti f (fn (x) :a)) (defmethod f :a (fn (x) (f x))) (f 1)",
	"dispatch":     "(defmulti f (fn (x) (while #t 1))) (f 1)",
	"parameter":    "(define p (make-parameter 1)) (parameterize ((p 2)) (while #t (p)))",
	"converter":    "(make-parameter 1 (fn (x) (while #t 1)))",
	"strings":      "(while #t (string/replace (string/repeat \"ab\" 1000) \"a\" \"c\"))",
}

func TestStepLimit(t *testing.T) {
	for name, text := range endlessLoops {
		t.Run(name, func(t *testing.T) {
			in := newInterp(eval.Limits{Steps: 200_000})
			e := fails(t, in, eval.KindLimit, "step limit", text)
			_, span := e.Place()
			require.True(t, span.Start.IsValid(), e.Render())
			works(t, in) // each evaluation has its own steps
		})
	}
}

// TestStepsStartAfresh: an evaluation that used all its steps leaves the next one
// all of its own.
func TestStepsStartAfresh(t *testing.T) {
	in := newInterp(eval.Limits{Steps: 1000})
	for range 3 {
		fails(t, in, eval.KindLimit, "step limit", "(while #t 1)")
		want(t, in, "900", "(let loop ((i 0)) (if (< i 900) (loop (+ i 1)) i))")
	}
}

// TestLimitsPassHandlers: a program cannot catch that its steps are used up.
func TestLimitsPassHandlers(t *testing.T) {
	for _, text := range []string{"(try (while #t 1) (catch e 1))", "(guard (e (#t 1)) (while #t 1))", "(while #t (try (while #t 1) (catch e 1)))",
		"(map (lambda (x) (try (while #t 1) (catch e 1))) '(1 2))", "(try (map (lambda (x) (while #t 1)) '(1)) (catch e 1))",
		"(try (eval '(while #t 1)) (catch e 1))", "(define p (delay (while #t 1))) (try (force p) (catch e 1))", "(defmacro m () (while #t 1)) (try (eval '(m)) (catch e 1))"} {
		in := newInterp(eval.Limits{Steps: 50_000})
		fails(t, in, eval.KindLimit, "step limit", text)
		works(t, in)
	}
}

// TestStepLimitExact: the limit is kept to the slice.
func TestStepLimitExact(t *testing.T) {
	in := newInterp(eval.Limits{Steps: 1000})
	want(t, in, "900", "(let loop ((i 0)) (if (< i 900) (loop (+ i 1)) i))")
	fails(t, in, eval.KindLimit, "1000", "(let loop ((i 0)) (if (< i 1100) (loop (+ i 1)) i))")
	in = newInterp(eval.Limits{Steps: 1_000_000})
	want(t, in, "990000", "(let loop ((i 0)) (if (< i 990000) (loop (+ i 1)) i))")
	fails(t, in, eval.KindLimit, "1000000", "(let loop ((i 0)) (if (< i 1010000) (loop (+ i 1)) i))")
}

// growing programs take memory until something stops them.
var growing = map[string]string{
	"list":         "(let loop ((l '())) (loop (cons l l)))",
	"long list":    "(let loop ((l '())) (loop (cons 1 l)))",
	"string":       "(let loop ((s \"ab\")) (loop (+ s s)))",
	"append":       "(let loop ((s \"ab\")) (loop (string-append s s)))",
	"str":          "(let loop ((s \"ab\")) (loop (str s s)))",
	"format":       "(let loop ((s \"ab\")) (loop (format \"~a~a\" s s)))",
	"repeat":       "(string/repeat \"abcdefgh\" 1000000000)",
	"pad":          "(string/pad-left \"a\" 100000000000)",
	"multiply":     "(let loop ((n 3)) (loop (* n n)))",
	"expt":         "(let loop ((n 3)) (loop (expt n 3)))",
	"big expt":     "(expt 10 (expt 10 9))",
	"huge expt":    "(expt 10 (expt 10 30))",
	"expt ratio":   "(expt 2/3 (expt 10 10))",
	"rational":     "(let loop ((n 1/3)) (loop (* n n)))",
	"sum of big":   "(let loop ((n (expt 7 100000)) (l '())) (loop (* n 7) (cons n l)))",
	"range":        "(range 100000000000)",
	"iota":         "(iota 100000000000)",
	"list/repeat":  "(list/repeat 100000000000 1)",
	"list append":  "(let loop ((l '(1 2))) (loop (append l l)))",
	"map":          "(let loop ((m {}) (i 0)) (loop (assoc m i (list i i i i i i i i)) (+ i 1)))",
	"hashmap":      "(let loop ((m (hashmap/new)) (i 0)) (loop (assoc m i (list i i i i i i i i)) (+ i 1)))",
	"vector":       "(let loop ((v [1 2])) (loop (list->vector (append (vector->list v) (vector->list v)))))",
	"closures":     "(let loop ((f (lambda () 1))) (loop (lambda () (f))))",
	"quasiquote":   "(let loop ((l '(1))) (loop `(,@l ,@l)))",
	"string/join":  "(let loop ((s \"ab\")) (loop (string/join (list s s) s)))",
	"replace":      "(let loop ((s \"aa\")) (loop (string/replace s \"a\" \"aaa\")))",
	"cross join":   "(let ((l (range 10000))) (list/cross-join (list/cross-join l l) l))",
	"evals":        "(let loop ((l '())) (loop (cons (eval '(lambda (x) (+ x 1))) l)))",
	"symbols kept": "(let loop ((l '())) (loop (cons (gensym \"some-prefix\") l)))",
}

// TestMemoryLimit: whatever grows is stopped, or refused at once.
func TestMemoryLimit(t *testing.T) {
	for name, text := range growing {
		t.Run(name, func(t *testing.T) {
			in := newInterp(eval.Limits{HeapBytes: 64 << 20})
			_, err := evalText(t, in, text)
			require.Error(t, err)
			e := eval.AsError(err)
			require.Contains(t, []eval.Kind{eval.KindLimit, eval.KindEval, eval.KindType}, e.Kind, e.Render())
			_, span := e.Place()
			require.True(t, span.Start.IsValid(), e.Render())
			works(t, in)
		})
	}
}

// TestRefusedWithoutLimits: what can never fit is refused even without limits,
// and the program can catch that.
func TestRefusedWithoutLimits(t *testing.T) {
	in := newInterp(eval.Limits{})
	for _, text := range []string{"(expt 10 (expt 10 9))", "(expt 10 (expt 10 30))", "(expt 2/3 (expt 10 10))", "(string/repeat \"abcdefgh\" 1000000000000)", "(range 100000000000000)",
		"(list/repeat 100000000000000 1)", "(string/pad-left \"a\" 100000000000000)", "(iota 100000000000000)", "(expt 1.5 (expt 10 400))", "(let loop ((n 3)) (loop (* n n)))"} {
		want(t, in, "refused", "(try (begin "+text+" 'refused) (catch e 'refused))")
	}
	works(t, in)
}

// TestStackLimit: the stack is bounded as it is told.
func TestStackLimit(t *testing.T) {
	in := newInterp(eval.Limits{StackBytes: 1 << 20})
	want(t, in, "1000", "(define (deep n) (if (= n 0) 0 (+ 1 (deep (- n 1))))) (deep 1000)")
	fails(t, in, eval.KindEval, "stack overflow", "(deep 1000000)")
	fails(t, in, eval.KindEval, "stack overflow", "(apply list (range 10000000))")
	want(t, in, "caught", "(try (deep 1000000) (catch e 'caught))")
	works(t, in)
}

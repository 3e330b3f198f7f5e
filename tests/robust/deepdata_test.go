package robust_test

import (
	"strings"
	"testing"

	"github.com/gosema/gosema/eval"
	"github.com/stretchr/testify/require"
)

// deep builds data nested so deep that nothing may walk it with recursion
// on the Go stack.
const deep = `
	(define (nest f n) (let loop ((i 0) (x 1)) (if (= i n) x (loop (+ i 1) (f x)))))
	(define d (nest (lambda (x) (list x)) 2000000))
	(define d2 (nest (lambda (x) (list x)) 2000000))
	(define v (nest (lambda (x) [x]) 2000000))
	(define v2 (nest (lambda (x) [x]) 2000000))
	(define m (nest (lambda (x) {:a x}) 2000000))
	(define m2 (nest (lambda (x) {:a x}) 2000000))
	(define h (nest (lambda (x) (hashmap/new :a x)) 2000000))
	(define q (nest (lambda (x) (list 'quote x)) 2000000))`

// TestDeepData: an error, or an answer, but no crash; the same in a try.
func TestDeepData(t *testing.T) {
	in := newInterp(eval.Limits{})
	_, err := evalText(t, in, deep+" nil")
	require.NoError(t, err)
	for _, text := range []string{"(str d)", "(println d)", "(print v)", "(str m)", "(str h)", "(pprint d)", "(format \"~a\" d)", "(eq? d d2)", "(eq? v v2)",
		"(eq? m m2)", "(= d d2)", "(equal? (list d) (list d2))", "(if (eq? d d2) 1 2)", "(assoc {} d 1)", "(get (assoc (hashmap/new) d 1) d2)", "(hashmap/new d 1)",
		"(assoc {d 1} d2 2)", "(sort (list d d2))", "(sort (list v v2))", "(member d (list d2))", "(list/unique (list d d2))", "(flatten-deep d)",
		"(eval d)", "(eval v)", "(eval m)", "(eval q)", "(eval (list 'quote d))", "(eval (list 'quasiquote d))", "(eval (nest (lambda (x) (list 'if x 1)) 2000000))",
		"(eval (nest (lambda (x) (list 'begin x)) 2000000))", "(eval (nest (lambda (x) (list 'let '() x)) 2000000))", "(eval (nest (lambda (x) (list 'lambda '() x)) 2000000))",
		"(eval (nest (lambda (x) (list 'quasiquote x)) 2000000))", "(eval (list 'quasiquote (nest (lambda (x) (list 'unquote x)) 2000000)))",
		"(eval (nest (lambda (x) (list 'try x '(catch e 1))) 2000000))", "(eval (nest (lambda (x) (list 'define 'x x)) 2000000))", "(macroexpand d)",
		"(eval (list 'define d 1))", "(eval (list 'lambda d 1))", "(eval (list 'let d 1))", "(eval (list 'case 1 (list d 1)))", "(eval (list 'cond d))",
		"(throw d)", "(d 1)", "(car (list (+ d 1)))", "(string/upper d)", "(reduce + d)", "(read (str d))", "(apply str d)", "(map str d)"} {
		_, err := evalText(t, in, text)
		checkPlain(t, text, err)
		_, err = evalText(t, in, "(try "+text+" (catch e (list (:type e) (:message e))))")
		require.NoError(t, err, text)
	}
	works(t, in)
}

// checkPlain: an error is one of the language, and short.
func checkPlain(t *testing.T, text string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	e := eval.AsError(err)
	require.NotEqual(t, eval.KindInternal, e.Kind, "%s: %s", text, e.Render())
	if e.Kind != eval.KindUser {
		require.Less(t, len(e.Error()), 1000, text)
	}
	_ = e.Render()
}

// TestDeepText: what is nested a million deep in a text is an error of the
// reader; what is nested a few thousand deep compiles or says that it is too
// deep.
func TestDeepText(t *testing.T) {
	in := newInterp(eval.Limits{Steps: 100_000})
	for _, c := range [][2]string{{"(list ", ")"}, {"(begin ", ")"}, {"(let () ", ")"}, {"(if ", " 1)"}, {"(lambda () ", ")"}, {"[", "]"}, {"{:a ", "}"},
		{"'", ""}, {"`", ""}, {"(let ((x ", ")) x)"}, {"(cond (", " 1))"}, {"((lambda (x) x) ", ")"}, {"(let loop () ", ")"}, {"(try ", " (catch e 1))"}, {"(+ 1 ", ")"}, {"(not ", ")"},
		{"(and 1 ", ")"}, {"(while ", " )"}, {"(do () (", "))"}, {"(delay ", ")"}, {"(define x ", ")"}, {"(set! x ", ")"}, {"(car (cons ", " 1))"}} {
		for _, n := range []int{100, 1000, 3900, 20_000} {
			text := strings.Repeat(c[0], n) + "1" + strings.Repeat(c[1], n)
			_, err := evalText(t, in, "(define x 1) "+text)
			checkPlain(t, c[0], err)
			if n <= 100 && err != nil { // the steps of an endless while
				require.Equal(t, eval.KindLimit, eval.AsError(err).Kind, c[0])
			}
		}
	}
	works(t, in)
}

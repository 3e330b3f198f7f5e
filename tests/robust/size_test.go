package robust_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gosema/gosema/eval"
	"github.com/stretchr/testify/require"
)

// repeat joins n pieces made by f.
func repeat(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
		b.WriteByte(' ')
	}
	return b.String()
}

// TestBigPrograms: programs that machines write.
func TestBigPrograms(t *testing.T) {
	number := func(i int) string { return fmt.Sprint(i) }
	name := func(i int) string { return fmt.Sprintf("v%d", i) }
	for _, c := range []struct{ name, wanted, text string }{
		{"call with 5000 arguments", "5000", "(length (list " + repeat(5000, number) + "))"},
		{"operator with 5000 arguments", "12497500", "(+ " + repeat(5000, number) + ")"},
		{"comparison with 5000 arguments", "#t", "(< " + repeat(5000, number) + ")"},
		{"closure with 5000 arguments", "(0 4999)", "((lambda (a . r) (list a (length r))) " + repeat(5000, number) + ")"},
		{"200 parameters", "19900", "((lambda (" + repeat(200, name) + ") (+ " + repeat(200, name) + ")) " + repeat(200, number) + ")"},
		{"quoted list of 100k", "100000", "(length '(" + repeat(100_000, number) + "))"},
		{"vector of 10k", "10000", "(length [" + repeat(10_000, number) + "])"},
		{"computed vector of 10k", "10000", "(let ((x 1)) (length [" + repeat(10_000, func(i int) string { return fmt.Sprintf("(+ x %d)", i) }) + "]))"},
		{"map of 10k", "10000", "(length (keys {" + repeat(10_000, func(i int) string { return fmt.Sprintf(":k%d %d", i, i) }) + "}))"},
		{"computed map of 10k", "10000", "(let ((x 1)) (length (keys {" + repeat(10_000, func(i int) string { return fmt.Sprintf(":k%d (+ x %d)", i, i) }) + "})))"},
		{"quasiquote of 10k", "10000", "(let ((x 1)) (length `(" + repeat(10_000, func(i int) string { return ",x" }) + ")))"},
		{"quasiquote of 10k splices", "20000", "(let ((x '(1 2))) (length `(" + repeat(10_000, func(i int) string { return ",@x" }) + ")))"},
		{"body of 50k expressions", "50000", "(define (f n) " + repeat(50_000, func(i int) string { return "(set! n (+ n 1))" }) + " n) (f 0)"},
		{"top-level begin of 50k", "50000", "(define n 0) (begin " + repeat(50_000, func(i int) string { return "(set! n (+ n 1))" }) + ") n"},
		{"cond with 5000 clauses", "4999", "(define (f x) (cond " + repeat(5000, func(i int) string { return fmt.Sprintf("((= x %d) %d)", i, i) }) + ")) (f 4999)"},
		{"cond with 3000 tests", "2999", "(define (f x) (cond " + repeat(3000, func(i int) string { return fmt.Sprintf("((and (= x %d) %d))", i, i) }) + ")) (f 2999)"},
		{"cond with 2000 arrows", "(1999)", "(define (f x) (cond " + repeat(2000, func(i int) string { return fmt.Sprintf("((and (= x %d) %d) => list)", i, i) }) + ")) (f 1999)"},
		{"case with 5000 clauses", "k4999", "(define (f x) (case x " + repeat(5000, func(i int) string { return fmt.Sprintf("((%d) 'k%d)", i, i) }) + ")) (f 4999)"},
		{"case with 5000 data", "in", "(define (f x) (case x ((" + repeat(5000, number) + ") 'in) (else 'out))) (f 4999)"},
		{"and of 10k", "9999", "(and " + repeat(10_000, number) + ")"},
		{"or of 10k", "5", "(or " + repeat(10_000, func(int) string { return "#f" }) + " 5)"},
		{"if of 10k", "yes", "(if (and " + repeat(10_000, number) + ") 'yes 'no)"},
		{"string of 10 MB", "10000000", "(string-length \"" + strings.Repeat("x", 10_000_000) + "\")"},
		{"name of 100 KB", "1", "(define " + strings.Repeat("n", 100_000) + " 1) " + strings.Repeat("n", 100_000)},
		{"comment of 10 MB", "1", ";" + strings.Repeat("x", 10_000_000) + "\n1"},
		{"100 nested lambdas", "99", strings.Repeat("((lambda (x) ", 99) + "x" + strings.Repeat(") 99)", 99)},
		{"1000 nested lets", "1000", "(let ((x 0)) " + strings.Repeat("(let ((x (+ x 1))) ", 1000) + "x" + strings.Repeat(")", 1001)},
		{"let* of 3000", "3000", "(let* ((x 0) " + repeat(3000, func(int) string { return "(x (+ x 1))" }) + ") x)"},
		{"200 nested named lets", "200", nestedLoops(200)},
		{"300 captured variables", "44850", "(define (f " + repeat(150, name) + ") (let (" + repeat(150, func(i int) string { return fmt.Sprintf("(w%d %d)", i, i+150) }) + ") (lambda () (+ " +
			repeat(150, name) + repeat(150, func(i int) string { return fmt.Sprintf("w%d", i) }) + ")))) ((f " + repeat(150, number) + "))"},
		{"300 captured and assigned", "300", "(let (" + repeat(300, func(i int) string { return fmt.Sprintf("(v%d 0)", i) }) + ") ((lambda () " +
			repeat(300, func(i int) string { return fmt.Sprintf("(set! v%d (+ v%d 1))", i, i) }) + ")) (+ " + repeat(300, name) + "))"},
		{"2000 internal functions", "1999", "(define (f) " + repeat(2000, func(i int) string {
			return fmt.Sprintf("(define (g%d) (if (= %d 0) 0 (+ 1 (g%d))))", i, i, max(i-1, 0))
		}) + " (g1999)) (f)"},
		{"5000 small functions", "4999", repeat(5000, func(i int) string { return fmt.Sprintf("(define (h%d) %d)", i, i) }) + "(h4999)"},
		{"loop with a far exit", "(10 100000)", "(define (f) (let loop ((i 0) (n 0)) (if (= i 10) (list i n) (begin " + repeat(10_000, func(int) string { return "(set! n (+ n 1))" }) + " (loop (+ i 1) n))))) (f)"},
		{"while with a far exit", "100000", "(define (f) (let ((i 0) (n 0)) (while (< i 10) " + repeat(10_000, func(int) string { return "(set! n (+ n 1))" }) + " (set! i (+ i 1))) n)) (f)"},
		{"far handler", "(caught 10000)", "(define (f) (let ((n 0)) (try (begin " + repeat(10_000, func(int) string { return "(set! n (+ n 1))" }) + " (throw 'caught)) (catch e (list (:value e) n))))) (f)"},
		{"far branches with not", "b", "(define (f x n) (if (not (< x 5)) (begin " + repeat(20_000, func(int) string { return "(set! n (+ n 1))" }) + " 'a) 'b)) (f 1 0)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := newInterp(eval.Limits{})
			want(t, in, c.wanted, c.text)
			works(t, in)
		})
	}
}

// nestedLoops counts in n loops, each of one turn, inside each other.
func nestedLoops(n int) string {
	text := "n"
	for i := n - 1; i >= 0; i-- {
		init := "n"
		if i == 0 {
			init = "0"
		}
		text = fmt.Sprintf("(let l%d ((i%d 0) (n %s)) (if (= i%d 1) n (l%d 1 (+ 1 %s))))", i, i, init, i, i, text)
	}
	return text
}

// TestTooLarge: what does not fit is an error that says so, with its place.
func TestTooLarge(t *testing.T) {
	name := func(i int) string { return fmt.Sprintf("v%d", i) }
	for _, c := range []struct{ name, text string }{
		{"5000 locals", "(define (f) (let (" + repeat(5000, func(i int) string { return fmt.Sprintf("(v%d %d)", i, i) }) + ") (+ " + repeat(5000, name) + "))) (f)"},
		{"300 parameters", "(lambda (" + repeat(300, name) + ") v1)"},
		{"5000 captured", "(let (" + repeat(2500, func(i int) string { return fmt.Sprintf("(v%d %d)", i, i) }) + ") ((lambda () (let (" +
			repeat(2500, func(i int) string { return fmt.Sprintf("(w%d %d)", i, i) }) + ") (lambda () (+ " + repeat(2500, name) + repeat(2500, func(i int) string { return fmt.Sprintf("w%d", i) }) + "))))))"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := newInterp(eval.Limits{})
			_, err := evalText(t, in, "\n"+c.text)
			if err == nil { // it may fit one day
				return
			}
			e := eval.AsError(err)
			require.Equal(t, eval.KindEval, e.Kind)
			require.Regexp(t, "too large|at most|more than", e.Error())
			_, span := e.Place()
			require.EqualValues(t, 2, span.Start.Line)
			works(t, in)
		})
	}
}

// TestManyGlobals: globals behind the 65536th take other instructions.
func TestManyGlobals(t *testing.T) {
	in := newInterp(eval.Limits{})
	const n = 70_000
	want(t, in, "69999", repeat(n, func(i int) string { return fmt.Sprintf("(define g%d %d)", i, i) })+"g69999")
	want(t, in, "(0 69999 139998)", "(list g0 g69999 (+ g69999 g69999))")
	want(t, in, "7", "(define (far-f x) (+ x 1)) (far-f 6)")
	want(t, in, "(0 1 2)", "(map far-f '(-1 0 1))")
	want(t, in, "55", "(define (far-fib n) (if (< n 2) n (+ (far-fib (- n 1)) (far-fib (- n 2))))) (far-fib 10)")
	want(t, in, "100000", "(define (far-loop n) (if (= n 0) g1 (far-loop (- n 1)))) (set! g1 100000) (far-loop 1000)")
	want(t, in, "5", "(set! g69999 5) g69999")
	fails(t, in, eval.KindUnbound, "far-unbound", "(far-unbound 1)")
	fails(t, in, eval.KindUnbound, "far-unbound", "(set! far-unbound 1)")
	fails(t, in, eval.KindUnbound, "far-unbound", "far-unbound")
	want(t, in, "(sum 1 2)", "(define (far-add a b) (+ a b)) (define far-plus +) (define (+ a b) (list 'sum a b)) (far-add 1 2)")
	want(t, in, "3", "(set! + far-plus) (far-add 1 2)")
	works(t, in)
}

package robust_test

import (
	"strings"
	"testing"

	"github.com/gosema/gosema/eval"
	"github.com/stretchr/testify/require"
)

// badParts are things that stand where they do not belong.
var badParts = []string{"", "5", `"s"`, ":k", "nil", "()", "(5)", "(())", "((()))", "((5 5))", "((a))", "((a 1 2 3))", "((a . 1))", "(a . b)",
	"[1]", "{:a 1}", "(. a)", "(a .)", "(a . b c)", "#t", `("s" 1)`, "x y z", "(x) (y) (z)", "((x 1) (x 2))", "(quote)", "(lambda)",
	"(catch)", "(catch e)", "(catch 5 6)", "5 (else)", "(else 1) (else 2)", "((1 2) =>)", "([a] 1)", "([a & b] 1)", "([a a] [1 2])", "({:keys [a]} 1)", "(([a] 1))", "(({:k v} 1))", "((:when x))", "((x 1) (:when y))", "(x '(1))", "((x '(1 2)))", "(x 3)", "(x 0 3 0)",
	"(syntax-rules)", "(syntax-rules ())", "(syntax-rules (a) ((_ b ...) b))", "(syntax-rules () ((_ a) (a ...)))", "(export)", "(export a)", "(when x)", "((a b) (values 1))", "((a) (values 1 2))", "(make x)", "#f", "(1 =>)", "(1 => 2 3)", "(x x)", "(a & b c)", "(&)"}

// longForms need three parts.
var longForms = map[string]bool{"for/fold": true, "define-record-type": true, "defmethod": true, "defmacro": true, "defun": true, "do": true}

// TestFormsWithBadParts uses every special form with wrong parts. Some are
// right after all; what fails must say so as an error of the language.
func TestFormsWithBadParts(t *testing.T) {
	in := newInterp(eval.Limits{Steps: 10_000})
	for _, f := range eval.Forms() {
		for _, first := range badParts {
			for _, second := range badParts {
				text := "\n\n(" + f.Name + " " + first + " " + second + ")"
				checkBad(t, in, f, text)
				checkBad(t, in, f, "\n\n(lambda () "+text[2:]+")")
				if longForms[f.Name] {
					checkBad(t, in, f, text[:len(text)-1]+" (f x) 1)")
					checkBad(t, in, f, text[:len(text)-1]+" p? (x p-x))")
				}
			}
		}
	}
	works(t, in)
}

func checkBad(t *testing.T, in *eval.Interp, f eval.FormDoc, text string) {
	t.Helper()
	_, err := evalText(t, in, text)
	if err == nil {
		return
	}
	e := eval.AsError(err)
	require.NotEqual(t, eval.KindInternal, e.Kind, "%s\n%s", text, e.Render())
	if e.Kind != eval.KindLimit {
		_, span := e.Place()
		require.EqualValues(t, 3, span.Start.Line, "%s\n%s", text, e.Render())
	}
	if e.Kind == eval.KindArity && strings.Contains(e.Message, "incomplete") {
		require.Contains(t, e.Hint, "(", "%s", text)
	}
}

// TestFormsIncomplete: a form without anything in it names itself and shows its
// shape, where it needs something.
func TestFormsIncomplete(t *testing.T) {
	in := newInterp(eval.Limits{})
	mayBeEmpty := map[string]bool{"begin": true, "progn": true, "and": true, "or": true, "cond": true}
	for _, f := range eval.Forms() {
		_, err := evalText(t, in, "("+f.Name+")")
		if mayBeEmpty[f.Name] {
			require.NoError(t, err, f.Name)
			continue
		}
		require.Error(t, err, f.Name)
		e := eval.AsError(err)
		require.Contains(t, e.Error(), f.Name)
		require.Contains(t, e.Hint, f.Shape)
		require.Contains(t, []eval.Kind{eval.KindArity, eval.KindEval}, e.Kind)
		require.NotEmpty(t, f.Doc, f.Name)
	}
}

func TestFormsMisshapen(t *testing.T) {
	in := newInterp(eval.Limits{})
	for _, c := range []struct{ says, text string }{
		{"let", "(let ((x 1) y) x)"}, {"let", "(let ((x 1) (2 3)) x)"}, {"let", `(let "x" 1)`}, {"let", "(let loop)"}, {"let", "(let loop ((i 0)))"},
		{"let*", "(let* ((x)) x)"}, {"let*", "(let* x 1)"}, {"letrec", "(letrec ((x 1 2)) x)"}, {"letrec", "(letrec 5 1)"},
		{"lambda", "(lambda (1) 1)"}, {"lambda", `(lambda "x" 1)`}, {"lambda", "(lambda (a . b c) a)"}, {"lambda", "(lambda (a .) a)"}, {"lambda", "(lambda (. 5) a)"},
		{"define", "(define (f 1) 1)"}, {"define", "(define (5) 1)"}, {"define", "(define () 1)"},
		{"define", "(define x 1 2)"}, {"define", "(define nil 1)"}, {"define", "(define :k 1)"}, {"defun", "(defun f 5 1)"}, {"defun", "(defun (f) (x) 1)"},
		{"set!", "(set! (a) 1)"}, {"set!", "(set! a)"}, {"set!", "(set! a 1 2)"}, {"cond", "(cond 5)"}, {"cond", "(cond ())"}, {"cond", "(cond (1 =>))"},
		{"case", "(case 1 5)"}, {"case", "(case 1 ())"}, {"case", "(case 1 (1 2))"}, {"do", "(do 5 (#t))"}, {"do", "(do ((i)) (#t))"}, {"do", "(do (i) (#t))"},
		{"do", "(do ((i 0)) 5)"}, {"do", "(do ((i 0)) ())"}, {"try", "(try 1 2)"}, {"try", "(try (catch e 1) 2)"}, {"try", "(try 1 (catch))"}, {"try", "(try 1 (catch e))"},
		{"try", `(try 1 (catch "e" 1))`}, {"guard", "(guard e 1)"}, {"guard", "(guard () 1)"}, {"guard", "(guard (5) 1)"}, {"guard", "(guard (e 5) 1)"},
		{"defmacro", "(defmacro 5 (x) x)"}, {"defmacro", "(defmacro m 5 x)"}, {"defmacro", "(defmacro m (5) x)"},
	} {
		e := eval.AsError(func() error { _, err := evalText(t, in, "\n"+c.text); return err }())
		require.NotNil(t, e, c.text)
		require.Contains(t, []eval.Kind{eval.KindArity, eval.KindEval, eval.KindReader}, e.Kind, "%s\n%s", c.text, e.Render())
		if e.Kind == eval.KindReader {
			continue
		}
		require.Contains(t, e.Error(), c.says, c.text)
		require.Contains(t, e.Hint, "("+c.says, "%s: %s", c.text, e.Hint)
		_, span := e.Place()
		require.EqualValues(t, 2, span.Start.Line, c.text)
	}
	works(t, in)
}

// TestDuplicateNames: a name that is bound twice at once is a mistake.
func TestDuplicateNames(t *testing.T) {
	in := newInterp(eval.Limits{})
	for _, text := range []string{"(lambda (x x) x)", "(lambda (a . a) a)", "(define (f a b a) a)", "(defun f (a a) a)", "(let ((x 1) (x 2)) x)",
		"(let loop ((i 0) (i 1)) i)", "(letrec ((a 1) (a 2)) a)", "(do ((i 0) (i 1)) (#t i))", "(defmacro m (x x) x)"} {
		fails(t, in, eval.KindEval, "", text)
	}
	want(t, in, "2", "(let* ((x 1) (x (+ x 1))) x)")
}

// TestErrorsSuggest: the hint knows the near name, and other Lisps.
func TestErrorsSuggest(t *testing.T) {
	in := newInterp(eval.Limits{})
	for _, c := range [][2]string{{"(pritnln 1)", "println"}, {"(setq 5 1)", "set!"}, {"(lenght '())", "length"}, {"(lamda 1)", "lambda"}} {
		e := fails(t, in, eval.KindUnbound, "unbound variable", c[0])
		require.Contains(t, e.Hint, c[1], c[0])
	}
}

// TestReaderErrors: nothing of a text with a syntax error runs.
func TestReaderErrors(t *testing.T) {
	in := newInterp(eval.Limits{})
	for _, text := range []string{"(", ")", "(define ran 1) (", "\"abc", "(define ran 1) #<x>", "[1 2", "{:a 1 :b}", "'", "#\\", "(a . )", "f\"${", "#u8(300)",
		strings.Repeat("(", 1_000_000), strings.Repeat("[", 1_000_000), strings.Repeat("'", 1_000_000), strings.Repeat("{:a ", 1_000_000),
		strings.Repeat("(", 1_000_000) + strings.Repeat(")", 1_000_000), "\xff\xfe"} {
		e := fails(t, in, eval.KindReader, "", text)
		src, span := e.Place()
		require.NotNil(t, src)
		require.True(t, span.Start.IsValid(), "%.50s", text)
	}
	fails(t, in, eval.KindUnbound, "ran", "ran")
	works(t, in)
}

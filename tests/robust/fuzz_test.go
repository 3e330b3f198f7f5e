package robust_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/reader"
	"github.com/stretchr/testify/require"
)

// redefined gives every operator that the compiler inlines a new definition that
// does the same.
const redefined = `
	(define old+ +) (define old- -) (define old* *) (define old-quotient quotient) (define old-remainder remainder) (define old-modulo modulo)
	(define old< <) (define old<= <=) (define old> >) (define old>= >=) (define old= =) (define old-eq? eq?) (define old-cons cons)
	(define old-car car) (define old-cdr cdr) (define old-not not) (define old-null? null?) (define old-pair? pair?) (define old-throw throw)
	(define (redefine!)
	  (set! + (lambda xs (apply old+ xs))) (set! - (lambda xs (apply old- xs))) (set! * (lambda xs (apply old* xs)))
	  (set! quotient (lambda (a b) (old-quotient a b))) (set! remainder (lambda (a b) (old-remainder a b))) (set! modulo (lambda (a b) (old-modulo a b)))
	  (set! < (lambda (a b) (old< a b))) (set! <= (lambda (a b) (old<= a b))) (set! > (lambda (a b) (old> a b))) (set! >= (lambda (a b) (old>= a b)))
	  (set! = (lambda (a b) (old= a b))) (set! eq? (lambda (a b) (old-eq? a b))) (set! cons (lambda (a b) (old-cons a b)))
	  (set! car (lambda (x) (old-car x))) (set! cdr (lambda (x) (old-cdr x))) (set! not (lambda (x) (old-not x)))
	  (set! null? (lambda (x) (old-null? x))) (set! pair? (lambda (x) (old-pair? x))) (set! throw (lambda (x) (old-throw x))))
	(define (switch) nil)`

var functions = regexp.MustCompile(`<(lambda|builtin|native)[^>]*>`)

// outcomeOf evaluates text and says how it ended, as run does.
func outcomeOf(t *testing.T, in *eval.Interp, text string) string {
	t.Helper()
	v, err := evalText(t, in, text)
	if err == nil {
		return functions.ReplaceAllString(value.Write(v), "<fn>")
	}
	e := eval.AsError(err)
	if e.Kind == eval.KindUser {
		return "!user " + functions.ReplaceAllString(value.Write(e.Value), "<fn>")
	}
	require.NotEqual(t, eval.KindInternal, e.Kind, "%s\n%s", text, e.Render())
	return "!" + string(e.Kind)
}

// checkProgram runs a program in every way there is.
func checkProgram(t *testing.T, p program) {
	t.Helper()
	wanted, ok := run(p)
	if !ok {
		return
	}
	src := text(p)
	check := func(way, got string) {
		t.Helper()
		if got != wanted {
			t.Fatalf("%s: got %s, want %s\n%s", way, got, wanted, src)
		}
	}
	in := newInterp(eval.Limits{StackBytes: 64 << 20})
	_, err := evalText(t, in, redefined)
	require.NoError(t, err)
	check("at top level", outcomeOf(t, in, src))
	check("in a function", outcomeOf(t, in, "(define (main) "+src+") (main)"))
	check("again", outcomeOf(t, in, "(main)"))
	check("in a function called by another", outcomeOf(t, in, "(define (outer f) (f)) (outer (lambda () "+src+"))"))
	check("as an argument", outcomeOf(t, in, "(car (list "+src+"))"))
	check("printed and read", outcomeOf(t, in, reprint(t, src)))
	_, err = evalText(t, in, "(define (switch) (redefine!) nil)")
	require.NoError(t, err)
	check("redefined in the middle", outcomeOf(t, in, "(main)"))
	check("in a function, redefined", outcomeOf(t, in, "(redefine!) (main)"))
	check("compiled when redefined", outcomeOf(t, in, src))
}

func reprint(t *testing.T, src string) string {
	t.Helper()
	unit, err := reader.ReadAll(source(src))
	require.NoError(t, err)
	return value.Write(unit.Forms[0].Value)
}

func FuzzPrograms(f *testing.F) {
	f.Add([]byte("\x15\x02\x03\x17\x05\x06\x11\x04\x09"))
	f.Fuzz(func(t *testing.T, data []byte) {
		g := &generator{data: data}
		checkProgram(t, g.expr(known{}, 6))
	})
}

// TestRandomPrograms is a short run of the same with random bytes. GOSEMA_SEED=n
// makes it a long one with other programs.
func TestRandomPrograms(t *testing.T) {
	seed, n := uint64(1), 1500
	if testing.Short() {
		n = 200
	}
	if s, err := strconv.ParseUint(os.Getenv("GOSEMA_SEED"), 10, 64); err == nil { // a long run with another seed
		seed, n = s, 50_000
	}
	r := rand.New(rand.NewPCG(seed, 2))
	for range n {
		data := make([]byte, 20+r.IntN(300))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		g := &generator{data: data}
		checkProgram(t, g.expr(known{}, 4+r.IntN(4)))
	}
}

// FuzzEval evaluates any text: it may fail, but not by a panic.
func FuzzEval(f *testing.F) {
	files, err := filepath.Glob("../lang/*.sema")
	require.NoError(f, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		for _, chunk := range strings.Split(string(text), "\n---\n") {
			f.Add(chunk)
			for i, line := range strings.Split(chunk, "\n") {
				if i%10 == 0 {
					f.Add(line)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		in := newInterp(eval.Limits{Steps: 20_000, StackBytes: 1 << 20, HeapBytes: 64 << 20})
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		start := time.Now()
		_, err := in.Eval(ctx, source(text))
		require.Less(t, time.Since(start), 20*time.Second, "ignores its limits")
		if err == nil {
			return
		}
		e := eval.AsError(err)
		require.NotEqual(t, eval.KindInternal, e.Kind, e.Render())
		_ = e.Render()
	})
}

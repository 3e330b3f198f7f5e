// What embedding costs: starting an interpreter, calls from Go into a closure
// and from a closure into Go, reading and compiling source text.
package bench_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/reader"
)

// BenchmarkStart starts one more interpreter and evaluates a form in it.
func BenchmarkStart(b *testing.B) {
	b.ReportAllocs()
	defer reportCPU(b, 1, "cpu-ns/op")()
	for b.Loop() {
		if v := evaluate(b, newInterp(b), context.Background(), "(+ 1 2)"); v != value.Int(3) {
			b.Fatal(v)
		}
	}
}

// BenchmarkCallClosure calls a closure from Go.
func BenchmarkCallClosure(b *testing.B) {
	in, ctx := newInterp(b), context.Background()
	fn := evaluate(b, in, ctx, "(lambda (x) (+ x 1))")
	b.ReportAllocs()
	defer reportCPU(b, 1, "cpu-ns/op")()
	for b.Loop() {
		if v, err := in.Call(ctx, fn, value.Int(41)); err != nil || v != value.Int(42) {
			b.Fatal(v, err)
		}
	}
}

// The loops that BenchmarkCallBuiltin runs: what the first takes longer than
// the second is the calls.
const (
	callingLoop = "(lambda (n) (let loop ((i 0)) (if (< i n) (begin (go/same i) (loop (+ i 1))) i)))"
	emptyLoop   = "(lambda (n) (let loop ((i 0)) (if (< i n) (loop (+ i 1)) i)))"
	loopLength  = 1_000_000
)

func interpWithBuiltin(tb testing.TB) *eval.Interp {
	tb.Helper()
	in := newInterp(tb)
	in.DefineBuiltin(eval.Builtin{Name: "go/same", Arity: eval.Exactly(1),
		Fn: func(t *eval.Thread, args []eval.Value) (eval.Value, error) { return args[0], nil }})
	return in
}

// BenchmarkCallBuiltin calls a builtin a million times an iteration, or does
// not, for comparison.
func BenchmarkCallBuiltin(b *testing.B) {
	for _, l := range []struct{ name, text string }{{"calling", callingLoop}, {"empty", emptyLoop}} {
		b.Run(l.name, func(b *testing.B) {
			in, ctx := interpWithBuiltin(b), context.Background()
			fn := evaluate(b, in, ctx, l.text)
			b.ReportAllocs()
			defer reportCPU(b, loopLength, "cpu-ns/turn")()
			for b.Loop() {
				if _, err := in.Call(ctx, fn, value.Int(loopLength)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestCallsDoNotAllocate(t *testing.T) {
	in, ctx := interpWithBuiltin(t), context.Background()
	for _, text := range []string{"(lambda (x) (+ x 1))", callingLoop} {
		fn := evaluate(t, in, ctx, text)
		call := func() {
			if _, err := in.Call(ctx, fn, value.Int(1000)); err != nil {
				t.Fatal(err)
			}
		}
		call()
		if n := testing.AllocsPerRun(100, call); n != 0 {
			t.Errorf("%s: %v allocations a call from Go", text, n)
		}
	}
}

// megabyte is a source text of that size: function definitions of the common
// kind, each with its own names.
func megabyte() string {
	var b strings.Builder
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, `;; Function %d.
(define (fn-%[1]d items limit)
  (let loop ((i 0) (sum 0.5) (rest items))
    (cond ((null? rest) (list sum :count i "done \"%[1]d\""))
          ((and (> i limit) (not (= i %[1]d))) '(too many . #f))
          (else (loop (+ i 1) (+ sum (car rest)) (cdr rest))))))
`, i)
	}
	return b.String()
}

// BenchmarkRead reads a megabyte of source.
func BenchmarkRead(b *testing.B) {
	src := &value.Source{Name: "megabyte.sema", Text: megabyte()}
	b.SetBytes(int64(len(src.Text)))
	b.ReportAllocs()
	defer reportCPU(b, time.Millisecond, "cpu-ms/op")()
	for b.Loop() {
		if _, err := reader.ReadAll(src); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCompile reads and compiles a megabyte of function definitions, in a
// fresh interpreter; take off BenchmarkRead for compiling alone.
func BenchmarkCompile(b *testing.B) {
	text := megabyte()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	defer reportCPU(b, time.Millisecond, "cpu-ms/op")()
	for b.Loop() {
		evaluate(b, newInterp(b), context.Background(), text)
	}
}

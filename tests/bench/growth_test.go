package bench_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/gosema/gosema/eval"
)

// growth is work whose time must grow about as its size does. Setup and Work
// are expressions over n; setup is evaluated once, as data.
type growth struct {
	name        string
	sizes       []int // each four times the one before
	setup, work string
}

func growths() []growth {
	thousands, hundreds, megabytes := []int{250_000, 1_000_000}, []int{25_000, 100_000}, []int{2_500_000, 10_000_000}
	return []growth{
		{"reverse", thousands, "(range n)", "(reverse data)"},
		{"append-in-loop", []int{2_500, 10_000}, "nil", "(do ((i 0 (+ i 1)) (xs '() (append xs (list i)))) ((= i n) xs))"},
		{"assoc", hundreds, "nil", "(do ((i 0 (+ i 1)) (m {} (assoc m i i))) ((= i n) m))"},
		{"string-split", megabytes, `(string/repeat "abcd,efgh " (/ n 10))`, `(string/split data ",")`},
		{"regex-find-all", megabytes, `(string/repeat "abcd 1234 " (/ n 10))`, `(regex/find-all #"\d+" data)`},
		{"json-decode", []int{12_500_000, 50_000_000}, documents, "(json/decode data)"},
		{"json-encode", []int{12_500_000, 50_000_000}, "(json/decode " + documents + ")", "(json/encode data)"},
		{"sort", thousands, "(map (fn (i) (mod (* i 7919) 1000003)) (range n))", "(sort data)"},
		{"sort-by", thousands, "(map (fn (i) (mod (* i 7919) 1000003)) (range n))", "(sort-by (fn (x) (- x)) data)"},
		{"group-by", thousands, "(range n)", "(list/group-by (fn (i) (mod i 1000)) data)"},
		{"grow-string", hundreds, "nil", `(do ((i 0 (+ i 1)) (s "" (string-append s "abc"))) ((= i n) s))`},
		{"str", hundreds, "(map str (range n))", "(apply str data)"},
		{"string-join", hundreds, "(map str (range n))", `(string/join data ",")`},
		{"nth", hundreds, "(range n)", "(do ((i 0 (+ i 1)) (sum 0 (+ sum (nth data i)))) ((= i n) sum))"},
		{"length-of-rests", hundreds, "(range n)", "(do ((xs data (rest xs)) (sum 0 (+ sum (length xs)))) ((null? xs) sum))"},
		{"set-typed-array", []int{5_000, 20_000}, "nil", "(do ((i 0 (+ i 1)) (a (i64-array/make n) (i64-array/set! a i i))) ((= i n) a))"},
		{"string-ref-unicode", []int{2_500, 10_000}, `(string/repeat "日本" (/ n 2))`, "(do ((i 0 (+ i 1)) (c 0 (string-ref data i))) ((= i n) c))"},
	}
}

const documents = `(str "[" (string/join (list/repeat (/ n 100) ` +
	`"{\"id\":12345,\"name\":\"Ada Lovelace\",\"tags\":[\"a\",\"b\"],\"score\":98.25,\"note\":\"a text of some length\"}") ",") "]")`

// BenchmarkGrowth times work at n and 4n: where it is linear, the second takes
// about four times as long.
func BenchmarkGrowth(b *testing.B) {
	for _, g := range growths() {
		for _, n := range g.sizes {
			b.Run(g.name+"/"+strconv.Itoa(n), func(b *testing.B) { benchmarkGrowth(b, g, n) })
		}
	}
}

func benchmarkGrowth(b *testing.B, g growth, n int) {
	in, ctx := newInterp(b), context.Background()
	evaluate(b, in, ctx, fmt.Sprintf("(define n %d) (define data %s) (define (work) %s)", n, g.setup, g.work))
	work, ok := in.Global("work")
	if !ok {
		b.Fatal("no work")
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := in.Call(ctx, work); err != nil {
			b.Fatal(eval.AsError(err).Render())
		}
	}
}

// TestGrowth runs all of it once, on little.
func TestGrowth(t *testing.T) {
	for _, g := range growths() {
		in := newInterp(t)
		v := evaluate(t, in, context.Background(), fmt.Sprintf("(define n 1000) (define data %s) %s", g.setup, g.work))
		if v.IsNil() {
			t.Errorf("%s gives nil", g.name)
		}
	}
}

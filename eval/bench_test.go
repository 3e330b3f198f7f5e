package eval_test

import (
	"context"
	"testing"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func BenchmarkCallFromGo(b *testing.B) {
	in := eval.New(eval.Config{Library: eval.NewLibrary()})
	fn, err := in.Eval(context.Background(), &value.Source{Name: "bench", Text: "(lambda (x) (+ x 1))"})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := in.Call(ctx, fn, value.Int(41)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStart(b *testing.B) {
	lib := eval.NewLibrary()
	src := &value.Source{Name: "bench", Text: "(+ 1 2)"}
	b.ReportAllocs()
	for b.Loop() {
		in := eval.New(eval.Config{Library: lib})
		if _, err := in.Eval(context.Background(), src); err != nil {
			b.Fatal(err)
		}
	}
}

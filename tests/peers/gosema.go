package main

import (
	"context"

	"github.com/gosema/gosema"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func gosemaEngine() engine {
	return engine{
		name:       "gosema",
		ext:        "sema",
		run:        runGosema,
		start:      startGosema,
		intoScript: gosemaIntoScript,
		intoGo:     gosemaIntoGo,
	}
}

// newGosema starts a full interpreter, but for the keys in the environment.
func newGosema() *gosema.Interp {
	in, err := gosema.New(gosema.Config{NoLLM: true})
	if err != nil {
		panic(err) // no such configuration fails
	}
	return in
}

func runGosema(program, text string) (string, error) {
	v, err := newGosema().EvalNamed(context.Background(), program, text)
	return value.Write(v), err
}

func startGosema() error {
	_, err := newGosema().Eval(context.Background(), "(+ 1 2)")
	return err
}

func gosemaIntoScript() (func() error, error) {
	in, ctx := newGosema(), context.Background()
	fn, err := in.Eval(ctx, "(lambda (x) (+ x 1))")
	return func() error {
		_, err := in.CallValue(ctx, fn, value.Int(41))
		return err
	}, err
}

func gosemaIntoGo() (calling, empty func(n int) error, err error) {
	in, ctx := newGosema(), context.Background()
	in.RegisterBuiltin(gosema.Builtin{Name: "same", Arity: eval.Exactly(1),
		Fn: func(t *gosema.Thread, args []gosema.Value) (gosema.Value, error) { return args[0], nil }})
	fns, err := in.Eval(ctx, `(list
		(lambda (n) (let loop ((i 0)) (if (< i n) (begin (same i) (loop (+ i 1))) i)))
		(lambda (n) (let loop ((i 0)) (if (< i n) (loop (+ i 1)) i))))`)
	if err != nil {
		return nil, nil, err
	}
	loop := func(fn gosema.Value) func(n int) error {
		return func(n int) error {
			_, err := in.CallValue(ctx, fn, value.Int(int64(n)))
			return err
		}
	}
	return loop(fns.Nth(0)), loop(fns.Nth(1)), nil
}

package sys

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func timeBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "sleep", Arity: eval.Exactly(1), Fn: sleep,
			Doc: "(sleep ms) waits for so many milliseconds; other tasks go on meanwhile.", Example: "(sleep 1) ; => nil"},
		{Name: "time", Arity: eval.Exactly(1), Fn: timed,
			Doc: "(time thunk) calls thunk, prints to the error stream how long that took, and is its result.", Example: "(time (fn () (+ 1 2))) ; => 3"},
		{Name: "time/ms", Arity: eval.Exactly(1), Fn: timeMs,
			Doc: "(time/ms thunk) calls thunk and is the number of milliseconds that took.", Example: "(< (time/ms (fn () 1)) 60000) ; => #t"},
	}
}

// duration reads argument i in milliseconds; a negative one is none.
func duration(a *eval.Args, i int) time.Duration {
	ms := a.Float(i)
	if ms != ms {
		a.Bad(i, "a number of milliseconds")
	}
	const most = math.MaxInt64 / int64(time.Millisecond)
	return time.Duration(min(max(ms, 0), float64(most)) * float64(time.Millisecond))
}

func sleep(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	d := duration(&a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return act(t, func(ctx context.Context) error {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// measure calls args[0] without arguments.
func measure(t *eval.Thread, args []Value) (v Value, ms float64, err error) {
	a := eval.ArgsOf(args)
	fn := a.Func(0)
	if err := a.Err(); err != nil {
		return value.Nil, 0, err
	}
	start := time.Now()
	v, err = t.Call(fn)
	return v, float64(time.Since(start)) / float64(time.Millisecond), err
}

func timed(t *eval.Thread, args []Value) (Value, error) {
	v, ms, err := measure(t, args)
	if err != nil {
		return value.Nil, err
	}
	_, err = io.WriteString(eval.InterpOf(t).Stderr(), fmt.Sprintf("Elapsed: %.3fms\n", ms))
	return v, ioError("time", "to the error stream", err)
}

func timeMs(t *eval.Thread, args []Value) (Value, error) {
	_, ms, err := measure(t, args)
	return value.Float(ms), err
}

package sys

import (
	"context"
	"math"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func timeBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "time-ms", Arity: eval.Exactly(0), Fn: timeMs,
			Doc: "(time-ms) is the time in milliseconds since 1970, an integer.", Example: "(> (time-ms) 1000000000000) ; => #t"},
		{Name: "time/ms", Arity: eval.Exactly(1), Fn: timeThunk,
			Doc: "(time/ms thunk) calls thunk and answers how many milliseconds it took, a float.", Example: "(< (time/ms (fn () 1)) 60000) ; => #t"},
		{Name: "sys/elapsed", Arity: eval.Exactly(0), Fn: sysElapsed,
			Doc: "(sys/elapsed) is a count of nanoseconds that only ever grows, for measuring.", Example: "(<= (sys/elapsed) (sys/elapsed)) ; => #t"},
		{Name: "sleep", Arity: eval.Exactly(1), Fn: sleep,
			Doc: "(sleep ms) waits so many milliseconds. Other threads of the interpreter go on meanwhile.", Example: "(sleep 1) ; => nil"},
	}
}

func timeMs(*eval.Thread, []Value) (Value, error) { return value.Int(time.Now().UnixMilli()), nil }

func timeThunk(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	thunk := a.Func(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	start := time.Now()
	if _, err := t.Call(thunk); err != nil {
		return value.Nil, err
	}
	return value.Float(float64(time.Since(start)) / float64(time.Millisecond)), nil
}

// epoch is what sys/elapsed counts from. It is set once, when the process starts.
var epoch = time.Now()

func sysElapsed(*eval.Thread, []Value) (Value, error) {
	return value.Int(int64(time.Since(epoch))), nil
}

func sleep(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	ms := a.Float(0)
	if a.Err() == nil && !(ms >= 0 && ms <= float64(math.MaxInt64/int64(time.Millisecond))) {
		a.Bad(0, "a number of milliseconds that is not negative")
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.Nil, t.Blocking(func(ctx context.Context) error {
		timer := time.NewTimer(time.Duration(ms * float64(time.Millisecond)))
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done(): // the machine raises the right error at its next look
		}
		return nil
	})
}

package sys

import (
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func clockBuiltins() []eval.Builtin {
	const varies = "the result varies"
	return []eval.Builtin{
		{Name: "time-ms", Aliases: []string{"time/now-ms"}, Arity: eval.Exactly(0), Fn: timeNowMs, NoRun: varies,
			Doc: "(time-ms) is the number of milliseconds since 1970.", Example: "(time-ms) ; => 1707955200123"},
		{Name: "time/now", Arity: eval.Exactly(0), Fn: timeNow, NoRun: varies,
			Doc: "(time/now) is the number of seconds since 1970, a float with milliseconds.", Example: "(time/now) ; => 1707955200.123"},
		{Name: "sys/elapsed", Arity: eval.Exactly(0), Fn: sysElapsed, NoRun: varies,
			Doc: "(sys/elapsed) is the number of nanoseconds since the process started.", Example: "(sys/elapsed) ; => 482937100"},
		{Name: "time/add", Arity: eval.Exactly(2), Fn: timeAdd,
			Doc: "(time/add time seconds) is the time so many seconds later.", Example: "(time/add 1736943000.0 3600) ; => 1736946600.0"},
		{Name: "time/diff", Arity: eval.Exactly(2), Fn: timeDiff,
			Doc: "(time/diff a b) is the number of seconds from b to a.", Example: "(time/diff 1736943000.0 1736935800.0) ; => 7200.0"},
	}
}

var started = time.Now()

func timeNowMs(t *eval.Thread, args []Value) (Value, error) {
	return value.Int(time.Now().UnixMilli()), nil
}

func timeNow(t *eval.Thread, args []Value) (Value, error) {
	return value.Float(float64(time.Now().UnixMilli()) / 1000), nil
}

func sysElapsed(t *eval.Thread, args []Value) (Value, error) {
	return value.Int(int64(time.Since(started))), nil
}

func timeAdd(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return value.Float(a.Float(0) + a.Float(1)), a.Err()
}

func timeDiff(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return value.Float(a.Float(0) - a.Float(1)), a.Err()
}

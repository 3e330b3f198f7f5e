package sys

import (
	"math"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func dateBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "time/date-parts", Arity: eval.Exactly(1), Fn: timeDateParts,
			Doc:     "(time/date-parts time) is a map of the :year, :month, :day, :hour, :minute, :second and :weekday of a time, in UTC.",
			Example: `(time/date-parts 1736943000.0) ; => {:day 15 :hour 12 :minute 10 :month 1 :second 0 :weekday "Wednesday" :year 2025}`},
	}
}

// moment reads argument i, seconds since 1970, within the years that have four
// digits.
func moment(a *eval.Args, i int) time.Time {
	f := a.Float(i)
	const first, last = -62135596800, 253402300799 // the years 1 to 9999
	if !(f >= first && f <= last) {
		a.Bad(i, "a time between the years 1 and 9999")
		return time.Time{}
	}
	whole, fraction := math.Modf(f)
	return time.Unix(int64(whole), int64(fraction*1e9)).UTC()
}

func timeDateParts(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	at := moment(&a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	number := func(n int) Value { return value.Int(int64(n)) }
	return value.Map(
		value.Keyword("year"), number(at.Year()), value.Keyword("month"), number(int(at.Month())), value.Keyword("day"), number(at.Day()),
		value.Keyword("hour"), number(at.Hour()), value.Keyword("minute"), number(at.Minute()), value.Keyword("second"), number(at.Second()),
		value.Keyword("weekday"), value.String(at.Weekday().String())), nil
}

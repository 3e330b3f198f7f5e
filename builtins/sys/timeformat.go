package sys

import (
	"strings"

	"github.com/ncruces/go-strftime"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func timeFormatBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "time/format", Arity: eval.Exactly(2), Fn: timeFormat,
			Doc:     "(time/format time format) writes a time in UTC, by the directives of strftime: %Y %m %d %H %M %S, %F for a date, %T for a time of day.",
			Example: `(time/format 1736943000 "%A, %d %B %Y, %T") ; => "Wednesday, 15 January 2025, 12:10:00"`},
		{Name: "time/parse", Arity: eval.Exactly(2), Fn: timeParse,
			Doc:     "(time/parse text format) reads a time in UTC, by the directives of strftime; it needs a date and a time of day.",
			Example: `(time/parse "2025-01-15 12:10:00" "%Y-%m-%d %H:%M:%S") ; => 1736943000.0`},
	}
}

// directives are those that both functions know.
const directives = "AaBbCcDdeFfGgHhIjkLlMmNnPpRrSsTtUuVvWwXxYyZz%"

// checkFormat refuses what the library would leave as it stands.
func checkFormat(a *eval.Args, i int, format string) {
	for at := strings.IndexByte(format, '%'); at >= 0 && a.Err() == nil; at = strings.IndexByte(format, '%') {
		format = strings.TrimLeft(format[at+1:], "-:") // %-d has no padding, %:z a colon
		if format == "" || !strings.Contains(directives, format[:1]) {
			a.Bad(i, "a format whose every % begins a directive such as %Y or %H (%% is a percent sign)")
			return
		}
		format = format[1:]
	}
}

func timeFormat(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	at, format := moment(&a, 0), a.String(1)
	checkFormat(&a, 1, format)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.String(strftime.Format(format, at)), t.Tick(len(format))
}

func timeParse(_ *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	text, format := a.String(0), a.String(1)
	checkFormat(&a, 1, format)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if !hasTime(format) {
		e := eval.Errorf(eval.KindEval, "the format %q does not say both a date and a time of day", format)
		e.Hint = "add \" %H:%M:%S\" to the format, and \" 00:00:00\" to the text"
		return value.Nil, e
	}
	at, err := strftime.Parse(format, text)
	if err != nil {
		e := eval.Errorf(eval.KindEval, "%q is no time in the format %q", text, format)
		e.Cause = err
		return value.Nil, e
	}
	return value.Float(float64(at.UTC().Unix())), nil
}

// hasTime reports whether a format says an hour and a day.
func hasTime(format string) bool {
	if strings.Contains(format, "%s") || strings.Contains(format, "%c") {
		return true
	}
	day, hour := false, false
	for i := 0; i+1 < len(format); i++ {
		if format[i] == '%' {
			i++
			day = day || strings.IndexByte("dejDFxv", format[i]) >= 0
			hour = hour || strings.IndexByte("HIklTRrX", format[i]) >= 0
		}
	}
	return day && hour
}

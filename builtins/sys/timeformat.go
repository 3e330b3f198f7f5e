package sys

import (
	"fmt"
	"strings"
	"time"

	"github.com/ncruces/go-strftime"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func timeFormatBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "time/format", Arity: eval.Exactly(2), Fn: timeFormat,
			Doc:     "(time/format time format) writes a time in UTC, by the directives of strftime: %Y %m %d %H %M %S, %F for a date, %T for a time of day, %.3f for milliseconds with a point; %-d pads nothing, %_d with spaces.",
			Example: `(time/format 1736943000 "%A, %d %B %Y, %T") ; => "Wednesday, 15 January 2025, 12:10:00"`},
		{Name: "time/parse", Arity: eval.Exactly(2), Fn: timeParse,
			Doc:     "(time/parse text format) reads a time in whole seconds, by the directives of strftime; it needs a date, an hour and a minute. The time is taken for UTC: an offset in the text changes nothing.",
			Example: `(time/parse "2025-01-15 12:10:00" "%Y-%m-%d %H:%M:%S") ; => 1736943000.0`},
	}
}

// directive is one piece of a format: text that stands for itself, or what
// stands behind a percent sign.
type directive struct {
	text string // "" for a directive
	pad  byte   // of '-', '_', '0', or 0
	name string // "Y", ":z", ".3f"
}

const (
	plainDirectives = "AaBbCcDdeFfGgHhIjkLlMmNnPpRrSsTtUuVvWwXxYyZz%+"
	longDirectives  = ".3f .6f .9f .f 3f 6f 9f :z ::z"
	// numbers are the directives whose padding can be chosen.
	numbers = "CdeGgHIjklMmSsUuVWwYy"
)

// readFormat takes a format apart.
func readFormat(a *eval.Args, i int) (ds []directive) {
	format := a.String(i)
	for format != "" && a.Err() == nil {
		text, rest, found := strings.Cut(format, "%")
		if text != "" {
			ds = append(ds, directive{text: text})
		}
		if !found {
			break
		}
		d, size := nextDirective(rest)
		if size == 0 {
			a.Bad(i, "a format whose every % begins a directive such as %Y or %H (%% is a percent sign)")
		}
		ds, format = append(ds, d), rest[size:]
	}
	return ds
}

// nextDirective reads what stands behind a percent sign; the size is 0 if that
// is no directive.
func nextDirective(s string) (d directive, size int) {
	if s != "" && strings.IndexByte("-_0", s[0]) >= 0 {
		d.pad, s, size = s[0], s[1:], 1
	}
	for _, name := range strings.Fields(longDirectives) {
		if strings.HasPrefix(s, name) && d.pad == 0 {
			d.name = name
			return d, len(name)
		}
	}
	known := plainDirectives
	if d.pad != 0 {
		known = numbers
	}
	if s == "" || strings.IndexByte(known, s[0]) < 0 {
		return d, 0
	}
	d.name = s[:1]
	return d, size + 1
}

func timeFormat(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	at, ds := moment(&a, 0), readFormat(&a, 1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := t.Reserve(int64(len(ds)) * 32); err != nil {
		return value.Nil, err
	}
	var b []byte
	for _, d := range ds {
		b = d.write(b, at)
	}
	return value.String(string(b)), t.Tick(len(ds))
}

// write appends what d stands for. The library knows most directives, but for
// fractions of seconds, paddings and these few it has its own ideas or none.
func (d directive) write(b []byte, at time.Time) []byte {
	switch d.name {
	case "":
		return append(b, d.text...)
	case "%":
		return append(b, '%')
	case "+":
		b = at.AppendFormat(b, "2006-01-02T15:04:05")
		return append(b, shortFraction(at.Nanosecond())+"+00:00"...)
	case "c":
		return append(b, strftime.Format("%a %b %e %H:%M:%S %Y", at)...)
	case "x":
		return at.AppendFormat(b, "01/02/06")
	case "v":
		return append(b, strftime.Format("%e-%b-%Y", at)...)
	case "::z":
		return at.AppendFormat(b, "-07:00:00")
	case ".f":
		return append(b, shortFraction(at.Nanosecond())...)
	case "f", "9f", "N":
		return fmt.Appendf(b, "%09d", at.Nanosecond())
	}
	if digits, dot := strings.CutPrefix(strings.TrimSuffix(d.name, "f"), "."); digits != d.name {
		if dot {
			b = append(b, '.')
		}
		return append(b, fmt.Sprintf("%09d", at.Nanosecond())[:digits[0]-'0']...)
	}
	return append(b, d.padded(strftime.Format("%"+d.name, at))...)
}

// shortFraction writes a fraction of a second in 0, 3, 6 or 9 digits.
func shortFraction(ns int) string {
	switch {
	case ns == 0:
		return ""
	case ns%1e6 == 0:
		return fmt.Sprintf(".%03d", ns/1e6)
	case ns%1e3 == 0:
		return fmt.Sprintf(".%06d", ns/1e3)
	}
	return fmt.Sprintf(".%09d", ns)
}

// padded pads a number as d wants it.
func (d directive) padded(s string) string {
	if d.pad == 0 {
		return s
	}
	digits := strings.TrimLeft(s[:len(s)-1], " 0") + s[len(s)-1:]
	fill := map[byte]string{'-': "", '_': " ", '0': "0"}[d.pad]
	return strings.Repeat(fill, len(s)-len(digits)) + digits
}

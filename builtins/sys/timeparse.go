package sys

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func timeParse(_ *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	text, ds := a.String(0), readFormat(&a, 1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	p := timeParser{text: text}
	err := p.all(ds)
	if err == nil {
		var at time.Time
		if at, err = p.fields.moment(); err == nil {
			return value.Float(float64(at.Unix())), nil
		}
	}
	if err == errTooLittle {
		e := eval.Errorf(eval.KindEval, "the format %s does not say both a date and a time of day", eval.Brief(args[1]))
		e.Hint = "add \" %H:%M:%S\" to the format, and \" 00:00:00\" to the text; %I needs %p"
		return value.Nil, e
	}
	return value.Nil, eval.Errorf(eval.KindEval, "%s is no time in the format %s: %v", eval.Brief(args[0]), eval.Brief(args[1]), err)
}

// timeParser reads a text by directives.
type timeParser struct {
	text   string
	off    int
	fields timeFields
}

// compound are the directives that stand for others.
func compound(name string) string {
	switch name {
	case "c":
		return "%a %b %e %H:%M:%S %Y"
	case "D", "x":
		return "%m/%d/%y"
	case "F":
		return "%Y-%m-%d"
	case "R":
		return "%H:%M"
	case "r":
		return "%I:%M:%S %p"
	case "T", "X":
		return "%H:%M:%S"
	case "v":
		return "%e-%b-%Y"
	case "+":
		return "%Y-%m-%dT%H:%M:%S%.f%:z"
	}
	return ""
}

func (p *timeParser) rest() string { return p.text[p.off:] }

// fail says what was expected where.
func (p *timeParser) fail(expected string) error {
	got := "the end"
	if r, size := utf8.DecodeRuneInString(p.rest()); size > 0 {
		got = fmt.Sprintf("%q", r)
	}
	return fmt.Errorf("it has %s instead of %s at character %d", got, expected, utf8.RuneCountInString(p.text[:p.off])+1)
}

func (p *timeParser) all(ds []directive) error {
	for _, d := range ds {
		if err := p.read(d); err != nil {
			return err
		}
	}
	if p.rest() != "" {
		return p.fail("its end")
	}
	return nil
}

func (p *timeParser) read(d directive) error {
	if inner := compound(d.name); inner != "" {
		return p.compound(inner)
	}
	if n, ok := numberOf(d.name); ok {
		return p.number(d.name, n)
	}
	switch d.name {
	case "":
		return p.literal(d.text)
	case "%":
		return p.literal("%")
	case "n", "t":
		return p.literal(" ")
	case "a", "A":
		return p.name(d.name == "A", "a weekday", weekdayNames(), &p.fields.weekday)
	case "b", "B", "h":
		return p.name(d.name == "B", "a month", monthNames(), &p.fields.month)
	case "p", "P":
		return p.name(false, "AM or PM", []string{"AM", "PM"}, &p.fields.afternoon)
	case "Z":
		p.off += len(p.rest()) - len(strings.TrimLeftFunc(p.rest(), func(r rune) bool { return !unicode.IsSpace(r) }))
		return nil
	case "z", ":z", "::z":
		return p.offset()
	}
	return p.fraction(d.name)
}

func (p *timeParser) compound(format string) error {
	for format != "" {
		text, rest, _ := strings.Cut(format, "%")
		if err := p.literal(text); err != nil {
			return err
		}
		if format = rest; format == "" {
			return nil
		}
		d, size := nextDirective(format)
		if err := p.read(d); err != nil {
			return err
		}
		format = format[size:]
	}
	return nil
}

// literal reads text that stands for itself; space stands for any amount of it.
func (p *timeParser) literal(text string) error {
	for _, r := range text {
		if unicode.IsSpace(r) {
			p.space()
			continue
		}
		got, size := utf8.DecodeRuneInString(p.rest())
		if got != r || size == 0 {
			return p.fail(fmt.Sprintf("%q", r))
		}
		p.off += size
	}
	return nil
}

func (p *timeParser) space() {
	p.off += len(p.rest()) - len(strings.TrimLeftFunc(p.rest(), unicode.IsSpace))
}

// digits reads at most so many digits.
func (p *timeParser) digits(most int) string {
	s := p.rest()
	n := 0
	for n < len(s) && n < most && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	p.off += n
	return s[:n]
}

// number reads a number of a known number of digits; a sign lifts that bound
// for years.
func (p *timeParser) number(name string, n numberField) error {
	p.space()
	start, sign := p.off, int64(1)
	if n.signed && p.rest() != "" && strings.IndexByte("+-", p.text[p.off]) >= 0 {
		if p.text[p.off] == '-' {
			sign = -1
		}
		p.off++
		n.width = 18
	}
	digits := p.digits(n.width)
	if digits == "" {
		return p.fail("a number for %" + name)
	}
	x := sign * decimal(digits)
	if x < n.least || x > n.most {
		p.off = start
		return fmt.Errorf("%s is out of range for %%%s", strings.TrimSpace(p.text[start:start+len(digits)]), name)
	}
	return p.fields.set(n.field(&p.fields), x)
}

// decimal is the number of at most 18 digits.
func decimal(digits string) (x int64) {
	for _, c := range digits {
		x = 10*x + int64(c-'0')
	}
	return x
}

// name reads one of some names without regard to case. Names are known by
// their first three letters; where long ones may stand the rest is read too.
func (p *timeParser) name(long bool, what string, names []string, field *field) error {
	for i, name := range names {
		for _, try := range []string{name, name[:min(3, len(name))]} {
			if (long || len(try) <= 3) && len(p.rest()) >= len(try) && strings.EqualFold(p.rest()[:len(try)], try) {
				p.off += len(try)
				return p.fields.set(field, int64(i))
			}
		}
	}
	return p.fail(what)
}

func weekdayNames() (names []string) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		names = append(names, d.String())
	}
	return names
}

// monthNames begin with one that no text has, so that January is 1.
func monthNames() []string {
	names := []string{"\x00\x00\x00"}
	for m := time.January; m <= time.December; m++ {
		names = append(names, m.String())
	}
	return names
}

// offset reads Z, +02:00, +0200 or +02:00:00. It changes nothing.
func (p *timeParser) offset() error {
	p.space()
	if rest := p.rest(); rest != "" && (rest[0] == 'Z' || rest[0] == 'z') {
		p.off++
		return nil
	}
	if rest := p.rest(); rest == "" || rest[0] != '+' && rest[0] != '-' {
		return p.fail("an offset from UTC")
	}
	p.off++
	for i := range 3 {
		before := p.off
		if i > 0 && strings.HasPrefix(p.rest(), ":") {
			p.off++
		}
		if digits := p.digits(2); len(digits) != 2 || i > 0 && digits > "59" {
			p.off = before
			if i == 2 {
				break
			}
			return p.fail("two digits of an offset from UTC")
		}
	}
	return nil
}

// fraction reads a part of a second, which is dropped: with .f it may be
// missing, with 3f and the like it has so many digits.
func (p *timeParser) fraction(name string) error {
	if name[0] == '.' {
		if !strings.HasPrefix(p.rest(), ".") {
			return nil
		}
		p.off++
	}
	least, most := 1, len(p.text)
	if c := name[0]; c >= '3' && c <= '9' {
		least, most = int(c-'0'), int(c-'0')
	}
	if n := len(p.digits(most)); n < least {
		return p.fail("digits of a fraction")
	}
	return nil
}

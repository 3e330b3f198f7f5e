package core

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// style is a parameter of the control sequence "select graphic rendition".
type style struct {
	name string
	code int
}

var styles = []style{
	{"bold", 1}, {"dim", 2}, {"italic", 3}, {"underline", 4}, {"inverse", 7}, {"strikethrough", 9},
	{"black", 30}, {"red", 31}, {"green", 32}, {"yellow", 33}, {"blue", 34}, {"magenta", 35}, {"cyan", 36}, {"white", 37}, {"gray", 90},
}

func styleBuiltins() []eval.Builtin {
	table := []eval.Builtin{
		{Name: "term/style", Arity: eval.AtLeast(1), Fn: termStyle,
			Doc: "(term/style text style ...) is text in styles such as :bold and colours such as :red, for a terminal.", Example: `(term/style "a" :bold :red) ; => "\x1b;[1;31ma\x1b;[0m"`},
		{Name: "term/rgb", Arity: eval.Exactly(4), Fn: termRGB,
			Doc: "(term/rgb text red green blue) is text in a colour, whose parts are from 0 to 255, for a terminal.", Example: `(term/rgb "a" 255 165 0) ; => "\x1b;[38;2;255;165;0ma\x1b;[0m"`},
		{Name: "term/strip", Arity: eval.Exactly(1), Fn: termStrip,
			Doc: "(term/strip text) is text without the control sequences of terminals.", Example: `(term/strip (term/bold "a")) ; => "a"`},
	}
	for _, s := range styles {
		table = append(table, eval.Builtin{Name: "term/" + s.name, Arity: eval.Exactly(1), Fn: styled(s.code),
			Doc:     fmt.Sprintf("(term/%s text) is text in the style %s for a terminal.", s.name, s.name),
			Example: fmt.Sprintf(`(term/%s "a") ; => "\x1b;[%dma\x1b;[0m"`, s.name, s.code)})
	}
	return table
}

// inStyle is text between a control sequence and the one that ends it.
func inStyle(t *eval.Thread, text, codes string) (Value, error) {
	if err := reserve(t, int64(len(text)), 1); err != nil {
		return value.Nil, err
	}
	return value.String("\x1b[" + codes + "m" + text + "\x1b[0m"), t.Tick(1 + len(text)/64)
}

func styled(code int) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		text := a.String(0)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		return inStyle(t, text, strconv.Itoa(code))
	}
}

func termStyle(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	text := a.String(0)
	var codes []string
	for i := 1; i < len(args); i++ {
		name := a.Keyword(i)
		k := slices.IndexFunc(styles, func(s style) bool { return s.name == name })
		if k < 0 {
			a.Fail(unknownStyle(name))
			break
		}
		codes = append(codes, strconv.Itoa(styles[k].code))
	}
	if err := a.Err(); err != nil || len(codes) == 0 {
		return a.Value(0), err
	}
	return inStyle(t, text, strings.Join(codes, ";"))
}

func unknownStyle(name string) error {
	var names []string
	for _, s := range styles {
		names = append(names, s.name)
	}
	e := eval.Errorf(eval.KindEval, "term/style: unknown style keyword :%s", name)
	e.Hint = "the styles are :" + strings.Join(names, " :")
	if near := eval.Nearest(name, names); near != "" {
		e.Hint = "did you mean :" + near + "?"
	}
	return e
}

func termRGB(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	text := a.String(0)
	codes := "38;2"
	for i := 1; i < 4; i++ {
		n := a.Int(i)
		if n < 0 || n > 255 {
			a.Bad(i, "a part of a colour, an integer from 0 to 255")
		}
		codes += ";" + strconv.FormatInt(n, 10)
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return inStyle(t, text, codes)
}

func termStrip(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if !strings.Contains(s, "\x1b") {
		return args[0], nil
	}
	if err := reserve(t, int64(len(s)), 1); err != nil {
		return value.Nil, err
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "\x1b")
		b.WriteString(before)
		if !found {
			return value.String(b.String()), nil
		}
		if err := t.Tick(1 + len(before)/64); err != nil {
			return value.Nil, err
		}
		s = after[sequenceLen(after):]
	}
}

// sequenceLen is how many bytes behind an ESC belong to its control sequence
// (ECMA-48). One that does not end takes all that could be part of it.
func sequenceLen(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case '[':
		n := 1
		for n < len(s) && s[n] >= 0x20 && s[n] <= 0x3f {
			n++
		}
		return withFinal(s, n, 0x40)
	case ']', 'P', 'X', '^', '_':
		return controlStringLen(s)
	}
	n := 0
	for n < len(s) && s[n] >= 0x20 && s[n] <= 0x2f {
		n++
	}
	return withFinal(s, n, 0x30)
}

// withFinal adds the byte that ends a sequence, if it is there.
func withFinal(s string, n int, first byte) int {
	if n < len(s) && s[n] >= first && s[n] <= 0x7e {
		n++
	}
	return n
}

// controlStringLen is the length of a string for the terminal: up to BEL or ST.
func controlStringLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\a':
			return i + 1
		case s[i] == 0x1b && strings.HasPrefix(s[i:], "\x1b\\"):
			return i + 2
		case s[i] == 0x1b:
			return i
		}
	}
	return len(s)
}

// control is a builtin without arguments that prints a control sequence.
type control struct{ name, sequence, does string }

var controls = []control{
	{"bell", "\a", "rings"},
	{"clear", "\x1b[2J\x1b[H", "clears the screen and moves the cursor to its top left"},
	{"clear-line", "\x1b[2K", "clears the line of the cursor"},
	{"clear-below", "\x1b[0J", "clears from the cursor to the end of the screen"},
	{"cursor-home", "\x1b[H", "moves the cursor to the top left"},
	{"save-cursor", "\x1b7", "remembers where the cursor is"},
	{"restore-cursor", "\x1b8", "moves the cursor back to where term/save-cursor was called"},
	{"show-cursor", "\x1b[?25h", "shows the cursor again"},
	{"hide-cursor", "\x1b[?25l", "hides the cursor"},
	{"enter-alt-screen", "\x1b[?1049h", "changes to a screen that a program has for itself"},
	{"leave-alt-screen", "\x1b[?1049l", "changes back to the screen that was there before"},
	{"enable-mouse", "\x1b[?1000h\x1b[?1002h\x1b[?1006h", "has the terminal report the mouse"},
	{"disable-mouse", "\x1b[?1000l\x1b[?1002l\x1b[?1006l", "ends term/enable-mouse"},
	{"enable-bracketed-paste", "\x1b[?2004h", "has the terminal mark what is pasted"},
	{"disable-bracketed-paste", "\x1b[?2004l", "ends term/enable-bracketed-paste"},
	{"enable-focus-events", "\x1b[?1004h", "has the terminal report when its window gets or loses the keyboard"},
	{"disable-focus-events", "\x1b[?1004l", "ends term/enable-focus-events"},
	{"disable-kitty-keys!", "\x1b[<u", "ends term/enable-kitty-keys!"},
	{"query-cursor-position", "\x1b[6n", "asks the terminal where the cursor is; the answer comes as input"},
	{"query-primary-da", "\x1b[c", "asks the terminal what it can do; the answer comes as input"},
	{"query-secondary-da", "\x1b[>c", "asks the terminal what it is; the answer comes as input"},
	{"query-kitty-keys", "\x1b[?u", "asks the terminal how it reports keys; the answer comes as input"},
}

func controlBuiltins() []eval.Builtin {
	table := []eval.Builtin{
		{Name: "term/flush", Arity: eval.Exactly(0), Fn: ioFlush,
			Doc: "(term/flush) shows what was printed so far.", Example: "(term/flush) ; => nil"},
		{Name: "term/move-to", Arity: eval.Exactly(2), Fn: termMoveTo,
			Doc: "(term/move-to row column) moves the cursor; the top left is 1 1, and less counts as 1.", Example: "(term/move-to 10 20) ; => nil"},
		{Name: "term/write-at", Arity: eval.Exactly(3), Fn: termWriteAt,
			Doc: "(term/write-at row column text) moves the cursor and prints text there.", Example: `(term/write-at 3 5 "status") ; => nil`},
		{Name: "term/set-title", Arity: eval.Exactly(1), Fn: termSetTitle,
			Doc: "(term/set-title text) makes text the title of the terminal's window; control characters in it are dropped.", Example: `(term/set-title "report") ; => nil`},
		{Name: "term/enable-kitty-keys!", Arity: eval.Between(0, 1), Fn: termEnableKittyKeys,
			Doc:     "(term/enable-kitty-keys! [flags]) has a terminal of the kitty protocol report keys in full; flags, 17, choose how much.",
			Example: "(term/enable-kitty-keys!) ; => nil"},
	}
	for _, c := range controls {
		table = append(table, eval.Builtin{Name: "term/" + c.name, Arity: eval.Exactly(0),
			Fn:  func(t *eval.Thread, _ []Value) (Value, error) { return show(t, c.sequence) },
			Doc: "(term/" + c.name + ") " + c.does + ".", Example: "(term/" + c.name + ") ; => nil"})
	}
	return table
}

// show prints s at once.
func show(t *eval.Thread, s string) (Value, error) {
	if err := write(stdout(t), s); err != nil {
		return value.Nil, err
	}
	return ioFlush(t, nil)
}

// moveTo reads a row and a column, arguments 0 and 1.
func moveTo(a *eval.Args) string {
	return fmt.Sprintf("\x1b[%d;%dH", max(a.Int(0), 1), max(a.Int(1), 1))
}

func termMoveTo(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	sequence := moveTo(&a)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return show(t, sequence)
}

func termWriteAt(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	sequence, text := moveTo(&a), a.String(2)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return show(t, sequence+text)
}

func termSetTitle(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	title := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	plain := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1 // it would end the title, and start who knows what
		}
		return r
	}, title)
	return show(t, "\x1b]0;"+plain+"\a")
}

func termEnableKittyKeys(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	flags := int64(17) // unambiguous keys, with their text
	if a.Has(0) {
		flags = a.Int(0)
	}
	if flags < 0 || flags > 31 {
		a.Bad(0, "flags, an integer from 0 to 31")
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return show(t, fmt.Sprintf("\x1b[>%du", flags))
}

package core

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func widthBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "string/width", Arity: eval.Exactly(1), Fn: stringWidth,
			Doc:     "(string/width s) is the number of columns that s takes on a terminal: escape sequences take none.",
			Example: `(string/width "hello") ; => 5` + "\n" + `(string/width "\u65e5\u672c") ; => 4`},
		{Name: "string/truncate-width", Arity: eval.Between(2, 3), Fn: stringTruncateWidth,
			Doc:     "(string/truncate-width s width [ellipsis]) cuts s to so many columns, ellipsis included.",
			Example: `(string/truncate-width "hello world" 6 "..") ; => "hell.."`},
		{Name: "string/word-wrap", Arity: eval.Exactly(2), Fn: stringWordWrap,
			Doc:     "(string/word-wrap s width) lists lines of at most width columns, broken at spaces where that is possible.",
			Example: `(string/word-wrap "the quick brown fox" 10) ; => ("the quick" "brown fox")`},
	}
}

// wide are the characters that take two columns: those of East Asian scripts
// and the emoji. (Unicode's property East_Asian_Width, coarsened.)
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1}, {0x231a, 0x231b, 1}, {0x2329, 0x232a, 1}, {0x23e9, 0x23ec, 1}, {0x23f0, 0x23f0, 1}, {0x23f3, 0x23f3, 1},
		{0x25fd, 0x25fe, 1}, {0x2614, 0x2615, 1}, {0x2648, 0x2653, 1}, {0x267f, 0x267f, 1}, {0x2693, 0x2693, 1}, {0x26a1, 0x26a1, 1},
		{0x26aa, 0x26ab, 1}, {0x26bd, 0x26be, 1}, {0x26c4, 0x26c5, 1}, {0x26ce, 0x26ce, 1}, {0x26d4, 0x26d4, 1}, {0x26ea, 0x26ea, 1},
		{0x26f2, 0x26f3, 1}, {0x26f5, 0x26f5, 1}, {0x26fa, 0x26fa, 1}, {0x26fd, 0x26fd, 1}, {0x2705, 0x2705, 1}, {0x270a, 0x270b, 1},
		{0x2728, 0x2728, 1}, {0x274c, 0x274c, 1}, {0x274e, 0x274e, 1}, {0x2753, 0x2755, 1}, {0x2757, 0x2757, 1}, {0x2795, 0x2797, 1},
		{0x27b0, 0x27b0, 1}, {0x27bf, 0x27bf, 1}, {0x2b1b, 0x2b1c, 1}, {0x2b50, 0x2b50, 1}, {0x2b55, 0x2b55, 1}, {0x2e80, 0x303e, 1},
		{0x3041, 0x4dbf, 1}, {0x4e00, 0xa4cf, 1}, {0xa960, 0xa97c, 1}, {0xac00, 0xd7a3, 1}, {0xf900, 0xfaff, 1}, {0xfe10, 0xfe19, 1},
		{0xfe30, 0xfe6f, 1}, {0xff01, 0xff60, 1}, {0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{
		{0x16fe0, 0x18d08, 1}, {0x1aff0, 0x1b2fb, 1}, {0x1f004, 0x1f004, 1}, {0x1f0cf, 0x1f0cf, 1}, {0x1f18e, 0x1f18e, 1},
		{0x1f191, 0x1f19a, 1}, {0x1f200, 0x1f320, 1}, {0x1f32d, 0x1f335, 1}, {0x1f337, 0x1f37c, 1}, {0x1f37e, 0x1f393, 1},
		{0x1f3a0, 0x1f3ca, 1}, {0x1f3cf, 0x1f3d3, 1}, {0x1f3e0, 0x1f3f0, 1}, {0x1f3f4, 0x1f3f4, 1}, {0x1f3f8, 0x1f43e, 1},
		{0x1f440, 0x1f440, 1}, {0x1f442, 0x1f4fc, 1}, {0x1f4ff, 0x1f53d, 1}, {0x1f54b, 0x1f567, 1}, {0x1f57a, 0x1f57a, 1},
		{0x1f595, 0x1f596, 1}, {0x1f5a4, 0x1f5a4, 1}, {0x1f5fb, 0x1f64f, 1}, {0x1f680, 0x1f6c5, 1}, {0x1f6cc, 0x1f6cc, 1},
		{0x1f6d0, 0x1f6d2, 1}, {0x1f6d5, 0x1f6df, 1}, {0x1f6eb, 0x1f6ec, 1}, {0x1f6f4, 0x1f6fc, 1}, {0x1f7e0, 0x1f7f0, 1},
		{0x1f90c, 0x1f93a, 1}, {0x1f93c, 0x1f945, 1}, {0x1f947, 0x1f9ff, 1}, {0x1fa70, 0x1faff, 1}, {0x20000, 0x3fffd, 1},
	},
}

const (
	zeroWidthJoiner = 0x200d
	emojiSelector   = 0xfe0f // asks for the colourful, wide form of the character before it
	softHyphen      = 0xad
	escape          = 0x1b
)

func isRegional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

func isSkinTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// isMark is true of what is drawn into the character before it: marks, format
// characters, and the vowels and final consonants of Korean syllables.
func isMark(r rune) bool {
	return r >= 0x300 && (unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) || r >= 0x1160 && r <= 0x11ff || isSkinTone(r)) || r == softHyphen
}

// cluster returns what stands as one character at the start of s, and its
// columns: a letter with its marks, an emoji sequence, a flag, or an escape
// sequence.
func cluster(s string) (size, columns int) {
	if s[0] == escape {
		if n := escapeLen(s); n > 0 {
			return n, 0
		}
	}
	if strings.HasPrefix(s, "\r\n") {
		return 2, 0
	}
	first, size := utf8.DecodeRuneInString(s)
	columns = runeColumns(first)
	flag, joined := isRegional(first), false
	for size < len(s) {
		r, n := utf8.DecodeRuneInString(s[size:])
		switch {
		case flag && isRegional(r): // two of them make a flag
			flag, columns = false, 2
		case joined || isMark(r):
		default:
			return size, columns
		}
		if r == emojiSelector && columns == 1 {
			columns = 2
		}
		joined = r == zeroWidthJoiner && columns == 2 // only emoji are joined
		size += n
	}
	return size, columns
}

// runeColumns is the number of columns of a character on its own.
func runeColumns(r rune) int {
	switch {
	case isSkinTone(r) || unicode.Is(wide, r):
		return 2
	case isMark(r) || r == '\n' || r == escape:
		return 0
	}
	return 1
}

// escapeLen is the length of the terminal escape sequence at the start of s, 0
// if it is not complete.
func escapeLen(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '[': // CSI, up to a letter
		for i := 2; i < len(s); i++ {
			if s[i] >= '@' && s[i] <= '~' {
				return i + 1
			}
		}
	case ']': // OSC, up to BEL or ESC \
		for i := 2; i < len(s); i++ {
			if s[i] == '\a' {
				return i + 1
			}
			if s[i] == escape && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
		}
	}
	return 0
}

func width(s string) (columns int) {
	for len(s) > 0 {
		size, n := cluster(s)
		columns += n
		s = s[size:]
	}
	return columns
}

// clip returns the longest start of s that fits into so many columns.
func clip(s string, columns int) string {
	at := 0
	for at < len(s) {
		size, n := cluster(s[at:])
		if n > columns {
			break
		}
		columns -= n
		at += size
	}
	return s[:at]
}

func stringWidth(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.Int(int64(width(s))), t.Tick(1 + len(s)/16)
}

func stringTruncateWidth(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s, columns, ellipsis := a.String(0), a.Size(1), ""
	if a.Has(2) {
		ellipsis = a.String(2)
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := t.Tick(1 + len(s)/16); err != nil {
		return value.Nil, err
	}
	if width(s) <= columns {
		return args[0], nil
	}
	if width(ellipsis) > columns {
		return value.String(clip(ellipsis, columns)), nil
	}
	return value.String(clip(s, columns-width(ellipsis)) + ellipsis), nil
}

func stringWordWrap(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s, columns := a.String(0), a.Size(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := reserve(t, int64(len(s)), valueSize); err != nil {
		return value.Nil, err
	}
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		if err := t.Tick(1 + len(line)/16); err != nil {
			return value.Nil, err
		}
		lines = append(lines, wrapLine(line, max(columns, 1))...)
	}
	return pieces(t, s, lines)
}

// wrapLine breaks one line; a line of spaces is empty.
func wrapLine(line string, columns int) (lines []string) {
	var current strings.Builder
	used := 0
	flush := func() {
		lines = append(lines, current.String())
		current.Reset()
		used = 0
	}
	for _, word := range strings.Fields(line) {
		n := width(word)
		if used > 0 && used+1+n > columns {
			flush()
		}
		if used > 0 {
			current.WriteByte(' ')
			used++
		}
		for n > columns-used { // too long for a line of its own
			head := clip(word, columns)
			if head == "" { // not even one character fits: it gets a line anyway
				size, _ := cluster(word)
				head = word[:size]
			}
			if head == word {
				break
			}
			current.WriteString(head)
			flush()
			word = word[len(head):]
			n = width(word)
		}
		current.WriteString(word)
		used += n
	}
	if used > 0 || len(lines) == 0 {
		flush()
	}
	return lines
}

package llm

import (
	"slices"
	"strings"
	"unicode"
)

// tableWidth is how many columns of a terminal a table takes at most.
const tableWidth = 80

// tableRow is the cells of one line. Provider and model, which may be long, are
// shortened where the others leave no room.
type tableRow [7]string

const (
	providerCell = 1
	modelCell    = 2
	cellGap      = 2
)

// table sets the rows in columns.
func table(rows []tableRow) string {
	var widths [len(tableRow{})]int
	total := cellGap * (len(widths) - 1)
	for c := range widths {
		for r := range rows {
			rows[r][c] = printable(rows[r][c])
			widths[c] = max(widths[c], columns(rows[r][c]))
		}
		total += widths[c]
	}
	// The names of the providers that come with the language take 10 columns.
	for _, give := range [...]struct{ cell, least int }{{modelCell, 20}, {providerCell, 10}, {modelCell, 10}, {providerCell, 4}} {
		if over := total - tableWidth; over > 0 {
			cut := min(over, max(0, widths[give.cell]-give.least))
			widths[give.cell] -= cut
			total -= cut
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for c, cell := range row {
			cell = shorten(cell, widths[c])
			line.WriteString(cell + strings.Repeat(" ", widths[c]-columns(cell)+cellGap))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// shorten leaves the middle out of what is wider than so many columns: names of
// models differ at both ends.
func shorten(s string, width int) string {
	if columns(s) <= width {
		return s
	}
	tail := fit(reversed(s), (width-1)/2)
	head := fit(s, width-1-columns(tail))
	return head + "…" + reversed(tail)
}

// fit is the longest start of s that takes at most so many columns.
func fit(s string, width int) string {
	for i, r := range s {
		if width -= runeColumns(r); width < 0 {
			return s[:i]
		}
	}
	return s
}

func reversed(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

// printable shows what would move the cursor, or is no text, as a mark.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// columns is how many columns a text takes on a terminal.
func columns(s string) (n int) {
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

// wideRunes are the ranges of characters that take two columns: those of East
// Asian scripts, and emoji.
var wideRunes = [...][2]rune{{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f},
	{0xff01, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd}}

func runeColumns(r rune) int {
	if unicode.Is(unicode.M, r) {
		return 0
	}
	for _, w := range wideRunes {
		if r >= w[0] && r <= w[1] {
			return 2
		}
	}
	return 1
}

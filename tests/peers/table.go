package main

import (
	"fmt"
	"strings"
)

// table prints rows as they come.
type table struct{ width int }

const cell = 18

func newTable(corner string, names []string) *table {
	t := &table{width: 48}
	fmt.Print(t.pad(corner))
	for _, n := range names {
		fmt.Printf("%*s", cell, n)
	}
	fmt.Printf("\n%s\n", strings.Repeat("-", t.width+cell*len(names)))
	return t
}

func (t *table) pad(s string) string { return fmt.Sprintf("%-*s", t.width, s) }

// row prints the numbers of one row, and for all but the first how many times
// the first they are. A negative number is not available.
func (t *table) row(name string, xs []float64) {
	fmt.Print(t.pad(name))
	for i, x := range xs {
		switch {
		case x < 0:
			fmt.Printf("%*s", cell, "n/a")
		case i == 0 || xs[0] < 0.05: // nothing to compare with
			fmt.Printf("%*s", cell, number(x))
		default:
			fmt.Printf("%*s", cell, fmt.Sprintf("%s (%s)", number(x), number(x/xs[0])))
		}
	}
	fmt.Println()
}

func number(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

package llm

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Explain is the attempt log as text for people: a line for each attempt, no wider
// than 80 columns, and a line that says how it ended.
func Explain(attempts []Attempt) string {
	if len(attempts) == 0 {
		return "no attempt was made\n"
	}
	var b strings.Builder
	row(&b, "#", "provider", "model", "status", "outcome", "took", "then waited")
	total := time.Duration(0)
	for i, a := range attempts {
		total += a.Duration + a.Wait
		status, outcome, wait := "-", string(a.Kind), ""
		if a.Status != 0 {
			status = strconv.Itoa(a.Status)
		}
		if a.Kind == "" {
			outcome = "answered"
		}
		if a.Wait > 0 {
			wait = briefTime(a.Wait)
		}
		row(&b, strconv.Itoa(i+1), a.Provider, a.Model, status, outcome, briefTime(a.Duration), wait)
	}
	b.WriteString(ending(attempts, total))
	return b.String()
}

var widths = [...]int{3, 12, 21, 7, 16, 9, 12}

func row(b *strings.Builder, cells ...string) {
	var line strings.Builder
	for i, c := range cells {
		w := widths[i]
		if r := []rune(c); len(r) > w-1 {
			c = string(r[:w-2]) + "…"
		}
		line.WriteString(c + strings.Repeat(" ", w-len([]rune(c))))
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}

func ending(attempts []Attempt, total time.Duration) string {
	noun := "attempts"
	if len(attempts) == 1 {
		noun = "attempt"
	}
	verb := "failed"
	if last := attempts[len(attempts)-1]; last.Kind == "" {
		verb = "answered by " + last.Provider
	}
	return fmt.Sprintf("%s after %d %s in %s\n", verb, len(attempts), noun, briefTime(total))
}

// briefTime is a time in the unit that suits it.
func briefTime(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond)/time.Millisecond)
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

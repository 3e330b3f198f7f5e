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
	rows := []tableRow{{"#", "provider", "model", "status", "outcome", "took", "wait"}}
	type place struct{ provider, model string }
	asked := map[place]bool{}
	for i, a := range attempts {
		asked[place{a.Provider, a.Model}] = true
		// Back at an earlier provider is another call of the same log.
		moved := a.Kind != "" && i+1 < len(attempts) && !asked[place{attempts[i+1].Provider, attempts[i+1].Model}]
		rows = append(rows, explainRow(i, a, moved))
	}
	return table(rows) + ending(attempts)
}

func explainRow(i int, a Attempt, moved bool) tableRow {
	status, outcome, wait := "-", string(a.Kind), ""
	if a.Status != 0 {
		status = strconv.Itoa(a.Status)
	}
	if a.Kind == "" {
		outcome = "answered"
	}
	switch {
	case a.Wait > 0:
		wait = briefTime(a.Wait)
	case moved:
		wait = "moved on"
	}
	return tableRow{strconv.Itoa(i + 1), a.Provider, a.Model, status, outcome, briefTime(a.Duration), wait}
}

// ending says who answered, and what it took. A log of several calls has more
// than one answer.
func ending(attempts []Attempt) string {
	total, answers := time.Duration(0), 0
	for _, a := range attempts {
		total += a.Duration + a.Wait
		if a.Kind == "" {
			answers++
		}
	}
	last := attempts[len(attempts)-1]
	verb := "failed"
	switch {
	case answers > 1:
		verb = fmt.Sprintf("%d answers", answers)
	case last.Kind == "":
		verb = "answered by " + strings.TrimSpace(printable(last.Provider)+" "+printable(last.Model))
	}
	noun := "attempts"
	if len(attempts) == 1 {
		noun = "attempt"
	}
	rest := fmt.Sprintf(" after %d %s in %s\n", len(attempts), noun, briefTime(total))
	return shorten(verb, tableWidth+1-len(rest)) + rest
}

// briefTime is a time in the unit that suits it.
func briefTime(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d/time.Millisecond)
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Truncate(100*time.Millisecond).Seconds())
	case d < time.Hour:
		return d.Truncate(time.Second).String()
	}
	return strings.TrimSuffix(d.Truncate(time.Minute).String(), "0s")
}

package llm

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Hint is how long a server asked to be left alone. The zero value is no hint.
type Hint struct {
	Wait  time.Duration // never negative; the longest Duration when it is longer than that
	Known bool
	// Header is the Retry-After header as it was sent, for policies that read
	// it in a way of their own.
	Header string
}

// ParseHint reads the hint from the headers of a reply: Retry-After-Ms first,
// then Retry-After as digits, as a fraction, or as an HTTP date. What makes no
// sense is no hint. A date is compared with the server's own Date header, or
// with now when there is none.
func ParseHint(h http.Header, now time.Time) Hint {
	hint := Hint{Header: h.Get("Retry-After")}
	if d, ok := parseDelay(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		hint.Wait, hint.Known = d, true
		return hint
	}
	if d, ok := parseDelay(hint.Header, time.Second); ok {
		hint.Wait, hint.Known = d, true
		return hint
	}
	if date, err := http.ParseTime(strings.TrimSpace(hint.Header)); err == nil {
		if sent, err := http.ParseTime(h.Get("Date")); err == nil {
			now = sent
		}
		hint.Wait, hint.Known = max(0, date.Sub(now)), true
	}
	return hint
}

// parseDelay reads a plain decimal number of units. Signs, exponents, words
// and numbers beyond an int64 of milliseconds are refused.
func parseDelay(s string, unit time.Duration) (time.Duration, bool) {
	s = strings.TrimSpace(s)
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n*float64(unit/time.Millisecond) >= math.MaxInt64 {
		return 0, false
	}
	return saturate(n * float64(unit)), true
}

// saturate makes a duration of a number of nanoseconds that is not negative.
func saturate(ns float64) time.Duration {
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}

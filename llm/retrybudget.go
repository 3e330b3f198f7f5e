package llm

import (
	"math"
	"sync"
	"time"
)

// RetryBudget keeps the retries of all calls that share it under a share of
// those calls, so that an outage is not multiplied: within the window there are
// at most Min retries plus Ratio for each call. A nil budget allows all.
type RetryBudget struct {
	limit RetryLimit

	mu    sync.Mutex
	slots [slotsPerWindow]slot
}

// RetryLimit is what a [RetryBudget] allows.
type RetryLimit struct {
	Ratio  float64       // retries for each call
	Min    int           // retries that are allowed whatever the calls
	Window time.Duration // over which both are counted
}

// DefaultRetryLimit is generous: it is felt when a hundred calls fail within a
// minute, not by a program that makes one.
func DefaultRetryLimit() RetryLimit {
	return RetryLimit{Ratio: 0.5, Min: 100, Window: time.Minute}
}

// slotsPerWindow is how finely old counts are forgotten.
const slotsPerWindow = 16

// slot counts what happened in one part of the window.
type slot struct {
	number         int64 // of the part, since the beginning of time
	calls, retries int
}

// NewRetryBudget returns a budget of which nothing is spent.
func NewRetryBudget(l RetryLimit) (*RetryBudget, error) {
	switch {
	case !(l.Ratio >= 0 && l.Ratio <= math.MaxFloat64):
		return nil, &OptionError{Option: "ratio", Want: "a number of at least 0", Got: l.Ratio}
	case l.Min < 0:
		return nil, &OptionError{Option: "min-retries", Want: "a whole number of at least 0", Got: l.Min}
	case l.Window < slotsPerWindow:
		return nil, &OptionError{Option: "window-ms", Want: "a time above 0", Got: l.Window}
	}
	return &RetryBudget{limit: l}, nil
}

// call counts a call.
func (b *RetryBudget) call(now time.Time) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.slot(now).calls++
}

// take counts a retry, if one is left.
func (b *RetryBudget) take(now time.Time) bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	current, calls, retries := b.slot(now), 0, 0
	for _, s := range b.slots {
		if s.number > current.number-slotsPerWindow {
			calls, retries = calls+s.calls, retries+s.retries
		}
	}
	if float64(retries) >= float64(b.limit.Min)+b.limit.Ratio*float64(calls) {
		return false
	}
	current.retries++
	return true
}

// slot is the part of the window that now is in.
func (b *RetryBudget) slot(now time.Time) *slot {
	number := now.UnixNano() / int64(b.limit.Window/slotsPerWindow)
	s := &b.slots[number&(slotsPerWindow-1)]
	if s.number != number {
		*s = slot{number: number}
	}
	return s
}

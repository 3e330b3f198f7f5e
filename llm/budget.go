package llm

import (
	"fmt"
	"math"
	"strings"
	"sync"
)

// BudgetLimit is a cap on spending; nil fields do not limit. One of MaxCost and
// MaxTokens is needed.
type BudgetLimit struct {
	MaxCost   *float64 // US dollars
	MaxTokens *int     // of prompts and replies
	// GateStreams refuses streams too once the cap is reached. Streams are
	// charged either way, and never raise for what they cost.
	GateStreams bool
}

// Budget is an account with a cap, for all calls that have it in force. A call
// is let through while what is spent is under the cap, and what is in flight
// leaves room; when only the latter is missing it waits. So parallel calls
// overshoot by one call at most.
type Budget struct {
	limit BudgetLimit

	mu      sync.Mutex
	spent   amount
	flying  amount        // estimates of the calls in flight
	calls   int           // in flight
	settled chan struct{} // closed when one of them ends
}

// amount is money and tokens.
type amount struct {
	usd    float64
	tokens int
}

func (a amount) plus(b amount) amount  { return amount{a.usd + b.usd, a.tokens + b.tokens} }
func (a amount) minus(b amount) amount { return amount{max(0, a.usd-b.usd), max(0, a.tokens-b.tokens)} }

// NewBudget returns a budget of which nothing is spent.
func NewBudget(l BudgetLimit) (*Budget, error) {
	switch {
	case l.MaxCost == nil && l.MaxTokens == nil:
		return nil, &OptionError{Option: "max-cost-usd", Want: "given, or :max-tokens", Got: "neither"}
	case l.MaxCost != nil && !(*l.MaxCost >= 0 && *l.MaxCost <= math.MaxFloat64):
		return nil, &OptionError{Option: "max-cost-usd", Want: "a number of at least 0", Got: *l.MaxCost}
	case l.MaxTokens != nil && *l.MaxTokens < 0:
		return nil, &OptionError{Option: "max-tokens", Want: "a whole number of at least 0", Got: *l.MaxTokens}
	}
	return &Budget{limit: l, settled: make(chan struct{})}, nil
}

// Limit returns the caps.
func (b *Budget) Limit() BudgetLimit { return b.limit }

// Spent returns what was charged so far.
func (b *Budget) Spent() (usd float64, tokens int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent.usd, b.spent.tokens
}

// reached reports that nothing is left for another call.
func (b *Budget) reached(a amount) bool {
	return b.limit.MaxCost != nil && a.usd >= *b.limit.MaxCost || b.limit.MaxTokens != nil && a.tokens >= *b.limit.MaxTokens
}

// exceeded reports that more than the cap is gone.
func (b *Budget) exceeded(a amount) bool {
	return b.limit.MaxCost != nil && a.usd > *b.limit.MaxCost || b.limit.MaxTokens != nil && a.tokens > *b.limit.MaxTokens
}

// enter lets a call in, refuses it, or returns what to wait for.
func (b *Budget) enter(estimate amount, wait bool) (settled <-chan struct{}, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reached(b.spent) {
		return nil, &Error{Kind: KindBudget, Message: "budget exceeded: " + b.status() + "; the call was not made"}
	}
	if wait && b.calls > 0 && b.exceeded(b.spent.plus(b.flying).plus(estimate)) {
		return b.settled, nil
	}
	b.calls++
	b.flying = b.flying.plus(estimate)
	return nil, nil
}

// leave takes the estimate of a call back.
func (b *Budget) leave(estimate amount) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls--
	b.flying = b.flying.minus(estimate)
	if b.calls == 0 {
		b.flying = amount{} // no dust of binary fractions
	}
	b.wake()
}

// charge takes what a call cost.
func (b *Budget) charge(cost amount) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = b.spent.plus(cost)
	b.wake()
}

// wake lets the calls that wait look again.
func (b *Budget) wake() {
	close(b.settled)
	b.settled = make(chan struct{})
}

// status is "$0.0123 of $0.01 spent" or "512 of 500 tokens spent".
func (b *Budget) status() string {
	var parts []string
	if cap := b.limit.MaxCost; cap != nil {
		parts = append(parts, fmt.Sprintf("$%.6g of $%.6g", b.spent.usd, *cap))
	}
	if cap := b.limit.MaxTokens; cap != nil {
		parts = append(parts, fmt.Sprintf("%d of %d tokens", b.spent.tokens, *cap))
	}
	return strings.Join(parts, " and ") + " spent"
}

// overrun is the error of the call that went beyond the cap, if it did.
func (b *Budget) overrun() *Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.exceeded(b.spent) {
		return nil
	}
	return &Error{Kind: KindBudget, Message: "budget exceeded: " + b.status() + "; the answer that was paid for is in :response"}
}

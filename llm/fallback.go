package llm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Entry is a link of a fallback chain.
type Entry struct {
	Provider Provider
	Model    string // goes before the request's; "" leaves it to that, then to the provider's default
	// Policy replaces the call's at this entry; nil does not.
	Policy *Policy
	// Timeout of one attempt at this entry, for requests without one; 0 is none.
	Timeout time.Duration
}

// Call holds the settings of a call. It may be used for many calls, also at
// the same time.
type Call struct {
	Env
	// Chain has the providers in the order in which they are tried.
	Chain []Entry
	// On narrows the failures that move on to the next entry to these kinds;
	// empty is every failure of a provider.
	On     []Kind
	Policy Policy
	// Limits are the rate limits in force; every attempt waits for them all.
	Limits []*Limiter
	// Deadline bounds attempts, waits and chain together; zero is none.
	Deadline time.Time

	// Breaker keeps calls from providers that fail all the time; nil does not.
	Breaker *Breaker
	// Hedge is the time after which a request that was not answered gets a
	// second one beside it; nil never does. The first answer wins. A
	// [LocalProvider] is not hedged.
	Hedge *time.Duration
	// RetryBudget bounds the retries of all who share it; nil does not.
	RetryBudget *RetryBudget
	// Budgets are the spending caps in force, the innermost first.
	Budgets []*Budget
	// Prices say what usage costs, for Budgets; nil knows no price.
	Prices *Prices
	// Unpriced is told of a model whose price is not known although a budget in
	// dollars is in force; may be nil. It runs outside of Block.
	Unpriced func(provider, model string)
	// Cache keeps the answers of calls that are not streams; nil keeps none.
	Cache *Cache
	// CacheFor is the age up to which answers of the cache are used.
	CacheFor time.Duration
	// Tape records and replays answers; nil does neither. The cache is not asked
	// while there is one.
	Tape *Tape
	// Nested says that the call is made by a callback of another call, which is
	// in flight all that time: this one must not wait for it, neither at a budget
	// nor for an answer that both want.
	Nested bool
}

// Validate reports the first setting that makes no sense, as an [*OptionError].
func (c *Call) Validate() error {
	if len(c.Chain) == 0 {
		return &OptionError{Option: "chain", Want: "at least one provider", Got: "none"}
	}
	for _, e := range c.Chain {
		if e.Provider == nil {
			return &OptionError{Option: "chain", Want: "made of providers", Got: "an entry without one"}
		}
		if e.Policy != nil {
			if err := e.Policy.Validate(); err != nil {
				return err
			}
		}
	}
	for _, k := range c.On {
		if !k.Valid() {
			return &OptionError{Option: "on", Want: "made of kinds of failure", Got: string(k)}
		}
	}
	if c.Breaker != nil {
		if err := c.Breaker.Validate(); err != nil {
			return err
		}
	}
	if c.Hedge != nil && *c.Hedge < 0 {
		return &OptionError{Option: "delay-ms", Want: "a time of at least 0", Got: *c.Hedge}
	}
	return c.Policy.Validate()
}

// Complete asks the providers of the chain until one answers. It returns an
// [*OptionError] before the first request, a [*CallbackError] when a callback
// ended the call, or an [*Error] that has all attempts.
func (c *Call) Complete(ctx context.Context, req *Request) (*Response, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := req.Validate(); err != nil {
		return nil, err
	}
	return c.do(ctx, req, nil)
}

// do is a call whose settings were checked.
func (c *Call) do(ctx context.Context, req *Request, onText func(string) error) (*Response, error) {
	r := &run{Call: c, onText: onText}
	reply, err := r.taped(ctx, req)
	if err != nil {
		return nil, err
	}
	reply.Attempts = r.log
	return reply, nil
}

// walk goes along the chain until an entry answers.
func (r *run) walk(ctx context.Context, req *Request) (*Response, error) {
	var failed []*Error
	for i, entry := range r.Chain {
		x := &exchange{run: r, entry: entry, req: forEntry(req, entry), next: i+1 < len(r.Chain)}
		before := len(r.log)
		err := x.handler()(ctx)
		if err == nil {
			return x.reply, nil
		}
		if broken, ok := err.(*brokenStream); ok {
			broken.err.Attempts = r.log
			return nil, broken.err
		}
		e, ok := err.(*Error)
		if !ok {
			return nil, r.raised(err)
		}
		e.Attempts = slices.Clip(r.log[before:])
		failed = append(failed, e)
		if !x.next || !r.movesOn(ctx, e) {
			return nil, r.summary(ctx, failed)
		}
	}
	return nil, nil // not reached: a chain is not empty
}

// forEntry returns the request with the model that this entry is asked for.
func forEntry(req *Request, entry Entry) *Request {
	own := *req
	switch {
	case entry.Model != "":
		own.Model = entry.Model
	case own.Model == "":
		own.Model = entry.Provider.DefaultModel()
	}
	if own.Timeout == 0 {
		own.Timeout = entry.Timeout
	}
	return &own
}

// timeLeft is the time until the call's deadline or the context's.
func (c *Call) timeLeft(ctx context.Context) time.Duration {
	return timeLeft(ctx, &c.Env, c.Deadline)
}

// movesOn reports whether the next entry is tried after this failure.
func (r *run) movesOn(ctx context.Context, e *Error) bool {
	return ctx.Err() == nil && r.timeLeft(ctx) > 0 && r.listed(e.Kind)
}

// listed reports whether failures of this kind move on at all.
func (c *Call) listed(kind Kind) bool {
	if kind == KindBudget || kind == KindCancelled {
		return false
	}
	return len(c.On) == 0 || slices.Contains(c.On, kind)
}

// summary is the error of the whole call. A failure that stopped the chain by
// its kind speaks for itself; otherwise the class is that of the first.
func (r *run) summary(ctx context.Context, failed []*Error) *Error {
	last := failed[len(failed)-1]
	if len(failed) == 1 || ctx.Err() != nil || !r.listed(last.Kind) {
		sum := *last
		sum.Attempts = r.log
		return &sum
	}
	lines := make([]string, len(failed))
	for i, e := range failed {
		lines[i] = e.Error()
	}
	sum := *failed[0]
	sum.Message = fmt.Sprintf("%d providers failed: %s", len(failed), strings.Join(lines, "; "))
	sum.Attempts, sum.Failures, sum.Cause = r.log, failed, failed[0]
	return &sum
}

// raised gives the provider's failure behind a callback's error its log.
func (r *run) raised(err error) error {
	raised, ok := err.(*CallbackError)
	if !ok {
		return err
	}
	own := *raised
	own.Attempts = r.log
	if e, ok := own.Cause.(*Error); ok {
		cause := *e
		cause.Attempts = r.log
		own.Cause = &cause
	}
	return &own
}

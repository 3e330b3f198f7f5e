package llm

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Breaker keeps calls away from a provider's model that failed so many times in
// a row, until the cooldown is over. Then one call is let through: its success
// closes the circuit, its failure opens it again. Every attempt counts. A status
// of 4xx says nothing about the provider's health, and counts neither way.
type Breaker struct {
	Failures int           // in a row, to open the circuit
	Cooldown time.Duration // for which it stays open
	Circuits *Circuits     // shared by all calls that are to learn from each other
}

// Validate reports the first setting that makes no sense, as an [*OptionError].
func (b *Breaker) Validate() error {
	switch {
	case b.Failures < 1:
		return &OptionError{Option: "failures", Want: "a whole number of at least 1", Got: b.Failures}
	case b.Cooldown < 0:
		return &OptionError{Option: "cooldown-ms", Want: "a time of at least 0", Got: b.Cooldown}
	case b.Circuits == nil:
		return &OptionError{Option: "breaker", Want: "given circuits to watch", Got: "none"}
	}
	return nil
}

// CodeBreakerOpen is the [Error.Code] of a call that a breaker refused. Its
// kind is that of the failure which opened the circuit.
const CodeBreakerOpen = "breaker-open"

// Circuits is what breakers know of every provider and model. The zero value
// knows nothing yet.
type Circuits struct {
	mu  sync.Mutex
	all map[circuitKey]*circuit
}

type circuitKey struct{ provider, model string }

func (c *Circuits) of(provider, model string) *circuit {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := circuitKey{provider, model}
	if c.all == nil {
		c.all = map[circuitKey]*circuit{}
	}
	if c.all[key] == nil {
		c.all[key] = &circuit{}
	}
	return c.all[key]
}

type circuit struct {
	mu       sync.Mutex
	failures int
	open     bool
	until    time.Time // from then on one call may try
	probing  bool      // that call is on its way
	kind     Kind      // of the last failure
}

// guarded refuses the entry while its circuit is open.
func (x *exchange) guarded(next handler) handler {
	if x.Breaker == nil {
		return next
	}
	return func(ctx context.Context) error {
		c := x.circuit()
		leave, refused := c.enter(x.now())
		if refused != nil {
			return x.failure(ctx, refused)
		}
		defer leave()
		return next(ctx)
	}
}

func (x *exchange) circuit() *circuit {
	return x.Breaker.Circuits.of(x.entry.Provider.Name(), x.req.Model)
}

// enter lets a call through or says until when it is refused. Leave gives the
// place of the one call that tries back, if its attempts settled nothing.
func (c *circuit) enter(now time.Time) (leave func(), refused *Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !c.open:
		return func() {}, nil
	case now.Before(c.until):
		wait := c.until.Sub(now)
		return nil, c.refusal(wait, fmt.Sprintf("the next call may try in %v, at %s", wait.Round(time.Millisecond), c.until.UTC().Format(time.RFC3339)))
	case c.probing:
		return nil, c.refusal(0, "another call tries just now")
	}
	c.probing = true
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.probing = false
	}, nil
}

func (c *circuit) refusal(wait time.Duration, when string) *Error {
	return &Error{Kind: c.kind, Code: CodeBreakerOpen, RetryAfter: Hint{Wait: wait, Known: wait > 0},
		Message: fmt.Sprintf("not asked: the breaker is open after %d failures in a row; %s", c.failures, when)}
}

// observe tells the circuit how an attempt went.
func (x *exchange) observe(ctx context.Context, err error) {
	if x.Breaker == nil || ctx.Err() != nil {
		return
	}
	if broken, ok := err.(*brokenStream); ok {
		err = broken.err
	}
	e, failed := err.(*Error)
	switch {
	case err == nil:
		x.circuit().succeed()
	case failed && unhealthy(e):
		x.circuit().fail(e.Kind, x.Breaker, x.now())
	}
}

// unhealthy tells failures of the provider from those of the request.
func unhealthy(e *Error) bool {
	if e.Status >= 400 && e.Status < 500 {
		return false
	}
	switch e.Kind {
	case KindServer, KindOverloaded, KindNetwork, KindTimeout, KindParse, KindStreamTruncated, KindOther:
		return true
	}
	return false
}

func (c *circuit) succeed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures, c.open = 0, false
}

func (c *circuit) fail(kind Kind, b *Breaker, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures++
	c.kind = kind
	if c.open && c.probing || !c.open && c.failures >= b.Failures {
		c.open, c.until = true, now.Add(b.Cooldown)
	}
}

// isOpen reports that the entry is not to be asked again.
func (x *exchange) isOpen() bool {
	if x.Breaker == nil {
		return false
	}
	c := x.circuit()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open && x.now().Before(c.until)
}

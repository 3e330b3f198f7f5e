package llm

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"
)

// RateLimit says how often attempts may be made. Zero fields do not limit.
type RateLimit struct {
	RPS         float64 // attempts a second
	RPM         float64 // attempts a minute
	Burst       int     // attempts that may go at once, for RPS and RPM; 0 is 1
	TPM         float64 // tokens a minute, by [Request.EstimateTokens]
	Concurrency int     // attempts in flight
}

// Validate reports the first setting that makes no sense, as an [*OptionError].
func (r RateLimit) Validate() error {
	rates := [...]struct {
		option string
		value  float64
	}{{"rps", r.RPS}, {"rpm", r.RPM}, {"tpm", r.TPM}}
	for _, rate := range rates {
		if !(rate.value >= 0 && rate.value <= math.MaxFloat64) {
			return &OptionError{Option: rate.option, Want: "a positive, finite number", Got: rate.value}
		}
	}
	switch {
	case r.Burst < 0:
		return &OptionError{Option: "burst", Want: "a positive whole number", Got: r.Burst}
	case r.Concurrency < 0:
		return &OptionError{Option: "concurrency", Want: "a positive whole number", Got: r.Concurrency}
	case r.RPS == 0 && r.RPM == 0 && r.TPM == 0 && r.Concurrency == 0:
		return &OptionError{Option: "rps", Want: "a positive, finite number", Got: "no limit at all"}
	}
	return nil
}

// Limiter enforces a [RateLimit] on all who share it, first come first served.
type Limiter struct {
	slots chan struct{} // one element an attempt in flight; nil does not limit

	mu     sync.Mutex
	calls  []bucket
	tokens bucket
}

// NewLimiter returns a limiter with full buckets.
func NewLimiter(r RateLimit) (*Limiter, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	l := &Limiter{tokens: newBucket(r.TPM/60, r.TPM)}
	burst := float64(max(1, r.Burst))
	for _, perSecond := range []float64{r.RPS, r.RPM / 60} {
		if perSecond > 0 {
			l.calls = append(l.calls, newBucket(perSecond, burst))
		}
	}
	if r.Concurrency > 0 {
		l.slots = make(chan struct{}, r.Concurrency)
	}
	return l, nil
}

// Wait waits until an attempt of about so many tokens may be made; release
// ends the attempt. When the wait would last longer than longest it fails at
// once with an [*Error] of [KindTimeout]. A wait that fails takes nothing from
// the limiter.
func (l *Limiter) Wait(ctx context.Context, clock Clock, tokens int, longest time.Duration) (release func(), err error) {
	if err := l.takeSlot(ctx, longest); err != nil {
		return nil, err
	}
	wait, ok := l.reserve(clock.Now(), float64(tokens), longest)
	if !ok {
		l.freeSlot()
		return nil, tooSlow(wait)
	}
	if err := clock.Sleep(ctx, wait); err != nil {
		l.refund(float64(tokens))
		l.freeSlot()
		return nil, err
	}
	return l.freeSlot, nil
}

func (l *Limiter) takeSlot(ctx context.Context, longest time.Duration) error {
	if l.slots == nil {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	select {
	case l.slots <- struct{}{}:
		return nil
	case <-bounded.Done():
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return tooSlow(longest)
	}
}

func (l *Limiter) freeSlot() {
	if l.slots != nil {
		<-l.slots
	}
}

func tooSlow(wait time.Duration) *Error {
	return &Error{Kind: KindTimeout, Message: fmt.Sprintf("the rate limit asks for %v, longer than the deadline allows", wait)}
}

// reserve takes from every bucket and returns how long to wait for it all, or
// takes nothing when that is longer than longest.
func (l *Limiter) reserve(now time.Time, tokens float64, longest time.Duration) (wait time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.calls {
		wait = max(wait, l.calls[i].take(now, 1))
	}
	wait = max(wait, l.tokens.take(now, tokens))
	if wait > longest {
		l.giveBack(tokens)
		return wait, false
	}
	return wait, true
}

func (l *Limiter) refund(tokens float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.giveBack(tokens)
}

func (l *Limiter) giveBack(tokens float64) {
	for i := range l.calls {
		l.calls[i].put(1)
	}
	l.tokens.put(tokens)
}

// bucket is a token bucket. Its level goes below zero when tokens are promised
// that are yet to drip in. A rate of 0 does not limit.
type bucket struct {
	rate  float64 // tokens a second
	size  float64
	level float64
	last  time.Time
}

func newBucket(rate, size float64) bucket { return bucket{rate: rate, size: size, level: size} }

// take promises n tokens, at most a bucketful, and returns the wait for them.
func (b *bucket) take(now time.Time, n float64) time.Duration {
	if b.rate == 0 {
		return 0
	}
	if elapsed := now.Sub(b.last); !b.last.IsZero() && elapsed > 0 {
		b.level = min(b.size, b.level+elapsed.Seconds()*b.rate)
	}
	if b.last.IsZero() || now.After(b.last) {
		b.last = now
	}
	b.level -= min(n, b.size)
	if b.level >= 0 {
		return 0
	}
	return saturate(math.Ceil(-b.level / b.rate * float64(time.Second)))
}

func (b *bucket) put(n float64) { b.level = min(b.size, b.level+min(n, b.size)) }

// admit waits for every rate limit in force; release ends the attempt.
func (r *run) admit(ctx context.Context, req *Request) (release func(), err error) {
	if len(r.Limits) == 0 {
		return func() {}, nil
	}
	var held []func()
	release = func() {
		for _, free := range held {
			free()
		}
	}
	for _, l := range r.Limits {
		free, err := l.Wait(ctx, r.clock(), req.EstimateTokens(), r.timeLeft(ctx))
		if err != nil {
			release()
			return func() {}, err
		}
		held = append(held, free)
	}
	return release, nil
}

package llm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/time/rate"
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
	slots   chan struct{} // one element an attempt in flight; nil does not limit
	buckets []bucket
}

// bucket drips tokens: one for each attempt, or as many as the attempt is about
// to use of the model's.
type bucket struct {
	*rate.Limiter
	ofModel bool
}

// NewLimiter returns a limiter with full buckets.
func NewLimiter(r RateLimit) (*Limiter, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	l := &Limiter{}
	add := func(perSecond float64, size int, ofModel bool) {
		if perSecond > 0 {
			l.buckets = append(l.buckets, bucket{rate.NewLimiter(rate.Limit(perSecond), size), ofModel})
		}
	}
	add(r.RPS, max(1, r.Burst), false)
	add(r.RPM/60, max(1, r.Burst), false)
	add(r.TPM/60, int(min(math.Ceil(r.TPM), math.MaxInt32)), true)
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
	if err := l.drip(ctx, clock, tokens, longest); err != nil {
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

// drip waits for the tokens of every bucket. They are promised at once, so who
// comes later waits longer, and are given back when nobody waits for them.
func (l *Limiter) drip(ctx context.Context, clock Clock, tokens int, longest time.Duration) error {
	var wait time.Duration
	promised, now := make([]*rate.Reservation, len(l.buckets)), clock.Now()
	for i, b := range l.buckets {
		n := 1
		if b.ofModel { // more than a bucketful empties it
			n = min(tokens, b.Burst())
		}
		promised[i] = b.ReserveN(now, n)
		wait = max(wait, promised[i].DelayFrom(now))
	}
	err := error(nil)
	if wait > longest {
		err = tooSlow(wait)
	} else {
		err = clock.Sleep(ctx, wait)
	}
	if err != nil {
		for _, r := range slices.Backward(promised) {
			r.CancelAt(now)
		}
	}
	return err
}

// admit waits for every rate limit in force; release ends the attempt. A nested
// call does not wait for a slot: the call that it serves may hold the last one.
func (r *run) admit(ctx context.Context, req *Request) (release func(), err error) {
	var held []func()
	release = func() {
		for _, free := range held {
			free()
		}
	}
	for _, l := range r.Limits {
		free := func() {}
		if r.Nested {
			err = l.drip(ctx, r.clock(), req.EstimateTokens(), r.timeLeft(ctx))
		} else {
			free, err = l.Wait(ctx, r.clock(), req.EstimateTokens(), r.timeLeft(ctx))
		}
		if err != nil {
			release()
			return func() {}, err
		}
		held = append(held, free)
	}
	return release, nil
}

package llm

import (
	"context"
	"math/rand/v2"
	"time"
)

// Clock tells the time and lets it pass.
type Clock interface {
	Now() time.Time
	// Sleep returns after d, or with the context's error when that ends first.
	Sleep(ctx context.Context, d time.Duration) error
}

// Block runs f, which may wait long and touches nothing of the caller's. An
// interpreter releases its lock around f. Block returns f's error, or an error
// of its own when f could not be run.
type Block func(ctx context.Context, f func(context.Context) error) error

// Env is what a call takes from its surroundings. The zero value is good.
type Env struct {
	Clock Clock          // nil: the system's
	Rand  func() float64 // uniform in [0,1); nil: the system's
	Block Block          // nil: f is simply called
}

func (e *Env) clock() Clock {
	if e.Clock == nil {
		return SystemClock{}
	}
	return e.Clock
}

func (e *Env) now() time.Time { return e.clock().Now() }

func (e *Env) rand() func() float64 {
	if e.Rand == nil {
		return rand.Float64
	}
	return e.Rand
}

func (e *Env) block(ctx context.Context, f func(context.Context) error) error {
	if e.Block == nil {
		return f(ctx)
	}
	return e.Block(ctx, f)
}

// sleep waits inside Block, where other goroutines get their turn.
func (e *Env) sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	return e.block(ctx, func(ctx context.Context) error { return e.clock().Sleep(ctx, d) })
}

// SystemClock is the machine's own clock.
type SystemClock struct{}

// Now returns the current time.
func (SystemClock) Now() time.Time { return time.Now() }

// Sleep waits for d or for the end of the context.
func (SystemClock) Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

package llm

import (
	"context"
	"errors"
	"math"
	"time"
)

// Verdict is what a classifier says about a failure.
type Verdict int

const (
	Fail  Verdict = iota // the zero value: what is not a clear "retry" fails
	Retry                // once more, as long as retries are left
)

// Failure is what OnError and OnRetry are told about a failed attempt. The
// fields of a model's failure are empty when Err has no [*Error] in it.
type Failure struct {
	Err       error
	Attempt   int           // from zero
	Retryable bool          // the default verdict
	Elapsed   time.Duration // since the first attempt began
	Wait      time.Duration // before the next attempt; OnRetry only

	Provider   string
	Model      string
	Kind       Kind
	Status     int // 0 when there was no response
	RetryAfter Hint
}

// Loop runs an attempt until it succeeds or the retries are spent. It is the
// loop under [Call] and may be used alone, around anything.
//
// The attempt runs on the caller's goroutine, outside of Block; only the waits
// go through it.
type Loop struct {
	Env
	Retries  int       // attempts after the first
	Deadline time.Time // no attempt begins at or after it; zero is none
	Backoff  Backoff

	// Retryable is the default verdict; nil retries everything.
	Retryable func(error) bool
	// Wait replaces Backoff; it gives up when ok is false.
	Wait func(n int, err error) (d time.Duration, ok bool)
	// OnError has the last word on each failure, but Retries bounds it, and it
	// is not asked after a cancellation. An error it returns ends the loop as a
	// [*CallbackError].
	OnError func(Failure) (Verdict, error)
	// OnRetry is told of each wait before it begins. An error it returns ends
	// the loop as a [*CallbackError].
	OnRetry func(Failure) error
}

// Do runs attempts, n from zero. It returns nil, the last attempt's error, a
// [*CallbackError], an [*Error] for a context that ended in a wait, or the error
// of a Block that could not run.
func (l *Loop) Do(ctx context.Context, attempt func(ctx context.Context, n int) error) error {
	start := l.now()
	for n := 0; ; n++ {
		if ctx.Err() != nil {
			return stopped(ctx)
		}
		err := attempt(ctx, n)
		if err == nil {
			return nil
		}
		wait, again, final := l.next(ctx, start, n, err)
		if final != nil {
			return final
		}
		if !again {
			return err
		}
		if refused := l.sleep(ctx, wait); ctx.Err() != nil {
			return stopped(ctx)
		} else if refused != nil {
			return refused
		}
		if timeLeft(ctx, &l.Env, l.Deadline) <= 0 {
			return err
		}
	}
}

// next decides about a failure: whether to go on, and after what wait. Final
// is the error of a callback.
func (l *Loop) next(ctx context.Context, start time.Time, n int, err error) (wait time.Duration, again bool, final error) {
	if ctx.Err() != nil || isFinal(err) {
		return 0, false, nil
	}
	f := l.failure(start, n, err)
	again, final = l.verdict(f)
	if final != nil || !again || n >= l.Retries {
		return 0, false, final
	}
	if wait, again = l.wait(n, err); !again || wait >= timeLeft(ctx, &l.Env, l.Deadline) {
		return 0, false, nil
	}
	if l.OnRetry != nil {
		f.Wait = wait
		if raised := l.OnRetry(f); raised != nil {
			return 0, false, &CallbackError{Err: raised, Cause: err}
		}
	}
	return wait, true, nil
}

func (l *Loop) verdict(f Failure) (again bool, final error) {
	if l.OnError == nil {
		return f.Retryable, nil
	}
	verdict, raised := l.OnError(f)
	if raised != nil {
		return false, &CallbackError{Err: raised, Cause: f.Err}
	}
	return verdict == Retry, nil
}

func (l *Loop) failure(start time.Time, n int, err error) Failure {
	f := Failure{Err: err, Attempt: n, Elapsed: l.now().Sub(start)}
	f.Retryable = l.Retryable == nil || l.Retryable(err)
	if e, ok := errors.AsType[*Error](err); ok {
		f.Provider, f.Model, f.Kind, f.Status, f.RetryAfter = e.Provider, e.Model, e.Kind, e.Status, e.RetryAfter
	}
	return f
}

func (l *Loop) wait(n int, err error) (time.Duration, bool) {
	if l.Wait != nil {
		return l.Wait(n, err)
	}
	return l.Backoff.Wait(n, l.rand()), true
}

// timeLeft is the time until the deadline or the context's, whichever is
// sooner; it is not positive when that has passed. The context's deadline is
// in real time, whatever the clock says.
func timeLeft(ctx context.Context, env *Env, deadline time.Time) time.Duration {
	left := time.Duration(math.MaxInt64)
	if !deadline.IsZero() {
		left = deadline.Sub(env.now())
	}
	if end, ok := ctx.Deadline(); ok {
		left = min(left, time.Until(end))
	}
	return left
}

// isFinal reports errors that nobody is asked about: a cancellation, and the
// error of a local provider's own code. One that is wrapped ended another call,
// and is like any error to this one.
func isFinal(err error) bool {
	switch err.(type) {
	case *CallbackError, *brokenStream:
		return true
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind == KindCancelled // its cause may be a connection's own context
	}
	return errors.Is(err, context.Canceled)
}

// Validate reports the first setting that makes no sense as an [*OptionError],
// under the names that the language's retry has for them.
func (l *Loop) Validate() error {
	if l.Retries < 0 {
		return &OptionError{Option: "max-attempts", Want: "at least 1", Got: l.Retries + 1}
	}
	return l.Backoff.Validate()
}

// Backoff computes growing waits: Base times Factor to the n, at most Max.
type Backoff struct {
	Base   time.Duration
	Factor float64       // 0 is 2
	Max    time.Duration // 0 is no limit
	Jitter bool          // full jitter: uniform between nothing and the wait
}

// Wait returns the wait after attempt n, from zero. It never overflows.
func (b Backoff) Wait(n int, rand func() float64) time.Duration {
	if b.Base <= 0 {
		return 0 // also where the factor's power is infinite
	}
	factor := b.Factor
	if factor == 0 {
		factor = 2
	}
	wait := saturate(float64(b.Base) * math.Pow(factor, float64(n)))
	if b.Max > 0 {
		wait = min(wait, b.Max)
	}
	if b.Jitter {
		wait = saturate(rand() * float64(wait))
	}
	return wait
}

// Validate reports the first setting that makes no sense, as an [*OptionError].
func (b Backoff) Validate() error {
	switch {
	case b.Base < 0:
		return &OptionError{Option: "base-delay-ms", Want: "a time of at least 0", Got: b.Base}
	case !(b.Factor >= 0 && b.Factor <= math.MaxFloat64):
		return &OptionError{Option: "backoff", Want: "a positive number", Got: b.Factor}
	case b.Max < 0:
		return &OptionError{Option: "max-delay-ms", Want: "a time of at least 0", Got: b.Max}
	}
	return nil
}

package llm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

var errThunk = errors.New("thunk failed")

// failTimes returns an attempt that fails n times, and its count.
func failTimes(n int) (func(context.Context, int) error, *int) {
	count := 0
	return func(context.Context, int) error {
		count++
		if count <= n {
			return errThunk
		}
		return nil
	}, &count
}

func retryLoop(clock llm.Clock) *llm.Loop {
	return &llm.Loop{
		Env: llm.Env{Clock: clock}, Retries: 2,
		Backoff: llm.Backoff{Base: 100 * time.Millisecond, Factor: 2},
	}
}

func TestLoop(t *testing.T) {
	clock := llmtest.NewClock()
	attempt, count := failTimes(2)
	require.NoError(t, retryLoop(clock).Do(t.Context(), attempt))
	assert.Equal(t, 3, *count)
	assert.Equal(t, []time.Duration{100 * time.Millisecond, 200 * time.Millisecond}, clock.Sleeps())

	clock = llmtest.NewClock()
	attempt, count = failTimes(9)
	assert.Equal(t, errThunk, retryLoop(clock).Do(t.Context(), attempt), "the last error itself")
	assert.Equal(t, 3, *count)
	assert.Len(t, clock.Sleeps(), 2, "no wait after the last")
}

func TestLoopDeadline(t *testing.T) {
	clock := llmtest.NewClock()
	loop := retryLoop(clock)
	loop.Retries, loop.Deadline = 100, clock.Now().Add(time.Second)
	attempt, count := failTimes(100)
	assert.Equal(t, errThunk, loop.Do(t.Context(), attempt))
	assert.Equal(t, 4, *count) // 100 + 200 + 400, then 800 is beyond

	// A callback that takes all the time leaves none for another attempt.
	clock = llmtest.NewClock()
	loop = retryLoop(clock)
	loop.Deadline = clock.Now().Add(time.Second)
	loop.OnRetry = func(llm.Failure) error { clock.Advance(time.Minute); return nil }
	attempt, count = failTimes(9)
	assert.Equal(t, errThunk, loop.Do(t.Context(), attempt))
	assert.Equal(t, 1, *count)
}

func TestLoopCallbacks(t *testing.T) {
	mine := errors.New("mine")
	loop := retryLoop(llmtest.NewClock())
	loop.OnRetry = func(llm.Failure) error { return mine }
	attempt, _ := failTimes(9)
	err := loop.Do(t.Context(), attempt)
	assert.ErrorIs(t, err, mine)
	assert.ErrorIs(t, err, errThunk)

	loop = retryLoop(llmtest.NewClock())
	loop.OnError = func(f llm.Failure) (llm.Verdict, error) {
		assert.True(t, f.Retryable)
		assert.Equal(t, errThunk, f.Err)
		return llm.Fail, nil
	}
	attempt, count := failTimes(9)
	assert.Equal(t, errThunk, loop.Do(t.Context(), attempt))
	assert.Equal(t, 1, *count)
}

// An error of a callback that ended a call inside the thunk is the thunk's.
func TestLoopRetriesWrappedCallbackErrors(t *testing.T) {
	inner := fmt.Errorf("in the thunk: %w", &llm.CallbackError{Err: errThunk})
	count := 0
	err := retryLoop(llmtest.NewClock()).Do(t.Context(), func(context.Context, int) error { count++; return inner })
	assert.Equal(t, inner, err)
	assert.Equal(t, 3, count)
}

// A wait that Block refuses ends the loop.
func TestLoopBlockRefuses(t *testing.T) {
	closed := errors.New("closed")
	loop := retryLoop(llmtest.NewClock())
	loop.Block = func(context.Context, func(context.Context) error) error { return closed }
	attempt, count := failTimes(9)
	assert.Equal(t, closed, loop.Do(t.Context(), attempt))
	assert.Equal(t, 1, *count)
}

func TestLoopCancelled(t *testing.T) {
	loop := retryLoop(llmtest.NewClock())
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	err := loop.Do(ctx, func(context.Context, int) error { calls++; cancel(); return errThunk })
	assert.Equal(t, errThunk, err)
	assert.Equal(t, 1, calls)

	err = loop.Do(t.Context(), func(context.Context, int) error { calls++; return context.Canceled })
	assert.Equal(t, context.Canceled, err)
	assert.Equal(t, 2, calls)

	synctest.Test(t, func(t *testing.T) {
		loop := retryLoop(nil)
		loop.Backoff.Base = 10 * time.Second
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		attempt, _ := failTimes(9)
		assert.ErrorIs(t, loop.Do(ctx, attempt), context.Canceled)
		assert.Equal(t, time.Second, time.Since(start))
	})
}

func TestBackoff(t *testing.T) {
	one := func() float64 { return 1 }
	cases := []struct {
		backoff llm.Backoff
		n       int
		want    time.Duration
	}{
		{llm.Backoff{Base: time.Second}, 0, time.Second},
		{llm.Backoff{Base: time.Second}, 3, 8 * time.Second},
		{llm.Backoff{Base: time.Second, Factor: 1.5}, 2, 2250 * time.Millisecond},
		{llm.Backoff{Base: time.Second, Factor: 1}, 50, time.Second},
		{llm.Backoff{Base: time.Second, Max: 5 * time.Second}, 3, 5 * time.Second},
		{llm.Backoff{Base: time.Second}, 5000, math.MaxInt64},
		{llm.Backoff{Base: time.Second, Max: time.Minute, Jitter: true}, 5000, time.Minute},
		{llm.Backoff{}, 5000, 0},
	}
	for _, c := range cases {
		assert.Equal(t, c.want, c.backoff.Wait(c.n, one), "%+v", c)
	}
	assert.Zero(t, llm.Backoff{Base: time.Second, Jitter: true}.Wait(4, func() float64 { return 0 }))
}

func TestLoopValidate(t *testing.T) {
	for option, loop := range map[string]llm.Loop{
		"max-attempts":  {Retries: -1},
		"base-delay-ms": {Backoff: llm.Backoff{Base: -1}},
		"backoff":       {Backoff: llm.Backoff{Factor: math.NaN()}},
		"max-delay-ms":  {Backoff: llm.Backoff{Max: -1}},
	} {
		var bad *llm.OptionError
		require.ErrorAs(t, loop.Validate(), &bad)
		assert.Equal(t, option, bad.Option)
	}
	for _, factor := range []float64{-1, math.Inf(1)} {
		assert.Error(t, llm.Backoff{Factor: factor}.Validate())
	}
	assert.NoError(t, retryLoop(nil).Validate())
}

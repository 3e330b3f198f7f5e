package llm_test

import (
	"context"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

func newLimiter(t *testing.T, r llm.RateLimit) *llm.Limiter {
	t.Helper()
	l, err := llm.NewLimiter(r)
	require.NoError(t, err)
	return l
}

// starts returns when each of n waits was over, after the first.
func starts(t *testing.T, l *llm.Limiter, n, tokens int) []time.Duration {
	clock := llmtest.NewClock()
	begin := clock.Now()
	var at []time.Duration
	for range n {
		release, err := l.Wait(t.Context(), clock, tokens, math.MaxInt64)
		require.NoError(t, err)
		release()
		at = append(at, clock.Now().Sub(begin))
	}
	return at
}

func TestRateLimit(t *testing.T) {
	ms := time.Millisecond
	cases := []struct {
		name   string
		limit  llm.RateLimit
		tokens int
		want   []time.Duration
	}{
		{"rps", llm.RateLimit{RPS: 5}, 0, []time.Duration{0, 200 * ms, 400 * ms, 600 * ms}},
		{"burst", llm.RateLimit{RPS: 5, Burst: 3}, 0, []time.Duration{0, 0, 0, 200 * ms}},
		{"rpm", llm.RateLimit{RPM: 60}, 0, []time.Duration{0, time.Second, 2 * time.Second}},
		{"both", llm.RateLimit{RPS: 10, RPM: 60}, 0, []time.Duration{0, time.Second, 2 * time.Second}},
		{"tpm", llm.RateLimit{TPM: 600}, 400, []time.Duration{0, 20 * time.Second, 60 * time.Second}},
		{"more than a bucketful", llm.RateLimit{TPM: 600}, 9999, []time.Duration{0, 60 * time.Second}},
		{"slow", llm.RateLimit{RPS: 0.5}, 0, []time.Duration{0, 2 * time.Second}},
		{"absurdly slow", llm.RateLimit{RPS: 5e-324}, 0, []time.Duration{0}},
		{"concurrency only", llm.RateLimit{Concurrency: 1}, 0, []time.Duration{0, 0}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := starts(t, newLimiter(t, c.limit), len(c.want), c.tokens)
			for i := range got {
				assert.InDelta(t, c.want[i], got[i], float64(time.Microsecond))
			}
		})
	}
}

func TestRateLimitValidate(t *testing.T) {
	for option, limits := range map[string][]llm.RateLimit{
		"rps":         {{}, {RPS: -1}, {RPS: math.NaN()}, {RPS: math.Inf(1)}},
		"rpm":         {{RPM: -1}},
		"tpm":         {{TPM: math.NaN()}},
		"burst":       {{RPS: 1, Burst: -1}},
		"concurrency": {{Concurrency: -1}},
	} {
		for _, l := range limits {
			_, err := llm.NewLimiter(l)
			var bad *llm.OptionError
			require.ErrorAs(t, err, &bad)
			assert.Equal(t, option, bad.Option)
		}
	}
}

// Every attempt takes a token, retries too, and callers share the bucket.
func TestRateLimitInCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call := chainOf(llmtest.NewProvider("a", failing(llm.KindServer, 500), answer("1"), answer("2"), answer("3")))
		call.Clock, call.Rand = nil, func() float64 { return 0 }
		call.Policy.Retries = 1
		call.Limits = []*llm.Limiter{newLimiter(t, llm.RateLimit{RPS: 1})}
		start := time.Now()
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				_, err := call.Complete(t.Context(), hello())
				assert.NoError(t, err)
			})
		}
		wg.Wait()
		assert.Equal(t, 3*time.Second, time.Since(start).Round(time.Millisecond))
	})
}

// Cancelling a wait sends nothing and takes nothing.
func TestRateLimitCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := llmtest.NewProvider("a", answer("1"), answer("2"))
		call := chainOf(p)
		call.Clock = nil
		call.Limits = []*llm.Limiter{newLimiter(t, llm.RateLimit{RPS: 0.1, Concurrency: 1})}
		start := time.Now()
		_, err := call.Complete(t.Context(), hello())
		require.NoError(t, err)

		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err = call.Complete(ctx, hello())
		e := asError(t, err)
		assert.Equal(t, llm.KindCancelled, e.Kind)
		assert.Empty(t, e.Attempts)
		assert.Len(t, p.Calls(), 1)

		_, err = call.Complete(t.Context(), hello())
		require.NoError(t, err)
		assert.Equal(t, 10*time.Second, time.Since(start).Round(time.Millisecond))
	})
}

func TestRateLimitDeadline(t *testing.T) {
	p := llmtest.NewProvider("a", answer("1"), answer("2"))
	call := chainOf(p)
	call.Limits = []*llm.Limiter{newLimiter(t, llm.RateLimit{RPS: 0.1})}
	_, err := call.Complete(t.Context(), hello())
	require.NoError(t, err)
	call.Deadline = call.Clock.Now().Add(5 * time.Second)
	_, err = call.Complete(t.Context(), hello())
	e := asError(t, err)
	assert.Equal(t, llm.KindTimeout, e.Kind)
	assert.Contains(t, e.Message, "10s")
	assert.Len(t, p.Calls(), 1)
}

func TestConcurrencyLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		running, peak := 0, 0
		step := llmtest.Step{Func: func(context.Context, *llm.Request) (*llm.Response, error) {
			mu.Lock()
			running++
			peak = max(peak, running)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			running--
			mu.Unlock()
			return &llm.Response{}, nil
		}}
		call := chainOf(llmtest.NewProvider("a", step, step, step, step, step))
		call.Clock = nil
		call.Limits = []*llm.Limiter{newLimiter(t, llm.RateLimit{Concurrency: 2})}
		start := time.Now()
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() { call.Complete(t.Context(), hello()) })
		}
		wg.Wait()
		assert.Equal(t, 2, peak)
		assert.Equal(t, 3*time.Second, time.Since(start))

		// A slot that comes too late for the deadline is not waited for longer.
		release, err := call.Limits[0].Wait(t.Context(), llm.SystemClock{}, 0, time.Hour)
		require.NoError(t, err)
		defer release()
		release2, err := call.Limits[0].Wait(t.Context(), llm.SystemClock{}, 0, time.Hour)
		require.NoError(t, err)
		defer release2()
		_, err = call.Limits[0].Wait(t.Context(), llm.SystemClock{}, 0, time.Second)
		assert.Equal(t, llm.KindTimeout, asError(t, err).Kind)
	})
}

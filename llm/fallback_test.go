package llm_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

func failing(kind llm.Kind, status int) llmtest.Step {
	_, retryable := llm.Classify(status, "")
	return llmtest.Step{Err: &llm.Error{Kind: kind, Status: status, Message: "no", Retryable: retryable}}
}

func answer(text string) llmtest.Step { return llmtest.Step{Text: text} }

// chainOf makes a call without retries over scripted providers.
func chainOf(providers ...llm.Provider) *llm.Call {
	call := &llm.Call{Env: llm.Env{Clock: llmtest.NewClock()}, Policy: llm.DefaultPolicy()}
	call.Policy.Retries = 0
	for _, p := range providers {
		call.Chain = append(call.Chain, llm.Entry{Provider: p})
	}
	return call
}

func TestFallbackMovesOn(t *testing.T) {
	narrow := []llm.Kind{llm.KindRateLimit, llm.KindServer}
	cases := []struct {
		name  string
		first llmtest.Step
		on    []llm.Kind
		moves bool
	}{
		{"rate limit", failing(llm.KindRateLimit, 429), nil, true},
		{"quota", failing(llm.KindQuota, 429), nil, true},
		{"auth", failing(llm.KindAuth, 401), nil, true},
		{"unknown model", failing(llm.KindNotFound, 404), nil, true},
		{"bad request", failing(llm.KindBadRequest, 400), nil, true},
		{"parse", failing(llm.KindParse, 200), nil, true},
		{"timeout", failing(llm.KindTimeout, 0), nil, true},
		{"foreign error", llmtest.Step{Err: errors.New("odd")}, nil, true},
		{"budget", failing(llm.KindBudget, 0), nil, false},
		{"cancelled", failing(llm.KindCancelled, 0), nil, false},
		{"script", llmtest.Step{Err: &llm.CallbackError{Err: errors.New("mine")}}, nil, false},
		{"listed", failing(llm.KindServer, 500), narrow, true},
		{"404 not listed", failing(llm.KindNotFound, 404), narrow, false},
		{"400 not listed", failing(llm.KindBadRequest, 400), narrow, false},
		{"budget though listed", failing(llm.KindBudget, 0), []llm.Kind{llm.KindBudget}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			second := llmtest.NewProvider("b", answer("from b"))
			call := chainOf(llmtest.NewProvider("a", c.first), second)
			call.On = c.on
			resp, err := call.Complete(t.Context(), hello())
			if !c.moves {
				require.Error(t, err)
				assert.Empty(t, second.Calls())
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "from b", resp.Text)
			assert.Equal(t, "b", resp.Provider)
			require.Len(t, resp.Attempts, 2)
			assert.Equal(t, "a", resp.Attempts[0].Provider)
		})
	}
}

func TestFallbackMissingProvider(t *testing.T) {
	resp, err := chainOf(llm.Missing("a", "no key is set"), llmtest.NewProvider("b", answer("ok"))).Complete(t.Context(), hello())
	require.NoError(t, err)
	assert.Equal(t, "b", resp.Provider)
	_, err = chainOf(llm.Missing("a", "no key is set")).Complete(t.Context(), hello())
	assert.Equal(t, "a: auth: no key is set", err.Error())
}

func TestFallbackModels(t *testing.T) {
	cases := []struct {
		entry, body, want string
	}{
		{"", "", "default"},
		{"", "pinned", "pinned"},
		{"own", "", "own"},
		{"own", "pinned", "own"},
	}
	for _, c := range cases {
		p := llmtest.NewProvider("a", answer("ok"))
		call := chainOf(p)
		call.Chain[0].Model = c.entry
		req := hello()
		req.Model = c.body
		resp, err := call.Complete(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, c.want, p.Calls()[0].Model)
		assert.Equal(t, c.want, resp.Model)
		assert.Equal(t, c.body, req.Model, "the caller's request is left alone")
	}
}

func TestFallbackAllFailed(t *testing.T) {
	call := chainOf(
		llmtest.NewProvider("a", failing(llm.KindRateLimit, 429), failing(llm.KindRateLimit, 429)),
		llmtest.NewProvider("b", failing(llm.KindAuth, 401)),
	)
	call.Policy.Retries = 1
	_, err := call.Complete(t.Context(), hello())
	e := asError(t, err)
	assert.Equal(t, llm.KindRateLimit, e.Kind)
	assert.Equal(t, "a", e.Provider)
	assert.Equal(t, 429, e.Status)
	require.Len(t, e.Failures, 2)
	assert.Equal(t, llm.KindAuth, e.Failures[1].Kind)
	assert.Len(t, e.Failures[0].Attempts, 2)
	require.Len(t, e.Attempts, 3)
	assert.Equal(t, "b", e.Attempts[2].Provider)
	assert.Equal(t, "2 providers failed: a default: rate-limit (status 429): no (2 attempts); b default: auth (status 401): no", err.Error())
}

// An entry's own policy and timeout go before the call's, and a request's
// timeout before both.
func TestEntrySettings(t *testing.T) {
	a := llmtest.NewProvider("a", failing(llm.KindServer, 500), failing(llm.KindServer, 500), answer("no"))
	b := llmtest.NewProvider("b", failing(llm.KindServer, 500), answer("from b"))
	call := chainOf(a, b)
	own := llm.DefaultPolicy()
	own.Retries, own.Base = 1, 0
	call.Chain[0].Policy, call.Chain[0].Timeout = &own, time.Minute
	call.Policy.Retries = 3
	resp, err := call.Complete(t.Context(), hello())
	require.NoError(t, err)
	assert.Equal(t, "from b", resp.Text)
	require.Len(t, a.Calls(), 2)
	assert.Len(t, b.Calls(), 2)
	assert.Equal(t, time.Minute, a.Calls()[0].Timeout)
	assert.Zero(t, b.Calls()[0].Timeout)

	req := hello()
	req.Timeout = time.Second
	call.Chain = call.Chain[:1]
	call.Complete(t.Context(), req)
	assert.Equal(t, time.Second, a.Calls()[2].Timeout)

	own.Retries = -1
	_, err = call.Complete(t.Context(), hello())
	assert.EqualError(t, err, ":retries must be a whole number of at least 0, got -1")
}

// The chain stops in the middle: that failure is the call's.
func TestFallbackStops(t *testing.T) {
	call := chainOf(
		llmtest.NewProvider("a", failing(llm.KindServer, 500)),
		llmtest.NewProvider("b", failing(llm.KindNotFound, 404)),
		llmtest.NewProvider("c", answer("no")),
	)
	call.On = []llm.Kind{llm.KindServer}
	_, err := call.Complete(t.Context(), hello())
	e := asError(t, err)
	assert.Equal(t, llm.KindNotFound, e.Kind)
	assert.Len(t, e.Attempts, 2)
}

func TestOnError(t *testing.T) {
	mine := errors.New("mine")
	always := func(v llm.Verdict, err error) func(llm.Failure) (llm.Verdict, error) {
		return func(llm.Failure) (llm.Verdict, error) { return v, err }
	}
	cases := []struct {
		name     string
		first    llmtest.Step
		statuses []int
		onError  func(llm.Failure) (llm.Verdict, error)
		requests int
	}{
		{"default", failing(llm.KindBadRequest, 409), nil, nil, 1},
		{"added status", failing(llm.KindBadRequest, 409), []int{409}, nil, 2},
		{"added does not replace", failing(llm.KindRateLimit, 429), []int{409}, nil, 2},
		{"forced retry", failing(llm.KindBadRequest, 409), nil, always(llm.Retry, nil), 2},
		{"forced failure", failing(llm.KindServer, 503), nil, always(llm.Fail, nil), 1},
		{"over the added status", failing(llm.KindBadRequest, 409), []int{409}, always(llm.Fail, nil), 1},
		{"unknown verdict", failing(llm.KindServer, 503), nil, always(7, nil), 1},
		{"raises", failing(llm.KindServer, 503), nil, always(llm.Retry, mine), 1},
		{"quota, listed", failing(llm.KindQuota, 429), []int{429}, nil, 1},
		{"402, listed", failing(llm.KindQuota, 402), []int{402}, nil, 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := llmtest.NewProvider("a", c.first, answer("ok"))
			next := llmtest.NewProvider("b", answer("from b"))
			call := chainOf(p, next)
			call.Policy.Retries = 3
			call.Policy.Statuses, call.Policy.OnError = c.statuses, c.onError
			_, err := call.Complete(t.Context(), hello())
			assert.Len(t, p.Calls(), c.requests)
			if c.name != "raises" {
				assert.NoError(t, err)
				return
			}
			assert.EqualError(t, err, "mine")
			assert.ErrorIs(t, err, mine)
			var raised *llm.CallbackError
			require.ErrorAs(t, err, &raised)
			cause := asError(t, raised.Cause)
			assert.Equal(t, 503, cause.Status)
			assert.Len(t, cause.Attempts, 1)
			assert.Len(t, raised.Attempts, 1)
			assert.Empty(t, next.Calls())
		})
	}
}

// Retries bound a classifier that always retries, it hears of every failure,
// and OnRetry of every wait.
func TestOnErrorIsBounded(t *testing.T) {
	step := failing(llm.KindBadRequest, 409)
	call := chainOf(llmtest.NewProvider("a", step, step, step, answer("no")))
	call.Policy.Retries = 2
	call.Rand = func() float64 { return 1 }
	var heard, waits []llm.Failure
	call.Policy.OnError = func(f llm.Failure) (llm.Verdict, error) {
		heard = append(heard, f)
		return llm.Retry, nil
	}
	call.Policy.OnRetry = func(f llm.Failure) error {
		waits = append(waits, f)
		return nil
	}
	_, err := call.Complete(t.Context(), hello())
	require.Error(t, err)
	require.Len(t, heard, 3)
	require.Len(t, waits, 2)
	f := heard[2]
	assert.Equal(t, 2, f.Attempt)
	assert.Equal(t, 409, f.Status)
	assert.Equal(t, "a", f.Provider)
	assert.Equal(t, "default", f.Model)
	assert.Equal(t, llm.KindBadRequest, f.Kind)
	assert.False(t, f.Retryable)
	assert.Equal(t, 1500*time.Millisecond, f.Elapsed)
	assert.Equal(t, time.Second, waits[1].Wait)
}

// A classifier may not make the loop wait for a hint beyond its cap.
func TestOnErrorAndLongHint(t *testing.T) {
	long := &llm.Error{Kind: llm.KindRateLimit, Status: 429, Retryable: true, RetryAfter: llm.Hint{Wait: time.Hour, Known: true}}
	p := llmtest.NewProvider("a", llmtest.Step{Err: long}, answer("no"))
	call := chainOf(p)
	call.Policy.Retries = 3
	call.Policy.OnError = func(llm.Failure) (llm.Verdict, error) { return llm.Retry, nil }
	_, err := call.Complete(t.Context(), hello())
	assert.Equal(t, time.Hour, asError(t, err).RetryAfter.Wait)
	assert.Len(t, p.Calls(), 1)
}

// The longer cap holds when the chain may not move on for this kind.
func TestHintCapWhenNarrowed(t *testing.T) {
	limited := &llm.Error{Kind: llm.KindRateLimit, Status: 429, Retryable: true, RetryAfter: llm.Hint{Wait: 45 * time.Second, Known: true}}
	call := chainOf(llmtest.NewProvider("a", llmtest.Step{Err: limited}, answer("a")), llmtest.NewProvider("b", answer("b")))
	call.Policy.Retries, call.On = 1, []llm.Kind{llm.KindServer}
	resp, err := call.Complete(t.Context(), hello())
	require.NoError(t, err)
	assert.Equal(t, "a", resp.Text)
}

// What waits is inside Block, what calls back is outside.
func TestBlock(t *testing.T) {
	inside, blocks := false, 0
	check := func(want bool) { assert.Equal(t, want, inside) }
	step := func(s llmtest.Step) llmtest.Step {
		return llmtest.Step{Func: func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
			check(true)
			return &llm.Response{Text: s.Text}, s.Err
		}}
	}
	call := chainOf(llmtest.NewProvider("a", step(failing(llm.KindServer, 500)), step(answer("ok"))))
	call.Block = func(ctx context.Context, f func(context.Context) error) error {
		check(false)
		inside = true
		blocks++
		defer func() { inside = false }()
		return f(ctx)
	}
	call.Policy.Retries = 1
	call.Policy.OnError = func(llm.Failure) (llm.Verdict, error) { check(false); return llm.Retry, nil }
	call.Policy.OnRetry = func(llm.Failure) error { check(false); return nil }
	_, err := call.Complete(t.Context(), hello())
	require.NoError(t, err)
	assert.Equal(t, 3, blocks)
}

type localProvider struct{ *llmtest.Provider }

func (localProvider) Local() {}

func TestLocalProvider(t *testing.T) {
	inside := false
	limiter, err := llm.NewLimiter(llm.RateLimit{Concurrency: 1})
	require.NoError(t, err)
	step := llmtest.Step{Func: func(context.Context, *llm.Request) (*llm.Response, error) {
		assert.False(t, inside)
		return &llm.Response{}, nil
	}}
	call := chainOf(localProvider{llmtest.NewProvider("a", step, step)})
	call.Limits = []*llm.Limiter{limiter}
	call.Block = func(ctx context.Context, f func(context.Context) error) error {
		inside = true
		defer func() { inside = false }()
		return f(ctx)
	}
	for range 2 { // twice: the slot was given back
		_, err = call.Complete(t.Context(), hello())
		require.NoError(t, err)
	}
}

// A Block that cannot run ends the call with its error.
func TestBlockRefuses(t *testing.T) {
	p := llmtest.NewProvider("a", answer("no"))
	call := chainOf(p)
	refused := errors.New("the interpreter is closed")
	call.Block = func(context.Context, func(context.Context) error) error { return refused }
	_, err := call.Complete(t.Context(), hello())
	assert.ErrorIs(t, err, refused)
	assert.Empty(t, p.Calls())
}

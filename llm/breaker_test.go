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

// guardedCall is a call of one provider behind a breaker of three failures and
// ten seconds.
func guardedCall(steps ...llmtest.Step) (*llm.Call, *llmtest.Provider, *llmtest.Clock) {
	p := llmtest.NewProvider("a", steps...)
	call := chainOf(p)
	call.Breaker = &llm.Breaker{Failures: 3, Cooldown: 10 * time.Second, Circuits: &llm.Circuits{}}
	return call, p, call.Clock.(*llmtest.Clock)
}

func ask(t *testing.T, call *llm.Call) *llm.Error {
	t.Helper()
	_, err := call.Complete(t.Context(), hello())
	if err == nil {
		return nil
	}
	e, ok := errors.AsType[*llm.Error](err)
	require.True(t, ok, "%T %v", err, err)
	return e
}

func TestBreakerOpensAndTriesBack(t *testing.T) {
	down := failing(llm.KindServer, 500)
	call, p, clock := guardedCall(down, down, down, down, answer("back"), answer("well"))
	for range 3 {
		require.Equal(t, 500, ask(t, call).Status)
	}
	refused := ask(t, call)
	require.Len(t, p.Calls(), 3, "a refused call makes no request")
	assert.Equal(t, llm.KindServer, refused.Kind, "the kind that opened it")
	assert.Equal(t, llm.CodeBreakerOpen, refused.Code)
	assert.Equal(t, llm.Hint{Wait: 10 * time.Second, Known: true}, refused.RetryAfter)
	assert.Contains(t, refused.Error(), "open after 3 failures in a row")
	assert.Contains(t, refused.Error(), clock.Now().Add(10*time.Second).UTC().Format(time.RFC3339))
	assert.Empty(t, refused.Attempts)

	clock.Advance(10 * time.Second)
	require.Equal(t, 500, ask(t, call).Status, "the one that tries back")
	require.Equal(t, llm.CodeBreakerOpen, ask(t, call).Code, "its failure opens it again")
	clock.Advance(10 * time.Second)
	require.Nil(t, ask(t, call))
	require.Nil(t, ask(t, call))
	require.Len(t, p.Calls(), 6)
}

func TestBreakerCountsAttempts(t *testing.T) {
	down := failing(llm.KindServer, 500)
	call, p, clock := guardedCall(down, down, down, down)
	call.Policy.Retries = 9
	e := ask(t, call)
	assert.Equal(t, 500, e.Status)
	assert.Len(t, p.Calls(), 3, "an open circuit ends the retries")
	clock.Advance(10 * time.Second)
	assert.Equal(t, 500, ask(t, call).Status)
	assert.Len(t, p.Calls(), 4, "trying back is one request")
}

func TestBreakerCounts(t *testing.T) {
	cases := []struct {
		name  string
		steps []llmtest.Step
		opens bool
	}{
		{"server errors", []llmtest.Step{failing(llm.KindServer, 500), failing(llm.KindOverloaded, 529), failing(llm.KindServer, 503)}, true},
		{"network and timeouts", []llmtest.Step{failing(llm.KindNetwork, 0), failing(llm.KindTimeout, 0), failing(llm.KindParse, 200)}, true},
		{"4xx count neither way", []llmtest.Step{failing(llm.KindServer, 500), failing(llm.KindRateLimit, 429), failing(llm.KindServer, 500),
			failing(llm.KindBadRequest, 400), failing(llm.KindServer, 500)}, true},
		{"4xx alone", times3(failing(llm.KindNotFound, 404)), false},
		{"a quota without a status", times3(failing(llm.KindQuota, 0)), false},
		{"a success between", []llmtest.Step{failing(llm.KindServer, 500), failing(llm.KindServer, 500), answer("ok"), failing(llm.KindServer, 500)}, false},
		{"the script's own errors", times3(llmtest.Step{Err: &llm.CallbackError{Err: errors.New("mine")}}), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			call, p, _ := guardedCall(append(c.steps, answer("last"))...)
			for range c.steps {
				_, _ = call.Complete(t.Context(), hello())
			}
			_, err := call.Complete(t.Context(), hello())
			assert.Equal(t, c.opens, err != nil, "%v", err)
			want := len(c.steps) + 1
			if c.opens {
				want--
			}
			assert.Len(t, p.Calls(), want)
		})
	}
}

func times3(s llmtest.Step) []llmtest.Step { return []llmtest.Step{s, s, s} }

func TestBreakerIsPerModelAndMovesOn(t *testing.T) {
	down := failing(llm.KindServer, 500)
	call, p, _ := guardedCall(down, down, down, answer("other model"))
	for range 3 {
		ask(t, call)
	}
	other := hello()
	other.Model = "other"
	_, err := call.Complete(t.Context(), other)
	require.NoError(t, err)

	next := llmtest.NewProvider("b", answer("from b"))
	call.Chain = append(call.Chain, llm.Entry{Provider: next})
	call.On = []llm.Kind{llm.KindServer}
	reply, err := call.Complete(t.Context(), hello())
	require.NoError(t, err, "a refusal moves on like the failure behind it")
	assert.Equal(t, "b", reply.Provider)
	assert.Len(t, p.Calls(), 4)
}

func TestBreakerProbe(t *testing.T) {
	down := failing(llm.KindServer, 500)
	inside, proceed := make(chan bool), make(chan bool)
	slow := llmtest.Step{Func: func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
		close(inside)
		select {
		case <-proceed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return &llm.Response{Text: "ok"}, nil
	}}
	call, p, clock := guardedCall(down, down, down, slow, answer("ok"))
	for range 3 {
		ask(t, call)
	}
	clock.Advance(time.Minute)

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := call.Complete(ctx, hello())
		ended <- err
	}()
	<-inside
	refused := ask(t, call)
	assert.Contains(t, refused.Error(), "another call tries just now")
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	require.Nil(t, ask(t, call), "a cancelled try gives its place back")
	assert.Len(t, p.Calls(), 5)
}

func TestBreakerValidate(t *testing.T) {
	for option, b := range map[string]llm.Breaker{
		"failures":    {Failures: 0, Cooldown: 1, Circuits: &llm.Circuits{}},
		"cooldown-ms": {Failures: 1, Cooldown: -1, Circuits: &llm.Circuits{}},
		"breaker":     {Failures: 1},
	} {
		call := chainOf(llmtest.NewProvider("a", answer("x")))
		call.Breaker = &b
		_, err := call.Complete(t.Context(), hello())
		bad, ok := errors.AsType[*llm.OptionError](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, option, bad.Option)
	}
}

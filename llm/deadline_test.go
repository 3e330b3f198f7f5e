package llm_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

func TestCancel(t *testing.T) {
	t.Run("before", func(t *testing.T) {
		r := newRig(t, llmtest.OpenAI, llmtest.Config{})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := r.call().Complete(ctx, hello())
		assert.Equal(t, llm.KindCancelled, asError(t, err).Kind)
		assert.ErrorIs(t, err, context.Canceled)
		assert.Empty(t, r.Requests())
	})
	t.Run("in a request", func(t *testing.T) {
		r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Delay: time.Minute}}}})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(30*time.Millisecond, cancel)
		call := r.call()
		call.Chain = append(call.Chain, llm.Entry{Provider: llmtest.NewProvider("b", llmtest.Step{Text: "no"})})
		call.Policy.OnError = func(llm.Failure) (llm.Verdict, error) {
			t.Error("asked after a cancellation")
			return llm.Retry, nil
		}
		start := time.Now()
		_, err := call.Complete(ctx, hello())
		e := asError(t, err)
		assert.Equal(t, llm.KindCancelled, e.Kind)
		assert.Len(t, e.Attempts, 1)
		assert.Less(t, time.Since(start), time.Second)
	})
	t.Run("in a wait", func(t *testing.T) {
		r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{
			Replies: []llmtest.Reply{{Status: 429, Header: header("Retry-After", "10")}},
		}})
		call := r.call()
		call.Clock = nil // the system's
		ctx, cancel := context.WithCancel(t.Context())
		call.Policy.OnRetry = func(f llm.Failure) error {
			assert.Equal(t, 10*time.Second, f.Wait)
			time.AfterFunc(20*time.Millisecond, cancel)
			return nil
		}
		start := time.Now()
		_, err := call.Complete(ctx, hello())
		e := asError(t, err)
		assert.Equal(t, llm.KindCancelled, e.Kind)
		assert.Equal(t, llm.KindRateLimit, e.Attempts[0].Kind)
		assert.Less(t, time.Since(start), time.Second)
	})
}

func TestDeadline(t *testing.T) {
	limited := llmtest.Config{Script: llmtest.Script{
		Replies: []llmtest.Reply{{Status: 429, Header: header("Retry-After", "30")}}, Then: llmtest.Repeat,
	}}
	t.Run("a hint beyond it", func(t *testing.T) {
		r := newRig(t, llmtest.OpenAI, limited)
		call := r.call()
		call.Deadline = r.clock.Now().Add(time.Second)
		_, err := call.Complete(t.Context(), hello())
		e := asError(t, err)
		assert.Equal(t, llm.KindRateLimit, e.Kind)
		assert.Equal(t, 30*time.Second, e.RetryAfter.Wait)
		assert.Empty(t, r.clock.Sleeps())
	})
	t.Run("the context's", func(t *testing.T) {
		r := newRig(t, llmtest.OpenAI, limited)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, err := r.call().Complete(ctx, hello())
		assert.Equal(t, llm.KindRateLimit, asError(t, err).Kind)
		assert.Empty(t, r.clock.Sleeps())
	})
	t.Run("in a request", func(t *testing.T) {
		r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{
			Replies: []llmtest.Reply{{Delay: time.Minute}}, Then: llmtest.Repeat,
		}})
		call := r.call()
		call.Clock = nil
		call.Deadline = time.Now().Add(60 * time.Millisecond)
		call.Chain = append(call.Chain, llm.Entry{Provider: llmtest.NewProvider("b", llmtest.Step{Text: "no"})})
		start := time.Now()
		_, err := call.Complete(t.Context(), hello())
		e := asError(t, err)
		assert.Equal(t, llm.KindTimeout, e.Kind)
		assert.Len(t, r.Requests(), 1)
		assert.Less(t, time.Since(start), time.Second)
	})
	t.Run("passed", func(t *testing.T) {
		r := newRig(t, llmtest.OpenAI, limited)
		call := r.call()
		call.Deadline = r.clock.Now().Add(-time.Second)
		_, err := call.Complete(t.Context(), hello())
		e := asError(t, err)
		assert.Equal(t, llm.KindTimeout, e.Kind)
		assert.Empty(t, e.Attempts)
		assert.Empty(t, r.Requests())
	})
}

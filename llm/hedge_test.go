package llm_test

import (
	"context"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// after answers after a time, or ends with the context.
func after(d time.Duration, text string, err error) llmtest.Step {
	return llmtest.Step{Func: func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
		select {
		case <-time.After(d):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		return &llm.Response{Text: text, Status: 200, StopReason: llm.StopEnd, Usage: &llm.Usage{InputTokens: 1}}, nil
	}}
}

func TestHedge(t *testing.T) {
	down := &llm.Error{Kind: llm.KindServer, Status: 500}
	busy := &llm.Error{Kind: llm.KindOverloaded, Status: 529}
	cases := []struct {
		name  string
		steps []llmtest.Step
		text  string        // "" for a failure
		took  time.Duration // of the whole
		kinds []llm.Kind    // of the log
	}{
		{"the first is quick", []llmtest.Step{after(50*ms, "one", nil)}, "one", 50 * ms, []llm.Kind{""}},
		{"the first fails at once", []llmtest.Step{after(50*ms, "", down)}, "", 50 * ms, []llm.Kind{llm.KindServer}},
		{"the second wins", []llmtest.Step{after(time.Hour, "one", nil), after(30*ms, "two", nil)}, "two", 130 * ms, []llm.Kind{llm.KindCancelled, ""}},
		{"the first wins late", []llmtest.Step{after(120*ms, "one", nil), after(time.Hour, "two", nil)}, "one", 120 * ms, []llm.Kind{llm.KindCancelled, ""}},
		{"the second fails", []llmtest.Step{after(300*ms, "one", nil), after(30*ms, "", down)}, "one", 300 * ms, []llm.Kind{llm.KindServer, ""}},
		{"the first fails late", []llmtest.Step{after(120*ms, "", down), after(100*ms, "two", nil)}, "two", 200 * ms, []llm.Kind{llm.KindServer, ""}},
		{"both fail", []llmtest.Step{after(120*ms, "", busy), after(100*ms, "", down)}, "", 200 * ms, []llm.Kind{llm.KindServer, llm.KindOverloaded}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := llmtest.NewProvider("a", c.steps...)
				call := chainOf(p)
				call.Clock = llm.SystemClock{}
				delay := 100 * ms
				call.Hedge = &delay
				start := time.Now()
				reply, err := call.Complete(t.Context(), hello())
				assert.Equal(t, c.took, time.Since(start))
				log := []llm.Attempt(nil)
				if c.text == "" {
					e := err.(*llm.Error)
					log = e.Attempts
					assert.Equal(t, c.kinds[len(c.kinds)-1], e.Kind, "the class of the first")
				} else {
					require.NoError(t, err)
					assert.Equal(t, c.text, reply.Text)
					log = reply.Attempts
				}
				var kinds []llm.Kind
				for _, a := range log {
					kinds = append(kinds, a.Kind)
				}
				assert.Equal(t, c.kinds, kinds)
				assert.Len(t, p.Calls(), len(c.steps))
				synctest.Wait() // a goroutine that is left fails the test
			})
		})
	}
}

func TestHedgeEndsWithItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call := chainOf(llmtest.NewProvider("a", after(time.Hour, "", nil), after(time.Hour, "", nil)))
		call.Clock = llm.SystemClock{}
		delay := 100 * ms
		call.Hedge = &delay
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := call.Complete(ctx, hello())
		require.Error(t, err)
		assert.Equal(t, time.Second, time.Since(start))

		call = chainOf(llmtest.NewProvider("a", after(time.Hour, "", nil)))
		call.Clock = llm.SystemClock{}
		call.Hedge = &delay
		ctx, cancel = context.WithTimeout(t.Context(), 50*ms)
		defer cancel()
		_, err = call.Complete(ctx, hello())
		require.Error(t, err, "before the second")
	})
}

func TestHedgeHandsPanicsOn(t *testing.T) {
	p := llmtest.NewProvider("a", llmtest.Step{Func: func(context.Context, *llm.Request) (*llm.Response, error) { panic("mine") }})
	call := chainOf(p)
	delay := time.Hour
	call.Hedge = &delay
	call.Clock = llm.SystemClock{}
	assert.PanicsWithValue(t, "mine", func() { _, _ = call.Complete(t.Context(), hello()) })
}

// pieces streams texts, each after its time.
type pieces struct {
	*llmtest.Provider
	opened atomic.Int32
	closed atomic.Int32
	firsts []time.Duration // of each stream, to its first piece
}

func (p *pieces) Open(ctx context.Context, _ *llm.Request) (llm.Stream, error) {
	n := p.opened.Add(1)
	return &pieceStream{from: p, ctx: ctx, n: int(n), wait: p.firsts[n-1]}, nil
}

type pieceStream struct {
	from *pieces
	ctx  context.Context
	n    int
	at   int
	wait time.Duration
}

func (s *pieceStream) Next() (string, error) {
	select {
	case <-time.After(s.wait):
	case <-s.ctx.Done():
		return "", s.ctx.Err()
	}
	s.at++
	switch s.at {
	case 1:
		return "", nil // metadata
	case 4:
		return "", io.EOF
	}
	s.wait = 10 * ms
	return []string{"first ", "second "}[s.n-1], nil
}

func (s *pieceStream) Response() *llm.Response {
	return &llm.Response{Text: "whole", Status: 200, StopReason: llm.StopEnd}
}
func (s *pieceStream) Close() { s.from.closed.Add(1) }

func TestHedgeOfStreamsEndsAtTheFirstText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pieces{Provider: llmtest.NewProvider("a"), firsts: []time.Duration{80 * ms, 5 * ms}}
		call := chainOf(p)
		call.Clock = llm.SystemClock{}
		delay := 100 * ms
		call.Hedge = &delay
		var heard string
		reply, err := call.Stream(t.Context(), hello(), func(piece string) error { heard += piece; return nil })
		require.NoError(t, err)
		assert.Equal(t, "second second ", heard, "the second had text at 110 ms, the first only metadata")
		require.Len(t, reply.Attempts, 2)
		assert.Equal(t, llm.KindCancelled, reply.Attempts[0].Kind)
		assert.Empty(t, reply.Attempts[1].Kind)
		assert.EqualValues(t, 2, p.opened.Load())
		assert.EqualValues(t, 2, p.closed.Load())
	})
}

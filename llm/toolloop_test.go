package llm_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
)

// talker is a model that plays replies, the last one for ever.
type talker struct {
	replies []*llm.Response
	asked   []*llm.Request
}

func (m *talker) ask(_ context.Context, req *llm.Request) (*llm.Response, error) {
	m.asked = append(m.asked, req)
	reply := m.replies[min(len(m.asked), len(m.replies))-1]
	if reply == nil {
		return nil, errors.New("down")
	}
	return reply, nil
}

func wishes(names ...string) *llm.Response {
	r := &llm.Response{Usage: &llm.Usage{InputTokens: 3, OutputTokens: 2}}
	for i, n := range names {
		r.ToolCalls = append(r.ToolCalls, llm.ToolCall{ID: fmt.Sprint(i), Name: n, Arguments: "{}"})
	}
	return r
}

// works answers each call with its name; those called "bad" fail, and "count"
// has another result each time.
func works() func(context.Context, []llm.ToolCall) ([]llm.ToolResult, error) {
	n := 0
	return func(_ context.Context, calls []llm.ToolCall) ([]llm.ToolResult, error) {
		var results []llm.ToolResult
		for _, c := range calls {
			content := c.Name
			if n++; c.Name == "count" {
				content = fmt.Sprint(n)
			}
			results = append(results, llm.ToolResult{ID: c.ID, Content: content, IsError: c.Name == "bad"})
		}
		return results, nil
	}
}

func TestToolLoop(t *testing.T) {
	m := &talker{replies: []*llm.Response{wishes("a", "b"), wishes("a"), {Text: "done"}}}
	loop := llm.ToolLoop{Ask: m.ask, Run: works(), MaxTurns: 5}
	req := hello()
	run, err := loop.Do(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, llm.EndAnswered, run.Ending)
	assert.Equal(t, "done", run.Reply.Text)
	assert.Equal(t, 3, run.Turns)
	assert.Equal(t, &llm.Usage{InputTokens: 6, OutputTokens: 4}, run.Usage)
	assert.Len(t, req.Messages, 1, "the request is not changed")
	require.Len(t, run.Messages, 6)
	assert.Equal(t, llm.RoleTool, run.Messages[2].Role)
	assert.Equal(t, "b", run.Messages[2].Parts[1].ToolResult.Content)
	assert.Len(t, m.asked[2].Messages, 5)
	assert.Equal(t, run.Messages, llm.Repair(run.Messages), "calls have their results")
}

func TestToolLoopEndings(t *testing.T) {
	for _, c := range []struct {
		name    string
		loop    llm.ToolLoop
		replies []*llm.Response
		ending  llm.Ending
		turns   int
	}{
		{"turns", llm.ToolLoop{MaxTurns: 4}, []*llm.Response{wishes("a")}, llm.EndMaxTurns, 4},
		{"one turn", llm.ToolLoop{MaxTurns: 1}, []*llm.Response{wishes("a")}, llm.EndMaxTurns, 1},
		{"an answer at the last turn", llm.ToolLoop{MaxTurns: 2}, []*llm.Response{wishes("a"), {Text: "x"}}, llm.EndAnswered, 2},
		{"failures", llm.ToolLoop{MaxFailures: 5}, []*llm.Response{wishes("bad")}, llm.EndFailures, 5},
		{"failures of a turn", llm.ToolLoop{MaxFailures: 4}, []*llm.Response{wishes("bad", "bad", "bad")}, llm.EndFailures, 2},
		{"failures with luck between", llm.ToolLoop{MaxFailures: 2, MaxTurns: 6}, []*llm.Response{wishes("bad", "a")}, llm.EndMaxTurns, 6},
		{"repeats", llm.ToolLoop{MaxRepeats: 3}, []*llm.Response{wishes("count"), wishes("a")}, llm.EndRepeats, 4},
		{"other results", llm.ToolLoop{MaxRepeats: 3, MaxTurns: 9}, []*llm.Response{wishes("count")}, llm.EndMaxTurns, 9},
		{"other calls", llm.ToolLoop{MaxRepeats: 2, MaxTurns: 4}, []*llm.Response{wishes("a"), wishes("b"), wishes("a"), wishes("b")}, llm.EndMaxTurns, 4},
		{"no text", llm.ToolLoop{}, []*llm.Response{{}}, llm.EndAnswered, 1},
	} {
		m := &talker{replies: c.replies}
		c.loop.Ask, c.loop.Run = m.ask, works()
		run, err := c.loop.Do(t.Context(), hello())
		require.NoError(t, err, c.name)
		assert.Equal(t, c.ending, run.Ending, c.name)
		assert.Equal(t, c.turns, run.Turns, c.name)
		assert.Len(t, m.asked, c.turns, c.name)
		assert.Equal(t, run.Messages, llm.Repair(run.Messages), c.name)
	}
}

// An error ends the loop, which tells how far it came.
func TestToolLoopErrors(t *testing.T) {
	m := &talker{replies: []*llm.Response{wishes("a"), nil}}
	loop := llm.ToolLoop{Ask: m.ask, Run: works()}
	run, err := loop.Do(t.Context(), hello())
	assert.EqualError(t, err, "down")
	assert.Equal(t, 1, run.Turns)
	assert.Empty(t, run.Ending)
	assert.NotNil(t, run.Reply)

	loop.Ask = (&talker{replies: []*llm.Response{wishes("a")}}).ask
	loop.Run = func(context.Context, []llm.ToolCall) ([]llm.ToolResult, error) { return nil, context.Canceled }
	_, err = loop.Do(t.Context(), hello())
	assert.ErrorIs(t, err, context.Canceled)

	run, err = (&llm.ToolLoop{Ask: (&talker{replies: []*llm.Response{{Text: "x"}}}).ask}).Do(t.Context(), hello())
	require.NoError(t, err)
	assert.Nil(t, run.Usage, "unknown, not nothing")
}

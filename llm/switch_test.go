package llm_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

const signedCall = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"add","args":{"n":1}},"thoughtSignature":"c2lnbmVk"},{"functionCall":{"name":"add","args":{"n":1}}}]},"finishReason":"STOP"}]}`

// TestSwitchInAToolLoop: a model asks for tools, and another provider goes on with
// its calls, as its own format and its own ids want them.
func TestSwitchInAToolLoop(t *testing.T) {
	for dialect, want := range map[llmtest.Dialect][]string{
		llmtest.OpenAI:    {`"tool_calls":[{"id":"ID0","type":"function","function":{"name":"add","arguments":"{\"n\":1}"}}`, `{"role":"tool","content":"2","tool_call_id":"ID1"}`},
		llmtest.Anthropic: {`{"type":"tool_use","id":"ID0","name":"add","input":{"n":1}}`, `{"type":"tool_result","tool_use_id":"ID1","content":"2"}`},
		llmtest.Ollama:    {`"tool_calls":[{"function":{"name":"add","arguments":{"n":1}}}`, `{"role":"tool","content":"2","tool_name":"add"}`},
	} {
		first := newRig(t, llmtest.Gemini, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{
			{Body: []byte(signedCall)}, {Status: 404, Text: "no more"}, {Status: 404, Text: "no more"}}}})
		second := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Text: "done"}}}})
		call := first.call()
		call.Chain = append(call.Chain, llm.Entry{Provider: second.provider})
		var ids []string
		loop := llm.ToolLoop{MaxTurns: 5, Ask: call.Complete, Run: func(_ context.Context, calls []llm.ToolCall) (results []llm.ToolResult, err error) {
			for _, c := range calls {
				ids = append(ids, c.ID)
				results = append(results, llm.ToolResult{ID: c.ID, Content: "2"})
			}
			return results, nil
		}}
		run, err := loop.Do(t.Context(), question())
		require.NoError(t, err)
		assert.Equal(t, "done", run.Reply.Text)
		body := string(second.Requests()[0].Body)
		for _, w := range want {
			assert.Contains(t, body, strings.NewReplacer("ID0", ids[0], "ID1", ids[1]).Replace(w), dialect)
		}
		assert.NotContains(t, strings.ToLower(body), "signature", "another provider's state is dropped")
	}
}

// TestGeminiSignatures: what it signed goes back to it, what others made passes.
func TestGeminiSignatures(t *testing.T) {
	r := newRig(t, llmtest.Gemini, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Body: []byte(signedCall)}}, Then: llmtest.Repeat}})
	path := filepath.Join(t.TempDir(), "tape")
	var reply *llm.Response
	for range 2 { // the second time from the tape
		tape, err := llm.OpenTape(path, llm.TapeAuto)
		require.NoError(t, err)
		call := r.call()
		call.Tape = tape
		reply, err = call.Complete(t.Context(), question())
		require.NoError(t, err)
		require.NoError(t, tape.Save())
	}
	require.Len(t, r.Requests(), 1)
	results := llm.Message{Role: llm.RoleTool}
	for _, c := range reply.ToolCalls {
		results.Parts = append(results.Parts, llm.Part{ToolResult: &llm.ToolResult{ID: c.ID, Content: "2"}})
	}
	req := question()
	req.Model = "gemini-3.5-flash"
	req.Messages = append(req.Messages, reply.Message(), results, calling("toolu_1", "toolu_2"), llm.User("go on"))
	_, err := r.call().Complete(t.Context(), req)
	require.NoError(t, err)
	body := string(r.Requests()[1].Body)
	assert.Contains(t, body, `{"functionCall":{"name":"add","args":{"n":1}},"thoughtSignature":"c2lnbmVk"},{"functionCall":{"name":"add","args":{"n":1}}}`)
	assert.Contains(t, body, `{"functionCall":{"name":"t","args":{}},"thoughtSignature":"skip_thought_signature_validator"},{"functionCall":{"name":"t","args":{}}}`)
	req.Model = "gemini-2.5-flash"
	_, err = r.call().Complete(t.Context(), req)
	require.NoError(t, err)
	assert.NotContains(t, string(r.Requests()[2].Body), "skip_thought", "older models know no such word")
}

// TestIDsOfCalls: servers refuse ids that come twice, none, and those of another
// dialect.
func TestIDsOfCalls(t *testing.T) {
	long := strings.Repeat("x", 41)
	history := []llm.Message{llm.User("q"), calling("a.1", long, ""), results("a.1", long, ""), calling("a.1"), results("a.1")}
	for dialect, want := range map[llmtest.Dialect][]string{
		llmtest.OpenAI:    {`"id":"a.1"`, `"id":"call_fb64f7a7_0"`, `"id":"call_2"`, `"id":"call_a.1_3"`, `"tool_call_id":"call_a.1_3"`},
		llmtest.Anthropic: {`"id":"a_1"`, `"id":"` + long, `"id":"call_2"`, `"id":"call_a_1_3"`, `"tool_use_id":"call_a_1_3"`},
	} {
		r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Text: "ok"}}}})
		_, err := r.call().Complete(t.Context(), &llm.Request{Messages: history})
		require.NoError(t, err)
		for _, w := range want {
			assert.Contains(t, string(r.Requests()[0].Body), w, dialect)
		}
	}
}

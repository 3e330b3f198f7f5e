package llm_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// TestReasoningEffort: one word for all, in the words of each.
func TestReasoningEffort(t *testing.T) {
	cases := []struct {
		dialect       llmtest.Dialect
		model, effort string
		has, hasNot   string
	}{
		{llmtest.OpenAI, "gpt-5.5", "minimal", `"reasoning_effort":"minimal"`, ""},
		{llmtest.Anthropic, "claude-opus-4-8", "high", `"output_config":{"effort":"high"}`, "thinking"},
		{llmtest.Anthropic, "claude-opus-4-8", "minimal", `"effort":"low"`, ""},
		{llmtest.Anthropic, "claude-opus-4-8", "xhigh", `"effort":"max"`, ""},
		{llmtest.Anthropic, "claude-opus-4-8", "none", `"temperature":0.5`, "effort"},
		{llmtest.Anthropic, "claude-haiku-4-5-20251001", "high", `"max_tokens":16484`, "temperature"},
		{llmtest.Anthropic, "claude-haiku-4-5-20251001", "high", `"thinking":{"type":"enabled","budget_tokens":16384}`, "output_config"},
		{llmtest.Anthropic, "claude-sonnet-4-20250514", "low", `"budget_tokens":2048`, ""},
		{llmtest.Anthropic, "claude-3-7-sonnet-latest", "medium", `"budget_tokens":8192`, ""},
		{llmtest.Anthropic, "claude-haiku-4-5", "none", `"max_tokens":100`, "thinking"},
		{llmtest.Gemini, "gemini-3.5-flash", "xhigh", `"thinkingLevel":"high"`, ""},
		{llmtest.Gemini, "gemini-2.5-flash", "none", `"thinkingBudget":0`, "Level"},
		{llmtest.Gemini, "gemini-2.5-pro", "low", `"thinkingBudget":1024`, ""},
		{llmtest.Ollama, "gpt-oss", "high", `"think":"high"`, ""},
		{llmtest.Ollama, "gpt-oss:120b", "xhigh", `"think":"high"`, ""},
		{llmtest.Ollama, "qwen3", "high", `"think":true`, ""},
		{llmtest.Ollama, "qwen3", "minimal", `"think":false`, ""},
		{llmtest.Ollama, "gpt-oss", "none", `"think":false`, ""},
	}
	for _, c := range cases {
		r := newRig(t, c.dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Text: "ok"}, {Text: "ok"}}}})
		req, half := question(), 0.5
		req.Model, req.ReasoningEffort, req.MaxTokens, req.Temperature = c.model, c.effort, 100, &half
		_, err := r.streamCall().Complete(t.Context(), req)
		require.NoError(t, err)
		body := string(r.Requests()[0].Body)
		assert.Contains(t, body, c.has, "%s %s", c.model, c.effort)
		if c.hasNot != "" {
			assert.NotContains(t, body, c.hasNot, "%s %s", c.model, c.effort)
		}
		req.Messages = append(req.Messages, llm.Message{Role: llm.RoleAssistant, Parts: []llm.Part{{ToolCall: &llm.ToolCall{ID: "1", Name: "f", Arguments: "{}"}}}})
		_, err = r.streamCall().Complete(t.Context(), req)
		require.NoError(t, err)
		assert.NotContains(t, string(r.Requests()[1].Body), "budget_tokens", "thoughts before a tool call are not kept")
	}
}

// TestEffortRefused: a model that knows no effort is asked again without, as a
// stream or not; a value that it does not know is an error.
func TestEffortRefused(t *testing.T) {
	cases := map[llmtest.Dialect]string{
		llmtest.OpenAI:    "Unrecognized request argument supplied: reasoning_effort",
		llmtest.Anthropic: "This model does not support the effort parameter.",
		llmtest.Gemini:    "Thinking level is not supported for this model.",
		llmtest.Ollama:    "\"llama3\" does not support thinking",
	}
	for dialect, message := range cases {
		for _, stream := range []bool{false, true} {
			r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Status: 400, Text: message}, {Text: "ok"}}}})
			req := question()
			req.ReasoningEffort = "high"
			call, ask := r.streamCall(), (*llm.Call).Complete
			if stream {
				ask = drained
			}
			reply, err := ask(call, t.Context(), req)
			require.NoError(t, err, dialect)
			assert.Equal(t, "ok", reply.Text)
			assert.Len(t, reply.Attempts, 1)
			require.Len(t, r.Requests(), 2)
			assert.NotContains(t, string(r.Requests()[1].Body), "high")
			assert.Equal(t, "high", req.ReasoningEffort, "the request is left alone")
		}
	}
	for message, effort := range map[string]string{"Unsupported value: 'reasoning_effort'. Supported values are: 'low'.": "hihg", "max_tokens is too large": "low", "no such reasoning_effort": ""} {
		r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Status: 400, Text: message}}}})
		req := question()
		req.ReasoningEffort = effort
		_, err := r.streamCall().Complete(t.Context(), req)
		require.ErrorContains(t, err, message)
		assert.Len(t, r.Requests(), 1)
	}
}

// drained reads a stream to its end.
func drained(c *llm.Call, ctx context.Context, req *llm.Request) (*llm.Response, error) {
	return c.Stream(ctx, req, func(string) error { return nil })
}

package llm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// TestFinishReasons: one vocabulary for all formats, from whole replies and streams.
func TestFinishReasons(t *testing.T) {
	whole := map[llmtest.Dialect]string{
		llmtest.OpenAI:    `{"choices":[{"message":{"content":"a"},"finish_reason":"%s"}]}`,
		llmtest.Anthropic: `{"content":[{"type":"text","text":"a"}],"stop_reason":"%s"}`,
		llmtest.Gemini:    `{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"%s"}]}`,
		llmtest.Ollama:    `{"message":{"content":"a"},"done":true,"done_reason":"%s"}`,
	}
	streamed := map[llmtest.Dialect]string{
		llmtest.OpenAI: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"%s\"}]}\n\ndata: [DONE]\n\n",
		llmtest.Anthropic: "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n" +
			"data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"%s\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
		llmtest.Gemini: "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]},\"finishReason\":\"%s\"}]}\n\n",
		llmtest.Ollama: "{\"message\":{\"content\":\"a\"},\"done\":true,\"done_reason\":\"%s\"}\n",
	}
	words := map[llmtest.Dialect]map[string]llm.StopReason{
		llmtest.OpenAI: {"stop": llm.StopEnd, "eos": llm.StopEnd, "tool_calls": llm.StopEnd, "length": llm.StopLength, "model_length": llm.StopLength,
			"content_filter": llm.StopFilter, "odd": "odd"},
		llmtest.Anthropic: {"end_turn": llm.StopEnd, "stop_sequence": llm.StopEnd, "max_tokens": llm.StopLength, "model_context_window_exceeded": llm.StopLength,
			"tool_use": llm.StopTools, "refusal": llm.StopFilter, "pause_turn": "pause_turn"},
		llmtest.Gemini: {"STOP": llm.StopEnd, "MAX_TOKENS": llm.StopLength, "SAFETY": llm.StopFilter, "PROHIBITED_CONTENT": llm.StopFilter, "ODD_ONE": "odd-one"},
		llmtest.Ollama: {"stop": llm.StopEnd, "length": llm.StopLength, "odd": "odd"},
	}
	for dialect, reasons := range words {
		for word, want := range reasons {
			for _, form := range []string{whole[dialect], streamed[dialect]} {
				r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Body: fmt.Appendf(nil, form, word)}}}})
				ask := (*llm.Call).Complete
				if form == streamed[dialect] {
					ask = drained
				}
				reply, err := ask(r.streamCall(), t.Context(), question())
				if want == llm.StopFilter {
					e := asError(t, err)
					assert.Equal(t, llm.KindContentFilter, e.Kind, word)
					assert.Equal(t, "a", e.Partial)
					continue
				}
				require.NoError(t, err, "%s %s", dialect, word)
				assert.Equal(t, want, reply.StopReason, "%s %s", dialect, word)
				assert.Equal(t, "a", reply.Text)
			}
		}
	}
}

// TestFinishReasonOfFailure: a reply that says it broke off is none.
func TestFinishReasonOfFailure(t *testing.T) {
	for word, want := range map[string]llm.Kind{"error": llm.KindServer, "insufficient_system_resource": llm.KindOverloaded} {
		body := fmt.Appendf(nil, `{"choices":[{"message":{"content":"hal"},"finish_reason":"%s"}]}`, word)
		r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Body: body}, {Text: "ok"}, {Body: body}}}})
		reply, err := r.streamCall().Complete(t.Context(), question())
		require.NoError(t, err)
		assert.Equal(t, want, reply.Attempts[0].Kind)
		call := r.streamCall()
		call.Policy.Retries = 0
		_, err = call.Complete(t.Context(), question())
		assert.Equal(t, "hal", asError(t, err).Partial)

		event := fmt.Appendf(nil, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"%s\"}]}\n\n", word)
		r = newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Body: event}, {Text: "ok"}}}})
		reply, err = drained(r.streamCall(), t.Context(), question())
		require.NoError(t, err)
		assert.Equal(t, want, reply.Attempts[0].Kind)
	}
}

// TestOptionsOfAllFormats: what every request may have, and what is never sent.
func TestOptionsOfAllFormats(t *testing.T) {
	stops := map[llmtest.Dialect]string{llmtest.OpenAI: `"stop":["END","\n"]`, llmtest.Anthropic: `"stop_sequences":["END","\n"]`,
		llmtest.Gemini: `"stopSequences":["END","\n"]`, llmtest.Ollama: `"stop":["END","\n"]`}
	systems := map[llmtest.Dialect]string{llmtest.OpenAI: `"messages":[{"role":"system","content":"be brief"},{"role":"system","content":"be kind"},{"role":"user"`,
		llmtest.Anthropic: `"system":"be brief\n\nbe kind"`, llmtest.Gemini: `"systemInstruction":{"parts":[{"text":"be brief\n\nbe kind"}]}`,
		llmtest.Ollama: `"messages":[{"role":"system","content":"be brief"},{"role":"system","content":"be kind"},{"role":"user"`}
	allDialects(t, func(t *testing.T, dialect llmtest.Dialect) {
		r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Text: "ok"}}}})
		req := question()
		req.System, req.StopSequences = "be brief", []string{"END", "\n"}
		req.Messages = append([]llm.Message{{Role: llm.RoleSystem, Parts: []llm.Part{{Text: "be kind"}}}}, req.Messages...)
		req.Tags, req.Metadata = []string{"night-run"}, map[string]string{"customer": "acme"}
		_, err := r.streamCall().Complete(t.Context(), req)
		require.NoError(t, err)
		body := string(r.Requests()[0].Body)
		assert.Contains(t, body, stops[dialect])
		assert.Contains(t, body, systems[dialect])
		assert.NotContains(t, body, "night-run")
		assert.NotContains(t, body, "acme")
	})
}

package gemini

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

func TestEncode(t *testing.T) {
	p, err := New(Config{})
	require.NoError(t, err)
	half := 0.5
	body, err := p.encode(&llm.Request{
		Model: "m", System: "be brief", MaxTokens: 9, Temperature: &half, StopSequences: []string{"END"}, ReasoningEffort: "low",
		Tools: []llm.Tool{{Name: "add", Description: "adds", Parameters: json.RawMessage(`{"type":"object"}`)}, {Name: "now"}},
		Messages: []llm.Message{
			llm.User("hi"), llm.User("again"),
			{Role: llm.RoleAssistant, Parts: []llm.Part{
				{ToolCall: &llm.ToolCall{ID: "1", Name: "add", Arguments: `{"n":12345678901234567890}`}},
				{ToolCall: &llm.ToolCall{ID: "2", Name: "now"}},
			}},
			{Role: llm.RoleTool, Parts: []llm.Part{
				{ToolResult: &llm.ToolResult{ID: "1", Content: "3"}},
				{ToolResult: &llm.ToolResult{ID: "2", Content: "no clock", IsError: true}},
			}},
			llm.Assistant("done"),
		},
	})
	require.NoError(t, err)
	require.JSONEq(t, `{
		"systemInstruction":{"parts":[{"text":"be brief"}]},
		"contents":[
			{"role":"user","parts":[{"text":"hi"},{"text":"again"}]},
			{"role":"model","parts":[{"functionCall":{"name":"add","args":{"n":12345678901234567890}}},{"functionCall":{"name":"now","args":{}}}]},
			{"role":"user","parts":[{"functionResponse":{"name":"add","response":{"result":"3"}}},{"functionResponse":{"name":"now","response":{"error":"no clock"}}}]},
			{"role":"model","parts":[{"text":"done"}]}],
		"tools":[{"functionDeclarations":[{"name":"add","description":"adds","parametersJsonSchema":{"type":"object"}},{"name":"now"}]}],
		"generationConfig":{"maxOutputTokens":9,"temperature":0.5,"stopSequences":["END"],"thinkingConfig":{"thinkingLevel":"low"}}}`, string(body))
	require.Contains(t, string(body), "12345678901234567890")
	_, err = p.encode(&llm.Request{Messages: []llm.Message{llm.User("hi")}})
	require.ErrorContains(t, err, "no model")
}

// ask sends one request to a server that has this reply.
func ask(t *testing.T, reply llmtest.Reply) (*llm.Response, error, []llmtest.Request) {
	t.Helper()
	server, err := llmtest.NewServer(reply)
	require.NoError(t, err)
	defer server.Close()
	p, err := New(Config{llm.Endpoint{BaseURL: server.URL + "/v1beta", APIKey: "secret-key"}})
	require.NoError(t, err)
	resp, err := p.Complete(t.Context(), &llm.Request{Model: "models/gemini-x", Messages: []llm.Message{llm.User("hi")}})
	return resp, err, server.Requests()
}

func body(s string) llmtest.Reply { return llmtest.Reply{Body: []byte(s)} }

func TestDecode(t *testing.T) {
	resp, err, requests := ask(t, body(`{"candidates":[{"content":{"parts":[{"text":"thinking","thought":true},{"text":"a"},{"text":"b"}]},"finishReason":"STOP"}],
		"usageMetadata":{"promptTokenCount":10,"cachedContentTokenCount":4,"candidatesTokenCount":5,"thoughtsTokenCount":2},"modelVersion":"gemini-x-001"}`))
	require.NoError(t, err)
	require.Equal(t, "ab", resp.Text)
	require.Equal(t, "gemini-x-001", resp.Model)
	require.Equal(t, llm.StopEnd, resp.StopReason)
	require.Equal(t, &llm.Usage{InputTokens: 6, CacheReadTokens: 4, OutputTokens: 7, ReasoningTokens: 2}, resp.Usage)
	require.Equal(t, "/v1beta/models/gemini-x:generateContent", requests[0].Path)
	require.Empty(t, requests[0].Query)

	resp, err, _ = ask(t, body(`{"candidates":[{"finishReason":"MAX_TOKENS"}],"usageMetadata":{"promptTokenCount":10}}`))
	require.NoError(t, err)
	require.Equal(t, llm.StopLength, resp.StopReason)
	require.Empty(t, resp.Text)

	resp, err, _ = ask(t, body(`[{"candidates":[{"content":{"parts":[{"text":"a"}]}}]},{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}]`))
	require.NoError(t, err)
	require.Equal(t, "ab", resp.Text)

	resp, err, _ = ask(t, body(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"add","args":{"x":12345678901234567890}}},{"functionCall":{"name":"now"}}]},"finishReason":"STOP"}]}`))
	require.NoError(t, err)
	require.Equal(t, llm.StopTools, resp.StopReason)
	require.Equal(t, `{"x":12345678901234567890}`, resp.ToolCalls[0].Arguments)
	require.Equal(t, "{}", resp.ToolCalls[1].Arguments)
	require.NotEmpty(t, resp.ToolCalls[0].ID)
	require.NotEqual(t, resp.ToolCalls[0].ID, resp.ToolCalls[1].ID)
}

func TestFailures(t *testing.T) {
	for text, kind := range map[string]llm.Kind{
		`{"candidates":[{"finishReason":"SAFETY","content":{"parts":[{"text":"par"}]}}]}`: llm.KindContentFilter,
		`{"promptFeedback":{"blockReason":"SAFETY"}}`:                                     llm.KindContentFilter,
		`{"candidates":[]}`: llm.KindParse,
		`nonsense`:          llm.KindParse,
		`{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}`: llm.KindServer,
	} {
		_, err, _ := ask(t, body(text))
		e, ok := errors.AsType[*llm.Error](err)
		require.True(t, ok, "%s: %v", text, err)
		require.Contains(t, []llm.Kind{kind, llm.KindOverloaded}, e.Kind, text)
		require.Equal(t, "gemini", e.Provider)
		require.NotContains(t, e.Error()+e.Body, "secret-key")
	}
	reply := body(`{"error":{"code":429,"message":"slow down","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"45.5s"}]}}`)
	reply.Status = 429
	_, err, _ := ask(t, reply)
	e, _ := errors.AsType[*llm.Error](err)
	require.Equal(t, llm.KindRateLimit, e.Kind)
	require.Equal(t, 45500*time.Millisecond, e.RetryAfter.Wait)
}

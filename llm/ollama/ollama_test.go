package ollama

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

func TestEncode(t *testing.T) {
	half := 0.5
	req := &llm.Request{
		Model: "m", System: "be brief", MaxTokens: 9, Temperature: &half, StopSequences: []string{"END"}, ReasoningEffort: "low",
		Tools: []llm.Tool{{Name: "add", Description: "adds", Parameters: json.RawMessage(`{"type":"object"}`)}},
		Messages: []llm.Message{
			llm.User("hi"),
			{Role: llm.RoleAssistant, Parts: []llm.Part{{ToolCall: &llm.ToolCall{ID: "1", Name: "add", Arguments: `{"n":12345678901234567890}`}}}},
			{Role: llm.RoleTool, Parts: []llm.Part{{ToolResult: &llm.ToolResult{ID: "1", Content: "3"}}}},
		},
	}
	body, err := encode(req, false)
	require.NoError(t, err)
	require.JSONEq(t, `{"model":"m","stream":false,"think":true,
		"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hi"},
			{"role":"assistant","content":"","tool_calls":[{"function":{"name":"add","arguments":{"n":12345678901234567890}}}]},
			{"role":"tool","content":"3","tool_name":"add"}],
		"tools":[{"type":"function","function":{"name":"add","description":"adds","parameters":{"type":"object"}}}],
		"options":{"num_predict":9,"temperature":0.5,"stop":["END"]}}`, string(body))
	require.Contains(t, string(body), "12345678901234567890")
	_, err = encode(&llm.Request{Messages: req.Messages}, false)
	require.ErrorContains(t, err, "no model")
}

// listen reads a stream of this body, in pieces of so many bytes.
func listen(t *testing.T, body string, piece int) (text string, resp *llm.Response, err error) {
	t.Helper()
	server, err := llmtest.NewServer(llmtest.Reply{Body: []byte(body), Piece: piece})
	require.NoError(t, err)
	defer server.Close()
	p, err := New(Config{llm.Endpoint{BaseURL: server.URL}})
	require.NoError(t, err)
	s, err := p.Open(t.Context(), &llm.Request{Model: "m", Messages: []llm.Message{llm.User("hi")}})
	require.NoError(t, err)
	defer s.Close()
	for {
		piece, err := s.Next()
		if err == io.EOF {
			return text, s.Response(), nil
		}
		if err != nil {
			return text, s.Response(), err
		}
		text += piece
	}
}

const (
	hello    = `{"model":"m","message":{"role":"assistant","content":"hé"},"done":false}` + "\n"
	toolLine = `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"add","arguments":{"x":1}}}]},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":5}`
)

// TestStream: lines are split anywhere, the last may have the tool calls and no
// line break.
func TestStream(t *testing.T) {
	for _, piece := range []int{0, 1, 7} {
		text, resp, err := listen(t, "\n"+hello+hello+toolLine, piece)
		require.NoError(t, err)
		require.Equal(t, "héhé", text)
		require.Equal(t, "héhé", resp.Text)
		require.Equal(t, llm.StopTools, resp.StopReason)
		require.Equal(t, `{"x":1}`, resp.ToolCalls[0].Arguments)
		require.Equal(t, &llm.Usage{InputTokens: 3, OutputTokens: 5}, resp.Usage)
	}
	_, resp, err := listen(t, hello+`{"message":{"content":""},"done":true,"done_reason":"length"}`, 0)
	require.NoError(t, err)
	require.Equal(t, llm.StopLength, resp.StopReason)
}

func TestStreamFailures(t *testing.T) {
	for body, kind := range map[string]llm.Kind{
		hello:                                    llm.KindStreamTruncated,
		hello + `{"error":"model crashed"}`:      llm.KindServer,
		hello + "nonsense\n":                     llm.KindParse,
		`{"error":"model requires more memory"}`: llm.KindServer,
	} {
		_, _, err := listen(t, body, 0)
		e, ok := errors.AsType[*llm.Error](err)
		require.True(t, ok, "%s: %v", body, err)
		require.Equal(t, kind, e.Kind, body)
		require.Equal(t, "ollama", e.Provider)
	}
	require.True(t, strings.HasPrefix(BaseURL, "http://localhost"))
}

package anthropic

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
	"github.com/gosema/gosema/llm/llmtest"
)

func newProvider(t testing.TB, c Config) *Provider {
	t.Helper()
	p, err := New(c)
	require.NoError(t, err)
	return p
}

func TestEncode(t *testing.T) {
	half := 0.5
	req := &llm.Request{
		Model: "m", System: "be brief", MaxTokens: 9, Temperature: &half,
		StopSequences: []string{"END"}, ReasoningEffort: "low",
		Tools: []llm.Tool{
			{Name: "add", Description: "adds", Parameters: json.RawMessage(`{"type":"object"}`)},
			{Name: "now"},
		},
		Messages: []llm.Message{
			{Role: llm.RoleSystem, Parts: []llm.Part{{Text: "and kind"}}},
			llm.User("hi"),
			llm.User(""), llm.User("there"),
			{Role: llm.RoleAssistant, Parts: []llm.Part{
				{Text: "let me see"},
				{ToolCall: &llm.ToolCall{ID: "call|1", Name: "add", Arguments: `{"n":12345678901234567890,"s":"\ud800"}`}},
				{ToolCall: &llm.ToolCall{ID: "2", Name: "now"}},
				{ToolCall: &llm.ToolCall{ID: "3", Name: "now", Arguments: "{broken"}},
			}},
			{Role: llm.RoleTool, Parts: []llm.Part{
				{ToolResult: &llm.ToolResult{ID: "call|1", Content: "3"}},
				{ToolResult: &llm.ToolResult{ID: "2", Content: "no clock", IsError: true}},
			}},
			llm.User("go on"),
		},
	}
	want := `{"model":"m","max_tokens":9,"system":"be brief\n\nand kind","messages":[
		{"role":"user","content":[{"type":"text","text":"hi"},{"type":"text","text":"there"}]},
		{"role":"assistant","content":[
			{"type":"text","text":"let me see"},
			{"type":"tool_use","id":"call_1","name":"add","input":{"n":12345678901234567890,"s":"\ufffd"}},
			{"type":"tool_use","id":"2","name":"now","input":{}},
			{"type":"tool_use","id":"3","name":"now","input":{}}]},
		{"role":"user","content":[
			{"type":"tool_result","tool_use_id":"call_1","content":"3"},
			{"type":"tool_result","tool_use_id":"2","content":"no clock","is_error":true},
			{"type":"tool_result","tool_use_id":"3","content":"no result: the call was interrupted","is_error":true},
			{"type":"text","text":"go on"}]}],
		"tools":[
			{"name":"add","description":"adds","input_schema":{"type":"object"}},
			{"name":"now","input_schema":{"type":"object","properties":{}}}],
		"temperature":0.5,"stop_sequences":["END"],"output_config":{"effort":"low"}}`
	got, err := newProvider(t, Config{}).encode(req)
	require.NoError(t, err)
	assert.JSONEq(t, want, string(got))
	assert.Contains(t, string(got), "12345678901234567890")
}

func TestDefaultMaxTokens(t *testing.T) {
	for set, want := range map[int]float64{0: 4096, 100: 100} {
		body, err := newProvider(t, Config{DefaultMaxTokens: set}).encode(&llm.Request{Model: "m"})
		require.NoError(t, err)
		var sent map[string]any
		require.NoError(t, json.Unmarshal(body, &sent))
		assert.Equal(t, want, sent["max_tokens"])
	}
}

func TestHeadersAndPath(t *testing.T) {
	server, err := llmtest.Start(llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Text: "ok"}}, Then: llmtest.Repeat}})
	require.NoError(t, err)
	defer server.Close()
	for _, base := range []string{"", "/", "/v1", "/v1/"} {
		p := newProvider(t, Config{Endpoint: llm.Endpoint{BaseURL: server.URL + base, APIKey: "sk-ant-123456"}})
		_, err := p.Complete(t.Context(), &llm.Request{Model: "m", Messages: []llm.Message{llm.User("x")}})
		require.NoError(t, err)
	}
	for _, r := range server.Requests() {
		assert.Equal(t, "/v1/messages", r.Path)
		assert.Equal(t, "2023-06-01", r.Header.Get("Anthropic-Version"))
		assert.Equal(t, "[redacted]", r.Header.Get("X-Api-Key"))
		assert.Equal(t, llmtest.Anthropic, r.Dialect)
	}
}

func TestDecode(t *testing.T) {
	p := newProvider(t, Config{})
	decode := func(body string) (*llm.Response, error) {
		return p.decode(&wire.Reply{Status: 200, Body: []byte(body)})
	}
	got, err := decode(`{"type":"message","model":"m-1","stop_reason":"tool_use","content":[
		{"type":"thinking","thinking":"hm","signature":"s"},
		{"type":"text","text":"a"},{"type":"text","text":"b"},
		{"type":"tool_use","id":"1","name":"f","input":{"n":12345678901234567890}},
		{"type":"tool_use","id":"2","name":"g","input":{}}],
		"usage":{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":4,"cache_creation_input_tokens":3}}`)
	require.NoError(t, err)
	assert.Equal(t, &llm.Response{
		Text: "ab", Provider: "anthropic", Model: "m-1", Status: 200, StopReason: llm.StopTools,
		ToolCalls: []llm.ToolCall{{ID: "1", Name: "f", Arguments: `{"n":12345678901234567890}`}, {ID: "2", Name: "g", Arguments: "{}"}},
		Usage:     &llm.Usage{InputTokens: 10, OutputTokens: 5, CacheReadTokens: 4, CacheWriteTokens: 3},
	}, got)
	assert.Equal(t, 17, got.Usage.PromptTokens())
	assert.Equal(t, 22, got.Usage.TotalTokens())

	for word, want := range map[string]llm.StopReason{
		"end_turn": llm.StopEnd, "stop_sequence": llm.StopEnd, "max_tokens": llm.StopLength, "pause_turn": "pause_turn",
	} {
		got, err = decode(`{"content":[],"stop_reason":"` + word + `"}`)
		require.NoError(t, err)
		assert.Equal(t, want, got.StopReason)
		assert.Nil(t, got.Usage)
	}
	for body, kind := range map[string]llm.Kind{
		`{}`:              llm.KindParse,
		`[]`:              llm.KindParse,
		`{"content":"x"}`: llm.KindParse,
		`{"type":"error","error":{"type":"overloaded_error","message":"m"}}`: llm.KindOverloaded,
		`{"content":[],"stop_reason":"refusal"}`:                             llm.KindContentFilter,
	} {
		_, err := decode(body)
		require.Error(t, err, body)
		assert.Equal(t, kind, err.(*llm.Error).Kind, body)
	}
}

// checkQuick compares the quick way through a reply with encoding/json. They may
// differ over names that come twice or in other letters.
func checkQuick(t *testing.T, body []byte) {
	var quick, slow reply
	if !quick.read(wire.NewReader(body)) {
		return
	}
	if !bytes.Equal(bytes.ToLower(body), body) || strings.ContainsFunc(string(body), func(r rune) bool { return r > 127 }) {
		return // letters that fold to others
	}
	p, raw := newProvider(t, Config{}), &wire.Reply{Status: 200, Body: body}
	if err := p.client.Decode(raw, &slow); err != nil {
		t.Fatalf("only the quick way takes %q: %v", body, err)
	}
	for _, name := range []string{"type", "model", "content", "stop_reason", "usage", "text", "id", "name", "input", "input_tokens",
		"output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"} {
		if bytes.Count(body, []byte(`"`+name+`"`)) > 1 {
			return
		}
	}
	want, wantErr := p.respond(raw, &slow)
	got, gotErr := p.respond(raw, &quick)
	assert.Equal(t, want, got, "%q", body)
	assert.Equal(t, wantErr, gotErr, "%q", body)
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn","usage":{"input_tokens":1}}`,
		`{"content":[{"type":"tool_use","id":"1","name":"f","input":{"a":"\ud800"}}],"stop_reason":"tool_use"}`,
		`{"type":"error","error":{"type":"overloaded_error"}}`, `{"type":"error"}`, `null`, ``,
	} {
		f.Add([]byte(s))
	}
	p := newProvider(f, Config{})
	f.Fuzz(func(t *testing.T, body []byte) {
		checkQuick(t, body)
		resp, err := p.decode(&wire.Reply{Status: 200, Body: body})
		if (resp == nil) == (err == nil) {
			t.Fatal("neither reply nor error, or both")
		}
		if err != nil {
			_ = err.Error()
			return
		}
		again := &llm.Request{Model: "m", Messages: []llm.Message{resp.Message()}}
		if encoded, err := p.encode(again); err != nil || !json.Valid(encoded) {
			t.Fatalf("a reply that cannot be sent back: %v", err)
		}
	})
}

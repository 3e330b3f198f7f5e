package openai

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

func newProvider(t testing.TB, c Config) *Provider {
	t.Helper()
	p, err := New(c)
	require.NoError(t, err)
	return p
}

func fullRequest() *llm.Request {
	half := 0.5
	return &llm.Request{
		Model: "m", System: "be brief", MaxTokens: 9, Temperature: &half,
		StopSequences: []string{"END"}, ReasoningEffort: "low",
		Tags: []string{"not sent"}, Metadata: map[string]string{"not": "sent"},
		Tools: []llm.Tool{
			{Name: "add", Description: "adds", Parameters: json.RawMessage(`{"type":"object"}`)},
			{Name: "now"},
		},
		Messages: []llm.Message{
			llm.User("hi\xed\xa0\xbd"),
			{Role: llm.RoleAssistant, Parts: []llm.Part{
				{ToolCall: &llm.ToolCall{ID: "1", Name: "add", Arguments: `{"n":12345678901234567890,"s":"\ud800"}`}},
				{ToolCall: &llm.ToolCall{ID: "2", Name: "now"}},
			}},
			{Role: llm.RoleTool, Parts: []llm.Part{
				{ToolResult: &llm.ToolResult{ID: "1", Content: "3"}},
				{ToolResult: &llm.ToolResult{ID: "2", Content: "noon"}},
			}},
			llm.Assistant("done"),
		},
	}
}

func TestEncode(t *testing.T) {
	want := `{"model":"m","messages":[
		{"role":"system","content":"be brief"},
		{"role":"user","content":"hi\ufffd\ufffd\ufffd"},
		{"role":"assistant","content":null,"tool_calls":[
			{"id":"1","type":"function","function":{"name":"add","arguments":"{\"n\":12345678901234567890,\"s\":\"\\ufffd\"}"}},
			{"id":"2","type":"function","function":{"name":"now","arguments":"{}"}}]},
		{"role":"tool","content":"3","tool_call_id":"1"},
		{"role":"tool","content":"noon","tool_call_id":"2"},
		{"role":"assistant","content":"done"}],
		"tools":[
			{"type":"function","function":{"name":"add","description":"adds","parameters":{"type":"object"}}},
			{"type":"function","function":{"name":"now"}}],
		"max_tokens":9,"temperature":0.5,"stop":["END"],"reasoning_effort":"low"}`
	got, err := newProvider(t, Config{Endpoint: llm.Endpoint{BaseURL: "http://localhost"}}).encode(fullRequest())
	require.NoError(t, err)
	assert.JSONEq(t, want, string(got))
}

func TestMaxTokensField(t *testing.T) {
	for field, c := range map[string]Config{
		"max_completion_tokens": {},
		"max_tokens":            {Endpoint: llm.Endpoint{BaseURL: "http://localhost"}},
	} {
		body, err := newProvider(t, c).encode(&llm.Request{Model: "m", MaxTokens: 9})
		require.NoError(t, err)
		var sent map[string]any
		require.NoError(t, json.Unmarshal(body, &sent))
		assert.EqualValues(t, 9, sent[field])
	}
	_, err := New(Config{MaxTokensField: "n"})
	assert.Error(t, err)
}

func TestEncodeFailures(t *testing.T) {
	p := newProvider(t, Config{})
	_, err := p.Complete(t.Context(), &llm.Request{Messages: []llm.Message{llm.User("x")}})
	assert.Equal(t, llm.KindNotFound, err.(*llm.Error).Kind)
	assert.Equal(t, "openai", err.(*llm.Error).Provider)
	_, err = p.encode(&llm.Request{Model: "m", Tools: []llm.Tool{{Parameters: json.RawMessage("{")}}})
	assert.Equal(t, llm.KindBadRequest, err.(*llm.Error).Kind)
}

func TestDecode(t *testing.T) {
	p := newProvider(t, Config{Endpoint: llm.Endpoint{Name: "x"}})
	decode := func(body string) (*llm.Response, error) {
		return p.decode(&wire.Reply{Status: 200, Body: []byte(body)})
	}
	reply := func(message, finish string) string {
		return `{"model":"m-1","choices":[{"message":` + message + `,"finish_reason":` + finish + `}]}`
	}
	base := llm.Response{Provider: "x", Model: "m-1", Status: 200, StopReason: llm.StopEnd}
	with := func(f func(r *llm.Response)) *llm.Response {
		r := base
		f(&r)
		return &r
	}
	good := map[string]*llm.Response{
		reply(`{"content":"hi"}`, `"stop"`):                                    with(func(r *llm.Response) { r.Text = "hi" }),
		reply(`{"content":"hi"}`, `null`):                                      with(func(r *llm.Response) { r.Text = "hi" }),
		reply(`{"content":""}`, `"length"`):                                    with(func(r *llm.Response) { r.StopReason = llm.StopLength }),
		reply(`{"content":[{"type":"text","text":"a"},{"text":"b"}]}`, `null`): with(func(r *llm.Response) { r.Text = "ab" }),
		reply(`{"content":null,"refusal":"no"}`, `"stop"`): with(func(r *llm.Response) {
			r.Text, r.StopReason = "no", llm.StopFilter
		}),
		reply(`{"content":"x"}`, `"odd"`): with(func(r *llm.Response) { r.Text, r.StopReason = "x", "odd" }),
		reply(`{"content":null,"tool_calls":[{"id":"7","function":{"name":"f","arguments":""}},
			{"id":"8","function":{"name":"g","arguments":{"a":1}}}]}`, `"stop"`): with(func(r *llm.Response) {
			r.StopReason = llm.StopTools
			r.ToolCalls = []llm.ToolCall{{ID: "7", Name: "f", Arguments: "{}"}, {ID: "8", Name: "g", Arguments: `{"a":1}`}}
		}),
		`{"model":"m-1","error":null,"choices":[{"message":{"content":"\ud800!"}}],
			"usage":{"prompt_tokens":10,"completion_tokens":5.0,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":3}}}`: with(func(r *llm.Response) {
			r.Text = "\uFFFD!"
			r.Usage = &llm.Usage{InputTokens: 6, CacheReadTokens: 4, OutputTokens: 5, ReasoningTokens: 3}
		}),
	}
	for body, want := range good {
		got, err := decode(body)
		require.NoError(t, err, body)
		assert.Equal(t, want, got, body)
	}
	for _, usage := range []string{`{}`, `null`, `"many"`, `{"prompt_tokens":-1}`, `{"prompt_tokens":"1"}`, `{"prompt_tokens":1e99}`} {
		got, err := decode(`{"choices":[{"message":{"content":"x"}}],"usage":` + usage + `}`)
		require.NoError(t, err, usage)
		assert.Nil(t, got.Usage, usage)
	}
	bad := map[string]llm.Kind{
		`{}`:                                   llm.KindParse,
		`[]`:                                   llm.KindParse,
		`{"choices":[]}`:                       llm.KindParse,
		`{"choices":[{}]}`:                     llm.KindParse,
		`{"choices":"x"}`:                      llm.KindParse,
		`{"error":{"code":429,"message":"m"}}`: llm.KindRateLimit,
		`{"choices":[{"error":{"code":502}}]}`: llm.KindServer,
		reply(`{"content":""}`, `"content_filter"`): llm.KindContentFilter,
	}
	for body, kind := range bad {
		_, err := decode(body)
		require.Error(t, err, body)
		assert.Equal(t, kind, err.(*llm.Error).Kind, body)
	}
}

func TestBlockedReplyIsKept(t *testing.T) {
	p := newProvider(t, Config{})
	_, err := p.decode(&wire.Reply{Status: 200, Body: []byte(
		`{"choices":[{"message":{"content":"par"},"finish_reason":"content_filter"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`)})
	e := err.(*llm.Error)
	assert.Equal(t, "par", e.Partial)
	assert.Equal(t, 2, e.Response.Usage.OutputTokens)
}

// Made up ids differ within a reply, and are the same for the same reply.
func TestCallIDs(t *testing.T) {
	p := newProvider(t, Config{})
	body := []byte(`{"choices":[{"message":{"tool_calls":[{"function":{"name":"f"}},{"function":{"name":"f"}}]}}]}`)
	a, err := p.decode(&wire.Reply{Body: body})
	require.NoError(t, err)
	b, _ := p.decode(&wire.Reply{Body: body})
	assert.NotEqual(t, a.ToolCalls[0].ID, a.ToolCalls[1].ID)
	assert.Equal(t, a, b)
}

// checkQuick compares the quick way through a reply with encoding/json. They may
// differ over names that come twice or in other letters.
func checkQuick(t *testing.T, body []byte) {
	var quick, slow completion
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
	for _, name := range []string{"model", "choices", "usage", "error", "message", "finish_reason", "content", "refusal", "tool_calls", "id",
		"function", "name", "arguments", "prompt_tokens", "completion_tokens", "prompt_tokens_details", "completion_tokens_details",
		"cached_tokens", "reasoning_tokens"} {
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
		`{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}`,
		`{"choices":[{"message":{"content":[{"text":"x"}],"tool_calls":[{"function":{"arguments":"{\"a\":\"\\ud800\"}"}}]}}]}`,
		`{"error":"text"}`, `{"error":{"code":429}}`, `[{"error":{"details":[{"retryDelay":"3s"}]}}]`, `null`, ``,
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

// Mistral takes ids of nine letters and digits alone.
func TestMistralIDs(t *testing.T) {
	p, err := New(Config{Endpoint: llm.Endpoint{BaseURL: "https://api.mistral.ai/v1"}})
	require.NoError(t, err)
	require.Equal(t, "abcDEF012", p.toolID("abcDEF012"))
	ids := map[string]bool{}
	for _, id := range []string{"", "abc-EF012", "toolu_01A09q90qw90lq917835lq9", "call_1", "call_2"} {
		short := p.toolID(id)
		require.Regexp(t, `^[a-zA-Z0-9]{9}$`, short)
		require.Equal(t, short, p.toolID(id))
		ids[short] = true
	}
	require.Len(t, ids, 5)
}

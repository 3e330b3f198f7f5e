package interop

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	anthropicsdk "github.com/anthropics/anthropic-sdk-go"
	openaisdk "github.com/openai/openai-go/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/anthropic"
	"github.com/gosema/gosema/llm/gemini"
	"github.com/gosema/gosema/llm/openai"
)

// The question that is asked of every provider: it has all that a request can have.
const (
	system     = "Be brief."
	firstText  = "What is in the picture, and what is 2^64?"
	callID     = "call_1"
	arguments  = `{"base":2,"exponent":18446744073709551616}`
	toolOutput = "18446744073709551616"
	lastText   = "Say it in \"words\", <please> \u2028 naïve 🙂"
	schema     = `{"type":"object","properties":{"base":{"type":"integer"},"exponent":{"type":"integer"}},"required":["base"]}`
)

var picture = []byte("\x89PNG\r\n\x1a\n\x00\xff")

func question(model string) *llm.Request {
	temperature := 0.25
	return &llm.Request{
		Model: model, System: system, MaxTokens: 99, Temperature: &temperature,
		StopSequences: []string{"END", "STOP"}, ReasoningEffort: "high",
		Tools: []llm.Tool{
			{Name: "power", Description: "raises a number", Parameters: json.RawMessage(schema)},
			{Name: "now", Description: "tells the time"},
		},
		Messages: []llm.Message{
			{Role: llm.RoleUser, Parts: []llm.Part{
				{Text: firstText},
				{Image: &llm.Image{MediaType: "image/png", Data: picture}},
			}},
			{Role: llm.RoleAssistant, Parts: []llm.Part{
				{Text: "I calculate."},
				{ToolCall: &llm.ToolCall{ID: callID, Name: "power", Arguments: arguments}},
				{ToolCall: &llm.ToolCall{ID: "call_2", Name: "now"}},
			}},
			{Role: llm.RoleTool, Parts: []llm.Part{
				{ToolResult: &llm.ToolResult{ID: callID, Content: toolOutput}},
				{ToolResult: &llm.ToolResult{ID: "call_2", Content: "no clock", IsError: true}},
			}},
			llm.User(lastText),
		},
	}
}

// sent is a request as it arrived.
type sent struct {
	path, query string
	header      http.Header
	body        []byte
}

// capture starts a server that keeps what it is asked and refuses to answer.
func capture(t *testing.T) (url string, got *sent) {
	t.Helper()
	got = &sent{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*got = sent{r.URL.Path, r.URL.RawQuery, r.Header, body}
		w.WriteHeader(http.StatusBadRequest)
	}))
	t.Cleanup(server.Close)
	return server.URL, got
}

const key = "key-of-the-test"

// provider is ours for a dialect. The base URL is the root of a server that
// serves all of them where their owners do.
func provider(t *testing.T, dialect, url string, header http.Header) llm.Streamer {
	t.Helper()
	e := llm.Endpoint{BaseURL: url + "/v1", APIKey: key, Header: header}
	var p llm.Streamer
	var err error
	switch dialect {
	case "openai":
		p, err = openai.New(openai.Config{Endpoint: e, MaxTokensField: "max_completion_tokens"})
	case "anthropic":
		e.BaseURL = url
		p, err = anthropic.New(anthropic.Config{Endpoint: e})
	default:
		e.BaseURL = url + "/v1beta"
		p, err = gemini.New(gemini.Config{Endpoint: e})
	}
	require.NoError(t, err)
	return p
}

// ask captures what our provider sends for a request.
func ask(t *testing.T, dialect string, req *llm.Request, streamed bool) *sent {
	t.Helper()
	url, got := capture(t)
	p := provider(t, dialect, url, nil)
	var err error
	if streamed {
		_, err = p.Open(t.Context(), req)
	} else {
		_, err = p.Complete(t.Context(), req)
	}
	require.Error(t, err) // of the server that refuses
	require.NotEmpty(t, got.body)
	return got
}

// decode reads a body into an SDK's type, which must know all that is in it.
func decode(t *testing.T, body []byte, into any) {
	t.Helper()
	again := rewritten(t, body, into)
	assert.Equal(t, tree(t, body), tree(t, again), "the SDK does not know all that was sent")
}

// rewritten is a body after it went through an SDK's type: what the type has no
// field for is lost. (Large numbers are rounded, there and in tree.)
func rewritten(t *testing.T, body []byte, into any) []byte {
	t.Helper()
	require.NoError(t, json.Unmarshal(body, into))
	again, err := json.Marshal(into)
	require.NoError(t, err)
	return again
}

// TestUnknownFieldsAreLost: the comparison in decode has something to find.
func TestUnknownFieldsAreLost(t *testing.T) {
	body := []byte(`{"model":"m","max_tokens":1,"temprature":0.5,"messages":[]}`)
	for _, into := range []any{new(openaisdk.ChatCompletionNewParams), new(anthropicsdk.MessageNewParams)} {
		again := rewritten(t, body, into)
		assert.NotContains(t, string(again), "temprature")
		assert.Contains(t, string(again), "max_tokens")
	}
}

func tree(t *testing.T, raw []byte) (v any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(raw, &v))
	return v
}

func marshal(v any) string {
	raw, _ := json.Marshal(v) // of what was JSON before
	return string(raw)
}

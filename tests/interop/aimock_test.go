package interop

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// TestAimock: our client against a mock server that others wrote, in every wire
// format that both speak.
func TestAimock(t *testing.T) {
	url := startAimock(t)
	for _, dialect := range []string{"openai", "anthropic", "gemini"} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			for name, test := range map[string]func(*testing.T, aimock){
				"text":       testAimockText,
				"stop":       testAimockLength,
				"tools":      testAimockTools,
				"errors":     testAimockErrors,
				"retries":    testAimockRetries,
				"faults":     testAimockFaults,
				"latency":    testAimockLatency,
				"truncation": testAimockTruncation,
				"stalls":     testAimockStalls,
			} {
				t.Run(name, func(t *testing.T) { test(t, aimock{url, dialect}) })
			}
		})
	}
}

// aimock is the server as one of our providers sees it.
type aimock struct{ url, dialect string }

// call asks it, without retries, on a clock without real waits. The header goes
// with the request; nil is none. Each test counts its requests by itself.
func (a aimock) call(t *testing.T, header http.Header) *llm.Call {
	t.Helper()
	all := http.Header{"X-Test-Id": {t.Name()}}
	for name, values := range header {
		all[name] = values
	}
	policy := llm.DefaultPolicy()
	policy.Retries = 0
	return &llm.Call{
		Env:    llm.Env{Clock: llmtest.NewClock()},
		Chain:  []llm.Entry{{Provider: provider(t, a.dialect, a.url, all)}},
		Policy: policy,
	}
}

// ask asks twice: for a complete reply, and for a stream.
func (a aimock) ask(t *testing.T, header http.Header, text string, check func(how string, reply *llm.Response, err error)) {
	t.Helper()
	reply, err := a.call(t, header).Complete(t.Context(), a.request(text))
	check("complete", reply, err)
	pieces := 0
	reply, err = a.call(t, header).Stream(t.Context(), a.request(text), func(string) error { pieces++; return nil })
	check("stream", reply, err)
	if err == nil {
		assert.GreaterOrEqual(t, pieces, 1)
	}
}

func (a aimock) request(text string) *llm.Request {
	return &llm.Request{Model: "m", System: system, MaxTokens: 99, Messages: []llm.Message{llm.User(text)}}
}

func testAimockText(t *testing.T, a aimock) {
	a.ask(t, nil, "say hello", func(how string, reply *llm.Response, err error) {
		require.NoError(t, err, how)
		assert.Equal(t, "Grüße & \"Küsse\" 🙂\n<ok> and a text of several chunks", reply.Text, how)
		assert.Equal(t, "m", reply.Model, how)
		assert.Equal(t, llm.StopEnd, reply.StopReason, how)
		assert.Equal(t, &llm.Usage{InputTokens: 11, OutputTokens: 5}, reply.Usage, how)
	})
}

func testAimockLength(t *testing.T, a aimock) {
	a.ask(t, nil, "too long", func(how string, reply *llm.Response, err error) {
		require.NoError(t, err, how)
		assert.Equal(t, "This is", reply.Text, how)
		assert.Equal(t, llm.StopLength, reply.StopReason, how)
	})
}

// The model asks for tools, gets their results, and answers.
func testAimockTools(t *testing.T, a aimock) {
	ask := func(req *llm.Request, streamed bool) *llm.Response {
		req.Tools = []llm.Tool{{Name: "power", Parameters: json.RawMessage(schema)}, {Name: "now"}}
		if !streamed {
			reply, err := a.call(t, nil).Complete(t.Context(), req)
			require.NoError(t, err)
			return reply
		}
		reply, err := a.call(t, nil).Stream(t.Context(), req, func(string) error { return nil })
		require.NoError(t, err)
		return reply
	}
	for _, streamed := range []bool{false, true} {
		req := a.request("what is 2 to the 10, and when")
		reply := ask(req, streamed)
		assert.Equal(t, "I calculate.", reply.Text)
		assert.Equal(t, llm.StopTools, reply.StopReason)
		require.Len(t, reply.ToolCalls, 2)
		assert.Equal(t, "call_1", reply.ToolCalls[0].ID)
		assert.Equal(t, "power", reply.ToolCalls[0].Name)
		assert.JSONEq(t, `{"base":2,"exponent":10,"note":"a \"b\""}`, reply.ToolCalls[0].Arguments)
		assert.Equal(t, llm.ToolCall{ID: "call_2", Name: "now", Arguments: "{}"}, reply.ToolCalls[1])

		req.Messages = append(req.Messages, reply.Message(), llm.Message{Role: llm.RoleTool, Parts: []llm.Part{
			{ToolResult: &llm.ToolResult{ID: "call_1", Content: "1024"}},
			{ToolResult: &llm.ToolResult{ID: "call_2", Content: "noon"}},
		}})
		reply = ask(req, streamed)
		assert.Equal(t, "It is 1024, at noon.", reply.Text)
		assert.Equal(t, llm.StopEnd, reply.StopReason)
	}
}

func testAimockErrors(t *testing.T, a aimock) {
	a.ask(t, nil, "who am I", func(how string, _ *llm.Response, err error) {
		e := failure(t, err)
		assert.Equal(t, llm.KindAuth, e.Kind, how)
		assert.Equal(t, 401, e.Status, how)
		assert.Equal(t, "no such key", e.Message, how)
		assert.NotContains(t, err.Error(), key)
	})
	a.ask(t, nil, "nobody knows the answer to this", func(how string, _ *llm.Response, err error) {
		e := failure(t, err)
		assert.Equal(t, llm.KindNotFound, e.Kind, how)
		assert.Equal(t, 404, e.Status, how)
	})
}

func failure(t *testing.T, err error) *llm.Error {
	t.Helper()
	var e *llm.Error
	require.ErrorAs(t, err, &e)
	return e
}

// A 429 with a hint, then a 503, then an answer.
func testAimockRetries(t *testing.T, a aimock) {
	call := a.call(t, nil)
	call.Policy.Retries = 2
	reply, err := call.Complete(t.Context(), a.request("fail twice"))
	require.NoError(t, err)
	assert.Equal(t, "third time lucky", reply.Text)
	require.Len(t, reply.Attempts, 3)
	assert.Equal(t, llm.KindRateLimit, reply.Attempts[0].Kind)
	assert.Equal(t, 429, reply.Attempts[0].Status)
	assert.GreaterOrEqual(t, reply.Attempts[0].Wait, 7*time.Second)
	assert.Equal(t, 503, reply.Attempts[1].Status)
	assert.Equal(t, 200, reply.Attempts[2].Status)
}

// What aimock calls chaos, at a rate of one.
func testAimockFaults(t *testing.T, a aimock) {
	for what, want := range map[string]llm.Error{
		"Drop":       {Kind: llm.KindServer, Status: 500, Retryable: true},
		"Ratelimit":  {Kind: llm.KindRateLimit, Status: 429, Retryable: true},
		"Malformed":  {Kind: llm.KindParse, Status: 200},
		"Disconnect": {Kind: llm.KindNetwork, Retryable: true},
	} {
		a.ask(t, chaos(what, "1"), "say hello", func(how string, _ *llm.Response, err error) {
			e := failure(t, err)
			got := llm.Error{Kind: e.Kind, Status: e.Status, Retryable: e.Retryable}
			assert.Equal(t, want, got, "%s %s: %v", what, how, err)
			if what == "Ratelimit" {
				assert.Equal(t, time.Second, e.RetryAfter.Wait, how)
			}
		})
	}
}

// A slow reply is waited for, one that is too slow is given up.
func testAimockLatency(t *testing.T, a aimock) {
	a.ask(t, chaos("Latency", "20"), "say hello", func(how string, reply *llm.Response, err error) {
		require.NoError(t, err, how)
	})
	req := a.request("say hello")
	req.Timeout = 50 * time.Millisecond
	_, err := a.call(t, chaos("Latency", "30000")).Complete(t.Context(), req)
	assert.Equal(t, llm.KindTimeout, failure(t, err).Kind)
	_, err = a.call(t, chaos("Latency", "30000")).Stream(t.Context(), req, func(string) error { return nil })
	assert.Equal(t, llm.KindTimeout, failure(t, err).Kind)
}

// A stream that ends too soon is no reply, and its text is not lost.
func testAimockTruncation(t *testing.T, a aimock) {
	var heard strings.Builder
	_, err := a.call(t, nil).Stream(t.Context(), a.request("be cut off"), func(piece string) error {
		heard.WriteString(piece)
		return nil
	})
	e := failure(t, err)
	assert.Contains(t, []llm.Kind{llm.KindNetwork, llm.KindStreamTruncated}, e.Kind)
	assert.Equal(t, heard.String(), e.Partial)
	assert.NotEmpty(t, e.Partial)
	assert.True(t, strings.HasPrefix("This is never complete.", e.Partial), e.Partial)
}

func testAimockStalls(t *testing.T, a aimock) {
	req := a.request("never begin")
	req.FirstTokenTimeout = 50 * time.Millisecond
	_, err := a.call(t, nil).Stream(t.Context(), req, func(string) error { return nil })
	e := failure(t, err)
	assert.Equal(t, llm.KindTimeout, e.Kind)
	assert.Empty(t, e.Partial)

	req = a.request("stall")
	req.IdleTimeout = 50 * time.Millisecond
	_, err = a.call(t, nil).Stream(t.Context(), req, func(string) error { return nil })
	e = failure(t, err)
	assert.Equal(t, llm.KindTimeout, e.Kind)
	assert.NotEmpty(t, e.Partial)
	assert.True(t, strings.HasPrefix("This takes hours.", e.Partial), e.Partial)
}

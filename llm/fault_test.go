package llm_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/anthropic"
	"github.com/gosema/gosema/llm/gemini"
	"github.com/gosema/gosema/llm/llmtest"
	"github.com/gosema/gosema/llm/ollama"
	"github.com/gosema/gosema/llm/openai"
)

const canary = "sk-canary-4711-do-not-tell"

// rig is a fault server with a provider that asks it.
type rig struct {
	*llmtest.Server
	provider llm.Provider
	clock    *llmtest.Clock
}

func newRig(t *testing.T, dialect llmtest.Dialect, config llmtest.Config) rig {
	t.Helper()
	server, err := llmtest.Start(config)
	require.NoError(t, err)
	t.Cleanup(server.Close)
	return rig{server, newProvider(t, dialect, server.URL), llmtest.NewClock()}
}

func newProvider(t *testing.T, dialect llmtest.Dialect, url string) llm.Provider {
	t.Helper()
	endpoint := llm.Endpoint{
		Name: string(dialect), BaseURL: url + "/v1", APIKey: canary, DefaultModel: "m",
		Client: &http.Client{Transport: newTransport(t)},
	}
	switch dialect {
	case llmtest.Anthropic:
		p, err := anthropic.New(anthropic.Config{Endpoint: endpoint})
		require.NoError(t, err)
		return p
	case llmtest.Ollama:
		endpoint.BaseURL = url
		p, err := ollama.New(ollama.Config{Endpoint: endpoint})
		require.NoError(t, err)
		return p
	case llmtest.Gemini:
		p, err := gemini.New(gemini.Config{Endpoint: endpoint})
		require.NoError(t, err)
		return p
	}
	p, err := openai.New(openai.Config{Endpoint: endpoint})
	require.NoError(t, err)
	return p
}

func newTransport(t *testing.T) *http.Transport {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

// call asks the rig alone, with no jitter above the server's hints.
func (r rig) call() *llm.Call {
	return &llm.Call{
		Env:    llm.Env{Clock: r.clock, Rand: func() float64 { return 0.5 }},
		Chain:  []llm.Entry{{Provider: r.provider}},
		Policy: llm.DefaultPolicy(),
	}
}

func hello() *llm.Request { return &llm.Request{Messages: []llm.Message{llm.User("hello")}} }

func allDialects(t *testing.T, f func(t *testing.T, dialect llmtest.Dialect)) {
	for _, d := range []llmtest.Dialect{llmtest.OpenAI, llmtest.Anthropic, llmtest.Gemini, llmtest.Ollama} {
		t.Run(string(d), func(t *testing.T) { f(t, d) })
	}
}

func asError(t *testing.T, err error) *llm.Error {
	t.Helper()
	e, ok := errors.AsType[*llm.Error](err)
	require.True(t, ok, "not an *llm.Error: %v", err)
	return e
}

func header(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Set(pairs[i], pairs[i+1])
	}
	return h
}

func zipped(body string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(body))
	w.Close()
	return b.Bytes()
}

// One failure, and then an answer: what is retried succeeds at the second
// request, what is not fails at the first.
func TestFaults(t *testing.T) {
	quota := []byte(`{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`)
	quotaType := []byte(`{"error":{"message":"pay","type":"insufficient_quota","code":null}}`)
	cases := []struct {
		name   string
		reply  llmtest.Reply
		retry  bool
		kind   llm.Kind
		status int
		text   string // in the message
	}{
		{"rate limit", llmtest.Reply{Status: 429, Text: "slow down"}, true, llm.KindRateLimit, 429, "slow down"},
		{"server", llmtest.Reply{Status: 500, Text: "oops"}, true, llm.KindServer, 500, "oops"},
		{"501", llmtest.Reply{Status: 501}, true, llm.KindServer, 501, ""},
		{"cloudflare", llmtest.Reply{Status: 524}, true, llm.KindServer, 524, ""},
		{"overloaded", llmtest.Reply{Status: 529, Text: "busy"}, true, llm.KindOverloaded, 529, "busy"},
		{"dropped", llmtest.Reply{Fault: llmtest.Drop}, true, llm.KindNetwork, 0, ""},
		{"reset", llmtest.Reply{Fault: llmtest.Reset}, true, llm.KindNetwork, 0, ""},
		{"short body", llmtest.Reply{Text: "hi", Fault: llmtest.Short}, true, llm.KindNetwork, 0, "cut short"},
		{"short error body", llmtest.Reply{Status: 400, Text: "no", Fault: llmtest.Short}, false, llm.KindBadRequest, 400, "no"},
		{"html", llmtest.Reply{Status: 502, Body: []byte("<html><head><title>502 Bad\n Gateway</title></head>" + strings.Repeat("<p>x</p>", 9999))},
			true, llm.KindServer, 502, "502 Bad Gateway"},
		{"long text", llmtest.Reply{Status: 502, Body: bytes.Repeat([]byte("é "), 5000)}, true, llm.KindServer, 502, "é"},
		{"empty body", llmtest.Reply{Status: 503, Body: []byte{}}, true, llm.KindServer, 503, "Service Unavailable"},
		{"error is text", llmtest.Reply{Status: 400, Body: []byte(`{"error":"just text"}`)}, false, llm.KindBadRequest, 400, "just text"},
		{"error in a list", llmtest.Reply{Status: 400, Body: []byte(`[{"error":{"code":400,"message":"listed","status":"X"}}]`)}, false, llm.KindBadRequest, 400, "listed"},
		{"detail", llmtest.Reply{Status: 422, Body: []byte(`{"detail":[{"loc":["body"],"msg":"field required"}]}`)}, false, llm.KindBadRequest, 422, "field required"},
		{"gzip", llmtest.Reply{Status: 400, Body: zipped(`{"error":{"message":"packed"}}`), Header: header("Content-Encoding", "gzip")}, false, llm.KindBadRequest, 400, "packed"},
		{"unmarked gzip", llmtest.Reply{Status: 400, Body: zipped(`{"error":{"message":"packed"}}`)}, false, llm.KindBadRequest, 400, "packed"},
		{"bad request", llmtest.Reply{Status: 400, Text: "no such field"}, false, llm.KindBadRequest, 400, "no such field"},
		{"unauthorized", llmtest.Reply{Status: 401, Text: "who"}, false, llm.KindAuth, 401, "who"},
		{"forbidden", llmtest.Reply{Status: 403, Text: "no"}, false, llm.KindAuth, 403, "no"},
		{"payment", llmtest.Reply{Status: 402, Text: "pay"}, false, llm.KindQuota, 402, "pay"},
		{"no model", llmtest.Reply{Status: 404, Text: "no model"}, false, llm.KindNotFound, 404, "no model"},
		{"request timeout", llmtest.Reply{Status: 408}, false, llm.KindTimeout, 408, ""},
		{"conflict", llmtest.Reply{Status: 409}, false, llm.KindBadRequest, 409, ""},
		{"quota at 429", llmtest.Reply{Status: 429, Body: quota}, false, llm.KindQuota, 429, "quota"},
		{"quota at 400", llmtest.Reply{Status: 400, Body: quota}, false, llm.KindQuota, 400, "quota"},
		{"quota by type", llmtest.Reply{Status: 429, Body: quotaType}, false, llm.KindQuota, 429, "pay"},
		{"filter code", llmtest.Reply{Status: 400, Text: "bad", Code: "content_filter"}, false, llm.KindContentFilter, 400, "bad"},
		{"not JSON", llmtest.Reply{Body: []byte("<html>welcome to the wifi")}, false, llm.KindParse, 200, "welcome to the wifi"},
		{"truncated JSON, complete body", llmtest.Reply{Body: []byte(`{"choices":[`)}, false, llm.KindParse, 200, ""},
		{"nothing", llmtest.Reply{Body: []byte{}}, false, llm.KindParse, 200, ""},
		{"null", llmtest.Reply{Body: []byte("null")}, false, llm.KindParse, 200, ""},
		{"no choices", llmtest.Reply{Body: []byte(`{"choices":[],"content":null}`)}, false, llm.KindParse, 200, ""},
		{"redirect", llmtest.Reply{Status: 302, Header: header("Location", "https://other.example/x?key=1")}, false, llm.KindBadRequest, 302, "https://other.example was not"},
	}
	allDialects(t, func(t *testing.T, dialect llmtest.Dialect) {
		for _, c := range cases {
			if c.reply.Code != "" && dialect == llmtest.Ollama {
				continue // its errors are texts
			}
			t.Run(c.name, func(t *testing.T) {
				r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{c.reply, {Text: "ok"}}}})
				resp, err := r.call().Complete(t.Context(), hello())
				var attempts []llm.Attempt
				if c.retry {
					require.NoError(t, err)
					assert.Equal(t, "ok", resp.Text)
					attempts = resp.Attempts
					require.Len(t, attempts, 2)
					assert.Equal(t, llm.Attempt{Provider: string(dialect), Model: "m", Status: 200}, attempts[1])
				} else {
					e := asError(t, err)
					assert.Equal(t, c.kind, e.Kind)
					assert.Equal(t, c.status, e.Status)
					assert.Contains(t, e.Message, c.text)
					assert.Less(t, len(e.Error()), 500)
					attempts = e.Attempts
					require.Len(t, attempts, 1)
				}
				assert.Equal(t, c.kind, attempts[0].Kind)
				assert.Equal(t, c.status, attempts[0].Status)
				assert.Len(t, r.Requests(), len(attempts))
			})
		}
	})
}

// The message of a failure that is retried, after the retries are spent.
func TestExhausted(t *testing.T) {
	allDialects(t, func(t *testing.T, dialect llmtest.Dialect) {
		r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{
			Replies: []llmtest.Reply{{Status: 429, Text: "slow down"}}, Then: llmtest.Repeat,
		}})
		_, err := r.call().Complete(t.Context(), hello())
		e := asError(t, err)
		assert.Equal(t, llm.KindRateLimit, e.Kind)
		assert.Len(t, r.Requests(), 4)
		ms := time.Millisecond
		assert.Equal(t, []time.Duration{250 * ms, 500 * ms, 1000 * ms}, r.clock.Sleeps())
		require.Len(t, e.Attempts, 4)
		assert.Equal(t, 250*ms, e.Attempts[0].Wait)
		assert.Zero(t, e.Attempts[3].Wait)
		assert.Equal(t, string(dialect)+" m: rate-limit (status 429): slow down (4 attempts)", e.Error())
	})
}

func TestTooLong(t *testing.T) {
	phrases := []string{
		"prompt is too long: 206640 tokens > 200000 maximum",
		"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
		"input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000",
		"Your input exceeds the context window of this model.",
		"the request exceeds the available context size (4096 tokens), try increasing it",
		"The input token count (1100000) exceeds the maximum number of tokens allowed (1048575).",
		"Please reduce the length of the messages or completion.",
		"This model's maximum prompt length is 131072 but the request contains 537812 tokens",
		"The prompt (total length 25938) is too long to fit into the model (context length 4096).",
		"length of prompt_tokens (163280) must be less than max_seq_len (32768).",
		"Input is too long for requested model.",
	}
	for _, text := range phrases {
		kind, retryable := llm.Classify(400, text, "", "invalid_request_error")
		assert.Equal(t, llm.KindContextLength, kind, text)
		assert.False(t, retryable)
	}
	for _, text := range []string{
		"max_tokens: 999999 > 8192, which is the maximum allowed number of output tokens",
		"context is required",
	} {
		kind, _ := llm.Classify(400, text)
		assert.Equal(t, llm.KindBadRequest, kind, text)
	}
	kind, _ := llm.Classify(400, "", "context_length_exceeded")
	assert.Equal(t, llm.KindContextLength, kind)
	kind, retryable := llm.Classify(429, "maximum context length of the queue")
	assert.Equal(t, llm.KindRateLimit, kind)
	assert.True(t, retryable)
}

func TestAttemptTimeout(t *testing.T) {
	allDialects(t, func(t *testing.T, dialect llmtest.Dialect) {
		r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{
			{Text: "late", Delay: time.Minute}, {Text: "ok"},
		}}})
		req := hello()
		req.Timeout = 50 * time.Millisecond
		req.Tools = []llm.Tool{{Name: "t", Parameters: []byte(`{"type": "object", "properties": {"b":{}, "a":{}}}`)}}
		resp, err := r.call().Complete(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, llm.KindTimeout, resp.Attempts[0].Kind)
		sent := r.Requests()
		require.Len(t, sent, 2)
		assert.Equal(t, string(sent[0].Body), string(sent[1].Body))
	})
}

// Settings that make no sense cost no request.
func TestSettings(t *testing.T) {
	r := newRig(t, llmtest.OpenAI, llmtest.Config{})
	change := map[string]func(c *llm.Call, req *llm.Request){
		":retries":            func(c *llm.Call, _ *llm.Request) { c.Policy.Retries = -1 },
		":retry-base-ms":      func(c *llm.Call, _ *llm.Request) { c.Policy.Base = -1 },
		":retry-cap-ms":       func(c *llm.Call, _ *llm.Request) { c.Policy.Cap = -1 },
		":retry-after-cap-ms": func(c *llm.Call, _ *llm.Request) { c.Policy.HintCap = -1 },
		":retryable-statuses": func(c *llm.Call, _ *llm.Request) { c.Policy.Statuses = []int{5} },
		":chain":              func(c *llm.Call, _ *llm.Request) { c.Chain = nil },
		":on":                 func(c *llm.Call, _ *llm.Request) { c.On = []llm.Kind{"bogus"} },
		":max-tokens":         func(_ *llm.Call, req *llm.Request) { req.MaxTokens = -5 },
		":timeout":            func(_ *llm.Call, req *llm.Request) { req.Timeout = -5 },
		":messages":           func(_ *llm.Call, req *llm.Request) { req.Messages = nil },
	}
	for option, f := range change {
		call, req := r.call(), hello()
		f(call, req)
		_, err := call.Complete(t.Context(), req)
		var bad *llm.OptionError
		require.ErrorAs(t, err, &bad, option)
		assert.True(t, strings.HasPrefix(err.Error(), option+" "), err.Error())
	}
	assert.Empty(t, r.Requests())
}

func TestNoGoroutinesLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	server, err := llmtest.NewServer(
		llmtest.Reply{Fault: llmtest.Drop}, llmtest.Reply{Fault: llmtest.Reset},
		llmtest.Reply{Fault: llmtest.Short}, llmtest.Reply{Delay: time.Minute}, llmtest.Reply{Text: "ok"},
	)
	require.NoError(t, err)
	transport := &http.Transport{}
	p, err := openai.New(openai.Config{Endpoint: llm.Endpoint{
		BaseURL: server.URL, DefaultModel: "m", Client: &http.Client{Transport: transport},
	}})
	require.NoError(t, err)
	call := llm.Call{Env: llm.Env{Clock: llmtest.NewClock()}, Chain: []llm.Entry{{Provider: p}}, Policy: llm.DefaultPolicy()}
	call.Policy.Retries = 4
	req := hello()
	req.Timeout = 100 * time.Millisecond
	_, err = call.Complete(t.Context(), req)
	require.NoError(t, err)
	server.Close()
	transport.CloseIdleConnections()
	for range 400 { // not assert.Eventually, which has a goroutine of its own
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

// What each provider of a chain is asked, over real HTTP: all its retries when the
// failure may pass, once when the quota is spent.
func TestRequestsAlongAChain(t *testing.T) {
	quota := []byte(`{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`)
	for name, c := range map[string]struct {
		reply llmtest.Reply
		kind  llm.Kind
		each  int
	}{
		"always 429":   {llmtest.Reply{Status: 429}, llm.KindRateLimit, 4},
		"always 500":   {llmtest.Reply{Status: 500}, llm.KindServer, 4},
		"quota at 429": {llmtest.Reply{Status: 429, Body: quota}, llm.KindQuota, 1},
		"quota at 400": {llmtest.Reply{Status: 400, Body: quota}, llm.KindQuota, 1},
	} {
		config := llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{c.reply}, Then: llmtest.Repeat}}
		first, second := newRig(t, llmtest.OpenAI, config), newRig(t, llmtest.Anthropic, config)
		call := first.call()
		call.Chain = append(call.Chain, llm.Entry{Provider: second.provider})
		_, err := call.Complete(t.Context(), hello())
		e := asError(t, err)
		assert.Equal(t, c.kind, e.Kind, name)
		assert.Len(t, e.Failures, 2, name)
		assert.Len(t, first.Requests(), c.each, name)
		assert.Len(t, second.Requests(), c.each, name)
	}
}

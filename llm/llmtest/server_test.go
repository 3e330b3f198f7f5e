package llmtest_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

func start(t *testing.T, c llmtest.Config) (*llmtest.Server, *http.Client) {
	t.Helper()
	s, err := llmtest.Start(c)
	require.NoError(t, err)
	transport := &http.Transport{}
	t.Cleanup(func() { transport.CloseIdleConnections(); s.Close() })
	return s, &http.Client{Transport: transport}
}

func post(t *testing.T, client *http.Client, url, body string) (int, string, error) {
	t.Helper()
	resp, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(raw), err
}

func TestDialects(t *testing.T) {
	s, client := start(t, llmtest.Config{Script: llmtest.Script{
		Replies: []llmtest.Reply{{Text: "hi", Usage: &llm.Usage{InputTokens: 3, OutputTokens: 2}}}, Then: llmtest.Repeat,
	}})
	for path, want := range map[string]string{
		"/v1/chat/completions": `"content":"hi"`,
		"/chat/completions":    `"prompt_tokens":3`,
		"/v1/messages":         `"content":[{"text":"hi","type":"text"}]`,
		"/messages":            `"input_tokens":3`,
	} {
		status, body, err := post(t, client, s.URL+path, `{"model":"m"}`)
		require.NoError(t, err)
		assert.Equal(t, 200, status)
		assert.Contains(t, body, want)
		assert.Contains(t, body, `"model":"m"`)
	}
}

func TestErrorBodies(t *testing.T) {
	s, client := start(t, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{
		{Status: 429, Text: "slow"}, {Status: 429, Text: "slow", Code: "mine"}, {Status: 429, Text: "slow"}, {Status: 418, Body: []byte("raw")},
	}}})
	for _, c := range []struct{ path, want string }{
		{"/messages", `{"error":{"message":"slow","type":"rate_limit_error"},"type":"error"}`},
		{"/messages", `{"error":{"message":"slow","type":"mine"},"type":"error"}`},
		{"/chat/completions", `{"error":{"code":"","message":"slow","type":"invalid_request_error"}}`},
		{"/chat/completions", "raw"},
	} {
		_, body, err := post(t, client, s.URL+c.path, "")
		require.NoError(t, err)
		assert.Equal(t, c.want, body)
	}
	status, body, err := post(t, client, s.URL+"/chat/completions", "")
	require.NoError(t, err)
	assert.Equal(t, 500, status)
	assert.Contains(t, body, "llmtest: request 5 came, the script has 4")
}

func TestPaths(t *testing.T) {
	one := func(text string) llmtest.Script {
		return llmtest.Script{Replies: []llmtest.Reply{{Body: []byte(text)}}, Then: llmtest.Repeat}
	}
	s, client := start(t, llmtest.Config{Script: one("rest"), Paths: map[string]llmtest.Script{"/a": one("a"), "/a/b": one("ab")}})
	for path, want := range map[string]string{"/a/x": "a", "/a/b/x": "ab", "/x": "rest"} {
		_, body, err := post(t, client, s.URL+path, "")
		require.NoError(t, err)
		assert.Equal(t, want, body)
	}
}

func TestFaults(t *testing.T) {
	s, client := start(t, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{
		{Fault: llmtest.Drop}, {Fault: llmtest.Reset}, {Fault: llmtest.Short, Body: []byte("abc")},
		{Body: []byte("é in pieces"), Piece: 1},
	}}})
	_, _, err := post(t, client, s.URL, "")
	assert.ErrorIs(t, err, io.EOF)
	_, _, err = post(t, client, s.URL, "")
	assert.ErrorContains(t, err, "reset")
	_, body, err := post(t, client, s.URL, "")
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Equal(t, "abc", body)
	_, body, err = post(t, client, s.URL, "")
	require.NoError(t, err)
	assert.Equal(t, "é in pieces", body)
}

func TestJournal(t *testing.T) {
	s, client := start(t, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{}}, Then: llmtest.Repeat}})
	req, _ := http.NewRequest("POST", s.URL+"/v1/messages?key=abc&x=1", strings.NewReader("body"))
	req.Header.Set("X-Api-Key", "abc")
	req.Header.Set("X-Other", "seen")
	resp, err := client.Do(req)
	require.NoError(t, err)
	resp.Body.Close()
	r := s.Requests()[0]
	assert.Equal(t, "POST", r.Method)
	assert.Equal(t, "/v1/messages", r.Path)
	assert.Equal(t, "key=%5Bredacted%5D&x=1", r.Query)
	assert.Equal(t, "[redacted]", r.Header.Get("X-Api-Key"))
	assert.Equal(t, "seen", r.Header.Get("X-Other"))
	assert.Equal(t, "body", string(r.Body))
	assert.Equal(t, llmtest.Anthropic, r.Dialect)

	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { post(t, client, s.URL, ""); s.Requests() })
	}
	wg.Wait()
	assert.Len(t, s.Requests(), 9)
}

func TestValidate(t *testing.T) {
	for want, c := range map[string]llmtest.Config{
		"reply 2: status":       {Script: llmtest.Script{Replies: []llmtest.Reply{{}, {Status: 99}}}},
		"reply 1: delay":        {Script: llmtest.Script{Replies: []llmtest.Reply{{Delay: -1}}}},
		"reply 1: piece":        {Script: llmtest.Script{Replies: []llmtest.Reply{{Piece: -1}}}},
		"reply 1: fault":        {Script: llmtest.Script{Replies: []llmtest.Reply{{Fault: "explode"}}}},
		"reply 1: a reply has":  {Script: llmtest.Script{Replies: []llmtest.Reply{{Text: "a", Body: []byte("b")}}}},
		"none to repeat":        {Script: llmtest.Script{Then: llmtest.Repeat}},
		"then must be":          {Script: llmtest.Script{Then: "stop"}},
		`path "a" must begin`:   {Paths: map[string]llmtest.Script{"a": {}}},
		`path "/a": reply 1: s`: {Paths: map[string]llmtest.Script{"/a": {Replies: []llmtest.Reply{{Status: 1}}}}},
	} {
		_, err := llmtest.Start(c)
		assert.ErrorContains(t, err, want)
	}
}

// Close ends what is under way, and may be called again and by many.
func TestClose(t *testing.T) {
	before := runtime.NumGoroutine()
	s, err := llmtest.NewServer(llmtest.Reply{Delay: time.Hour}, llmtest.Reply{})
	require.NoError(t, err)
	transport := &http.Transport{}
	client := &http.Client{Transport: transport}
	failed := make(chan error)
	go func() {
		_, _, err := post(t, client, s.URL, "")
		failed <- err
	}()
	require.Eventually(t, func() bool { return len(s.Requests()) == 1 }, time.Second, time.Millisecond)
	post(t, client, s.URL, "")
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(s.Close)
	}
	wg.Wait()
	assert.Error(t, <-failed)
	transport.CloseIdleConnections()
	for range 400 { // not assert.Eventually, which has a goroutine of its own
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

func TestProvider(t *testing.T) {
	p := llmtest.NewProvider("p", llmtest.Step{Text: "a"}, llmtest.Step{Err: io.EOF}, llmtest.Step{
		Func: func(_ context.Context, r *llm.Request) (*llm.Response, error) {
			return &llm.Response{Text: r.Model}, nil
		},
	})
	req := &llm.Request{Model: "m"}
	got, err := p.Complete(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, "a", got.Text)
	_, err = p.Complete(t.Context(), req)
	assert.Equal(t, io.EOF, err)
	got, err = p.Complete(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, "m", got.Text)
	_, err = p.Complete(t.Context(), req)
	assert.ErrorContains(t, err, "request 4 came, the script has 3")
	assert.Len(t, p.Calls(), 4)
}

func TestToolCalls(t *testing.T) {
	calls := []llm.ToolCall{{ID: "1", Name: "f", Arguments: `{"a":1}`}}
	s, client := start(t, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{ToolCalls: calls}}, Then: llmtest.Repeat}})
	for _, path := range []string{"/chat/completions", "/messages"} {
		_, body, err := post(t, client, s.URL+path, "")
		require.NoError(t, err)
		assert.True(t, json.Valid([]byte(body)))
		assert.Contains(t, body, `"name":"f"`)
	}
}

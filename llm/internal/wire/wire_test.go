package wire

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
)

const key = "sk-canary-4711"

func newClient(t *testing.T, e llm.Endpoint) *Client {
	t.Helper()
	if e.Client == nil {
		transport := &http.Transport{}
		t.Cleanup(transport.CloseIdleConnections)
		e.Client = &http.Client{Transport: transport}
	}
	e.Name, e.APIKey = "x", key
	c, err := New(e, http.Header{"Authorization": {"Bearer " + key}, "X-Api-Key": {key}})
	require.NoError(t, err)
	return c
}

func post(c *Client, ctx context.Context, path string, body []byte) (*Reply, error) {
	return c.Post(ctx, c.URL(path), body)
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func failure(t *testing.T, err error) *llm.Error {
	t.Helper()
	e, ok := errors.AsType[*llm.Error](err)
	require.True(t, ok, "%v", err)
	return e
}

// Keys and prompts go to no other origin; within the origin a redirect that
// keeps the method is followed.
func TestRedirects(t *testing.T) {
	elsewhere := 0
	other := serve(t, func(http.ResponseWriter, *http.Request) { elsewhere++ })
	for _, status := range []int{301, 302, 303, 307, 308} {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other+"/secret?key="+key, status) })
		_, err := post(newClient(t, llm.Endpoint{BaseURL: url}), t.Context(), "p", []byte("{}"))
		e := failure(t, err)
		assert.Equal(t, status, e.Status)
		assert.False(t, e.Retryable)
		assert.Equal(t, "a redirect to "+other+" was not followed", e.Message)
	}
	assert.Zero(t, elsewhere)

	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/a/p" {
			http.Redirect(w, r, "/b", http.StatusTemporaryRedirect)
			return
		}
		body, _ := io.ReadAll(r.Body)
		w.Write([]byte(r.Header.Get("X-Api-Key") + string(body)))
	})
	reply, err := post(newClient(t, llm.Endpoint{BaseURL: url + "/a"}), t.Context(), "p", []byte("{}"))
	require.NoError(t, err)
	assert.Equal(t, key+"{}", string(reply.Body))

	loop := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/p", http.StatusPermanentRedirect) })
	_, err = post(newClient(t, llm.Endpoint{BaseURL: loop}), t.Context(), "p", nil)
	assert.Equal(t, 308, failure(t, err).Status)
}

func TestURLs(t *testing.T) {
	var got string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { got = r.URL.String() })
	for base, want := range map[string]string{
		"": "/chat", "/": "/chat", "/v1": "/v1/chat", "/v1/": "/v1/chat", "/v1?api-version=2": "/v1/chat?api-version=2",
	} {
		_, err := post(newClient(t, llm.Endpoint{BaseURL: url + base}), t.Context(), "chat", nil)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

func TestBodyLimit(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bad" {
			w.WriteHeader(500)
		}
		w.Write([]byte(strings.Repeat(" ", 2000)))
	})
	c := newClient(t, llm.Endpoint{BaseURL: url, MaxResponse: 1000})
	_, err := post(c, t.Context(), "good", nil)
	e := failure(t, err)
	assert.Equal(t, llm.KindParse, e.Kind)
	assert.False(t, e.Retryable)
	assert.Equal(t, "the reply is larger than the limit of 1000 bytes", e.Message)
	_, err = post(c, t.Context(), "bad", nil)
	assert.Equal(t, 500, failure(t, err).Status, "the status counts, whatever the body")
	_, err = post(newClient(t, llm.Endpoint{BaseURL: url, MaxResponse: 2000}), t.Context(), "good", nil)
	assert.NoError(t, err)
}

func TestCertificateErrors(t *testing.T) {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = nil
	s.StartTLS()
	defer s.Close()
	_, err := post(newClient(t, llm.Endpoint{BaseURL: s.URL}), t.Context(), "p", nil)
	e := failure(t, err)
	assert.Equal(t, llm.KindNetwork, e.Kind)
	assert.False(t, e.Retryable)
	assert.Contains(t, e.Message, "certificate")
}

func TestNoConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l.Close()
	_, err = post(newClient(t, llm.Endpoint{BaseURL: "http://" + l.Addr().String()}), t.Context(), "p", nil)
	e := failure(t, err)
	assert.Equal(t, llm.KindNetwork, e.Kind)
	assert.True(t, e.Retryable)
	assert.Contains(t, e.Message, "refused")
}

// The text of a transport may quote anything, a header too.
type talkative struct{}

func (talkative) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, errors.New("cannot send " + r.Header.Get("Authorization"))
}

func TestTransportErrorsAreScrubbed(t *testing.T) {
	_, err := post(newClient(t, llm.Endpoint{BaseURL: "http://x", Client: &http.Client{Transport: talkative{}}}), t.Context(), "p", nil)
	e := failure(t, err)
	assert.NotContains(t, e.Error()+e.Cause.Error(), key)
	assert.Contains(t, e.Message, "[redacted]")
}

func TestTimeouts(t *testing.T) {
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body); <-r.Context().Done() })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := post(newClient(t, llm.Endpoint{BaseURL: url}), ctx, "p", nil)
	e := failure(t, err)
	assert.Equal(t, llm.KindTimeout, e.Kind)
	assert.True(t, e.Retryable)
	assert.ErrorIs(t, err, context.DeadlineExceeded)

	own := &http.Client{Timeout: 20 * time.Millisecond, Transport: &http.Transport{}}
	_, err = post(newClient(t, llm.Endpoint{BaseURL: url, Client: own}), t.Context(), "p", nil)
	assert.Equal(t, llm.KindTimeout, failure(t, err).Kind)
	assert.Nil(t, own.CheckRedirect, "the client that was given is left alone")
}

// A body that only the end of the connection ends may have been cut.
func TestUnframedBody(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			conn.Write([]byte("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"a\":"))
			conn.Close()
		}
	})
	c := newClient(t, llm.Endpoint{BaseURL: url})
	reply, err := post(c, t.Context(), "p", nil)
	require.NoError(t, err)
	e := failure(t, c.Decode(reply, &struct{}{}))
	assert.Equal(t, llm.KindNetwork, e.Kind)
	assert.True(t, e.Retryable)
}

// goAway speaks just enough HTTP/2 to leave in the middle of a request.
func goAway(conn net.Conn) {
	defer conn.Close()
	io.ReadFull(conn, make([]byte, len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")))
	conn.Write([]byte{0, 0, 0, 4, 0, 0, 0, 0, 0}) // SETTINGS
	for {
		head := make([]byte, 9)
		if _, err := io.ReadFull(conn, head); err != nil {
			return
		}
		size := int64(head[0])<<16 | int64(binary.BigEndian.Uint16(head[1:3]))
		io.CopyN(io.Discard, conn, size)
		if head[3] == 1 { // HEADERS: stream 1 was seen, and INTERNAL_ERROR
			conn.Write([]byte{0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2})
			return
		}
	}
}

func TestGoAway(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	go func() {
		conn, err := l.Accept()
		if err == nil {
			goAway(conn)
		}
	}()
	var h2 http.Protocols
	h2.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: &h2}
	defer transport.CloseIdleConnections()
	_, err = post(newClient(t, llm.Endpoint{BaseURL: "http://" + l.Addr().String(), Client: &http.Client{Transport: transport}}), t.Context(), "p", []byte("{}"))
	e := failure(t, err)
	assert.Equal(t, llm.KindNetwork, e.Kind)
	assert.True(t, e.Retryable)
	assert.Contains(t, e.Message, "GOAWAY")
}

// An error that came on a good status is classed by what it says of itself.
func TestFailureOnGoodStatus(t *testing.T) {
	c := newClient(t, llm.Endpoint{BaseURL: "http://x"})
	cases := []struct {
		body      string
		kind      llm.Kind
		status    int
		retryable bool
	}{
		{`{"type":"error","error":{"type":"overloaded_error","message":"m"}}`, llm.KindOverloaded, 529, true},
		{`{"error":{"type":"rate_limit_error","message":"m"}}`, llm.KindRateLimit, 429, true},
		{`{"error":{"code":502,"message":"m"}}`, llm.KindServer, 502, true},
		{`{"error":{"code":"503","message":"m"}}`, llm.KindServer, 503, true},
		{`{"error":{"code":402,"message":"m"}}`, llm.KindQuota, 402, false},
		{`{"error":{"code":"insufficient_quota","message":"m"}}`, llm.KindQuota, 200, false},
		{`{"error":{"type":"api_error","message":"m"}}`, llm.KindServer, 500, true},
		{`{"error":"m"}`, llm.KindServer, 200, false},
		{`{"error":{"type":"invalid_request_error","message":"m"}}`, llm.KindBadRequest, 400, false},
		{`{"error":{"type":"authentication_error","message":"m"}}`, llm.KindAuth, 401, false},
		{`{"error":{"status":"PERMISSION_DENIED","message":"m"}}`, llm.KindAuth, 403, false},
		{`{"error":{"status":"UNAVAILABLE","message":"m"}}`, llm.KindServer, 503, true},
		{`{"error":{"type":"odd","message":"m"}}`, llm.KindServer, 200, false},
	}
	for _, tc := range cases {
		e := c.Failure(&Reply{Status: 200, Body: []byte(tc.body)})
		assert.Equal(t, tc.kind, e.Kind, tc.body)
		assert.Equal(t, tc.status, e.Status, tc.body)
		assert.Equal(t, tc.retryable, e.Retryable, tc.body)
		assert.Equal(t, "m", e.Message, tc.body)
	}
}

func TestSanitize(t *testing.T) {
	for in, want := range map[string]string{
		`plain`:                   `plain`,
		`"\ud83d\ude00"`:          `"\ud83d\ude00"`,
		`"\uD83D\uDE00 \u00e9"`:   `"\uD83D\uDE00 \u00e9"`,
		`"\ud83d"`:                `"\ufffd"`,
		`"\ude00\ud83d"`:          `"\ufffd\ufffd"`,
		`"\ud83d\ud83d\ude00"`:    `"\ufffd\ud83d\ude00"`,
		`"\\ud83d"`:               `"\\ud83d"`,
		`"\\\ud83d"`:              `"\\\ufffd"`,
		`"\ud83`:                  `"\ud83`,
		`"\uzzzz"`:                `"\uzzzz"`,
		`{"n":12345678901234567}`: `{"n":12345678901234567}`,
	} {
		assert.Equal(t, want, Sanitize(in))
	}
}

func TestArguments(t *testing.T) {
	for in, want := range map[string]string{
		``: `{}`, `null`: `{}`, `""`: `{}`, `"  "`: `{}`, `{"a":1}`: `{"a":1}`, `"{\"a\":1}"`: `{"a":1}`,
		`"{broken"`: `{broken`, `"{\"n\":12345678901234567890}"`: `{"n":12345678901234567890}`,
	} {
		assert.Equal(t, want, Arguments(json.RawMessage(in)), in)
	}
	for in, want := range map[string]string{`{"a":1}`: `{"a":1}`, `{broken`: `{}`, `[1]`: `{}`, ``: `{}`} {
		assert.Equal(t, want, string(Object(in)))
	}
}

func TestSnippet(t *testing.T) {
	assert.Equal(t, "a b", snippet(" a\n\t b "))
	assert.Equal(t, "Bad Gateway", snippet("<!doctype html><title> Bad\nGateway </title><p>"))
	assert.Equal(t, "a <title>b</title>", snippet("a <title>b</title>"))
	long := snippet(strings.Repeat("é", 10000))
	assert.True(t, strings.HasSuffix(long, "é..."))
	assert.LessOrEqual(t, len(long), maxSnippet+3)
}

func TestLocationHasNoSecrets(t *testing.T) {
	e := llm.Endpoint{Name: "p", BaseURL: "http://127.0.0.1:1/v1?key=sk-hidden", APIKey: "sk-hidden"}
	c, err := New(e, nil)
	if err != nil {
		return // such a URL is refused, which will do
	}
	p := NewProvider(e, c, "chat")
	require.Equal(t, "http://127.0.0.1:1/v1/chat", p.Location())
}

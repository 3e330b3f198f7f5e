package ai_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm/llmtest"
)

func zipped(body string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(body))
	w.Close()
	return b.Bytes()
}

// One failure, then an answer, in both wire formats: what is retried answers at
// the second request, what is not fails at the first with these fields.
func TestFaults(t *testing.T) {
	quota := []byte(`{"error":{"message":"You exceeded your quota","type":"insufficient_quota","code":"insufficient_quota"}}`)
	cases := []struct {
		name   string
		reply  llmtest.Reply
		retry  bool
		kind   string
		status string
	}{
		{"rate limit", status(429), true, ":rate-limit", "429"},
		{"server", status(500), true, ":server", "500"},
		{"501", status(501), true, ":server", "501"},
		{"overloaded", status(529), true, ":overloaded", "529"},
		{"cloudflare", status(524), true, ":server", "524"},
		{"dropped", llmtest.Reply{Fault: llmtest.Drop}, true, ":network", "nil"},
		{"reset", llmtest.Reply{Fault: llmtest.Reset}, true, ":network", "nil"},
		{"body cut short", llmtest.Reply{Text: "x", Fault: llmtest.Short}, true, ":network", "nil"},
		{"html with 502", llmtest.Reply{Status: 502, Body: []byte("<html><title>Bad Gateway</title>" + strings.Repeat("<p>", 9999))}, true, ":server", "502"},
		{"bad request", status(400), false, ":bad-request", "400"},
		{"no key", status(401), false, ":auth", "401"},
		{"not allowed", status(403), false, ":auth", "403"},
		{"payment", status(402), false, ":quota", "402"},
		{"no model", status(404), false, ":not-found", "404"},
		{"conflict", status(409), false, ":bad-request", "409"},
		{"unprocessable", status(422), false, ":bad-request", "422"},
		{"quota as 429", llmtest.Reply{Status: 429, Body: quota}, false, ":quota", "429"},
		{"quota as 400", llmtest.Reply{Status: 400, Body: quota}, false, ":quota", "400"},
		{"too long", llmtest.Reply{Status: 400, Text: "prompt is too long: 200001 tokens > 200000 maximum"}, false, ":context-length", "400"},
		{"also too long", llmtest.Reply{Status: 400, Text: "This model's maximum context length is 8192 tokens."}, false, ":context-length", "400"},
		{"safety block", llmtest.Reply{Status: 400, Text: "no", Code: "content_filter"}, false, ":content-filter", "400"},
		{"error is text", llmtest.Reply{Status: 400, Body: []byte(`{"error":"just text"}`)}, false, ":bad-request", "400"},
		{"gzip error", llmtest.Reply{Status: 400, Body: zipped(`{"error":{"message":"packed"}}`), Header: http.Header{"Content-Encoding": {"gzip"}}}, false, ":bad-request", "400"},
		{"not JSON", llmtest.Reply{Body: []byte("<html>welcome to the wifi")}, false, ":parse", "200"},
		{"empty", llmtest.Reply{Body: []byte{}}, false, ":parse", "200"},
	}
	for _, c := range cases {
		for _, name := range []string{"openai", "anthropic"} {
			t.Run(name+" "+c.name, func(t *testing.T) {
				r := newRig(t)
				s := r.provider(name, c.reply, text("ok"))
				if !c.retry {
					assert.Equal(t, c.kind, r.field(`(llm/complete "x")`, ":kind"))
				} else {
					assert.Equal(t, `"ok"`, r.ok(`(llm/complete "x")`))
					assert.Equal(t, []int{250}, r.waits())
				}
				assert.Equal(t, "("+c.kind+" "+c.status+" :"+name+")",
					r.ok("(let ((a (first (llm/last-trace)))) (list (:kind a) (:status a) (:provider a)))"))
				sent := bodies(s)
				require.Len(t, sent, map[bool]int{true: 2, false: 1}[c.retry])
				assert.Equal(t, sent[0], sent[len(sent)-1], "a retry sends the same bytes")
			})
		}
	}
}

// The error of a call whose retries are spent has all its fields.
func TestErrorFields(t *testing.T) {
	r := newRig(t)
	s := r.provider("a", status(500), status(500), status(500), hint(429, "7"))
	r.checks(`
		(define e (try (llm/complete "x" {:model "m"}) (catch e e))) ; => nil
		(:type e) ; => :llm
		(:kind e) ; => :rate-limit
		(:provider e) ; => :a
		(:model e) ; => "m"
		(:status e) ; => 429
		(:code e) ; => "invalid_request_error"
		(:retry-after-ms e) ; => 7000
		(:partial e) ; => nil
		(:response e) ; => nil
		(:message e) ; => "a m: rate-limit (status 429): no (4 attempts)"
		(map (fn (a) (dissoc a :ms :model :provider)) (:attempts e)) ; => ({:kind :server :status 500 :wait-ms 250} {:kind :server :status 500 :wait-ms 500} {:kind :server :status 500 :wait-ms 1000} {:kind :rate-limit :status 429 :wait-ms 0})
		(= (:attempts e) (llm/last-trace)) ; => #t
		(keys (first (:attempts e))) ; => (:kind :model :ms :provider :status :wait-ms)
	`)
	assert.Len(t, s.Requests(), 4)
	assert.Equal(t, []int{250, 500, 1000}, r.waits())
}

// The paid part of a blocked reply goes with its error.
func TestBlockedReply(t *testing.T) {
	r := newRig(t)
	r.provider("a", llmtest.Reply{Body: []byte(`{"choices":[{"message":{"content":"par"},"finish_reason":"content_filter"}]}`)})
	r.checks(`
		(try (llm/complete "x") (catch e (list (:kind e) (:partial e) (:response e)))) ; => (:content-filter "par" "par")
	`)
}

// What the server's hint does: the waits, and what the error says of it. Chance
// makes the first backoff 250 ms, and a hint is a least wait.
func TestRetryAfter(t *testing.T) {
	cases := []struct {
		header string
		waits  []int  // nil: given up at once
		hint   string // in the error that is given up with
	}{
		{"0", []int{250}, ""},
		{"2", []int{2000}, ""},
		{"5.9", []int{5900}, ""},
		{" 3 ", []int{3000}, ""},
		{"45", []int{45000}, ""},
		{"120", []int{120000}, ""},
		{"-1", []int{250}, ""},
		{"NaN", []int{250}, ""},
		{"1e999", []int{250}, ""},
		{"", []int{250}, ""},
		{"soon", []int{250}, ""},
		{"99999999999999999999", []int{250}, ""},
		{"121", nil, "121000"},
		{"300", nil, "300000"},
		{"9000000000000000", nil, "9223372036855"}, // as long as can be counted
		{"Fri, 31 Dec 9999 23:59:59 GMT", nil, "9223372036855"},
		{"Thu, 01 Jan 1970 00:00:00 GMT", []int{250}, ""},
	}
	for _, c := range cases {
		t.Run(c.header, func(t *testing.T) {
			r := newRig(t)
			s := r.provider("a", hint(429, c.header), text("ok"))
			if c.waits == nil {
				assert.Equal(t, c.hint, r.field(`(llm/complete "x")`, ":retry-after-ms"))
				assert.Empty(t, r.waits())
				assert.Len(t, s.Requests(), 1)
				return
			}
			assert.Equal(t, `"ok"`, r.ok(`(llm/complete "x")`))
			assert.Equal(t, c.waits, r.waits())
		})
	}
}

func TestHintSources(t *testing.T) {
	retryInfo := `{"error":{"code":429,"message":"Please retry in 33s","status":"RESOURCE_EXHAUSTED","details":[{"@type":"x/google.rpc.RetryInfo","retryDelay":"45.837906927s"}]}}`
	both := llmtest.Reply{Status: 429, Text: "no", Header: http.Header{"Retry-After": {"9"}, "Retry-After-Ms": {"1500"}}}
	for name, c := range map[string]struct {
		reply   llmtest.Reply
		options string
		wait    int
	}{
		"milliseconds go first":    {both, "", 1500},
		"the body's hint":          {llmtest.Reply{Status: 429, Body: []byte(retryInfo)}, "", 45837},
		"the header, not the text": {llmtest.Reply{Status: 429, Text: "try again in 33 s", Header: http.Header{"Retry-After": {"2"}}}, "", 2000},
		"the header, not the body": {llmtest.Reply{Status: 429, Body: []byte(retryInfo), Header: http.Header{"Retry-After": {"2"}}}, "", 2000},
		"also at 503":              {hint(503, "4"), "", 4000},
		"a cap of its own":         {hint(429, "300"), ":retry-after-cap-ms 400000", 300000},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.provider("a", c.reply, text("ok"))
			assert.Equal(t, `"ok"`, r.ok(fmt.Sprintf(`(llm/complete "x" {%s})`, c.options)))
			assert.Equal(t, []int{c.wait}, r.waits())
		})
	}
	r := newRig(t)
	r.provider("a", hint(429, "3"))
	assert.Equal(t, "3000", r.field(`(llm/complete "x" {:retry-after-cap-ms 1000})`, ":retry-after-ms"))
	assert.Empty(t, r.waits())
}

// Hints when another provider stands by: beyond 30 s it is asked at once.
func TestHintsInAChain(t *testing.T) {
	for header, waits := range map[string][]int{"30": {30000}, "31": {}, "45": {}, "300": {}} {
		r := newRig(t)
		r.provider("b", text("from b"))
		r.provider("a", hint(429, header), text("from a"))
		want := map[bool]string{true: `"from a"`, false: `"from b"`}[len(waits) > 0]
		assert.Equal(t, want, r.ok(`(llm/with-fallback [:a :b] (fn () (llm/complete "x")))`), header)
		assert.Equal(t, waits, r.waits())
	}
}

func TestBackoff(t *testing.T) {
	for options, waits := range map[string][]int{
		"":                            {250, 500, 1000},
		":retries 0":                  {},
		":retries 1":                  {250},
		":retries 8 :retry-base-ms 2": {1, 2, 4, 8, 16, 32, 64, 128},
		":retries 8":                  {250, 500, 1000, 2000, 4000, 8000, 15000, 15000},
		":retry-cap-ms 600":           {250, 300, 300},
		":retry-cap-ms 0":             {},
		":retry-base-ms 0":            {},
	} {
		r := newRig(t)
		s := r.repeating("a", status(503))
		assert.Equal(t, "503", r.field(fmt.Sprintf(`(llm/complete "x" {%s})`, options), ":status"))
		assert.Equal(t, waits, r.waits(), options)
		retries := map[string]int{":retries 0": 0, ":retries 1": 1, ":retries 8": 8, ":retries 8 :retry-base-ms 2": 8}
		want, given := retries[options]
		if !given {
			want = 3
		}
		assert.Len(t, s.Requests(), 1+want, options)
	}
}

// An attempt that takes too long is made again, with the same bytes.
func TestAttemptTimeout(t *testing.T) {
	for _, call := range []string{`(llm/complete "x" {:timeout 30})`, `(llm/with-retry {:timeout 30} (fn () (llm/complete "x")))`} {
		r := newRig(t)
		s := r.provider("a", llmtest.Reply{Text: "late", Delay: time.Minute}, text("ok"))
		assert.Equal(t, `"ok"`, r.ok(call))
		sent := bodies(s)
		require.Len(t, sent, 2)
		assert.Equal(t, sent[0], sent[1])
		assert.Equal(t, "(:timeout nil)", r.ok("(map :kind (llm/last-trace))"))
	}
}

// A lone surrogate spoils neither this request nor the session.
func TestLoneSurrogate(t *testing.T) {
	r := newRig(t)
	s := r.repeating("a", text("ok"))
	require.NoError(t, r.define("broken", "x\xed\xa0\xbdy"))
	assert.Equal(t, `"ok"`, r.ok(`(llm/complete broken)`))
	assert.Contains(t, bodies(s)[0], `"content":"x\ufffd\ufffd\ufffdy"`)
}

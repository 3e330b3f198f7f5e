package ai_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/llm/llmtest"
)

// client defines c, a client of a server that plays the replies.
func (r *rig) client(options string, replies ...llmtest.Reply) *llmtest.Server {
	r.t.Helper()
	return r.clientOf(options, llmtest.Script{Replies: replies})
}

func (r *rig) clientOf(options string, script llmtest.Script) *llmtest.Server {
	r.t.Helper()
	s, err := llmtest.Start(llmtest.Config{Script: script})
	require.NoError(r.t, err)
	r.t.Cleanup(s.Close)
	r.ok(fmt.Sprintf(`(define c (client/create-client {:base-url %q :model "m" :api-key %q %s}))`, s.URL+"/v1", canary, options))
	return s
}

// run runs the client once: the status of its answer, or of its failure.
func (r *rig) run() string {
	r.t.Helper()
	return r.ok(`(try (:status (client/run c "hi")) (catch e (or (:status e) (:error e))))`)
}

func rand0(c *ai.Config) { c.Env.Rand = func() float64 { return 0 } }

func rand1(c *ai.Config) { c.Env.Rand = func() float64 { return 0.9999 } }

// Without :retries there is one try. A number of retries is a number of extra
// attempts.
func TestClientRetriesAreExtraAttempts(t *testing.T) {
	for options, requests := range map[string]int{"": 1, ":retries 0": 1, ":retries 1": 2, ":retries 3": 4, ":retries nil": 1} {
		r := newRig(t)
		s := r.clientOf(options, llmtest.Script{Replies: []llmtest.Reply{status(503)}, Then: llmtest.Repeat})
		assert.Equal(t, "503", r.run(), options)
		assert.Len(t, s.Requests(), requests, options)
	}
}

// These statuses are retried by default and no others: a list, not every 5xx.
func TestClientDefaultStatuses(t *testing.T) {
	retried := map[int]bool{429: true, 500: true, 502: true, 503: true, 504: true, 529: true}
	all := []int{400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 418, 422, 425, 429, 451}
	for n := 500; n <= 530; n++ {
		all = append(all, n)
	}
	for _, n := range all {
		r := newRig(t)
		s := r.client(":retries 2", status(n), text("ok"))
		if retried[n] {
			assert.Equal(t, `"done"`, r.run(), n)
			assert.Len(t, s.Requests(), 2, n)
			continue
		}
		assert.Equal(t, fmt.Sprint(n), r.run(), n)
		assert.Len(t, s.Requests(), 1, "no retry is spent on %d", n)
		assert.Empty(t, r.waits())
	}
}

// The code in a body does not count, only the status.
func TestClientKnowsNoCodes(t *testing.T) {
	r := newRig(t)
	s := r.client(":retries 1", llmtest.Reply{Status: 429, Code: "insufficient_quota", Text: "no money"}, text("ok"))
	assert.Equal(t, `"done"`, r.run())
	assert.Len(t, s.Requests(), 2)
}

// A failure without a response is retried.
func TestClientTransportFailures(t *testing.T) {
	for _, fault := range []llmtest.Fault{llmtest.Drop, llmtest.Reset, llmtest.Short} {
		r := newRig(t)
		s := r.client(":retries 1 :on-error (fn (i) (println (:status i) (:retryable? i) (:error i)) (if (:retryable? i) :retry :fail))",
			llmtest.Reply{Fault: fault, Text: "half"}, text("ok"))
		assert.Equal(t, `"done"`, r.run(), fault)
		assert.Len(t, s.Requests(), 2)
		assert.Equal(t, "nil #t :connection\n", r.out.String(), fault)
	}
	r := newRig(t)
	r.clientOf("", llmtest.Script{Replies: []llmtest.Reply{{Fault: llmtest.Drop}}, Then: llmtest.Repeat})
	assert.Equal(t, ":connection", r.run(), "without a status the error says why")
}

// Wait n is the base times two to the n, plus 0 to 99 ms, and has no cap.
func TestClientBackoff(t *testing.T) {
	for _, c := range []struct {
		name    string
		options string
		rand    func(*ai.Config)
		waits   []int
	}{
		{"least", "", rand0, []int{500, 1000, 2000}},
		{"most", "", rand1, []int{599, 1099, 2099}},
		{"base", ":retry-base-ms 20", rand0, []int{20, 40, 80}},
		{"no base", ":retry-base-ms 0", rand1, []int{99, 99, 99}},
		{"no cap", ":retry-base-ms 60000", rand0, []int{60_000, 120_000, 240_000}},
	} {
		r := newRig(t, c.rand)
		r.clientOf(":retries 3 "+c.options, llmtest.Script{Replies: []llmtest.Reply{status(503)}, Then: llmtest.Repeat})
		r.run()
		assert.Equal(t, c.waits, r.waits(), c.name)
	}
}

// Seconds in Retry-After replace the backoff, 0 too; a date and what is no number
// do not.
func TestClientRetryAfter(t *testing.T) {
	for _, c := range []struct {
		header string
		waits  []int
	}{
		{"7", []int{7000}}, {"0", []int{}}, {"300", []int{300_000}}, {" 3 ", []int{3000}},
		{"Fri, 31 Dec 9999 23:59:59 GMT", []int{500}}, {time.Now().Add(time.Hour).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT"), []int{500}},
		{"", []int{500}}, {"-1", []int{500}}, {"soon", []int{500}}, {"1e3", []int{500}}, {"99999999999999999999", []int{500}},
	} {
		for _, code := range []int{429, 503, 520} {
			r := newRig(t, rand0)
			r.client(":retries 1 :retryable-statuses [520]", hint(code, c.header), text("ok"))
			assert.Equal(t, `"done"`, r.run())
			assert.Equal(t, c.waits, r.waits(), "%d %q", code, c.header)
		}
	}
}

// Two rate limits and an answer cost three calls; a bad request costs one.
func TestClientSurvivesRateLimits(t *testing.T) {
	r := newRig(t, rand0)
	s := r.client(":retries 3", status(429), status(429), text("ok"))
	assert.Equal(t, `"done"`, r.run())
	assert.Len(t, s.Requests(), 3)
	assert.Equal(t, []int{500, 1000}, r.waits())
	s = r.client(":retries 3", status(400), text("ok"))
	assert.Equal(t, "400", r.run())
	assert.Len(t, s.Requests(), 1)
}

// Listed statuses come on top of the default set, which stays whole.
func TestClientRetryableStatuses(t *testing.T) {
	for _, options := range []string{":retryable-statuses [520 521 522 523 524 525 526 527]", ":retryable-statuses '(520 524)"} {
		for code, requests := range map[int]int{520: 2, 524: 2, 429: 2, 500: 2, 502: 2, 503: 2, 504: 2, 529: 2, 501: 1, 409: 1} {
			r := newRig(t)
			s := r.client(":retries 3 "+options, status(code), text("ok"))
			r.run()
			assert.Len(t, s.Requests(), requests, "%s %d", options, code)
		}
	}
	r := newRig(t)
	s := r.client(`:retries 3 :retryable-statuses [520] :on-error (fn (i) (println (:retryable? i)) :fail)`, status(520), text("ok"))
	assert.Equal(t, "520", r.run(), "the classifier has the last word")
	assert.Len(t, s.Requests(), 1)
	assert.Equal(t, "#t\n", r.out.String(), "the listed status changed the default verdict")
}

// The classifier is asked about every failed attempt, the last one too.
func TestClientOnErrorIsTold(t *testing.T) {
	r := newRig(t)
	r.checks(`
		(define infos '()) ; => nil
		(define (keep i) (set! infos (append infos (list i))) :retry) ; => nil
	`)
	r.clientOf(":retries 2 :on-error keep", llmtest.Script{Replies: []llmtest.Reply{status(503), {Fault: llmtest.Drop}, status(418)}})
	r.checks(`
		(:status (try (client/run c "hi") (catch e e))) ; => 418
		(map :status infos) ; => (503 nil 418)
		(map :attempt infos) ; => (0 1 2)
		(map :retryable? infos) ; => (#t #t #f)
		(string/contains? (:error (first infos)) "\"message\":\"no\"") ; => #t
		(:error (nth infos 1)) ; => :connection
	`)
}

// There are two verdicts: :retry, and anything else. Retries bound both.
func TestClientVerdicts(t *testing.T) {
	for _, c := range []struct {
		verdict  string
		status   int
		requests int
	}{
		{":retry", 400, 3}, {":retry", 503, 3}, {":fail", 503, 1}, {"nil", 503, 1}, {"#t", 503, 1}, {`"retry"`, 503, 1}, {"'retry", 503, 1},
		{":suspend", 503, 1}, {":pending", 503, 1}, {"(cond (#f :retry))", 503, 1}, {"{:verdict :retry}", 503, 1},
	} {
		r := newRig(t)
		s := r.clientOf(":retries 2 :on-error (fn (i) "+c.verdict+")", llmtest.Script{Replies: []llmtest.Reply{status(c.status)}, Then: llmtest.Repeat})
		assert.Equal(t, fmt.Sprint(c.status), r.run(), c.verdict)
		assert.Len(t, s.Requests(), c.requests, c.verdict)
	}
	r := newRig(t)
	s := r.clientOf(":on-error (fn (i) :retry)", llmtest.Script{Replies: []llmtest.Reply{status(503)}, Then: llmtest.Repeat})
	assert.Equal(t, "503", r.run())
	assert.Len(t, s.Requests(), 1, "no budget, no retry")
}

// What the classifier raises ends the run as that error.
func TestClientOnErrorRaises(t *testing.T) {
	r := newRig(t)
	s := r.client(`:retries 3 :on-error (fn (i) (throw {:mine (:status i)}))`, status(503), text("ok"))
	r.checks(`
		(define e (try (client/run c "hi") (catch e e))) ; => nil
		(:value e) ; => {:mine 503}
		(:status (:cause e)) ; => 503
	`)
	assert.Len(t, s.Requests(), 1)
}

// The final error says what was tried, and has :status, or :error without one.
func TestClientFinalError(t *testing.T) {
	r := newRig(t)
	r.clientOf(":retries 1", llmtest.Script{Replies: []llmtest.Reply{hint(429, "2")}, Then: llmtest.Repeat})
	r.checks(`
		(define e (try (client/run c "hi") (catch e e))) ; => nil
		(:type e) ; => :llm
		(:status e) ; => 429
		(:kind e) ; => :rate-limit
		(string/contains? (:error e) "\"message\":\"no\"") ; => #t
		(:retry-after-ms e) ; => 2000
		(map :status (:attempts e)) ; => (429 429)
		(map :wait-ms (:attempts e)) ; => (2000 0)
		(map :status (llm/last-trace)) ; => (429 429)
		(client/run c "hi") ; !! openai m: rate-limit (status 429): no (2 attempts)
	`)
	r.client("", llmtest.Reply{Fault: llmtest.Drop})
	r.checks(`
		(define e (try (client/run c "hi") (catch e e))) ; => nil
		(:status e) ; => nil
		(:error e) ; => :connection
	`)
}

// A time that runs out is data for the classifier, and one more failure to retry.
func TestClientTimeout(t *testing.T) {
	r := newRig(t)
	late := llmtest.Reply{Text: "late", Delay: time.Hour}
	s := r.client(":timeout-ms 30 :retries 1 :on-error (fn (i) (println (:status i) (:error i) (:retryable? i)) :retry)", late, text("ok"))
	assert.Equal(t, `"done"`, r.run())
	assert.Len(t, s.Requests(), 2)
	assert.Equal(t, "nil :timeout #t\n", r.out.String())
	s = r.clientOf(":timeout-ms 30 :retries 1", llmtest.Script{Replies: []llmtest.Reply{late}, Then: llmtest.Repeat})
	assert.Equal(t, ":timeout", r.run())
	assert.Len(t, s.Requests(), 2, "it bounds each call")
}

// The policy is the client's own: scopes and settings of llm/* do not reach it.
func TestClientPolicyIsItsOwn(t *testing.T) {
	r := newRig(t)
	other := r.repeating("a", text("from a"))
	s := r.clientOf("", llmtest.Script{Replies: []llmtest.Reply{status(503)}, Then: llmtest.Repeat})
	r.checks(`
		(llm/with-retry {:retries 5 :on-error (fn (i) (println "asked") :retry)} (fn () (client/run c "hi"))) ; !! 503
		(llm/with-fallback [:a] (fn () (client/run c "hi"))) ; !! 503
	`)
	assert.Len(t, s.Requests(), 2)
	assert.Empty(t, other.Requests())
	assert.Empty(t, r.out.String())
	r.clientOf("", llmtest.Script{Replies: []llmtest.Reply{paid("ok", 5)}, Then: llmtest.Repeat})
	r.checks(`
		(llm/with-deadline 0 (fn () (client/run c "hi"))) ; !! deadline
		(llm/with-budget {:max-tokens 3} (fn () (client/run c "hi") 1)) ; !! budget
	`)
}

// Styles are wire formats; each answers, calls tools and keeps the key to its
// header.
func TestClientStyles(t *testing.T) {
	for style, dialect := range map[string]llmtest.Dialect{`"openai"`: llmtest.OpenAI, ":openai": llmtest.OpenAI, "nil": llmtest.OpenAI,
		`"anthropic"`: llmtest.Anthropic, `"gemini"`: llmtest.Gemini} {
		r := newRig(t)
		s := r.client(`:style `+style+` :system-prompt "Be terse." :headers {"X-Trace" "t1"}`, asks("f", `{"n":1}`), text("ok"))
		r.checks(`
			(define r (client/run c "hi" {:toolkit [{:name "f" :parameters {:n :integer} :fn (fn (n) (* n 41))}]})) ; => nil
			(list (:text r) (:turns r) (:model r) (map :output (:tool-calls r))) ; => ("ok" 2 "m" ("41"))
		`)
		require.Len(t, s.Requests(), 2, style)
		for _, q := range s.Requests() {
			assert.Equal(t, dialect, q.Dialect, style)
			assert.Equal(t, "t1", q.Header.Get("X-Trace"))
			assert.Contains(t, string(q.Body), "Be terse.")
		}
		assert.Contains(t, bodies(s)[1], "41")
		assert.NotContains(t, strings.Join(bodies(s), ""), canary)
	}
}

// The key of the environment goes to its provider's own address only.
func TestClientKeyOfTheEnvironment(t *testing.T) {
	var seen []string
	keys := func(c *ai.Config) {
		c.Getenv = func(name string) string {
			if name == "ANTHROPIC_API_KEY" {
				return canary
			}
			return ""
		}
	}
	r := newRig(t, keys)
	for base, want := range map[string]string{"https://api.anthropic.com": "#t", "https://API.anthropic.com/v1": "#t", "https://gateway.internal": "#f", "http://api.anthropic.com": "#f",
		"https://api.anthropic.com.evil.example": "#f"} {
		got := r.ok(fmt.Sprintf(`(define key? #f)
			(define c (client/create-client {:base-url %q :style "anthropic" :model "m" :http-client
				(fn (url headers body) (set! key? (contains? headers "x-api-key")) {:status 200 :body "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}"})}))
			(client/run c "hi") key?`, base))
		assert.Equal(t, want, got, base)
		seen = append(seen, r.ok("c"), r.ok("(str (client/metrics c))"))
	}
	assert.NotContains(t, strings.Join(seen, ""), canary)
}

func TestClientKeyIsNeverShown(t *testing.T) {
	r := newRig(t)
	r.clientOf(":retries 1", llmtest.Script{Replies: []llmtest.Reply{{Status: 401, Text: "bad key " + canary}}, Then: llmtest.Repeat})
	shown := []string{r.ok("c"), r.ok("(str c)"), r.ok("(client/metrics c)"), r.ok(`(try (client/run c "x") (catch e (str e)))`), r.ok("(llm/explain)"),
		r.fails(`(client/run c "x")`).Render()}
	for _, wrong := range []string{`(client/create-client "%s")`, `(client/create-client {:base-url "http://x" :model "m" :api-key (list "%s")})`,
		`(client/create-client {:base-url "http://%s@x" :model "m"})`, `(client/create-client {:base-url "http://x" :model "m" :api-key "%s\n"})`} {
		e := r.fails(fmt.Sprintf(wrong, canary)) // not rendered: that shows the program
		shown = append(shown, e.Error(), e.Hint, e.Note)
	}
	assert.NotContains(t, strings.Join(shown, "\n"), canary)
}

// A run inside llm/with-cassette is recorded, tool calls and all, and replayed
// without a request.
func TestClientCassette(t *testing.T) {
	r := newRig(t)
	path := t.TempDir() + "/tape.jsonl"
	s := r.client("", asks("f", `{"n":1}`), text("ok"))
	src := fmt.Sprintf(`(:text (llm/with-cassette %q {:mode :auto} (fn () (client/run c "go" {:toolkit [{:name "f" :parameters {:n :integer} :fn (fn (n) n)}]}))))`, path)
	assert.Equal(t, `"ok"`, r.ok(src))
	assert.Equal(t, `"ok"`, r.ok(src))
	assert.Len(t, s.Requests(), 2)
	assert.NotContains(t, string(readFile(t, path)), canary)
}

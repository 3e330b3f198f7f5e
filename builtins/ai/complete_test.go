package ai_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

func TestDocs(t *testing.T) {
	for _, b := range ai.Builtins() {
		t.Run(b.Name, func(t *testing.T) {
			assert.Regexp(t, `^\(`+regexp.QuoteMeta(b.Name)+`[ )]`, b.Doc)
			if b.NoRun == "" {
				require.NotEmpty(t, b.Example)
				newRig(t).checks(b.Example)
			}
		})
	}
}

// What a program asks for is what goes over the wire, byte for byte.
func TestRequests(t *testing.T) {
	const hi = `"messages":[{"role":"user","content":"hi"}]`
	cases := []struct{ call, body string }{
		{`(llm/complete "hi")`, `{"model":"model-a",` + hi + `}`},
		{`(llm/complete "hi" nil)`, `{"model":"model-a",` + hi + `}`},
		{`(llm/complete "hi" {:model "other" :max-tokens 50 :temperature 0.3 :reasoning-effort :low :stop-sequences ["END"]})`,
			`{"model":"other",` + hi + `,"max_tokens":50,"temperature":0.3,"stop":["END"],"reasoning_effort":"low"}`},
		{`(llm/complete "hi" {:temperature 0})`, `{"model":"model-a",` + hi + `,"temperature":0}`},
		{`(llm/complete "hi" {:tags [:a "b"] :metadata {:user 7} :timeout 1000 :retries 2 :model nil})`, `{"model":"model-a",` + hi + `}`},
		{`(llm/complete "hi" {:system "be brief"})`, `{"model":"model-a","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hi"}]}`},
		{`(llm/chat (list {:role :system :content "be brief"} {:role :user :content "a"} {:role "assistant" :content "b"} {:role :user :content "c"}))`,
			`{"model":"model-a","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`},
		{`(llm/complete [{:role :user :content "hi"}])`, `{"model":"model-a",` + hi + `}`},
		{`(llm/complete "tab\t \"quoted\" \\ é 😀 <&>\n")`, `{"model":"model-a","messages":[{"role":"user","content":"tab\t \"quoted\" \\ é 😀 <&>\n"}]}`},
		{`(llm/complete "")`, `{"model":"model-a","messages":[{"role":"user","content":""}]}`},
	}
	for _, c := range cases {
		r := newRig(t)
		s := r.provider("a", text("ok"))
		assert.Equal(t, `"ok"`, r.ok(c.call))
		require.Len(t, s.Requests(), 1)
		got := s.Requests()[0]
		assert.Equal(t, c.body, string(got.Body), c.call)
		assert.Equal(t, "/v1/chat/completions", got.Path)
		assert.Equal(t, "[redacted]", got.Header.Get("Authorization"))
		assert.Equal(t, "application/json", got.Header.Get("Content-Type"))
	}
}

// Every wrong call is refused before the first request, with an error that
// says what it is about.
func TestWrongCalls(t *testing.T) {
	r := newRig(t)
	s := r.provider("a")
	r.checks(`
		(llm/complete) ; !! llm/complete expects 1 to 2 arguments, got 0
		(llm/complete 5) ; !! expected a prompt: a string, or a list of messages, got 5
		(llm/complete nil) ; !! expected a prompt
		(llm/complete '()) ; !! there is no message to send
		(llm/complete (list {:role :system :content "x"})) ; !! there is no message to send
		(llm/complete '(1)) ; !! expected a message {:role :user :content "..."}, got 1
		(llm/complete (list {:role :user})) ; !! expected a message
		(llm/complete (list {:role :robot :content "x"})) ; !! the role :user, :assistant or :system, got :robot
		(llm/complete "x" 5) ; !! expected a map of options for llm/complete, got 5
		(llm/complete "x" {"model" "m"}) ; !! options of llm/complete to be keywords
		(llm/complete "x" {:retires 2}) ; !! did you mean :retries?
		(llm/complete "x" {:max-token 2}) ; !! did you mean :max-tokens?
		(llm/complete "x" {:banana 2}) ; !! its options are :model :max-tokens
		(llm/complete "x" {:model :m}) ; !! expected a string for the option :model, got :m
		(llm/complete "x" {:max-tokens 0}) ; !! a number of tokens above 0 for the option :max-tokens, got 0
		(llm/complete "x" {:max-tokens -1}) ; !! :max-tokens
		(llm/complete "x" {:max-tokens 1.5}) ; !! an integer for the option :max-tokens
		(llm/complete "x" {:temperature "hot"}) ; !! :temperature
		(llm/complete "x" {:temperature -1}) ; !! :temperature must be a number of at least 0, got -1
		(llm/complete "x" {:temperature math/nan}) ; !! :temperature
		(llm/complete "x" {:system 5}) ; !! :system
		(llm/complete "x" {:stop-sequences "END"}) ; !! a list or a vector for the option :stop-sequences
		(llm/complete "x" {:stop-sequences [1]}) ; !! a list of strings for the option :stop-sequences
		(llm/complete "x" {:metadata 1}) ; !! :metadata
		(llm/complete "x" {:reasoning-effort 1}) ; !! :reasoning-effort
		(llm/complete "x" {:retries -1}) ; !! a whole number of extra attempts, 0 or more, for the option :retries, got -1
		(llm/complete "x" {:retries 0.5}) ; !! for the option :retries, got 0.5
		(llm/complete "x" {:retries math/nan}) ; !! for the option :retries, got NaN
		(llm/complete "x" {:retries math/infinity}) ; !! for the option :retries
		(llm/complete "x" {:retries "3"}) ; !! for the option :retries, got "3"
		(llm/complete "x" {:retries 100000000000000000000}) ; !! for the option :retries
		(llm/complete "x" {:retry-base-ms -1}) ; !! not negative for the option :retry-base-ms
		(llm/complete "x" {:retry-cap-ms "x"}) ; !! :retry-cap-ms
		(llm/complete "x" {:retry-after-cap-ms math/nan}) ; !! :retry-after-cap-ms
		(llm/complete "x" {:timeout -5}) ; !! not negative for the option :timeout, got -5
		(llm/complete "x" {:deadline-ms -5}) ; !! not negative for the option :deadline-ms
		(llm/complete "x" {:retryable-statuses 409}) ; !! :retryable-statuses
		(llm/complete "x" {:retryable-statuses [99]}) ; !! a list of HTTP statuses for the option :retryable-statuses
		(llm/complete "x" {:retryable-statuses [:all]}) ; !! :retryable-statuses
		(llm/complete "x" {:on-error 5}) ; !! expected a function for the option :on-error, got 5
		(llm/complete "x" {:on-error :retry}) ; !! expected a function for the option :on-error, got :retry
		(llm/complete "x" {:on-error {409 :retry}}) ; !! expected a function for the option :on-error
		(llm/complete "x" {:on-retry "f"}) ; !! expected a function for the option :on-retry
		(llm/with-retry {:retries -1} (fn () (llm/complete "x"))) ; !! for the option :retries
		(llm/with-retry {:max-tokens 1} (fn () 1)) ; !! llm/with-retry has no option :max-tokens
		(llm/with-retry {:retris 1} (fn () 1)) ; !! did you mean :retries?
		(llm/with-retry {} 5) ; !! expected a function without parameters
		(llm/with-retry {} :key) ; !! expected a function without parameters
		(llm/with-retry 5 (fn () 1)) ; !! expected a map of options for llm/with-retry
		(llm/with-deadline -1 (fn () 1)) ; !! expected a number of milliseconds that is not negative, got -1
		(llm/with-deadline math/nan (fn () 1)) ; !! milliseconds
		(llm/with-deadline "1" (fn () 1)) ; !! milliseconds
		(llm/with-deadline 5 {}) ; !! expected a function without parameters
		(llm/with-rate-limit 0 (fn () 1)) ; !! expected a rate above 0, in requests a second, or a map
		(llm/with-rate-limit -1 (fn () 1)) ; !! a rate above 0
		(llm/with-rate-limit math/nan (fn () 1)) ; !! a rate above 0
		(llm/with-rate-limit math/infinity (fn () 1)) ; !! a rate above 0
		(llm/with-rate-limit "5" (fn () 1)) ; !! a rate above 0
		(llm/with-rate-limit nil (fn () 1)) ; !! a rate above 0
		(llm/with-rate-limit {} (fn () 1)) ; !! needs one of :rps :rpm :tpm :concurrency
		(llm/with-rate-limit {:burst 2} (fn () 1)) ; !! needs one of :rps :rpm :tpm :concurrency
		(llm/with-rate-limit {:rsp 2} (fn () 1)) ; !! did you mean :rps?
		(llm/with-rate-limit {:rps 0} (fn () 1)) ; !! a rate above 0 for the option :rps, got 0
		(llm/with-rate-limit {:rpm math/infinity} (fn () 1)) ; !! a finite number for the option :rpm
		(llm/with-rate-limit {:tpm -5} (fn () 1)) ; !! :tpm
		(llm/with-rate-limit {:rps 1 :burst 0} (fn () 1)) ; !! a whole number above 0 for the option :burst, got 0
		(llm/with-rate-limit {:concurrency 0.5} (fn () 1)) ; !! :concurrency
		(llm/with-rate-limit 5 5) ; !! expected a function without parameters
		(llm/with-fallback [] (fn () 1)) ; !! llm/with-fallback needs at least one provider
		(llm/with-fallback nil (fn () 1)) ; !! expected a list of providers
		(llm/with-fallback :a (fn () 1)) ; !! expected a list of providers, such as [:anthropic
		(llm/with-fallback ["a"] (fn () 1)) ; !! expected a chain entry: :provider, [:provider "model"] or {:provider :name :model "..."}, got "a"
		(llm/with-fallback [[]] (fn () 1)) ; !! expected a chain entry
		(llm/with-fallback [[:a "m" "n"]] (fn () 1)) ; !! expected a chain entry
		(llm/with-fallback [[:a :m]] (fn () 1)) ; !! expected a chain entry
		(llm/with-fallback [:a nil] (fn () 1)) ; !! expected a chain entry
		(llm/with-fallback [{:model "m"}] (fn () 1)) ; !! expected a chain entry
		(llm/with-fallback [{:provider :a :modle "m"}] (fn () 1)) ; !! did you mean :model?
		(llm/with-fallback [:a] (fn () 1) {:on [:server :sever]}) ; !! a kind of failure such as :rate-limit or :server in :on, got :sever
		(llm/with-fallback [:a] (fn () 1) {:on :server}) ; !! a list or a vector for the option :on
		(llm/with-fallback [:a] (fn () 1) {:on []}) ; !! :on is empty
		(llm/with-fallback [:a] (fn () 1) {:when [:server]}) ; !! has no option :when
		(llm/with-fallback [:a] 5) ; !! expected a function without parameters
	`)
	assert.Empty(t, s.Requests())
}

// The options that are good, at their limits.
func TestRightCalls(t *testing.T) {
	r := newRig(t)
	r.repeating("a", text("ok"))
	r.checks(`
		(llm/complete "x" {:retries 0}) ; => "ok"
		(llm/complete "x" {:retries 3.0 :retryable-statuses '(409.0 418)}) ; => "ok"
		(llm/complete "x" {:retry-base-ms 0 :retry-cap-ms 0 :retry-after-cap-ms 0}) ; => "ok"
		(llm/complete "x" {:timeout 0}) ; => "ok"
		(llm/complete "x" {:on-error nil :on-retry nil :retries nil}) ; => "ok"
		(llm/complete "x" {:on-error list :on-retry (fn (i) i)}) ; => "ok"
		(llm/with-retry {} (fn () 1)) ; => 1
		(llm/with-retry nil (fn () (llm/complete "x"))) ; => "ok"
		(llm/with-fallback '(:a (:b "m") [:c nil]) (fn () 1) nil) ; => 1
		(llm/with-rate-limit 1/2 (fn () (llm/complete "x"))) ; => "ok"
		(llm/with-deadline 1e15 (fn () 1)) ; !! milliseconds
		(llm/with-deadline 1000.5 (fn () (llm/complete "x"))) ; => "ok"
	`)
}

func TestUsageAndTrace(t *testing.T) {
	r := newRig(t)
	r.provider("a", status(500), llmtest.Reply{Text: "ok", Usage: &llm.Usage{InputTokens: 7, CacheReadTokens: 3, OutputTokens: 5}},
		text("ok"), status(400), llmtest.Reply{Body: []byte(`{"model":"x","choices":[{"message":{"content":"par"},"finish_reason":"content_filter"}],
			"usage":{"prompt_tokens":1,"completion_tokens":2}}`)})
	r.checks(`
		(llm/last-trace) ; => ()
		(llm/last-usage) ; => nil
		(llm/complete "x") ; => "ok"
		(llm/last-usage) ; => {:cache-creation-tokens 0 :cache-read-tokens 3 :completion-tokens 5 :cost-usd nil :model "model-a" :prompt-tokens 10 :total-tokens 15}
		(map (fn (a) (dissoc a :ms)) (llm/last-trace)) ; => ({:kind :server :model "model-a" :provider :a :status 500 :wait-ms 250} {:kind nil :model "model-a" :provider :a :status 200 :wait-ms 0})
		(map :ms (llm/last-trace)) ; => (0 0)
		(llm/complete "unknown usage is not zero") ; => "ok"
		(llm/last-usage) ; => {:cache-creation-tokens nil :cache-read-tokens nil :completion-tokens nil :cost-usd nil :model "model-a" :prompt-tokens nil :total-tokens nil}
		(length (llm/last-trace)) ; => 1
		(llm/complete "fails") ; !! bad-request (status 400)
		(map :kind (llm/last-trace)) ; => (:bad-request)
		(llm/last-usage) ; => nil
		(llm/complete "blocked") ; !! content filter
		(map :kind (llm/last-trace)) ; => (:content-filter)
		(:completion-tokens (llm/last-usage)) ; => 2
		(llm/complete "x" {:retries -1}) ; !! :retries
		(map :kind (llm/last-trace)) ; => (:content-filter)
	`)
}

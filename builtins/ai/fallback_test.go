package ai_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/llm/llmtest"
)

// Which failures move on to the next provider.
func TestFallbackMovesOn(t *testing.T) {
	quota := llmtest.Reply{Status: 429, Text: "pay", Code: "insufficient_quota"}
	narrow := "{:on [:rate-limit :server]}"
	for _, c := range []struct {
		name  string
		reply llmtest.Reply
		on    string
		moves bool
	}{
		{"transient", status(503), "", true},
		{"no connection", llmtest.Reply{Fault: llmtest.Reset}, "", true},
		{"quota", quota, "", true},
		{"auth", status(401), "", true},
		{"unknown model", status(404), "", true},
		{"bad request", status(400), "", true},
		{"parse", llmtest.Reply{Body: []byte("{")}, "", true},
		{"too long a hint", hint(429, "300"), "", true},
		{"listed", status(503), narrow, true},
		{"404 is not listed", status(404), narrow, false},
		{"400 is not listed", status(400), narrow, false},
		{"quota is not listed", quota, narrow, false},
	} {
		r := newRig(t)
		b := r.provider("b", text("from b"))
		r.repeating("a", c.reply)
		program := `(llm/with-fallback [:a :b] (fn () (llm/complete "x" {:retries 1})) ` + c.on + `)`
		if !c.moves {
			assert.NotEqual(t, ":no-error", r.field(program, ":kind"), c.name)
			assert.Empty(t, b.Requests(), c.name)
			continue
		}
		assert.Equal(t, `"from b"`, r.ok(program), c.name)
		assert.Equal(t, `"model-b"`, r.ok("(:model (last (llm/last-trace)))"))
		assert.Equal(t, `"model-b"`, r.ok("(:model (llm/last-usage))"))
	}
}

// The model that each entry is asked for.
func TestFallbackModels(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"c", "b", "a"} {
		r.repeating(name, status(404))
	}
	models := func(program string) string {
		r.fails(program)
		return r.ok("(map :model (llm/last-trace))")
	}
	assert.Equal(t, `("model-a" "model-b" "model-c")`, models(`(llm/with-fallback [:a [:b] {:provider :c}] (fn () (llm/complete "x")))`))
	assert.Equal(t, `("own" "mine" "model-c")`, models(`(llm/with-fallback '([:a "own"] {:provider :b :model "mine"} :c) (fn () (llm/complete "x")))`))
	assert.Equal(t, `("own" "pinned" "pinned")`, models(`(llm/with-fallback [[:a "own"] :b :c] (fn () (llm/complete "x" {:model "pinned"})))`))
	assert.Equal(t, `("model-b")`, models(`(llm/with-fallback [:a] (fn () (llm/with-fallback [:b] (fn () (llm/complete "x")))))`), "the innermost chain")
}

// It works call by call: the thunk runs once, and each call begins at the front.
func TestFallbackIsCallByCall(t *testing.T) {
	r := newRig(t)
	r.repeating("b", text("from b"))
	r.provider("a", status(400), text("from a"))
	r.checks(`
		(define runs 0) ; => nil
		(llm/with-fallback [:a :b] (fn () (set! runs (+ runs 1)) (list (llm/complete "1") (llm/complete "2")))) ; => ("from b" "from a")
		runs ; => 1
		(llm/with-fallback [:a :b] (fn () (error "the script's own"))) ; !! the script's own
	`)
}

func TestFallbackAllFail(t *testing.T) {
	r := newRig(t)
	r.repeating("b", status(401))
	r.repeating("a", status(429))
	r.checks(`
		(define e (try (llm/with-fallback [:a :nowhere :openai :b] (fn () (llm/complete "x" {:retries 1}))) (catch e e))) ; => nil
		(:kind e) ; => :rate-limit
		(:status e) ; => 429
		(:provider e) ; => :a
		(map :provider (:attempts e)) ; => (:a :a :nowhere :openai :b)
		(map :kind (:attempts e)) ; => (:rate-limit :rate-limit :auth :auth :auth)
	`)
	message := r.ok("(:message e)")
	assert.Contains(t, message, "4 providers failed: a model-a: rate-limit (status 429): no (2 attempts); nowhere")
	assert.Contains(t, message, "nowhere: auth: it is not configured: call (llm/configure :nowhere {:base-url ... :api-key ...})")
	assert.Contains(t, message, "openai: auth: it is not configured: set OPENAI_API_KEY or call (llm/configure :openai")
}

// What is not configured is passed over, and says what to do when it is all
// there is.
func TestFallbackUnknownProvider(t *testing.T) {
	r := newRig(t, func(c *ai.Config) { c.NoEnvironment = true })
	r.repeating("working", text("ok"))
	r.checks(`
		(llm/with-fallback [:nowhere :ollama :gemini :working] (fn () (llm/complete "x"))) ; => "ok"
		(llm/with-fallback [:wroking] (fn () (llm/complete "x"))) ; !! did you mean :working?
		(llm/with-fallback [:antropic] (fn () (llm/complete "x"))) ; !! did you mean :anthropic?
		(llm/with-fallback [:anthropic] (fn () (llm/complete "x"))) ; !! set ANTHROPIC_API_KEY or call (llm/configure :anthropic {:api-key ...})
		(llm/with-fallback [:gemini] (fn () (llm/complete "x"))) ; !! set GOOGLE_API_KEY or call (llm/configure :gemini {:api-key ...})
		(llm/with-fallback [:ollama] (fn () (llm/complete "x"))) ; !! call (llm/configure :ollama {}) for the one on this machine
	`)
}

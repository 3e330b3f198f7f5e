package ai_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/llm/llmtest"
)

func TestClientWrongOptions(t *testing.T) {
	r := newRig(t)
	create := func(options string) string {
		return `(client/create-client {:base-url "http://127.0.0.1:1" :model "m" ` + options + `})`
	}
	for options, message := range map[string]string{
		":retrys 3": "did you mean :retries?", ":retries -1": ":retries", ":retries 0.5": ":retries", ":retries \"3\"": ":retries", ":retry-base-ms -1": ":retry-base-ms",
		":retry-base-ms math/nan": ":retry-base-ms", ":timeout-ms -1": ":timeout-ms", ":timeout-ms \"x\"": ":timeout-ms", ":retryable-statuses 520": ":retryable-statuses",
		":retryable-statuses [\"520\"]": ":retryable-statuses", ":retryable-statuses [99]": ":retryable-statuses", ":on-error :retry": "a function for the option :on-error",
		":max-turns 0": ":max-turns", ":max-turns -1": ":max-turns", ":max-turns 1.5": ":max-turns", ":on-metric 5": ":on-metric", ":http-client {}": ":http-client",
		":store 5": ":store", ":store {:get (fn (id) nil)}": ":get and :save", ":style \"cohere\"": `"openai", "anthropic" or "gemini"`, ":headers 5": ":headers",
		":system-prompt 5": ":system-prompt", ":api-key 5": ":api-key", ":retry-cap-ms 5": "no option :retry-cap-ms",
	} {
		e := r.fails(create(options))
		assert.Contains(t, e.Error()+e.Hint, message, options)
	}
	r.checks(`
		(client/create-client {:model "m"}) ; !! needs a :base-url
		(client/create-client {:base-url "http://x"}) ; !! needs a :model
		(client/create-client {:base-url "ftp://x" :model "m"}) ; !! must begin with http
		(client/create-client nil) ; !! expected a map of options
		(client/run 5 "hi") ; !! expected a client, made by client/create-client, got 5
		(client/metrics nil) ; !! expected a client
		(define c (client/create-client {:base-url "http://127.0.0.1:1" :model "m"})) ; => nil
		(client/run c 5) ; !! expected a prompt
		(client/run c "") ; !! connection
		(client/run c "x" 5) ; !! expected a map of options for client/run
		(client/run c "x" {:toolkits []}) ; !! did you mean :toolkit?
		(client/run c "x" {:toolkit 5}) ; !! expected a list of tools
		(client/run c "x" {:toolkit [5]}) ; !! expected a tool
		(client/run c "x" {:toolkit [{:fn (fn () 1)}]}) ; !! a tool needs a :name
		(client/run c "x" {:toolkit [{:name "f"}]}) ; !! the tool f needs a function :fn
		(client/run c "x" {:toolkit [{:name "f" :func (fn () 1)}]}) ; !! a tool has no option :func
		(client/run c "x" {:toolkit [{:name "f" :fn 5}]}) ; !! a function for the option :fn
		(client/run c "x" {:toolkit [{:name "f" :fn (fn () 1) :parameters 5}]}) ; !! :parameters of the tool f
		(client/run c "x" {:toolkit [{:name "f" :fn (fn (a) 1) :parameters {:a :color}}]}) ; !! expected a type for the parameter a of the tool f
		(client/run c "x" {:toolkit [{:name "f" :fn (fn (a b c) 1) :parameters {:x :string :y :string}}]}) ; !! takes 3 arguments, but the tool has 2 parameters
		(client/run c "x" {:toolkit [{:name "a/b" :fn (fn () 1)} {:name "a_b" :fn (fn () 1)}]}) ; !! two tools have the name a_b
		(client/run c "x" {:history 5}) ; !! expected a list of messages
		(client/run c "x" {:history [5]}) ; !! expected a message
		(client/run c "x" {:history [{:role "tool" :content "x"}]}) ; !! expected a result
		(client/run c "x" {:history [{:role "assistant" :content "" :tool-calls [{:id 1}]}]}) ; !! expected a call
		(client/run c "x" {:on-event 5}) ; !! :on-event
	`)
}

// TestClientAbuse: whatever they are called with, the functions answer or raise
// an error of the language.
func TestClientAbuse(t *testing.T) {
	r := newRig(t)
	r.client("", text("ok"))
	r.clientOf("", llmtest.Script{Replies: []llmtest.Reply{text("ok")}, Then: llmtest.Repeat})
	odd := []string{"nil", "#t", "0", "-1", "2.5", "1e300", "math/nan", "100000000000000000000", `""`, `"a"`, "'()", "'(1 2)", "[]", "[{}]", "{}", "{:a 1}", "{1 2}", "#\\a", "'sym", ":kw",
		"car", "(fn (x) x)", "(fn args (error \"no\"))", "c", "#u8(1 2)", "(delay 1)", "[nil]", "[[1]]", "[{:name :f :fn car}]", "[{:role :user :content \"x\"}]"}
	try := func(src string) {
		if _, err := r.eval(t.Context(), src); err != nil {
			e := eval.AsError(err)
			require.NotEqual(t, eval.KindInternal, e.Kind, "%s: %s", src, e.Error())
		}
	}
	for _, a := range odd {
		for _, name := range []string{"client/create-client", "client/run", "client/metrics", "client/in-memory-store"} {
			try("(" + name + " " + a + ")")
			for _, b := range odd {
				try("(" + name + " " + a + " " + b + ")")
			}
		}
		for _, key := range []string{"toolkit", "history", "conversation-id", "on-event"} {
			try(fmt.Sprintf(`(client/run c "x" {:%s %s})`, key, a))
			try(fmt.Sprintf(`(client/run c "x" %s)`, a))
		}
		for _, key := range []string{"name", "description", "parameters", "fn"} {
			try(fmt.Sprintf(`(client/run c "x" {:toolkit [(assoc {:name "f" :fn car :parameters {:a :string}} :%s %s)]})`, key, a))
			try(fmt.Sprintf(`(client/run c "x" {:toolkit [{:name "f" :fn (fn args 1) :parameters {:a %s :b {:type :string :%s %s}}}]})`, a, []string{"enum", "optional", "required", "default"}[len(a)%4], a))
		}
		for _, key := range []string{"base-url", "style", "model", "api-key", "headers", "system-prompt", "retries", "retry-base-ms", "timeout-ms", "retryable-statuses", "on-error", "max-turns",
			"on-metric", "http-client", "store"} {
			try(fmt.Sprintf(`(let ((c (client/create-client (merge {:base-url "http://127.0.0.1:1" :model "m" :max-turns 2} {:%s %s})))) (client/run c "x" {:conversation-id 1}))`, key, a))
		}
	}
}

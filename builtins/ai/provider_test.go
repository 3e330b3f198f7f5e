package ai_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gosema/gosema/builtins/ai"
)

// wire is a transport that notes requests and answers them all alike.
type wire struct {
	requests []*http.Request
	bodies   []string
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(r.Body)
	w.requests, w.bodies = append(w.requests, r), append(w.bodies, string(body))
	answer := `{"choices":[{"message":{"content":"ok"}}],"content":[{"type":"text","text":"ok"}],"candidates":[{"content":{"parts":[{"text":"ok"}]}}],"message":{"content":"ok"},"done":true}`
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(answer)), Request: r}, nil
}

// environment is a rig with these variables, on a wire without an end.
func environment(t *testing.T, vars map[string]string, change ...func(*ai.Config)) (*rig, *wire) {
	w := &wire{}
	return newRig(t, append(change, func(c *ai.Config) {
		c.HTTPClient = &http.Client{Transport: w}
		c.Getenv = func(name string) string { return vars[name] }
	})...), w
}

func TestKeysOfTheEnvironment(t *testing.T) {
	cases := []struct{ variable, name, url, model, header, value string }{
		{"OPENAI_API_KEY", ":openai", "https://api.openai.com/v1/chat/completions", "gpt-5.5", "Authorization", "Bearer " + canary},
		{"ANTHROPIC_API_KEY", ":anthropic", "https://api.anthropic.com/v1/messages", "claude-sonnet-4-6", "X-Api-Key", canary},
		{"GROQ_API_KEY", ":groq", "https://api.groq.com/openai/v1/chat/completions", "llama-3.3-70b-versatile", "Authorization", "Bearer " + canary},
		{"XAI_API_KEY", ":xai", "https://api.x.ai/v1/chat/completions", "grok-4.3", "Authorization", "Bearer " + canary},
		{"MISTRAL_API_KEY", ":mistral", "https://api.mistral.ai/v1/chat/completions", "mistral-large-latest", "Authorization", "Bearer " + canary},
		{"MOONSHOT_API_KEY", ":moonshot", "https://api.moonshot.ai/v1/chat/completions", "kimi-k2.6", "Authorization", "Bearer " + canary},
		{"DEEPSEEK_API_KEY", ":deepseek", "https://api.deepseek.com/v1/chat/completions", "deepseek-v4-flash", "Authorization", "Bearer " + canary},
		{"OPENROUTER_API_KEY", ":openrouter", "https://openrouter.ai/api/v1/chat/completions", "openai/gpt-5.2", "Authorization", "Bearer " + canary},
		{"TOGETHER_API_KEY", ":together", "https://api.together.xyz/v1/chat/completions", "meta-llama/Llama-4-Scout-17B-16E-Instruct", "Authorization", "Bearer " + canary},
		{"FIREWORKS_API_KEY", ":fireworks", "https://api.fireworks.ai/inference/v1/chat/completions", "accounts/fireworks/models/gpt-oss-120b", "Authorization", "Bearer " + canary},
		{"CEREBRAS_API_KEY", ":cerebras", "https://api.cerebras.ai/v1/chat/completions", "gpt-oss-120b", "Authorization", "Bearer " + canary},
		{"SAMBANOVA_API_KEY", ":sambanova", "https://api.sambanova.ai/v1/chat/completions", "Meta-Llama-3.3-70B-Instruct", "Authorization", "Bearer " + canary},
		{"GOOGLE_API_KEY", ":gemini", "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.5-flash:generateContent", "", "X-Goog-Api-Key", canary},
		{"PERPLEXITY_API_KEY", ":perplexity", "https://api.perplexity.ai/chat/completions", "sonar-pro", "Authorization", "Bearer " + canary},
	}
	for _, c := range cases {
		r, w := environment(t, map[string]string{c.variable: canary})
		assert.Equal(t, `"ok"`, r.ok(`(llm/complete "hi" {:max-tokens 9})`), c.variable)
		assert.Equal(t, c.url, w.requests[0].URL.String())
		assert.Equal(t, c.value, w.requests[0].Header.Get(c.header))
		if c.name == ":gemini" { // its model is in the URL
			c.model = "gemini-3.5-flash"
		} else {
			assert.Contains(t, w.bodies[0], `"model":"`+c.model+`"`)
		}
		assert.Equal(t, `{:model "`+c.model+`" :name `+c.name+`}`, r.ok("(llm/current-provider)"))
		assert.Equal(t, c.name, r.ok("(llm/auto-configure)"))
		assert.Equal(t, "("+c.name+")", r.ok("(llm/list-providers)"))
	}
	r, w := environment(t, map[string]string{"OPENAI_API_KEY": canary})
	r.ok(`(llm/complete "hi" {:max-tokens 9})`)
	assert.Equal(t, `{"model":"gpt-5.5","messages":[{"role":"user","content":"hi"}],"max_completion_tokens":9}`, w.bodies[0])
	r, w = environment(t, map[string]string{"ANTHROPIC_API_KEY": canary})
	r.ok(`(llm/complete "hi" {:system "s"})`)
	assert.Equal(t, `{"model":"claude-sonnet-4-6","max_tokens":4096,"system":"s","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`, w.bodies[0])
	assert.Equal(t, "2023-06-01", w.requests[0].Header.Get("Anthropic-Version"))
}

func TestDefaultsOfTheEnvironment(t *testing.T) {
	both := func(more ...string) map[string]string {
		vars := map[string]string{"OPENAI_API_KEY": canary, "ANTHROPIC_API_KEY": canary, "GROQ_API_KEY": canary}
		for i := 0; i < len(more); i += 2 {
			vars[more[i]] = more[i+1]
		}
		return vars
	}
	r, _ := environment(t, both())
	r.checks(`
		(llm/list-providers) ; => (:anthropic :groq :openai)
		(llm/default-provider) ; => :anthropic
		(llm/set-default :groq) ; => :groq
		(:name (llm/current-provider)) ; => :groq
		(llm/set-default :grok) ; !! did you mean :groq?
		(llm/set-default :elsewhere) ; !! configured are :anthropic :openai :groq
		(llm/set-default 5) ; !! expected a provider name such as :openai, got 5
	`)
	r, _ = environment(t, both("SEMA_CHAT_PROVIDER", " OpenAI ", "SEMA_CHAT_MODEL", "gpt-x"))
	r.checks(`
		(llm/current-provider) ; => {:model "gpt-x" :name :openai}
		(llm/set-default :anthropic) ; => :anthropic
		(llm/current-provider) ; => {:model "claude-sonnet-4-6" :name :anthropic}
	`)
	r, _ = environment(t, both("SEMA_CHAT_MODEL", "opus"))
	r.checks(`
		(llm/current-provider) ; => {:model "opus" :name :anthropic}
		(llm/configure :anthropic {:default-model "mine"}) ; => nil
		(:model (llm/current-provider)) ; => "mine"
		(llm/configure :groq {}) ; => nil
		(:model (llm/current-provider)) ; => "llama-3.3-70b-versatile"
		(llm/configure :local {:base-url "http://127.0.0.1:1"}) ; => nil
		(llm/current-provider) ; => {:model "opus" :name :local}
	`)
	r, w := environment(t, both("SEMA_CHAT_PROVIDER", "mistral"))
	r.checks(`
		(llm/default-provider) ; => :mistral
		(llm/complete "x") ; !! set MISTRAL_API_KEY
		(llm/set-default :openai) ; => :openai
		(llm/complete "x") ; => "ok"
	`)
	assert.Len(t, w.requests, 1)
}

// Ollama needs no key: OLLAMA_HOST makes it the last of the providers, and a program
// that names it finds it on its own machine.
func TestOllamaOfTheEnvironment(t *testing.T) {
	for host, url := range map[string]string{
		"http://127.0.0.1:9": "http://127.0.0.1:9", "https://far.example/ollama/": "https://far.example/ollama", "gpu": "http://gpu:11434", "gpu:80": "http://gpu:80",
		"[::1]": "http://[::1]:11434", "[::1]:9": "http://[::1]:9", " 0.0.0.0 ": "http://0.0.0.0:11434",
	} {
		r, w := environment(t, map[string]string{"OLLAMA_HOST": host})
		r.checks(`
			(llm/current-provider) ; => {:model "gemma4" :name :ollama}
			(llm/complete "x") ; => "ok"
			(llm/configure :ollama {:default-model "m"}) ; => nil
			(llm/complete "x") ; => "ok"
		`)
		for _, req := range w.requests {
			assert.Equal(t, url+"/api/chat", req.URL.String(), host)
		}
		r.ok(fmt.Sprintf(`(llm/configure :ollama {:host %q})`, strings.TrimSpace(host)))
		r.ok(`(llm/complete "x")`)
		assert.Equal(t, url+"/api/chat", w.requests[2].URL.String(), host)
	}
	r, _ := environment(t, map[string]string{"OLLAMA_HOST": "gpu", "GROQ_API_KEY": canary})
	r.checks(`
		(llm/list-providers) ; => (:groq :ollama)
		(llm/default-provider) ; => :groq
	`)
	r, _ = environment(t, map[string]string{"OLLAMA_HOST": "http://user:secret@gpu"})
	r.checks(`(llm/complete "x") ; !! OLLAMA_HOST cannot be used: ollama: the base URL must not hold a user or password`)
	r, w := environment(t, nil)
	r.checks(`
		(llm/current-provider) ; => nil
		(llm/complete "x") ; !! OLLAMA_HOST
		(llm/with-fallback [[:ollama "llava"]] (fn () (llm/complete "x"))) ; => "ok"
		(llm/default-provider) ; => nil
		(llm/set-default :ollama) ; => :ollama
		(llm/complete "x") ; => "ok"
	`)
	assert.Equal(t, "http://localhost:11434/api/chat", w.requests[1].URL.String())
	r, _ = environment(t, map[string]string{"SEMA_CHAT_PROVIDER": "ollama", "SEMA_CHAT_MODEL": "phi"})
	r.checks(`(llm/current-provider) ; => {:model "phi" :name :ollama}`)
	r, _ = environment(t, map[string]string{"OLLAMA_HOST": "gpu"}, func(c *ai.Config) { c.NoEnvironment = true })
	r.checks(`
		(llm/set-default :ollama) ; !! call (llm/configure :ollama {})
		(llm/list-providers) ; => ()
	`)
}

func TestNoEnvironment(t *testing.T) {
	vars := map[string]string{"OPENAI_API_KEY": canary, "SEMA_CHAT_MODEL": "x", "SEMA_CHAT_PROVIDER": "openai"}
	r, w := environment(t, vars, func(c *ai.Config) { c.NoEnvironment = true })
	r.checks(`
		(llm/list-providers) ; => ()
		(llm/current-provider) ; => nil
		(llm/auto-configure) ; => nil
		(llm/complete "x") ; !! no LLM provider is configured
		(llm/complete "x") ; !! set a key such as ANTHROPIC_API_KEY
		(llm/with-fallback [:openai] (fn () (llm/complete "x"))) ; !! it is not configured
		(llm/configure :openai {:api-key "sk-own-123456"}) ; => nil
		(llm/current-provider) ; => {:model "gpt-5.5" :name :openai}
		(llm/complete "x") ; => "ok"
	`)
	assert.Equal(t, "Bearer sk-own-123456", w.requests[0].Header.Get("Authorization"))
}

// The key of the environment goes to the provider it is for, and nowhere else.
func TestEnvironmentKeyAndBaseURL(t *testing.T) {
	r, w := environment(t, map[string]string{"OPENAI_API_KEY": canary})
	r.ok(`(llm/configure :openai {:default-model "m"})`)
	r.ok(`(llm/complete "x")`)
	r.ok(`(llm/configure :openai {:base-url "http://127.0.0.1:1/v1" :default-model "m"})`)
	r.ok(`(llm/complete "x")`)
	assert.Equal(t, "Bearer "+canary, w.requests[0].Header.Get("Authorization"))
	assert.Empty(t, w.requests[1].Header.Get("Authorization"))
}

func TestUnusableKeyOfTheEnvironment(t *testing.T) {
	r, w := environment(t, map[string]string{"OPENAI_API_KEY": canary + "\n", "GROQ_API_KEY": canary})
	message := r.field(`(llm/complete "x")`, ":message")
	assert.Contains(t, message, "the key in OPENAI_API_KEY cannot be used: openai: the key or header Authorization has a line break")
	assert.NotContains(t, message, canary)
	r.checks(`(llm/with-fallback [:openai :groq] (fn () (llm/complete "x"))) ; => "ok"`)
	assert.Len(t, w.requests, 1)
}

func TestConfigure(t *testing.T) {
	r, w := environment(t, nil)
	r.checks(`
		(llm/configure :x {}) ; !! :x needs a :base-url
		(llm/configure :x nil) ; !! any OpenAI-compatible server will do
		(llm/configure :opnai {:api-key "k"}) ; !! did you mean :openai?
		(llm/configure 5 {}) ; !! expected a provider name such as :openai, got 5
		(llm/configure "" {}) ; !! expected a provider name
		(llm/configure :x 5) ; !! expected a map of options for llm/configure, got a int
		(llm/configure :x {:base_url "http://x"}) ; !! did you mean :base-url?
		(llm/configure :x {:base-url "x"}) ; !! the base URL must begin with http:// or https://
		(llm/configure :x {:base-url "http://user:pass@x"}) ; !! must not hold a user or password
		(llm/configure :x {:base-url 5}) ; !! :base-url
		(llm/configure :x {:base-url "http://x" :headers {"a b" "c"}}) ; !! "a b" cannot be the name of a header
		(llm/configure :x {:base-url "http://x" :headers {"a" "b\nc"}}) ; !! line break
		(llm/configure :x {:base-url "http://x" :headers {5 "c"}}) ; !! the name of a header
		(llm/configure :x {:base-url "http://x" :retries 0.5}) ; !! for the option :retries
		(llm/configure :x {:base-url "http://x" :on-error :retry}) ; !! expected a function for the option :on-error
		(llm/configure :x {:base-url "http://x" :timeout -1}) ; !! :timeout
		(llm/configure :openai {:host "http://x"}) ; !! :host is an option of :ollama
		(llm/configure :ollama {:host "ftp://x"}) ; !! must begin with http:// or https://
		(llm/configure :ollama {:host 5}) ; !! :host
		(llm/list-providers) ; => ()
		(llm/set-default :openai) ; !! set OPENAI_API_KEY
		(llm/configure :ollama {:base-url "http://localhost:11434/v1"}) ; => nil
		(llm/current-provider) ; => {:model "gemma4" :name :ollama}
		(llm/configure "named" {:base-url "http://named/v1/" :headers {"X-Team" :blue "X-Count" 3} :default-model "m"}) ; => nil
		(llm/complete "x") ; => "ok"
		(llm/configure :anthropic {:base-url "http://claude/" :default-model "m"}) ; => nil
		(llm/complete "x") ; => "ok"
		(llm/providers) ; => (:anthropic :named :ollama)
	`)
	assert.Equal(t, "http://named/v1/chat/completions", w.requests[0].URL.String())
	assert.Equal(t, ":blue", w.requests[0].Header.Get("X-Team"))
	assert.Equal(t, "3", w.requests[0].Header.Get("X-Count"))
	assert.Equal(t, "http://claude/v1/messages", w.requests[1].URL.String())
	assert.Contains(t, w.bodies[1], `"content":[{"type":"text"`)
	r, _ = environment(t, nil)
	r.checks(`
		(llm/configure :x {:base-url "http://x"}) ; => nil
		(llm/complete "x") ; !! no model is given, and the provider has no default
		(llm/current-provider) ; => {:model nil :name :x}
	`)
}

// A provider may be a function of the program.
func TestDefinedProvider(t *testing.T) {
	r := newRig(t)
	s := r.provider("real", status(503), text("real"), text("real"), status(401))
	r.checks(`
		(llm/define-provider :a 5) ; !! expected a map of options
		(llm/define-provider :a {}) ; !! needs a function :complete
		(llm/define-provider :a {:complete :content}) ; !! expected a function for the option :complete
		(llm/define-provider :a {:compleet (fn (r) 1)}) ; !! did you mean :complete?
		(llm/define-provider :echo {:complete (fn (req) (str req))}) ; => :echo
		(llm/complete "hi" {:max-tokens 5}) ; => "{:max-tokens 5 :messages ({:content \"hi\" :role \"user\"}) :model \"default\" :stop-sequences nil :system nil :temperature nil :tools nil}"
		(llm/last-usage) ; => {:cache-creation-tokens nil :cache-read-tokens nil :completion-tokens nil :cost-usd nil :model "default" :prompt-tokens nil :total-tokens nil}
		(llm/define-provider :map {:complete (fn (req) {:content "c" :model "m2" :usage {:prompt-tokens 1 :completion-tokens 2.0}})}) ; => :map
		(llm/complete "hi") ; => "c"
		(llm/last-usage) ; => {:cache-creation-tokens 0 :cache-read-tokens 0 :completion-tokens 2 :cost-usd nil :model "m2" :prompt-tokens 1 :total-tokens 3}
		(llm/define-provider :odd {:complete (fn (req) (keyword (:content (first (:messages req)))))}) ; => :odd
		(define reply nil) ; => nil
		(llm/define-provider :odd {:complete (fn (req) reply)}) ; => :odd
		(llm/complete "x") ; !! expected a reply from the provider :odd, a string or a map with :content, got nil
		(set! reply {:content 5}) ; => {:content 5}
		(llm/complete "x") ; !! expected a string for :content in a reply from the provider :odd, got 5
		(set! reply {}) ; => {}
		(llm/complete "x") ; => ""
		(define (delegate req) (llm/with-fallback [:real] (fn () (llm/complete "inner" {:retries 0})))) ; => nil
		(llm/define-provider :wrap {:complete delegate :retries 2}) ; => :wrap
		(llm/complete "outer") ; => "real"
		(map :provider (llm/last-trace)) ; => (:wrap :wrap)
		(llm/define-provider :raises {:complete (fn (req) (throw :mine))}) ; => :raises
		(try (llm/with-fallback [:raises :real] (fn () (llm/complete "x"))) (catch e (:value e))) ; => :mine
		(llm/with-fallback [:real] (fn () (llm/complete "x"))) ; => "real"
		(:kind (try (llm/with-fallback [:wrap] (fn () (llm/complete "x"))) (catch e e))) ; => :auth
	`)
	assert.Len(t, s.Requests(), 4)
}

// The error of a callback inside of a provider's function is the script's own,
// though a provider's failure is behind it.
func TestDefinedProviderAndCallbacks(t *testing.T) {
	r := newRig(t)
	r.repeating("real", status(503))
	next := r.provider("next", text("no"))
	r.checks(`
		(define (ask) (llm/complete "inner" {:on-error (fn (i) (error "mine"))})) ; => nil
		(llm/define-provider :wrap {:complete (fn (req) (llm/with-fallback [:real] ask))}) ; => :wrap
		(llm/with-fallback [:wrap :next] (fn () (llm/complete "outer"))) ; !! mine
	`)
	assert.Empty(t, next.Requests())
}

// The time of an attempt bounds a function too, and is a failure like any
// other; a function that asks itself for ever ends with an error.
func TestDefinedProviderBounds(t *testing.T) {
	r := newRig(t, realTime)
	r.checks(`
		(define n 0) ; => nil
		(define (slow req) (set! n (+ n 1)) (if (= n 1) (sleep 60000) "quick")) ; => nil
		(llm/define-provider :slow {:complete slow :retry-base-ms 1}) ; => :slow
		(llm/complete "x" {:timeout 20}) ; => "quick"
		(map :kind (llm/last-trace)) ; => (:timeout nil)
		(define (busy req) (busy req)) ; => nil
		(llm/define-provider :busy {:complete busy}) ; => :busy
		(:kind (try (llm/complete "x" {:timeout 20 :retries 0}) (catch e e))) ; => :timeout
		(llm/define-provider :self {:complete (fn (req) (llm/complete "again"))}) ; => :self
		(llm/complete "x") ; !! nested too deep
	`)
}

func TestProvidersOfTheirOwnInterpreter(t *testing.T) {
	a, b := newRig(t), newRig(t)
	a.repeating("x", text("a"))
	b.repeating("x", text("b"))
	assert.Equal(t, `"a"`, a.ok(`(llm/complete "x")`))
	assert.Equal(t, `"b"`, b.ok(`(llm/complete "x")`))
}

// A provider of the program sees tools and conversations, and calls tools.
func TestDefinedProviderCallsTools(t *testing.T) {
	r := newRig(t)
	r.ok(weather)
	r.checks(`
		(define seen '()) ; => nil
		(define replies (list {:tool-calls [{:id "c1" :name "weather" :arguments {:city "Oslo"}}]} {:content "It is sunny."})) ; => nil
		(llm/define-provider :mine {:complete (fn (req) (set! seen (cons req seen)) (let ((r (first replies))) (set! replies (rest replies)) r))}) ; => :mine
		(llm/chat "And Oslo?" {:tools (list weather)}) ; => "It is sunny."
		(map :name (:tools (first seen))) ; => ("weather")
		(:parameters (first (:tools (first seen)))) ; => {:properties {:city {:type "string"}} :required ("city") :type "object"}
		(map :role (:messages (first seen))) ; => ("user" "assistant" "tool")
		(map :arguments (:tool-calls (nth (:messages (first seen)) 1))) ; => ("{\"city\":\"Oslo\"}")
		(:content (last (:messages (first seen)))) ; => "sunny in Oslo"
		(begin (llm/define-provider :cut {:complete (fn (req) {:content "{" :stop-reason "max_tokens"})}) (llm/compare "a" "b")) ; !! its reply was cut off
		(begin (llm/define-provider :odd {:complete (fn (req) {:tool-calls 5})}) (llm/complete "x")) ; !! a list for :tool-calls in a reply from the provider :odd
		(begin (llm/define-provider :odd {:complete (fn (req) {:tool-calls [{}]})}) (llm/complete "x")) ; !! the name of a tool
	`)
}

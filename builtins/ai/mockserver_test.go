package ai_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMockServer(t *testing.T) {
	r := newRig(t)
	r.checks(`
		(define s (llm/mock-server {:replies [{:status 429 :text "slow" :headers {"Retry-After" 2}} {:fault :drop} {:status 400 :code "content_filter" :text "no"} {:body "not json"} {:text "t" :usage {:prompt-tokens 3 :completion-tokens 4}} "last"] :then :repeat})) ; => nil
		(llm/configure :m {:base-url (:url s) :default-model "m"}) ; => nil
		((:requests s)) ; => ()
		(:kind (try (llm/complete "one") (catch e e))) ; => :content-filter
		(map :kind (llm/last-trace)) ; => (:rate-limit :network :content-filter)
		(map :wait-ms (llm/last-trace)) ; => (2000 500 0)
		(:kind (try (llm/complete "two") (catch e e))) ; => :parse
		(llm/complete "three") ; => "t"
		(:total-tokens (llm/last-usage)) ; => 7
		(llm/complete "four") ; => "last"
		(llm/complete "five") ; => "last"
		(length ((:requests s))) ; => 7
		(define q (last ((:requests s)))) ; => nil
		(keys q) ; => (:body :dialect :headers :json :method :model :path :query)
		(list (:model q) (:json q)) ; => ("m" {:messages ({:content "five" :role "user"}) :model "m"})
		(:method q) ; => "POST"
		(:path q) ; => "/chat/completions"
		(:dialect q) ; => :openai
		(:body q) ; => "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"five\"}]}"
		(get (:headers q) "Content-Type") ; => "application/json"
		((:stop s)) ; => nil
		((:stop s)) ; => nil
		(:kind (try (llm/complete "six" {:retries 0}) (catch e e))) ; => :network
		(length ((:requests s))) ; => 7
		(define e (llm/mock-server)) ; => nil
		(llm/configure :m {:base-url (:url e) :default-model "m"}) ; => nil
		(llm/complete "x" {:retries 0}) ; !! request 1 came, the script has 0
	`)
}

func TestMockServerPaths(t *testing.T) {
	r := newRig(t)
	r.checks(`
		(define s (llm/mock-server {:replies ["other"] :paths {"/a" {:replies ["a1" "a2"]} "/a/b" {:replies ["ab"] :then :repeat}}})) ; => nil
		(define (ask path) (llm/configure :m {:base-url (string-append (:url s) path) :default-model "m"}) (llm/complete "x" {:retries 0})) ; => nil
		(list (ask "/a") (ask "/a/b") (ask "/a") (ask "/a/b") (ask "/c")) ; => ("a1" "ab" "a2" "ab" "other")
		(ask "/a") ; !! request 3 came, the script has 2
		(llm/configure :anthropic {:base-url (:url (llm/mock-server {:replies ["hi"]})) :default-model "m"}) ; => nil
		(llm/complete "x") ; => "hi"
	`)
}

func TestMockServerWrongScripts(t *testing.T) {
	newRig(t).checks(`
		(llm/mock-server 5) ; !! expected a map of options for llm/mock-server
		(llm/mock-server {:replise ["x"]}) ; !! did you mean :replies?
		(llm/mock-server {:replies "x"}) ; !! a list or a vector for the option :replies
		(llm/mock-server {:replies [5]}) ; !! expected a reply: a text, or a map with :text, :status and so on, got 5
		(llm/mock-server {:replies [{:txt "x"}]}) ; !! a reply of llm/mock-server has no option :txt
		(llm/mock-server {:replies [{:status "x"}]}) ; !! :status
		(llm/mock-server {:replies ["ok" {:status 42}]}) ; !! reply 2: status must be between 200 and 999, got 42
		(llm/mock-server {:replies [{:delay-ms -1}]}) ; !! :delay-ms
		(llm/mock-server {:replies [{:fault :explode}]}) ; !! fault must be drop, reset or short, got "explode"
		(llm/mock-server {:replies [{:drop-after -1}]}) ; !! drop-after must not be negative
		(llm/mock-server {:replies [{:truncate -1}]}) ; !! truncate must not be negative
		(llm/mock-server {:replies [{:error 5}]}) ; !! a text or a map {:text :code}
		(llm/mock-server {:replies [{:error {:kode "x"}}]}) ; !! an error of llm/mock-server has no option :kode
		(llm/mock-server {:replies [{:error "x" :status 500}]}) ; !! an error event goes with a rendered answer
		(llm/mock-server {:replies [{:tool-calls [{}]}]}) ; !! the name of a tool
		(llm/mock-server {:replies [{:body "x" :text "y"}]}) ; !! a raw body or a rendered one, not both
		(llm/mock-server {:replies [{:usage 5}]}) ; !! a map {:prompt-tokens :completion-tokens} for the option :usage
		(llm/mock-server {:replies [{:headers 5}]}) ; !! :headers
		(llm/mock-server {:replies ["x"] :then :explode}) ; !! :repeat or :refuse for the option :then
		(llm/mock-server {:then :repeat}) ; !! a script without replies has none to repeat
		(llm/mock-server {:paths 5}) ; !! a map of paths and their replies
		(llm/mock-server {:paths {"a" {:replies ["x"]}}}) ; !! path "a" must begin with a slash
		(llm/mock-server {:paths {"/a" ["x"]}}) ; !! expected a map of options for a path of llm/mock-server
		(llm/mock-server {:paths {"/a" {:replies [{:status 1}]}}}) ; !! path "/a": reply 1: status must be
	`)
}

// Closing the interpreter stops the servers that its programs forgot.
func TestMockServerIsClosed(t *testing.T) {
	r := newRig(t)
	url := strings.Trim(r.ok(`(:url (llm/mock-server {:replies ["x"]}))`), `"`)
	resp, err := http.Get(url)
	require.NoError(t, err)
	resp.Body.Close()
	r.in.Close()
	_, err = http.Get(url)
	assert.Error(t, err)
}

// Every fault can be scripted in every wire format, for whole answers and streams.
func TestMockServerFaults(t *testing.T) {
	for _, name := range []string{"openai", "anthropic", "gemini", "ollama"} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.ok(`(define (provider reply) (llm/configure :` + name + ` {:base-url (:url (llm/mock-server {:replies [reply]})) :api-key "k" :default-model "m" :retries 0}))
				(define (kind thunk) (try (thunk) (catch e (:kind e))))
				(define (whole reply) (provider reply) (kind (fn () (llm/complete "x"))))
				(define (streamed reply) (provider reply) (try (llm/stream "x" (fn (p) p)) (catch e (list (:kind e) (:partial e)))))`)
			r.checks(`
				(whole {:text "hello" :piece 1}) ; => "hello"
				(streamed {:text "hello, world" :piece 1}) ; => "hello, world"
				(whole {:text "hello" :drop-after 5}) ; => :network
				(whole {:text "hello" :truncate 9}) ; => :parse
				(streamed {:text "hello, world" :pace-ms 1}) ; => "hello, world"
				(if (member (first (streamed {:text "hello, world" :error "broken"})) '(:overloaded :server)) #t #f) ; => #t
				(nth (streamed {:text "hello, world" :error "broken"}) 1) ; => "hello, world"
				(nth (streamed {:text "" :error "broken"}) 1) ; => nil
				(first (streamed {:text (string/repeat "long " 200) :drop-after 2000})) ; => :network
				(string? (nth (streamed {:text (string/repeat "long " 200) :drop-after 2000}) 1)) ; => #t
				(first (streamed {:text (string/repeat "long " 200) :truncate 2000})) ; => :stream-truncated
				(streamed {:text "x" :status 503}) ; => (:server nil)
				(streamed {:fault :drop}) ; => (:network nil)
			`)
			if name != "ollama" { // its errors have no codes
				r.checks(`(whole {:error {:text "slow down" :code "` + rateLimitCode(name) + `"}}) ; => :rate-limit`)
			}
		})
	}
}

func rateLimitCode(dialect string) string {
	switch dialect {
	case "openai":
		return "rate_limit_exceeded"
	case "gemini":
		return "RESOURCE_EXHAUSTED"
	}
	return "rate_limit_error"
}

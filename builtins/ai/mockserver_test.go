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
		(keys q) ; => (:body :dialect :headers :method :path)
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

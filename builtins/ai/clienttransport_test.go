package ai_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// :http-client makes the requests, under the client's own policy.
func TestHTTPClient(t *testing.T) {
	r := newRig(t, rand0)
	r.ok(`
		(define seen '())
		(define replies '())
		(define (transport url headers body)
		  (set! seen (append seen (list (list url headers (json/decode body)))))
		  (let ((reply (first replies))) (set! replies (rest replies)) (if (procedure? reply) (reply) reply)))`)
	r.checks(`
		(define (new options) (client/create-client (merge {:base-url "http://gateway.internal/v1" :model "m" :api-key "k1" :http-client transport} options))) ; => nil
		(define ok {:status 200 :headers {:content-type "application/json"} :body "{\"choices\":[{\"message\":{\"content\":\"hi\"}}]}"}) ; => nil
		(define (go options . rs) (set! seen '()) (set! replies rs) (try (:text (client/run (new options) "x")) (catch e (or (:status e) (:error e) (:message e))))) ; => nil
		(go {} ok) ; => "hi"
		(first (first seen)) ; => "http://gateway.internal/v1/chat/completions"
		(get (nth (first seen) 1) "authorization") ; => "Bearer k1"
		(:model (nth (first seen) 2)) ; => "m"
		(go {} {:status 429}) ; => 429
		(length seen) ; => 1
		(go {:retries 2} {:status 429 :headers {"Retry-After" 3} :body "slow"} {:status nil :error :timeout} ok) ; => "hi"
		(length seen) ; => 3
		(go {} {:status nil :error :timeout}) ; => :timeout
		(go {} {:status nil :error :refused}) ; => :connection
		(go {:retries 1} (fn () (file/read "/does/not/exist")) ok) ; => "hi"
		(go {:retries 5} (fn () (error "a bug")) ok) ; => "a bug"
		(length seen) ; => 1
		(go {:on-error (fn (i) (println (:status i) (:error i)) :fail)} {:status 409 :body "busy"}) ; => 409
		(go {:retries 3} 5 ok) ; => "expected a response from :http-client, {:status 200 :headers {...} :body \"...\"} or {:status nil :error :timeout}, got 5"
		(go {:retries 3} {:status "200"} ok) ; => "expected a response from :http-client, {:status 200 :headers {...} :body \"...\"} or {:status nil :error :timeout}, got \"200\""
		(length seen) ; => 1
		(go {} {:status 200 :body 5}) ; => "expected a response from :http-client, {:status 200 :headers {...} :body \"...\"} or {:status nil :error :timeout}, got 5"
		(go {:timeout-ms 20} (fn () (sleep 60000))) ; => :timeout
	`)
	assert.Equal(t, []int{3000, 1000, 500}, r.waits())
	assert.Equal(t, "409 busy\n", r.out.String())
}

// What a transport says about a connection may hold the key; errors do not.
func TestHTTPClientFailuresAreClearedOfKeys(t *testing.T) {
	r := newRig(t)
	for _, body := range []string{`(file/read (get headers "authorization"))`, `{:status nil :error (get headers "authorization")}`, `{:status 401 :body (get headers "authorization")}`} {
		r.ok(fmt.Sprintf(`(define c (client/create-client {:base-url "http://x" :model "m" :api-key %q :http-client (fn (url headers body) %s)}))`, canary, body))
		e := r.fails(`(client/run c "x")`)
		shown := r.ok(`(try (client/run c "x") (catch e (str e (:cause e))))`)
		assert.NotContains(t, e.Render()+shown, canary, body)
		assert.Contains(t, shown, "[", "something was blotted out")
	}
}

// A transport may keep a circuit breaker, or ask elsewhere: it is any function.
func TestHTTPClientAroundAnotherCall(t *testing.T) {
	r := newRig(t)
	r.provider("a", text("from a"))
	r.ok(`(define c (client/create-client {:base-url "http://x" :model "m" :http-client
		  (fn (url headers body) {:status 200 :body (json/encode {:choices [{:message {:content (llm/complete "inside")}}]})})}))`)
	assert.Equal(t, `"from a"`, r.ok(`(:text (client/run c "x"))`))
}

package ai_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// What the lambda is told, key by key.
func TestOnErrorIsTold(t *testing.T) {
	r := newRig(t)
	r.provider("a", llmtest.Reply{Status: 429, Text: "slow", Header: map[string][]string{"Retry-After": {"2"}}},
		llmtest.Reply{Fault: llmtest.Drop}, llmtest.Reply{Text: "late", Delay: 1 << 40}, status(409), status(409))
	r.checks(`
		(define infos '()) ; => nil
		(define (keep info) (set! infos (append infos (list info))) (if (< (length infos) 5) :retry :fail)) ; => nil
		(:kind (try (llm/complete "x" {:timeout 30 :retries 9 :retry-base-ms 2 :on-error keep}) (catch e e))) ; => :bad-request
		(length infos) ; => 5
		(define (of key) (map (fn (i) (key i)) infos)) ; => nil
		(keys (first infos)) ; => (:attempt :elapsed-ms :error :kind :model :provider :retry-after-ms :retryable? :status)
		(of :status) ; => (429 nil nil 409 409)
		(of :kind) ; => (:rate-limit :network :timeout :bad-request :bad-request)
		(rest (of :error)) ; => (:connection :timeout "{\"error\":{\"code\":\"\",\"message\":\"no\",\"type\":\"invalid_request_error\"}}" "{\"error\":{\"code\":\"\",\"message\":\"no\",\"type\":\"invalid_request_error\"}}")
		(of :attempt) ; => (0 1 2 3 4)
		(of :retryable?) ; => (#t #t #t #f #f)
		(of :provider) ; => (:a :a :a :a :a)
		(first (of :model)) ; => "model-a"
		(of :retry-after-ms) ; => (2000 nil nil nil nil)
		(first (of :elapsed-ms)) ; => 0
		(of :elapsed-ms) ; => (0 2000 2002 2006 2014)
	`)
}

// The verdict counts in both directions, over :retryable-statuses too; retries
// bound it; only :retry retries.
func TestVerdicts(t *testing.T) {
	cases := []struct {
		name, options string
		first         llmtest.Reply
		requests      int
	}{
		{"default", "", status(409), 1},
		{"added status", ":retryable-statuses [409]", status(409), 2},
		{"added does not replace", ":retryable-statuses [409]", status(429), 2},
		{"forced retry", ":on-error (fn (i) :retry)", status(409), 2},
		{"forced failure", ":on-error (fn (i) :fail)", status(503), 1},
		{"nil fails", ":on-error (fn (i) nil)", status(503), 1},
		{"true fails", ":on-error (fn (i) #t)", status(503), 1},
		{"a string fails", ":on-error (fn (i) \"retry\")", status(503), 1},
		{"over the added status", ":retryable-statuses [409] :on-error (fn (i) :fail)", status(409), 1},
		{"no retries left", ":retries 0 :on-error (fn (i) :retry)", status(409), 1},
		{"default verdict", ":on-error (fn (i) (if (:retryable? i) :retry :fail))", status(503), 2},
		{"added is retryable", ":retryable-statuses [409] :on-error (fn (i) (if (:retryable? i) :retry :fail))", status(409), 2},
		{"a hint beyond its cap", ":on-error (fn (i) :retry)", hint(429, "300"), 1},
		{"a builtin", ":on-error :key", status(409), 0},
	}
	for _, c := range cases {
		r := newRig(t)
		s := r.provider("a", c.first, text("ok"))
		_, err := r.eval(t.Context(), `(llm/complete "x" {`+c.options+`})`)
		assert.Equal(t, c.requests == 2, err == nil, c.name)
		assert.Len(t, s.Requests(), c.requests, c.name)
	}
	r := newRig(t)
	s := r.repeating("a", status(409))
	r.checks(`
		(define n 0) ; => nil
		(llm/complete "x" {:on-error (fn (i) (set! n (+ n 1)) :retry)}) ; !! (4 attempts)
		n ; => 4
	`)
	assert.Len(t, s.Requests(), 4)
}

// A lambda may do what any function may: print, wait, ask another model.
func TestOnErrorIsAnOrdinaryFunction(t *testing.T) {
	r := newRig(t)
	other := r.provider("other", text("retry"), status(503))
	r.provider("a", status(409), text("ok"), status(409))
	r.checks(`
		(define (ask info) (println "asked" (:status info)) (sleep 1) (llm/with-fallback [:other] (fn () (string->keyword (llm/complete f"what about ${(:status info)}?" {:retries 0}))))) ; => nil
		(llm/complete "x" {:on-error ask}) ; => "ok"
		(map :provider (llm/last-trace)) ; => (:a :a)
		(define e (try (llm/complete "x" {:on-error ask}) (catch e e))) ; => nil
		(:provider e) ; => :other
		(:kind e) ; => :server
		(:kind (:cause e)) ; => :bad-request
		(:provider (:cause e)) ; => :a
	`)
	assert.Equal(t, "asked 409\nasked 409\n", r.out.String())
	assert.Contains(t, bodies(other)[0], "what about 409?")
}

// Calls inside a callback do not ask the callback of the scope around it, which
// would ask itself for ever; one of their own they do.
func TestCallbacksAreNotAskedAboutThemselves(t *testing.T) {
	for _, setup := range []string{
		`(define (run thunk) (llm/with-retry {:on-error handler :on-retry noted} thunk))`,
		`(define (run thunk) (llm/configure :a {:base-url (string-append url "/v1") :default-model "m" :on-error handler :on-retry noted}) (thunk))`,
	} {
		r := newRig(t)
		s := r.repeating("a", status(503))
		require.NoError(t, r.define("url", s.URL))
		r.checks(`
			(define asked 0) ; => nil
			(define told 0) ; => nil
			(define (noted info) (set! told (+ told 1)) (try (llm/complete "noted" {:retries 1}) (catch e nil))) ; => nil
			(define (handler info) (set! asked (+ asked 1)) (try (llm/complete "inner" {:retries 2}) (catch e :retry))) ; => nil
			` + setup + ` ; => nil
			(:status (try (run (fn () (llm/complete "outer" {:retries 1}))) (catch e e))) ; => 503
			asked ; => 2
			told ; => 1
		`)
		assert.Len(t, s.Requests(), 2+2*3+2)
	}
}

// What a callback raises ends the call: with that error, the provider's as its
// cause, and no other provider is tried.
func TestCallbackRaises(t *testing.T) {
	for _, option := range []string{":on-error", ":on-retry"} {
		r := newRig(t)
		next := r.provider("b", text("from b"))
		s := r.provider("a", status(500), status(503), status(500))
		r.checks(`
			(define n 0) ; => nil
			(define (raise info) (set! n (+ n 1)) (if (= n 2) (throw {:mine (:status info)}) :retry)) ; => nil
			(define e (try (llm/with-fallback [:a :b] (fn () (llm/complete "x" {` + option + ` raise}))) (catch e e))) ; => nil
			(:type e) ; => :user
			(:value e) ; => {:mine 503}
			(:status (:cause e)) ; => 503
			(length (:attempts (:cause e))) ; => 2
			(map :status (llm/last-trace)) ; => (500 503)
		`)
		assert.Len(t, s.Requests(), 2)
		assert.Empty(t, next.Requests())

		err := r.fails(`(begin (set! n 1) (llm/complete "x" {:retries 3 ` + option + ` raise}))`)
		var cause *llm.Error
		require.True(t, errors.As(err, &cause))
		assert.Equal(t, 500, cause.Status)
	}
	r := newRig(t)
	r.repeating("a", status(503))
	r.checks(`
		(llm/complete "x" {:on-error (fn () :retry)}) ; !! expects 0 arguments, got 1
		(llm/complete "x" {:on-error (fn (i) (error "mine"))}) ; !! mine
		(llm/complete "x" {:on-error (fn (i) (car 5))}) ; !! expected a list
	`)
	e := r.fails(`(llm/complete "x" {:on-error (fn (i) (error "mine"))})`)
	assert.Contains(t, e.Render(), "raised by a callback that was asked about: a model-a: server (status 503)")
}

func TestOnRetryIsTold(t *testing.T) {
	r := newRig(t)
	r.provider("a", status(500), hint(429, "7"), status(409), text("ok"))
	r.checks(`
		(define infos '()) ; => nil
		(define (keep info) (set! infos (append infos (list info)))) ; => nil
		(llm/complete "x" {:on-retry keep :retryable-statuses [409]}) ; => "ok"
		(map :wait-ms infos) ; => (250 7000 1000)
		(map :attempt infos) ; => (0 1 2)
		(keys (first infos)) ; => (:attempt :elapsed-ms :error :kind :model :provider :retry-after-ms :retryable? :status :wait-ms)
	`)
	assert.Equal(t, []int{250, 7000, 1000}, r.waits())
}

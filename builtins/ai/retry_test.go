package ai_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRetryOptions(t *testing.T) {
	for options, c := range map[string]struct {
		runs  int
		waits []int
	}{
		"":                                    {3, []int{100, 200}},
		"nil":                                 {3, []int{100, 200}},
		"{}":                                  {3, []int{100, 200}},
		"{:max-attempts 5}":                   {5, []int{100, 200, 400, 800}},
		"{:max-attempts 1}":                   {1, []int{}},
		"{:max-attempts 0}":                   {1, []int{}},
		"{:max-attempts -5}":                  {1, []int{}},
		"{:max-attempts 4 :backoff 1.5}":      {4, []int{100, 150, 225}},
		"{:max-attempts 4 :backoff 1}":        {4, []int{100, 100, 100}},
		"{:max-attempts 4 :backoff 0.5}":      {4, []int{100, 50, 25}},
		"{:base-delay-ms 200}":                {3, []int{200, 400}},
		"{:base-delay-ms 0}":                  {3, []int{}},
		"{:base-delay-ms -10}":                {3, []int{}},
		"{:base-delay-ms 1.5}":                {3, []int{1, 3}},
		"{:max-attempts 5 :max-delay-ms 250}": {5, []int{100, 200, 250, 250}},
		"{:max-delay-ms 0}":                   {3, []int{}},
		"{:jitter :full}":                     {3, []int{50, 100}},
		"{:jitter :none}":                     {3, []int{100, 200}},
		"{:max-attempts 9 :deadline-ms 500}":  {3, []int{100, 200}},
		"{:deadline-ms 0}":                    {1, []int{}},
		"{:on-error (fn (i) :retry)}":         {3, []int{100, 200}},
		"{:on-error (fn (i) :fail)}":          {1, []int{}},
		"{:on-error (fn (i) #t)}":             {1, []int{}},
		"{:on-error (fn (i) (if (= (:attempt i) 0) :retry :fail))}": {2, []int{100}},
	} {
		r := newRig(t)
		r.ok(`(define n 0)`)
		e := r.fails(`(retry (fn () (set! n (+ n 1)) (error f"failure ${n}")) ` + options + `)`)
		assert.Equal(t, c.runs, int(e.Error()[len(e.Error())-1]-'0'), "%s: the last error is raised again: %s", options, e)
		assert.Equal(t, c.waits, r.waits(), options)
	}
}

func TestRetryResults(t *testing.T) {
	newRig(t).checks(`
		(retry (fn () 5)) ; => 5
		(retry (fn () nil)) ; => nil
		(define n 0) ; => nil
		(retry (fn () (set! n (+ n 1)) (if (< n 3) (throw n) (list n)))) ; => (3)
		(try (retry (fn () (throw {:code 7}))) (catch e (:value e))) ; => {:code 7}
		(try (retry (fn () (throw :mine)) {:max-attempts 1}) (catch e (:type e))) ; => :user
		(try (retry (fn () (car 5)) {:max-attempts 2}) (catch e (:type e))) ; => :type-error
		(retry (fn (x) x)) ; !! expects 1 argument, got 0
	`)
}

func TestRetryWrongUse(t *testing.T) {
	r := newRig(t)
	r.checks(`
		(retry) ; !! retry expects 1 to 2 arguments, got 0
		(retry 5) ; !! expected a function without parameters to retry, got 5
		(retry :key) ; !! expected a function without parameters
		(retry {}) ; !! expected a function without parameters
		(try (retry "x") (catch e (:type e))) ; => :type-error
		(retry (fn () 1) 5) ; !! expected a map of options for retry, got 5
		(retry (fn () 1) {:max-attempt 2}) ; !! did you mean :max-attempts?
		(retry (fn () 1) {:retries 2}) ; !! retry has no option :retries
		(retry (fn () 1) {:max-attempts 0.5}) ; !! an integer for the option :max-attempts
		(retry (fn () 1) {:max-attempts math/nan}) ; !! :max-attempts
		(retry (fn () 1) {:max-attempts math/infinity}) ; !! :max-attempts
		(retry (fn () 1) {:base-delay-ms "1"}) ; !! :base-delay-ms
		(retry (fn () 1) {:base-delay-ms math/infinity}) ; !! :base-delay-ms
		(retry (fn () 1) {:backoff 0}) ; !! a multiplier above 0 for the option :backoff
		(retry (fn () 1) {:backoff -2}) ; !! :backoff
		(retry (fn () 1) {:backoff math/nan}) ; !! :backoff
		(retry (fn () 1) {:max-delay-ms -1}) ; !! not negative for the option :max-delay-ms
		(retry (fn () 1) {:jitter :some}) ; !! :full or :none for the option :jitter, got :some
		(retry (fn () 1) {:deadline-ms -1}) ; !! :deadline-ms
		(retry (fn () 1) {:on-error :retry}) ; !! expected a function for the option :on-error
		(retry (fn () 1) {:on-retry 5}) ; !! expected a function for the option :on-retry
	`)
	assert.Empty(t, r.waits())
}

func TestRetryCallbacks(t *testing.T) {
	r := newRig(t)
	r.repeating("a", status(404))
	r.checks(`
		(define infos '()) ; => nil
		(define (keep i) (set! infos (append infos (list i))) :retry) ; => nil
		(define (of key) (map key infos)) ; => nil
		(define (failing thunk) (set! infos '()) (try (retry thunk {:max-attempts 2 :on-error keep}) (catch e nil))) ; => nil
		(failing (fn () (throw {:status 418 :why "tea"}))) ; => nil
		(keys (first infos)) ; => (:attempt :elapsed-ms :error :message :retryable? :status :type :value)
		(of :status) ; => (418 418)
		(of :value) ; => ({:status 418 :why "tea"} {:status 418 :why "tea"})
		(of :type) ; => (:user :user)
		(of :attempt) ; => (0 1)
		(of :retryable?) ; => (#t #t)
		(of :elapsed-ms) ; => (0 100)
		(failing (fn () (error "words"))) ; => nil
		(of :message) ; => ("words" "words")
		(of :status) ; => (nil nil)
		(failing (fn () (llm/complete "x"))) ; => nil
		(of :status) ; => (404 404)
		(of :type) ; => (:llm :llm)
		(map (fn (i) (:kind (:error i))) infos) ; => (:not-found :not-found)
		(set! infos '()) ; => ()
		(try (retry (fn () (throw 1)) {:on-retry keep}) (catch e (:value e))) ; => 1
		(of :wait-ms) ; => (100 200)
		(define e (try (retry (fn () (throw 1)) {:on-error (fn (i) (throw 2))}) (catch e e))) ; => nil
		(:value e) ; => 2
		(:value (:cause e)) ; => 1
		(try (retry (fn () (throw 1)) {:on-retry (fn (i) (throw 3))}) (catch e (:value e))) ; => 3
	`)
}

// They compose: each loop does its own retries.
func TestRetryAroundACall(t *testing.T) {
	r := newRig(t)
	s := r.repeating("a", status(503))
	r.checks(`(retry (fn () (llm/complete "x" {:retries 1})) {:max-attempts 3}) ; !! server (status 503)`)
	assert.Len(t, s.Requests(), 6)
	assert.Equal(t, []int{250, 100, 250, 200, 250}, r.waits())
}

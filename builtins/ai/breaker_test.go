package ai_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gosema/gosema/llm/llmtest"
)

func TestWithBreaker(t *testing.T) {
	r := newRig(t)
	s := r.server("a", "", llmtest.Script{Replies: append(times(5, status(500)), text("back"))})
	r.provider("b", text("from b"))
	r.checks(`
		(llm/set-default :a) ; => :a
		(define (ask) (llm/with-breaker {:failures 2 :cooldown-ms 5000} (fn () (llm/complete "q" {:retries 0})))) ; => nil
		(ask) ; !! status 500
		(ask) ; !! status 500
		(ask) ; !! the breaker is open after 2 failures in a row; the next call may try in 5s
		(try (ask) (catch e (list (:kind e) (:code e) (:retry-after-ms e) (:attempts e)))) ; => (:server "breaker-open" 5000 ())
		(llm/with-fallback [:a :b] ask) ; => "from b"
		(llm/complete "outside" {:retries 0}) ; !! status 500
	`)
	r.clock.Advance(5 * time.Second)
	r.checks(`(ask) ; !! status 500
		(ask) ; !! breaker is open`)
	r.clock.Advance(5 * time.Second)
	r.checks(`(ask) ; !! status 500`)
	r.clock.Advance(5 * time.Second)
	r.checks(`(ask) ; => "back"`)
	assert.Len(t, s.Requests(), 6)
}

func TestWithHedge(t *testing.T) {
	r := newRig(t, realTime)
	s := r.provider("a", llmtest.Reply{Text: "slow", Delay: time.Minute}, text("quick"), llmtest.Reply{Text: "slow stream", Delay: time.Minute}, text("quick stream"))
	r.checks(`
		(llm/with-hedge {:delay-ms 50} (fn () (llm/complete "q"))) ; => "quick"
		(map :kind (llm/last-trace)) ; => (:cancelled nil)
		(llm/with-hedge {:delay-ms 50} (fn () (llm/stream "q" (fn (p) p)))) ; => "quick stream"
		(map :kind (llm/last-trace)) ; => (:cancelled nil)
	`)
	assert.Len(t, s.Requests(), 4)
}

func TestConfigureRetryBudget(t *testing.T) {
	r := newRig(t)
	s := r.repeating("a", status(500))
	r.checks(`
		(llm/configure-retry-budget {:ratio 0 :min-retries 2}) ; => nil
		(llm/complete "q" {:retry-cap-ms 0}) ; !! the retry budget is spent
		(length (llm/last-trace)) ; => 3
		(llm/complete "q" {:retry-cap-ms 0}) ; !! the retry budget is spent
		(length (llm/last-trace)) ; => 1
		(llm/configure-retry-budget nil) ; => nil
		(llm/complete "q" {:retry-cap-ms 0}) ; !! (4 attempts)
	`)
	assert.Len(t, s.Requests(), 8)
}

func TestBreakerMistakes(t *testing.T) {
	newRig(t).checks(`
		(llm/with-breaker {:failures 0} (fn () 1)) ; !! :failures
		(llm/with-breaker {:failures 1.5} (fn () 1)) ; !! :failures
		(llm/with-breaker {:cooldown-ms -1} (fn () 1)) ; !! :cooldown-ms
		(llm/with-breaker {:cooldown 1} (fn () 1)) ; !! :cooldown-ms
		(llm/with-breaker 5 (fn () 1)) ; !! a map
		(llm/with-breaker {} 5) ; !! a function without parameters
		(llm/with-hedge {:delay-ms -1} (fn () 1)) ; !! :delay-ms
		(llm/with-hedge {:delay 1} (fn () 1)) ; !! :delay-ms
		(llm/with-hedge {} 5) ; !! a function without parameters
		(llm/configure-retry-budget {:ratio -1}) ; !! :ratio
		(llm/configure-retry-budget {:min-retries -1}) ; !! :min-retries
		(llm/configure-retry-budget {:window-ms 0}) ; !! :window-ms
		(llm/configure-retry-budget {:share 1}) ; !! has no option :share
	`)
}

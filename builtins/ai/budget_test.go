package ai_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// paid answers with a usage; priced makes an output token cost a cent.
func paid(text string, tokens int) llmtest.Reply {
	return llmtest.Reply{Text: text, Usage: &llm.Usage{InputTokens: 1000, OutputTokens: tokens}}
}

const priced = `(llm/set-pricing "model-a" 0 10000)`

func TestWithBudget(t *testing.T) {
	r := newRig(t)
	s := r.provider("a", paid("one", 60), paid("two", 60), paid("three", 10), paid("four", 1))
	r.ok(priced)
	r.checks(`
		(llm/budget-remaining) ; => nil
		(define log '()) ; => nil
		(define e (llm/with-budget {:max-cost-usd 1.0} (fn () (llm/complete "a") (set! log (list (llm/budget-remaining))) (try (llm/complete "b") (catch e (set! log (cons (try (llm/complete "c") (catch e (:message e))) log)) e))))) ; => nil
		(:kind e) ; => :budget
		(:response e) ; => "two"
		(:message e) ; => "a model-a: budget: budget exceeded: $1.2 of $1 spent; the answer that was paid for is in :response"
		log ; => ("a model-a: budget: budget exceeded: $1.2 of $1 spent; the call was not made" {:limit 1.0 :remaining 0.4 :spent 0.6})
		(llm/with-budget {:max-tokens 5000} (fn () (llm/complete "d") (llm/budget-remaining))) ; => {:token-limit 5000 :tokens-remaining 3990 :tokens-spent 1010}
		(map (fn (k) (get (llm/session-usage) k)) '(:prompt-tokens :completion-tokens :total-tokens)) ; => (3000 130 3130)
		(round (* 100 (:cost-usd (llm/session-usage)))) ; => 130.0
		(:cost-usd (llm/last-usage)) ; => 0.1
		(llm/reset-usage) ; => nil
		(llm/session-usage) ; => {:cache-creation-tokens 0 :cache-read-tokens 0 :completion-tokens 0 :cost-usd 0.0 :prompt-tokens 0 :total-tokens 0}
	`)
	assert.Len(t, s.Requests(), 3)
}

func TestSetBudget(t *testing.T) {
	r := newRig(t)
	r.provider("a", paid("one", 60), paid("two", 60), paid("three", 10))
	r.ok(priced)
	r.checks(`
		(llm/set-budget 1) ; => nil
		(llm/complete "a") ; => "one"
		(llm/budget-remaining) ; => {:limit 1.0 :remaining 0.4 :spent 0.6}
		(llm/with-budget {:max-tokens 100000} (fn () (llm/complete "b"))) ; !! budget exceeded: $1.2 of $1 spent
		(llm/complete "c") ; !! the call was not made
		(llm/clear-budget) ; => nil
		(llm/complete "c") ; => "three"
		(llm/budget-remaining) ; => nil
	`)
}

func TestBudgetMistakes(t *testing.T) {
	newRig(t).checks(`
		(llm/with-budget {} (fn () 1)) ; !! :max-cost-usd must be given, or :max-tokens
		(llm/with-budget {:max-cost-usd -1} (fn () 1)) ; !! :max-cost-usd must be a number of at least 0
		(llm/with-budget {:max-tokens 1.5} (fn () 1)) ; !! :max-tokens
		(llm/with-budget {:max-token 5} (fn () 1)) ; !! :max-tokens
		(llm/with-budget {:max-tokens 5 :on-stream :post} (fn () 1)) ; !! :pre-gate
		(llm/with-budget 5 (fn () 1)) ; !! a map {:max-cost-usd :max-tokens}
		(llm/with-budget {:max-tokens 5} 7) ; !! a function without parameters
		(llm/set-budget -1) ; !! :max-cost-usd
		(llm/set-budget "1") ; !! expected a number
		(llm/set-pricing "m" -1 2) ; !! :input must be a price of at least 0
		(llm/set-pricing 'm 1 2) ; !! expected a string
	`)
}

func TestBudgetWarnsOnceOfAPriceThatIsNotKnown(t *testing.T) {
	r := newRig(t)
	r.repeating("a", paid("one", 60))
	r.ok(`(llm/with-budget {:max-cost-usd 1} (fn () (llm/complete "a") (llm/complete "b")))`)
	assert.Equal(t, "warning: the price of model-a at a is not known, so :max-cost-usd does not count it; "+
		"(llm/set-pricing \"model-a\" input output) sets it, or limit :max-tokens\n", r.out.String())
	r.checks(`
		(:cost-usd (llm/last-usage)) ; => nil
		(:unpriced-calls (llm/session-usage)) ; => 2
	`)
}

func TestBudgetOfCallsInCallbacks(t *testing.T) {
	r := newRig(t)
	r.server("a", ":default-model \"model-a\"", llmtest.Script{Replies: []llmtest.Reply{status(500), paid("advice", 1), paid("answer", 1)}})
	r.checks(`
		(llm/with-budget {:max-tokens 3000} (fn () (llm/complete "x" {:max-tokens 2500 :on-error (fn (e) (llm/complete "what now?" {:max-tokens 2500}) :retry)}))) ; => "answer"
		(llm/with-rate-limit {:concurrency 1} (fn () (begin (llm/define-provider :outer {:complete (fn (req) (llm/with-fallback [:b] (fn () (llm/complete "inner"))))}) (llm/define-provider :b {:complete (fn (req) "from b")}) (llm/set-default :outer) (llm/complete "x")))) ; => "from b"
	`)
}

func TestBudgetOfStreams(t *testing.T) {
	r := newRig(t)
	s := r.repeating("a", paid("text", 60))
	r.checks(`
		(llm/with-budget {:max-tokens 500} (fn () (llm/stream "x" (fn (p) p)) (llm/stream "x" (fn (p) p)) (:tokens-spent (llm/budget-remaining)))) ; => 2120
		(llm/with-budget {:max-tokens 500 :on-stream :pre-gate} (fn () (llm/stream "x" (fn (p) p)) (llm/stream "x" (fn (p) p)))) ; !! budget exceeded
	`)
	assert.Len(t, s.Requests(), 3)
}

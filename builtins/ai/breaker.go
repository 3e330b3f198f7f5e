package ai

import (
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

type (
	breakerKey struct{} // *llm.Breaker
	hedgeKey   struct{} // time.Duration
)

func breakerBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "llm/with-breaker", Arity: eval.Exactly(2), Fn: llmWithBreaker, Caps: eval.CapLLM,
			Doc: "(llm/with-breaker {:failures 5 :cooldown-ms 30000} thunk) calls thunk; its llm/* calls are refused by a provider's model that failed so many times in a row, until " +
				"the cooldown is over; then one call tries back. Attempts count one by one, statuses 4xx do not. The counts are the interpreter's: all breakers share them.",
			Example: "(llm/with-breaker {:failures 3} (fn () 42)) ; => 42"},
		{Name: "llm/with-hedge", Arity: eval.Exactly(2), Fn: llmWithHedge, Caps: eval.CapLLM,
			Doc: "(llm/with-hedge {:delay-ms 500} thunk) calls thunk; each request of its llm/* calls that was not answered after the delay gets a second one beside it. The first answer " +
				"wins and is the one that counts; the other request is cancelled. Providers written in the language are not hedged.",
			Example: "(llm/with-hedge {:delay-ms 200} (fn () 42)) ; => 42"},
		{Name: "llm/configure-retry-budget", Arity: eval.Exactly(1), Fn: llmConfigureRetryBudget, Caps: eval.CapLLM,
			Doc: "(llm/configure-retry-budget {:ratio 0.5 :min-retries 100 :window-ms 60000}) bounds the retries of all calls: within the window there are at most :min-retries, and :ratio " +
				"more for each call. So an outage is not multiplied. The values shown are those in force from the start; nil takes the bound away.",
			Example: "(llm/configure-retry-budget {:ratio 0.1 :min-retries 10}) ; => nil"},
	}
}

func llmWithBreaker(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	o := eval.OptionsOf("llm/with-breaker", args[0], "failures", "cooldown-ms")
	b := &llm.Breaker{Failures: 5, Cooldown: o.Millis("cooldown-ms", 30*time.Second), Circuits: &stateOf(t).circuits}
	if _, given := o.Get("failures"); given {
		b.Failures = count(o, "failures")
	}
	if err := o.Err(); err != nil {
		return value.Nil, err
	}
	return within(t, args[1], breakerKey{}, b)
}

func llmWithHedge(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	o := eval.OptionsOf("llm/with-hedge", args[0], "delay-ms")
	delay := o.Millis("delay-ms", 500*time.Millisecond)
	if err := o.Err(); err != nil {
		return value.Nil, err
	}
	return within(t, args[1], hedgeKey{}, delay)
}

func llmConfigureRetryBudget(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	s := stateOf(t)
	if args[0].IsNil() {
		s.retriesSet, s.retryBudget = true, nil
		return value.Nil, nil
	}
	o := eval.OptionsOf("llm/configure-retry-budget", args[0], "ratio", "min-retries", "window-ms")
	limit := llm.DefaultRetryLimit()
	limit.Ratio = o.Float("ratio", limit.Ratio)
	limit.Min = int(o.Int("min-retries", int64(limit.Min)))
	limit.Window = o.Millis("window-ms", limit.Window)
	if err := o.Err(); err != nil {
		return value.Nil, err
	}
	b, err := llm.NewRetryBudget(limit)
	if err != nil {
		return value.Nil, &eval.Error{Kind: eval.KindEval, Message: "llm/configure-retry-budget: " + err.Error(), Cause: err}
	}
	s.retriesSet, s.retryBudget = true, b
	return value.Nil, nil
}

// retries is the budget that bounds the retries of all calls, nil if nothing does.
func (s *state) retries() *llm.RetryBudget {
	if !s.retriesSet {
		s.retriesSet = true
		s.retryBudget, _ = llm.NewRetryBudget(llm.DefaultRetryLimit())
	}
	return s.retryBudget
}

// breakerOf and hedgeOf are those of the nearest scope.
func breakerOf(t *eval.Thread) *llm.Breaker {
	b, _ := t.Scope().Get(breakerKey{}).(*llm.Breaker)
	return b
}

func hedgeOf(t *eval.Thread) *time.Duration {
	if d, ok := t.Scope().Get(hedgeKey{}).(time.Duration); ok {
		return &d
	}
	return nil
}

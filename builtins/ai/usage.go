package ai

import (
	"fmt"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

func usageBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "llm/last-usage", Arity: eval.Exactly(0), Fn: llmLastUsage, Caps: eval.CapLLM,
			Doc: "(llm/last-usage) is {:prompt-tokens :completion-tokens :total-tokens :cache-read-tokens :cache-creation-tokens :model :cost-usd} of the last call, with nil " +
				"for what the provider did not say and for a price that is not known; nil before the first. The prompt's tokens have the cached ones among them.",
			Example: "(llm/last-usage) ; => nil"},
		{Name: "llm/session-usage", Arity: eval.Exactly(0), Fn: llmSessionUsage, Caps: eval.CapLLM,
			Doc: "(llm/session-usage) is the sum over all calls so far, in the shape of llm/last-usage without :model. Calls whose price is not known are in no sum of money: " +
				":unpriced-calls counts them, if there are any.",
			Example: "(:total-tokens (llm/session-usage)) ; => 0"},
		{Name: "llm/reset-usage", Arity: eval.Exactly(0), Fn: llmResetUsage, Caps: eval.CapLLM,
			Doc: "(llm/reset-usage) sets the sums of llm/session-usage to 0.", Example: "(llm/reset-usage) ; => nil"},
		{Name: "llm/set-pricing", Arity: eval.Between(3, 5), Fn: llmSetPricing, Caps: eval.CapLLM,
			Doc: "(llm/set-pricing \"model\" input output [cache-read cache-write]) says what a model costs, in US dollars per million tokens. It goes before the list " +
				"of prices that comes with the program. Cached tokens cost what input does unless you say so.",
			Example: "(llm/set-pricing \"my-model\" 1.0 3.0) ; => nil"},
		{Name: "llm/pricing-status", Arity: eval.Exactly(0), Fn: llmPricingStatus, Caps: eval.CapLLM,
			Doc: "(llm/pricing-status) is {:source \"embedded\" :updated-at \"2026-11-20\"}: where prices come from, and their day.", Example: "(:source (llm/pricing-status)) ; => \"embedded\""},
	}
}

// bill is what a call took.
type bill struct {
	*llm.Usage // nil: not known
	model      string
	usd        float64
	priced     bool
}

// session is what all calls took.
type session struct {
	llm.Usage
	usd      float64
	unpriced int // calls whose price is not known
}

// billFor prices what came of a call.
func (s *state) billFor(r *llm.Response) *bill {
	b := &bill{Usage: r.Usage, model: r.Model}
	if b.Usage == nil {
		return b
	}
	b.usd, b.priced = s.prices.Cost(r.Provider, r.Model, r.Usage)
	b.priced = b.priced || r.Usage.TotalTokens() == 0 // from the cache: free at any price
	return b
}

func (s *session) add(b *bill) {
	if b.Usage != nil {
		s.Usage.Add(b.Usage)
	}
	if s.usd += b.usd; !b.priced {
		s.unpriced++
	}
}

func llmLastUsage(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	b := stateOf(t).usage
	if b == nil {
		return value.Nil, nil
	}
	cost := value.Nil
	if b.priced {
		cost = value.Float(b.usd)
	}
	return value.Map(append(tokenFields(b.Usage), keyword("model"), textOrNil(b.model), keyword("cost-usd"), cost)...), nil
}

// tokenFields are the counts of a usage, nil where it is not known.
func tokenFields(u *llm.Usage) []eval.Value {
	counts := [...]struct {
		name string
		of   func(*llm.Usage) int
	}{
		{"prompt-tokens", (*llm.Usage).PromptTokens},
		{"completion-tokens", func(u *llm.Usage) int { return u.OutputTokens }},
		{"total-tokens", (*llm.Usage).TotalTokens},
		{"cache-read-tokens", func(u *llm.Usage) int { return u.CacheReadTokens }},
		{"cache-creation-tokens", func(u *llm.Usage) int { return u.CacheWriteTokens }},
	}
	var fields []eval.Value
	for _, c := range counts {
		n := value.Nil
		if u != nil {
			n = value.Int(int64(c.of(u)))
		}
		fields = append(fields, keyword(c.name), n)
	}
	return fields
}

func llmSessionUsage(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	sum := &stateOf(t).session
	fields := append(tokenFields(&sum.Usage), keyword("cost-usd"), value.Float(sum.usd))
	if sum.unpriced > 0 {
		fields = append(fields, keyword("unpriced-calls"), value.Int(int64(sum.unpriced)))
	}
	return value.Map(fields...), nil
}

func llmResetUsage(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	stateOf(t).session = session{}
	return value.Nil, nil
}

func llmSetPricing(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	a := eval.ArgsOf(args)
	model := a.String(0)
	price := llm.Price{Input: a.Float(1), Output: a.Float(2)}
	price.CacheRead, price.CacheWrite = price.Input, price.Input
	if len(args) > 3 {
		price.CacheRead = a.Float(3)
	}
	if len(args) > 4 {
		price.CacheWrite = a.Float(4)
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := stateOf(t).prices.Set(model, price); err != nil {
		return value.Nil, &eval.Error{Kind: eval.KindEval, Message: "llm/set-pricing: " + err.Error(), Cause: err}
	}
	return value.Nil, nil
}

func llmPricingStatus(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	return value.Map(keyword("source"), value.String("embedded"), keyword("updated-at"), value.String(stateOf(t).prices.Date())), nil
}

// warnUnpriced says once a model that a budget in dollars cannot count it.
func (s *state) warnUnpriced(provider, model string) {
	if s.warned[model] {
		return
	}
	if s.warned == nil {
		s.warned = map[string]bool{}
	}
	s.warned[model] = true
	fmt.Fprintf(s.interp.Stderr(), "warning: the price of %s at %s is not known, so :max-cost-usd does not count it; "+
		"(llm/set-pricing %q input output) sets it, or limit :max-tokens\n", model, provider, model)
}

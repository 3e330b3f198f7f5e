package ai

import (
	"math"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

type budgetKey struct{} // *llm.Budget

func budgetBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "llm/with-budget", Arity: eval.Exactly(2), Fn: llmWithBudget, Caps: eval.CapLLM,
			Doc: "(llm/with-budget {:max-cost-usd :max-tokens :on-stream} thunk) calls thunk; its llm/* calls may spend so much together, with what tasks started in it spend. " +
				"The call that goes beyond the cap raises \"budget exceeded\" with the answer at :response; the next is refused without a request. Streams are charged, " +
				"and refused at the cap with :on-stream :pre-gate. What is spent here counts in the budgets around too.",
			Example: "(llm/with-budget {:max-tokens 1000} (fn () 42)) ; => 42"},
		{Name: "llm/set-budget", Arity: eval.Exactly(1), Fn: llmSetBudget, Caps: eval.CapLLM,
			Doc: "(llm/set-budget usd) caps what all calls from now on may spend together, in US dollars. It starts anew at each call.", Example: "(llm/set-budget 1.0) ; => nil"},
		{Name: "llm/clear-budget", Arity: eval.Exactly(0), Fn: llmClearBudget, Caps: eval.CapLLM,
			Doc: "(llm/clear-budget) takes away the cap that llm/set-budget set.", Example: "(llm/clear-budget) ; => nil"},
		{Name: "llm/budget-remaining", Arity: eval.Exactly(0), Fn: llmBudgetRemaining, Caps: eval.CapLLM,
			Doc: "(llm/budget-remaining) is {:limit :spent :remaining} in US dollars and {:token-limit :tokens-spent :tokens-remaining} of the innermost budget in force, as far " +
				"as it has these limits; nil without a budget.",
			Example: "(:remaining (llm/with-budget {:max-cost-usd 1} llm/budget-remaining)) ; => 1.0"},
	}
}

func llmWithBudget(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	limit, err := readBudget(args[0])
	if err != nil {
		return value.Nil, err
	}
	b, err := newBudget("llm/with-budget", limit)
	if err != nil {
		return value.Nil, err
	}
	return within(t, args[1], budgetKey{}, b)
}

func newBudget(who string, limit llm.BudgetLimit) (*llm.Budget, error) {
	b, err := llm.NewBudget(limit)
	if err != nil {
		return nil, &eval.Error{Kind: eval.KindEval, Message: who + ": " + err.Error(), Cause: err}
	}
	return b, nil
}

func readBudget(v eval.Value) (limit llm.BudgetLimit, err error) {
	if !v.IsMap() {
		return limit, eval.TypeError("a map {:max-cost-usd :max-tokens}", v)
	}
	o := eval.OptionsOf("llm/with-budget", v, "max-cost-usd", "max-tokens", "on-stream")
	if _, given := o.Get("max-cost-usd"); given {
		usd := o.Float("max-cost-usd", 0)
		limit.MaxCost = &usd
	}
	if _, given := o.Get("max-tokens"); given {
		n := int(o.Int("max-tokens", 0))
		limit.MaxTokens = &n
	}
	if v, given := o.Get("on-stream"); given {
		name, _ := v.KeywordName()
		if limit.GateStreams = name == "pre-gate"; !limit.GateStreams {
			o.Bad("on-stream", ":pre-gate")
		}
	}
	return limit, o.Err()
}

func llmSetBudget(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	a := eval.ArgsOf(args)
	usd := a.Float(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	b, err := newBudget("llm/set-budget", llm.BudgetLimit{MaxCost: &usd})
	if err == nil {
		stateOf(t).budget = b
	}
	return value.Nil, err
}

func llmClearBudget(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	stateOf(t).budget = nil
	return value.Nil, nil
}

// budgetsOf are the budgets in force, the innermost first.
func budgetsOf(t *eval.Thread, s *state) (all []*llm.Budget) {
	t.Scope().All(budgetKey{}, func(b any) bool {
		all = append(all, b.(*llm.Budget))
		return true
	})
	if s.budget != nil {
		all = append(all, s.budget)
	}
	return all
}

func llmBudgetRemaining(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	all := budgetsOf(t, stateOf(t))
	if len(all) == 0 {
		return value.Nil, nil
	}
	limit := all[0].Limit()
	usd, tokens := all[0].Spent()
	var fields []eval.Value
	if limit.MaxCost != nil {
		fields = append(fields, keyword("limit"), value.Float(*limit.MaxCost), keyword("spent"), value.Float(usd),
			keyword("remaining"), value.Float(math.Max(0, *limit.MaxCost-usd)))
	}
	if limit.MaxTokens != nil {
		fields = append(fields, keyword("token-limit"), value.Int(int64(*limit.MaxTokens)), keyword("tokens-spent"), value.Int(int64(tokens)),
			keyword("tokens-remaining"), value.Int(int64(max(0, *limit.MaxTokens-tokens))))
	}
	return value.Map(fields...), nil
}

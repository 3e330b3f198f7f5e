package ai

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

// isBudget reports the error of a budget that is spent.
func isBudget(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	return ok && e.Kind == llm.KindBudget
}

// outcome is what a batch that nobody cancelled comes to: all answers, or the
// error that has those that there are.
func (b *batch) outcome() (eval.Value, error) {
	var missing []eval.Value // an error map for each item without an answer
	first, failures := -1, 0
	answers := slices.Clone(b.results)
	for i := range b.items {
		if !b.results[i].IsUndefined() {
			continue
		}
		answers[i] = value.Nil
		if b.errs[i] != nil {
			failures++
			if first < 0 || b.errs[i] == b.spent {
				first = i
			}
		}
		failure := b.itemError(i).Map()
		if missing = append(missing, failure); b.collect {
			answers[i] = failure
		}
	}
	if first < 0 || b.collect {
		return value.List(answers...), nil
	}
	return value.Nil, b.failed(first, failures, value.List(answers...), value.List(missing...))
}

// itemError is the error of an item, with its place in the list.
func (b *batch) itemError(i int) *eval.Error {
	own := eval.Error{Kind: eval.KindLLM, Message: "not started: the budget is spent", Fields: []eval.Value{keyword("kind"), keyword(string(llm.KindBudget))}}
	if b.errs[i] != nil {
		own = *b.errs[i]
	}
	own.Fields = append(slices.Clip(own.Fields), keyword("index"), value.Int(int64(i)))
	return &own
}

// failed is the error of a batch: that of one of its items, with what the others
// came to.
func (b *batch) failed(i, failures int, answers, missing eval.Value) error {
	own := *b.itemError(i)
	how := fmt.Sprintf("the item at index %d failed", i)
	if failures > 1 {
		how = fmt.Sprintf("%d of %d items failed, that at index %d", failures, len(b.items), i)
	}
	if left := len(b.items) - b.next; left > 0 {
		how = fmt.Sprintf("%d of %d items were not started; %s", left, len(b.items), how)
	}
	own.Message, own.Cause = fmt.Sprintf("%s: %s: %s", b.who, how, b.errs[i].Error()), b.errs[i]
	own.Fields = append(own.Fields, keyword("results"), answers, keyword("errors"), missing)
	if own.Hint == "" {
		own.Hint = "(catch e ...) has the answers at (:results e); {:on-item-error :collect} puts the errors among the answers"
	}
	return &own
}

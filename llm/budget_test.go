package llm_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// costing answers with a usage: at the price of pricedCall a token is a cent.
func costing(text string, tokens int) llmtest.Step {
	return llmtest.Step{Func: func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: text, Status: 200, StopReason: llm.StopEnd, Usage: &llm.Usage{OutputTokens: tokens}}, nil
	}}
}

// pricedCall is a call of one provider whose output tokens cost a cent each.
func pricedCall(t *testing.T, steps ...llmtest.Step) (*llm.Call, *llmtest.Provider) {
	t.Helper()
	p := llmtest.NewProvider("a", steps...)
	call := chainOf(p)
	call.Prices = &llm.Prices{}
	require.NoError(t, call.Prices.Set("default", llm.Price{Output: 10_000}))
	return call, p
}

func dollars(t *testing.T, usd float64) *llm.Budget {
	t.Helper()
	b, err := llm.NewBudget(llm.BudgetLimit{MaxCost: &usd})
	require.NoError(t, err)
	return b
}

func tokens(t *testing.T, n int) *llm.Budget {
	t.Helper()
	b, err := llm.NewBudget(llm.BudgetLimit{MaxTokens: &n})
	require.NoError(t, err)
	return b
}

func TestBudgetKeepsWhatWasPaidFor(t *testing.T) {
	call, p := pricedCall(t, costing("one", 60), costing("two", 60), costing("three", 1))
	call.Budgets = []*llm.Budget{dollars(t, 1)}
	require.Nil(t, ask(t, call))
	crossing := ask(t, call)
	assert.Equal(t, llm.KindBudget, crossing.Kind)
	assert.Equal(t, "two", crossing.Response.Text)
	assert.Contains(t, crossing.Error(), "budget exceeded: $1.2 of $1 spent")
	assert.Len(t, crossing.Attempts, 1)
	refused := ask(t, call)
	assert.Equal(t, llm.KindBudget, refused.Kind)
	assert.Nil(t, refused.Response)
	assert.Contains(t, refused.Error(), "the call was not made")
	assert.Len(t, p.Calls(), 2)
}

func TestBudgetAtTheCapIsNotBeyond(t *testing.T) {
	call, p := pricedCall(t, costing("one", 100))
	call.Budgets = []*llm.Budget{tokens(t, 100)}
	require.Nil(t, ask(t, call))
	require.Equal(t, llm.KindBudget, ask(t, call).Kind)
	assert.Len(t, p.Calls(), 1)
	call.Budgets = []*llm.Budget{tokens(t, 0)}
	require.Equal(t, llm.KindBudget, ask(t, call).Kind, "a cap of nothing lets nothing through")
	assert.Len(t, p.Calls(), 1)
}

func TestBudgetsChargeOutwards(t *testing.T) {
	call, _ := pricedCall(t, costing("one", 30), costing("two", 80))
	inner, outer := dollars(t, 5), dollars(t, 1)
	call.Budgets = []*llm.Budget{inner, outer}
	require.Nil(t, ask(t, call))
	call.Budgets = []*llm.Budget{outer}
	require.Equal(t, llm.KindBudget, ask(t, call).Kind)
	usd, n := inner.Spent()
	assert.InDelta(t, 0.3, usd, 1e-9)
	assert.Equal(t, 30, n)
	usd, n = outer.Spent()
	assert.InDelta(t, 1.1, usd, 1e-9)
	assert.Equal(t, 110, n)
}

func TestBudgetStopsTheChain(t *testing.T) {
	call, _ := pricedCall(t, costing("one", 200))
	call.Budgets = []*llm.Budget{dollars(t, 1)}
	next := llmtest.NewProvider("b", answer("from b"))
	call.Chain = append(call.Chain, llm.Entry{Provider: next})
	require.Equal(t, llm.KindBudget, ask(t, call).Kind)
	require.Equal(t, llm.KindBudget, ask(t, call).Kind)
	assert.Empty(t, next.Calls())
}

func TestBudgetChargesFailuresThatWerePaidFor(t *testing.T) {
	blocked := &llm.Error{Kind: llm.KindContentFilter, Status: 200, Response: &llm.Response{Usage: &llm.Usage{OutputTokens: 7}}}
	call, _ := pricedCall(t, llmtest.Step{Err: blocked}, failing(llm.KindServer, 500))
	b := tokens(t, 100)
	call.Budgets = []*llm.Budget{b}
	require.Equal(t, llm.KindContentFilter, ask(t, call).Kind)
	require.Equal(t, llm.KindServer, ask(t, call).Kind)
	_, n := b.Spent()
	assert.Equal(t, 7, n)
}

func TestBudgetGuessesWhatNobodySaid(t *testing.T) {
	call, _ := pricedCall(t, answer("a reply of some length, without usage"))
	b := tokens(t, 1000)
	call.Budgets = []*llm.Budget{b}
	require.Nil(t, ask(t, call))
	_, n := b.Spent()
	assert.Greater(t, n, 5)
}

func TestBudgetWithoutAPriceWarns(t *testing.T) {
	var told []string
	call, _ := pricedCall(t, costing("one", 9), costing("two", 9))
	call.Unpriced = func(provider, model string) { told = append(told, provider+" "+model) }
	req := hello()
	req.Model = "nobody-sells-this"
	call.Budgets = []*llm.Budget{tokens(t, 1000)}
	_, err := call.Complete(t.Context(), req)
	require.NoError(t, err)
	assert.Empty(t, told, "tokens need no price")
	b := dollars(t, 1)
	call.Budgets = []*llm.Budget{b}
	_, err = call.Complete(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, []string{"a nobody-sells-this"}, told)
	usd, n := b.Spent()
	assert.Zero(t, usd)
	assert.Equal(t, 9, n)
}

func TestBudgetParallelCallsOvershootByOneAtMost(t *testing.T) {
	for _, perCall := range []int{40, 100, 150} {
		synctest.Test(t, func(t *testing.T) {
			var steps []llmtest.Step
			for range 10 {
				steps = append(steps, llmtest.Step{Func: func(context.Context, *llm.Request) (*llm.Response, error) {
					time.Sleep(time.Second)
					return &llm.Response{Text: "x", StopReason: llm.StopEnd, Usage: &llm.Usage{OutputTokens: perCall}}, nil
				}})
			}
			call, p := pricedCall(t, steps...)
			b := tokens(t, 100)
			call.Budgets = []*llm.Budget{b}
			req := hello()
			req.MaxTokens = perCall // no reply is longer
			var wg sync.WaitGroup
			for range 10 {
				wg.Go(func() { _, _ = call.Complete(t.Context(), req) })
			}
			wg.Wait()
			_, spent := b.Spent()
			beyond := (spent - 100 + perCall - 1) / perCall
			assert.LessOrEqual(t, beyond, 1, "%d tokens in %d calls of %d", spent, len(p.Calls()), perCall)
			assert.GreaterOrEqual(t, spent, 100, "and the budget gets used")
		})
	}
}

func TestBudgetWaitEndsWithTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call, p := pricedCall(t, after(time.Hour, "slow", nil), answer("nested"))
		call.Clock = llm.SystemClock{}
		call.Budgets = []*llm.Budget{tokens(t, 10)}
		ctx, stop := context.WithCancel(t.Context())
		go func() { _, _ = call.Complete(ctx, hello()) }()
		synctest.Wait()

		waiting, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := call.Complete(waiting, hello())
		require.Error(t, err)
		assert.Len(t, p.Calls(), 1, "nothing is sent while there is no room")

		bounded := *call
		bounded.Deadline = time.Now().Add(time.Second)
		_, err = bounded.Complete(t.Context(), hello())
		e, _ := errors.AsType[*llm.Error](err)
		require.NotNil(t, e)
		assert.Equal(t, llm.KindTimeout, e.Kind)

		nested := *call
		nested.Nested = true
		reply, err := nested.Complete(t.Context(), hello())
		require.NoError(t, err, "a callback's call does not wait for the call that it serves")
		assert.Equal(t, "nested", reply.Text)
		stop()
		synctest.Wait()
	})
}

func TestBudgetOfStreams(t *testing.T) {
	r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{
		{Text: "a long answer", Usage: &llm.Usage{OutputTokens: 50}}}, Then: llmtest.Repeat}})
	b := tokens(t, 40)
	free := func(call *llm.Call) { call.Budgets = []*llm.Budget{b} }
	for i := 1; i <= 2; i++ {
		h := r.listen(t, question(), free)
		require.NoError(t, h.err, "streams are charged and not refused")
		_, n := b.Spent()
		assert.Equal(t, 50*i, n)
	}
	n := 40
	gate, err := llm.NewBudget(llm.BudgetLimit{MaxTokens: &n, GateStreams: true})
	require.NoError(t, err)
	gated := func(call *llm.Call) { call.Budgets = []*llm.Budget{gate} }
	require.NoError(t, r.listen(t, question(), gated).err)
	h := r.listen(t, question(), gated)
	e, _ := errors.AsType[*llm.Error](h.err)
	require.NotNil(t, e)
	assert.Equal(t, llm.KindBudget, e.Kind)
	assert.Empty(t, h.pieces)
}

func TestBudgetOfStreamsThatBreak(t *testing.T) {
	r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Text: "a long answer of many words"}}, Then: llmtest.Repeat}})
	b := tokens(t, 1000)
	call := r.streamCall()
	call.Budgets = []*llm.Budget{b}
	stop := errors.New("enough")
	_, err := call.Stream(t.Context(), question(), func(string) error { return stop })
	require.ErrorIs(t, err, stop)
	_, n := b.Spent()
	assert.Greater(t, n, 1, "what came is paid for")
}

func TestNewBudgetValidates(t *testing.T) {
	minus, less := -0.5, -1
	for _, l := range []llm.BudgetLimit{{}, {MaxCost: &minus}, {MaxTokens: &less}} {
		_, err := llm.NewBudget(l)
		var bad *llm.OptionError
		require.ErrorAs(t, err, &bad)
	}
}

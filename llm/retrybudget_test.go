package llm_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

func TestRetryBudget(t *testing.T) {
	always := make([]llmtest.Step, 100)
	for i := range always {
		always[i] = failing(llm.KindServer, 500)
	}
	p := llmtest.NewProvider("a", always...)
	call := chainOf(p)
	call.Policy.Retries = 3
	call.Policy.Cap = 0 // no waits, so the window stands still
	clock := call.Clock.(*llmtest.Clock)
	var err error
	call.RetryBudget, err = llm.NewRetryBudget(llm.RetryLimit{Ratio: 0.5, Min: 4, Window: time.Minute})
	require.NoError(t, err)
	requests := func() int { before := len(p.Calls()); ask(t, call); return len(p.Calls()) - before }

	require.Equal(t, 4, requests(), "3 retries of the 4 + 1/2")
	require.Equal(t, 3, requests(), "2 of the 4 + 2/2 are left")
	require.Equal(t, 2, requests(), "then one for every two calls")
	require.Equal(t, 1, requests())
	e := ask(t, call)
	assert.Contains(t, e.Error(), "the retry budget is spent")
	assert.Equal(t, 500, e.Status, "the failure keeps its class")
	clock.Advance(2 * time.Minute)
	require.Equal(t, 4, requests(), "old retries are forgotten")
}

func TestRetryBudgetDefaultLeavesOneProgramAlone(t *testing.T) {
	b, err := llm.NewRetryBudget(llm.DefaultRetryLimit())
	require.NoError(t, err)
	for range 30 {
		p := llmtest.NewProvider("a", failing(llm.KindServer, 500), failing(llm.KindServer, 500), failing(llm.KindServer, 500), answer("ok"))
		call := chainOf(p)
		call.Policy, call.RetryBudget = llm.DefaultPolicy(), b
		require.Nil(t, ask(t, call))
	}
}

func TestRetryBudgetValidate(t *testing.T) {
	for option, l := range map[string]llm.RetryLimit{
		"ratio":       {Ratio: -1, Window: time.Second},
		"min-retries": {Min: -1, Window: time.Second},
		"window-ms":   {},
	} {
		_, err := llm.NewRetryBudget(l)
		var bad *llm.OptionError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, option, bad.Option)
	}
}

package ai_test

import (
	"testing"

	"github.com/gosema/gosema/llm/llmtest"
)

func TestFailuresSayWhatToDo(t *testing.T) {
	r := newRig(t)
	r.server("openai", `:retries 0`, llmtest.Script{Replies: []llmtest.Reply{status(401), status(402), status(404), status(429),
		{Status: 400, Code: "context_length_exceeded", Text: "too long"}}})
	r.checks(`
		(llm/complete "x") ; !! check the variable OPENAI_API_KEY, or call (llm/configure :openai {:api-key ...})
		(llm/complete "x") ; !! (llm/with-fallback [:openai :another] thunk)
		(llm/complete "x" {:model "gtp"}) ; !! "gtp" was asked for
		(llm/complete "x") ; !! (llm/with-rate-limit rps thunk)
		(llm/complete "x") ; !! send less
		(llm/complete "x" {:deadline-ms 0}) ; !! {:deadline-ms ms} the whole call
		(llm/with-budget {:max-tokens 0} (fn () (llm/complete "x"))) ; !! (llm/budget-remaining)
	`)
}

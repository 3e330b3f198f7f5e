package ai_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// TestBatchSharesAccounts: items are paid for by the budget around the batch, at
// most one goes beyond its cap, and identical ones share a request.
func TestBatchSharesAccounts(t *testing.T) {
	r := newRig(t)
	s := r.repeating("a", llmtest.Reply{Text: "x", Usage: &llm.Usage{InputTokens: 100, OutputTokens: 1000}})
	r.checks(`
		(define e (try (llm/with-budget {:max-tokens 3000} (fn () (llm/batch (map str (range 10)) {:concurrency 10 :max-tokens 1000}))) (catch e e))) ; => nil
		(:kind e) ; => :budget
		(:total-tokens (llm/session-usage)) ; => 3300
		(length (filter nil? (:results e))) ; => 8
		(map :response (filter :response (:errors e))) ; => ("x")
	`)
	assert.Len(t, s.Requests(), 3, "two fit in, one goes beyond")

	shared := newRig(t)
	s = shared.server("a", "", llmtest.Script{Replies: []llmtest.Reply{paid("once", 5)}})
	shared.checks(`
		(llm/with-cache (fn () (llm/batch ["q" "q" "q" "q"]))) ; => ("once" "once" "once" "once")
		(:total-tokens (llm/session-usage)) ; => 1005
		(:hits (llm/cache-stats)) ; => 3
	`)
	assert.Len(t, s.Requests(), 1)
}

// TestBatchOnATape records and replays items whichever comes first.
func TestBatchOnATape(t *testing.T) {
	r := newRig(t)
	e := r.echo(gate(3))
	path := t.TempDir() + "/a.jsonl"
	assert.NoError(t, r.define("path", path))
	r.checks(`
		(llm/with-cassette path (fn () (llm/batch ["a" "b" "c"]))) ; => ("A" "B" "C")
		(llm/with-cassette path {:mode :replay} (fn () (llm/batch ["c" "b" "a"]))) ; => ("C" "B" "A")
	`)
	assert.Equal(t, 3, e.all)
	assert.Equal(t, 3, strings.Count(string(readFile(t, path)), "\n"))
}

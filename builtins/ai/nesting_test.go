package ai_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm/llmtest"
)

// TestScopesNestInAnyOrder puts all scopes around one call, in many orders: what
// happens must not depend on the order. The first provider fails twice and then
// for good, the second answers at its second attempt.
func TestScopesNestInAnyOrder(t *testing.T) {
	scopes := []string{
		`(llm/with-fallback [:a [:b "model-b"]] %s)`,
		`(llm/with-retry {:retries 2 :retry-cap-ms 0} %s)`,
		`(llm/with-rate-limit {:rps 200} %s)`,
		`(llm/with-deadline 60000 %s)`,
		`(llm/with-budget {:max-tokens 100000} %s)`,
		`(llm/with-breaker {:failures 3} %s)`,
		`(llm/with-hedge {:delay-ms 50000} %s)`,
		`(llm/with-cache {:ttl 60} %s)`,
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		r := newRig(t, realTime)
		a := r.server("a", "", llmtest.Script{Replies: []llmtest.Reply{status(500), status(503), status(400)}})
		b := r.provider("b", status(529), paid("from b", 5))
		src := `(list (llm/complete "q") (llm/complete "q") (:tokens-spent (llm/budget-remaining)) (llm/cache-stats))`
		src = "(fn () " + src + ")"
		for _, i := range random.Perm(len(scopes)) {
			src = "(fn () " + fmt.Sprintf(scopes[i], src) + ")"
		}
		start := time.Now()
		// The second call finds b's answer in the cache, after a failed once more: that
		// was the third failure, which opens the breaker.
		require.Equal(t, `("from b" "from b" 1005 {:hits 1 :misses 3 :size 1})`, r.ok("("+src+")"), src)
		assert.Len(t, a.Requests(), 4, src)
		assert.Len(t, b.Requests(), 2, src)
		assert.GreaterOrEqual(t, time.Since(start), 25*time.Millisecond, "six attempts at 200 a second")
	}
}

// TestReplayIgnoresEverythingElse: a tape answers before anything is asked.
func TestReplayIgnoresEverythingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	recorder := newRig(t)
	recorder.provider("a", text("one"))
	require.NoError(t, recorder.define("path", path))
	recorder.ok(`(llm/with-cassette path (fn () (llm/complete "q")))`)
	r := newRig(t)
	require.NoError(t, r.define("path", path))
	r.checks(`
		(llm/with-cassette path {:mode :replay} (fn () (llm/with-fallback [:x :y] (fn () (llm/with-cache (fn () (llm/with-breaker {} (fn () (llm/complete "q"))))))))) ; => "one"
	`)
}

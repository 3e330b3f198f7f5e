package ai_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gosema/gosema/llm/llmtest"
)

// The places that settings come from, the farthest first: llm/configure, an
// outer scope, an inner scope, the call.
var places = []string{"configure", "outer", "inner", "call"}

// placed makes the program that gives each place its options.
func placed(r *rig, options map[string]string, script llmtest.Script) (program string, s *llmtest.Server) {
	s = r.server("a", options["configure"], script)
	return fmt.Sprintf(`(llm/with-retry {%s} (fn () (llm/with-retry {%s} (fn () (llm/complete "x" {%s})))))`,
		options["outer"], options["inner"], options["call"]), s
}

// The nearest place that gives an option wins, whatever the others say.
func TestNearestWins(t *testing.T) {
	failing := llmtest.Script{Replies: []llmtest.Reply{status(503)}, Then: llmtest.Repeat}
	for set := 1; set < 16; set++ {
		options, nearest := map[string]string{}, 0
		for i, place := range places {
			if set&(1<<i) != 0 {
				options[place] = fmt.Sprintf(":retries %d", i+1)
				nearest = i + 1
			}
		}
		r := newRig(t)
		program, s := placed(r, options, failing)
		r.fails(program)
		assert.Len(t, s.Requests(), 1+nearest, "%v", options)
	}
}

// Each option is taken from the nearest place that has it.
func TestMergedOptionByOption(t *testing.T) {
	r := newRig(t)
	program, s := placed(r, map[string]string{
		"configure": ":retries 3 :retry-base-ms 9999 :on-error (fn (i) :fail)",
		"outer":     ":retry-base-ms 400 :retry-cap-ms 600 :on-error (fn (i) :retry)",
		"inner":     ":retry-base-ms 200",
		"call":      ":on-retry (fn (i) (display (:wait-ms i)))",
	}, llmtest.Script{Replies: times(4, status(409))})
	assert.Equal(t, "409", r.field(program, ":status"))
	assert.Len(t, s.Requests(), 4)
	assert.Equal(t, []int{100, 200, 300}, r.waits())
	assert.Equal(t, "100200300", r.out.String())
}

// Statuses add up over the places.
func TestStatusesAddUp(t *testing.T) {
	r := newRig(t)
	program, s := placed(r, map[string]string{
		"configure": ":retryable-statuses [404]", "outer": ":retryable-statuses [405]",
		"inner": ":retryable-statuses [406]", "call": ":retries 9 :retryable-statuses [407]",
	}, llmtest.Script{Replies: []llmtest.Reply{status(404), status(405), status(406), status(407), status(429), status(408)}})
	assert.Equal(t, "408", r.field(program, ":status"))
	assert.Len(t, s.Requests(), 6)
}

// Settings end with their scope, however it is left.
func TestScopesEnd(t *testing.T) {
	r := newRig(t)
	s := r.repeating("a", status(503))
	r.checks(`
		(try (llm/with-retry {:retries 0} (fn () (error "out"))) (catch e nil)) ; => nil
		(llm/with-retry {:retries 0} (fn () 1)) ; => 1
		(llm/complete "x") ; !! (4 attempts)
		(define saved (llm/with-retry {:retries 0} (fn () (fn () (llm/complete "x"))))) ; => nil
		(saved) ; !! (4 attempts)
	`)
	assert.Len(t, s.Requests(), 8)
}

// A provider's settings are its own in a chain.
func TestConfiguredSettingsInAChain(t *testing.T) {
	r := newRig(t)
	fail := llmtest.Script{Replies: []llmtest.Reply{status(503)}, Then: llmtest.Repeat}
	a := r.server("a", ":retries 1", fail)
	b := r.server("b", ":retries 2 :timeout 1000 :retry-base-ms 10", fail)
	c := r.server("c", "", fail)
	r.fails(`(llm/with-fallback [:a :b :c] (fn () (llm/complete "x")))`)
	assert.Len(t, a.Requests(), 2)
	assert.Len(t, b.Requests(), 3)
	assert.Len(t, c.Requests(), 4)
	assert.Equal(t, []int{250, 5, 10, 250, 500, 1000}, r.waits())
}

// So are timeouts.
func TestConfiguredTimeoutInAChain(t *testing.T) {
	r := newRig(t)
	late := llmtest.Script{Replies: []llmtest.Reply{{Text: "late", Delay: 1 << 40}}, Then: llmtest.Repeat}
	r.provider("b", llmtest.Reply{Text: "from b", Delay: 60e6})
	a := r.server("a", ":timeout 20 :retries 1", late)
	assert.Equal(t, `"from b"`, r.ok(`(llm/with-fallback [:a :b] (fn () (llm/complete "x")))`))
	assert.Equal(t, "(:timeout :timeout nil)", r.ok("(map :kind (llm/last-trace))"))
	assert.Len(t, a.Requests(), 2)
	assert.Equal(t, ":timeout", r.field(`(llm/complete "x" {:retries 0})`, ":kind"))
}

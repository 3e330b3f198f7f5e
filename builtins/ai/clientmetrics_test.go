package ai_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// :on-metric gets one map for each request with its retries, each tool call and
// each run.
func TestClientOnMetric(t *testing.T) {
	r := newRig(t, rand0)
	r.checks(`
		(define events '()) ; => nil
		(define (keep m) (set! events (append events (list m)))) ; => nil
		(define tk [{:name "f" :fn (fn () "did")}]) ; => nil
	`)
	r.client(":retries 1 :on-metric keep", status(503), used(calls("f"), 3, 2), used(text("ok"), 4, 1))
	r.checks(`
		(:status (client/run c "go" {:toolkit tk})) ; => "done"
		(nth events 0) ; => {:completion_tokens 2 :error nil :event "llm" :model "m" :ms 500 :prompt_tokens 3 :status 200}
		(nth events 1) ; => {:event "tool" :is_error #f :ms 0 :source "native" :tool "f"}
		(nth events 2) ; => {:completion_tokens 1 :error nil :event "llm" :model "m" :ms 0 :prompt_tokens 4 :status 200}
		(nth events 3) ; => {:error nil :event "run" :model "m" :ms 500 :tool_calls 1 :total_tokens 10 :turns 2}
		(length events) ; => 4
	`)
	r.client(":on-metric keep", calls("made-up"), status(401))
	r.checks(`
		(define events '()) ; => nil
		(client/run c "go" {:toolkit tk}) ; !! 401
		(map :event events) ; => ("llm" "tool" "llm" "run")
		(:tool (nth events 1)) ; => "unknown"
		(:status (nth events 2)) ; => 401
		(list (:turns (last events)) (:tool_calls (last events)) (:total_tokens (last events))) ; => (1 1 nil)
		(string/contains? (:error (last events)) "401") ; => #t
	`)
	r.client(`:on-metric (fn (m) (when (= (:event m) "run") (println "run took" (:ms m) "ms over" (:turns m) "turns")))`, text("ok"))
	r.ok(`(client/run c "go")`)
	assert.Equal(t, "run took 0 ms over 1 turns\n", r.out.String())
}

func TestClientMetrics(t *testing.T) {
	r := newRig(t, rand0)
	r.client(":retries 1", status(503), used(calls("f", "made-up", "made-up-too"), 3, 2), text("ok"), status(400))
	r.checks(`
		(define tk [{:name "f" :fn (fn () "did")}]) ; => nil
		(:status (client/run c "go" {:toolkit tk})) ; => "done"
		(client/run c "go") ; !! 400
	`)
	v, err := r.eval(t.Context(), "(client/metrics c)")
	require.NoError(t, err)
	got, _ := v.AsString()
	checkExposition(t, got)
	for _, line := range []string{
		`toolnexus_llm_requests_total{model="m",status="ok"} 2`, `toolnexus_llm_requests_total{model="m",status="error"} 1`,
		`toolnexus_llm_tokens_total{type="prompt"} 3`, `toolnexus_llm_tokens_total{type="completion"} 2`,
		`toolnexus_llm_request_duration_seconds_bucket{model="m",le="0.25"} 2`, `toolnexus_llm_request_duration_seconds_bucket{model="m",le="0.5"} 3`,
		`toolnexus_llm_request_duration_seconds_bucket{model="m",le="+Inf"} 3`, `toolnexus_llm_request_duration_seconds_sum{model="m"} 0.5`,
		`toolnexus_llm_request_duration_seconds_count{model="m"} 3`, `toolnexus_tool_calls_total{tool="f",source="native",is_error="false"} 1`,
		`toolnexus_tool_calls_total{tool="unknown",source="unknown",is_error="true"} 2`, `toolnexus_run_errors_total{model="m"} 1`,
	} {
		assert.Contains(t, got, line+"\n")
	}
	r.checks(`
		(define odd (client/create-client {:base-url "http://x" :model "a\"b\\c\nd" :http-client (fn (u h b) {:status 200 :body "{\"choices\":[{\"message\":{\"content\":\"hi\"}}]}"})})) ; => nil
		(:text (client/run odd "x")) ; => "hi"
		(string/contains? (client/metrics odd) "{model=\"a\\\"b\\\\c\\nd\",status=\"ok\"} 1\n") ; => #t
	`)
	v, err = r.eval(t.Context(), "(client/metrics odd)")
	require.NoError(t, err)
	got, _ = v.AsString()
	checkExposition(t, got)
	v, err = r.eval(t.Context(), `(client/metrics (client/create-client {:base-url "http://x" :model "m"}))`)
	require.NoError(t, err)
	got, _ = v.AsString()
	checkExposition(t, got)
	assert.Equal(t, 12, strings.Count(got, "\n"), "only what there is to count")
}

// checkExposition checks text against the grammar of Prometheus' text format.
func checkExposition(t *testing.T, text string) {
	t.Helper()
	require.True(t, strings.HasSuffix(text, "\n"))
	help := regexp.MustCompile(`^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) [^\n]+$`)
	kind := regexp.MustCompile(`^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|histogram)$`)
	label := `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`
	sample := regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)\{` + label + `(?:,` + label + `)*\} [0-9.e+-]+$`)
	current, seen := "", map[string]bool{}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		switch {
		case help.MatchString(line):
			current = help.FindStringSubmatch(line)[1]
			assert.False(t, seen[current], "one block for each metric")
			seen[current] = true
		case kind.MatchString(line):
			assert.Equal(t, current, kind.FindStringSubmatch(line)[1], "line %d", i+1)
		default:
			require.Regexp(t, sample, line)
			assert.True(t, strings.HasPrefix(sample.FindStringSubmatch(line)[1], current))
			series := line[:strings.LastIndexByte(line, ' ')]
			assert.False(t, seen[series], "one line for each series: %s", series)
			seen[series] = true
		}
	}
}

package ai

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

// clientCounts are what a client did, by the labels of the series. Labels come
// from the program, never from the model: there are only so many.
type clientCounts struct {
	requests, tokens, toolCalls, runErrors map[string]int
	requestTime, toolTime                  map[string]*histogram
}

// histogram counts durations by upper bounds.
type histogram struct {
	counts [len(durationBounds) + 1]int // the last is for those beyond all bounds
	sum    time.Duration
}

// durationBounds are in seconds.
var durationBounds = [...]float64{0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}

func (h *histogram) add(d time.Duration) {
	i, _ := slices.BinarySearch(durationBounds[:], d.Seconds())
	h.counts[i]++
	h.sum += d
}

func (c *clientCounts) request(model string, took time.Duration, reply *llm.Response) {
	status := "ok"
	if reply == nil {
		status = "error"
	} else if u := reply.Usage; u != nil {
		increase(&c.tokens, u.PromptTokens(), "type", "prompt")
		increase(&c.tokens, u.OutputTokens, "type", "completion")
	}
	increase(&c.requests, 1, "model", model, "status", status)
	observe(&c.requestTime, took, "model", model)
}

func (c *clientCounts) tool(call *toolCall) {
	name, source := call.label()
	increase(&c.toolCalls, 1, "tool", name, "source", source, "is_error", strconv.FormatBool(call.failed))
	observe(&c.toolTime, call.took, "tool", name)
}

func (c *clientCounts) run(model string, err error) {
	if err != nil {
		increase(&c.runErrors, 1, "model", model)
	}
}

func increase(series *map[string]int, n int, labels ...string) {
	if *series == nil {
		*series = map[string]int{}
	}
	(*series)[labelText(labels)] += n
}

func observe(series *map[string]*histogram, d time.Duration, labels ...string) {
	if *series == nil {
		*series = map[string]*histogram{}
	}
	key := labelText(labels)
	if (*series)[key] == nil {
		(*series)[key] = &histogram{}
	}
	(*series)[key].add(d)
}

// labelText writes pairs of names and values as name="value",...
func labelText(labels []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	var parts []string
	for pair := range slices.Chunk(labels, 2) {
		parts = append(parts, pair[0]+`="`+escape.Replace(strings.ToValidUTF8(pair[1], "\ufffd"))+`"`)
	}
	return strings.Join(parts, ",")
}

func clientMetrics(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	c, err := clientArg(args[0])
	if err != nil {
		return value.Nil, err
	}
	return value.String(c.counts.text()), nil
}

// text renders the counts in Prometheus' text format. Series are in the order of
// their labels; a metric without any is announced all the same.
func (c *clientCounts) text() string {
	var b strings.Builder
	counter(&b, "toolnexus_llm_requests_total", "Requests to the model, retries not counted.", c.requests)
	counter(&b, "toolnexus_llm_tokens_total", "Tokens by type, where the provider said.", c.tokens)
	durations(&b, "toolnexus_llm_request_duration_seconds", "Time of requests to the model with their retries.", c.requestTime)
	counter(&b, "toolnexus_tool_calls_total", "Calls of tools.", c.toolCalls)
	durations(&b, "toolnexus_tool_duration_seconds", "Time of tool calls.", c.toolTime)
	counter(&b, "toolnexus_run_errors_total", "Runs that ended with an error.", c.runErrors)
	return b.String()
}

func head(b *strings.Builder, name, help, kind string) {
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func counter(b *strings.Builder, name, help string, series map[string]int) {
	head(b, name, help, "counter")
	for _, labels := range slices.Sorted(maps.Keys(series)) {
		fmt.Fprintf(b, "%s{%s} %d\n", name, labels, series[labels])
	}
}

func durations(b *strings.Builder, name, help string, series map[string]*histogram) {
	head(b, name, help, "histogram")
	for _, labels := range slices.Sorted(maps.Keys(series)) {
		h, total := series[labels], 0
		for i, n := range h.counts {
			bound := "+Inf"
			if i < len(durationBounds) {
				bound = number(durationBounds[i])
			}
			total += n
			fmt.Fprintf(b, "%s_bucket{%s,le=\"%s\"} %d\n", name, labels, bound, total)
		}
		fmt.Fprintf(b, "%s_sum{%s} %s\n%s_count{%s} %d\n", name, labels, number(h.sum.Seconds()), name, labels, total)
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

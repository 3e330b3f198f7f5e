package ai_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gosema/gosema/llm/llmtest"
)

// BenchmarkBatch asks a server on loopback that takes its time, or none, so many
// prompts at a time.
func BenchmarkBatch(b *testing.B) {
	const items = 64
	for _, delay := range []time.Duration{0, 10 * time.Millisecond} {
		for _, concurrency := range []int{1, 8, 32} {
			b.Run(fmt.Sprintf("delay=%v/concurrency=%d", delay, concurrency), func(b *testing.B) {
				r := newRig(b, realTime)
				r.repeating("a", llmtest.Reply{Text: "ok", Delay: delay})
				fn, err := r.eval(b.Context(), fmt.Sprintf("(fn () (llm/batch (list %s) {:concurrency %d}))", strings.Repeat(`"question" `, items), concurrency))
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if _, err := r.in.Call(b.Context(), fn); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/items, "µs/item")
			})
		}
	}
}

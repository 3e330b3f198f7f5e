package ai_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm/llmtest"
)

// BenchmarkClientRun is a run of one request, and one of two requests with four
// tool calls after each, over real HTTP; the server takes its share.
func BenchmarkClientRun(b *testing.B) {
	for name, first := range map[string]llmtest.Reply{"answer": text("ok"), "tools": calls("f", "f", "f", "f")} {
		b.Run(name, func(b *testing.B) {
			r := newRig(b)
			r.clientOf(":max-turns 2", llmtest.Script{Replies: []llmtest.Reply{first}, Then: llmtest.Repeat})
			r.ok(`(define (run) (client/run c "hi" {:toolkit [{:name "f" :fn (fn () "did")}]}))`)
			fn, ok := r.in.Global("run")
			require.True(b, ok)
			for b.Loop() {
				_, err := r.in.Call(context.Background(), fn)
				require.NoError(b, err)
			}
		})
	}
}

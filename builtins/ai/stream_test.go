package ai_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/llm/llmtest"
)

func TestStreamPrintsOrCalls(t *testing.T) {
	r := newRig(t)
	r.repeating("p", llmtest.Reply{Text: "Hello, world: 世界!", Usage: nil})
	require.Equal(t, `"Hello, world: 世界!"`, r.ok(`(llm/stream "hi")`))
	require.Equal(t, "Hello, world: 世界!", r.out.String())
	r.out.Reset()
	r.checks(`
		(define got '()) ; => nil
		(llm/stream "hi" (fn (c) (set! got (cons c got)))) ; => "Hello, world: 世界!"
		(string-append (apply string-append (reverse got))) ; => "Hello, world: 世界!"
		(> (length got) 3) ; => #t
		(let ((n 0)) (llm/stream "hi" (fn (c) (set! n (+ n (string-length c)))) {:max-tokens 20}) n) ; => 17
		(llm/stream "hi" {:max-tokens 20 :idle-timeout-ms 5000}) ; => "Hello, world: 世界!"
		(llm/stream (list {:role :user :content "hi"}) (fn (c) nil)) ; => "Hello, world: 世界!"
	`)
	r.checks(`
		(llm/stream "hi" 5) ; !! a map
		(llm/stream "hi" {} (fn (c) c)) ; !! expected a function of a piece of text before the options
		(llm/stream "hi" (fn (c) c) {:idle-timeout 5}) ; !! idle-timeout-ms
		(llm/stream "hi" (fn (c) c) {:idle-timeout-ms -1}) ; !! idle-timeout-ms
		(llm/stream 5) ; !! expected a prompt
		(llm/stream "hi" (fn () 1)) ; !! expects 0 arguments
	`)
}

func TestStreamFailures(t *testing.T) {
	partial := llmtest.Reply{Body: []byte(`data: {"choices":[{"delta":{"content":"par"}}]}` + "\n\n")}
	r := newRig(t)
	r.provider("p", status(500), text("second"), partial, partial, text("unused"))
	r.checks(`
		(llm/stream "hi" (fn (c) nil)) ; => "second"
		(map :status (llm/last-trace)) ; => (500 200)
		(try (llm/stream "hi" (fn (c) nil)) (catch e (list (:kind e) (:partial e)))) ; => (:stream-truncated "par")
		(try (llm/stream "hi" (fn (c) (throw {:mine c}))) (catch e (list (:type e) (:value e)))) ; => (:user {:mine "par"})
	`)
}

// TestStreamCallbackMayCall: the callback may do anything, also ask a model.
func TestStreamCallbackMayCall(t *testing.T) {
	r := newRig(t)
	r.repeating("p", text("abcdefgh"))
	r.checks(`
		(define inner '()) ; => nil
		(llm/stream "hi" (fn (c) (sleep 1) (set! inner (cons (llm/complete "in") inner)))) ; => "abcdefgh"
		inner ; => ("abcdefgh" "abcdefgh")
	`)
}

// TestStreamLetsOthersRun while it waits, and stops when it is cancelled.
func TestStreamLetsOthersRun(t *testing.T) {
	r := newRig(t, realTime)
	r.repeating("p", llmtest.Reply{Body: []byte(`data: {"choices":[{"delta":{"content":"par"}}]}` + "\n\n"), Hang: true})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	r.ok(`(define seen nil)`)
	done := make(chan error, 1)
	go func() {
		_, err := r.eval(ctx, `(llm/stream "hi" (fn (c) (set! seen c)))`)
		done <- err
	}()
	require.Eventually(t, func() bool { return r.ok("seen") == `"par"` }, 5*time.Second, time.Millisecond)
	cancel()
	require.Equal(t, eval.KindCancelled, eval.AsError(<-done).Kind)
}

// TestStreamsOfAllFormats: each provider's own wire format, by its name.
func TestStreamsOfAllFormats(t *testing.T) {
	for name, option := range map[string]string{"anthropic": ":base-url", "gemini": ":base-url", "ollama": ":host", "other": ":base-url"} {
		r := newRig(t)
		s, err := llmtest.NewServer(text("streamed"), text("whole"))
		require.NoError(t, err)
		t.Cleanup(s.Close)
		r.ok(fmt.Sprintf(`(llm/configure :%s {%s %q :api-key %q :default-model "m"})`, name, option, s.URL, canary))
		require.Equal(t, `("streamed" "whole")`, r.ok(`(list (llm/stream "hi" (fn (c) nil)) (llm/complete "hi"))`), name)
		want := map[string]llmtest.Dialect{"anthropic": llmtest.Anthropic, "gemini": llmtest.Gemini, "ollama": llmtest.Ollama, "other": llmtest.OpenAI}[name]
		for _, req := range s.Requests() {
			require.Equal(t, want, req.Dialect, req.Path)
		}
	}
}

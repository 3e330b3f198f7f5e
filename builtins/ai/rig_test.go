package ai_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/builtins/core"
	"github.com/gosema/gosema/builtins/sys"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
	"github.com/gosema/gosema/stdlib"
)

// canary is the key of every provider of the tests: it must not turn up
// anywhere but in the header that carries it.
const canary = "sk-canary-4711-do-not-tell"

var library = sync.OnceValue(func() *eval.Library {
	return stdlib.Load(eval.NewLibrary(core.Builtins(), sys.Builtins(), ai.Builtins()).WithConstants(core.Constants()))
})

// rig is an interpreter whose waits take no time, with fault servers for
// providers. Chance is always in the middle: the waits of the default backoff
// are 250, 500 and 1000 ms.
type rig struct {
	t     testing.TB
	in    *eval.Interp
	clock *llmtest.Clock
	out   *bytes.Buffer
}

func newRig(t testing.TB, change ...func(*ai.Config)) *rig {
	t.Helper()
	r := &rig{t: t, clock: llmtest.NewClock(), out: &bytes.Buffer{}}
	r.in = eval.New(eval.Config{Library: library(), Stdin: strings.NewReader(""), Stdout: r.out, Stderr: r.out})
	t.Cleanup(r.in.Close)
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	c := ai.Config{HTTPClient: &http.Client{Transport: transport}}
	c.Env.Clock, c.Env.Rand = r.clock, func() float64 { return 0.5 }
	for _, f := range change {
		f(&c)
	}
	ai.Setup(r.in, c)
	return r
}

// realTime has a rig wait in real time.
func realTime(c *ai.Config) { c.Env.Clock = nil }

// provider starts a server that plays the replies, and configures it under
// name, which makes it the default.
func (r *rig) provider(name string, replies ...llmtest.Reply) *llmtest.Server {
	r.t.Helper()
	return r.server(name, "", llmtest.Script{Replies: replies})
}

// repeating is provider for a server that gives one reply for ever.
func (r *rig) repeating(name string, reply llmtest.Reply) *llmtest.Server {
	r.t.Helper()
	return r.server(name, "", llmtest.Script{Replies: []llmtest.Reply{reply}, Then: llmtest.Repeat})
}

// server configures a server with more options of llm/configure.
func (r *rig) server(name, options string, script llmtest.Script) *llmtest.Server {
	r.t.Helper()
	s, err := llmtest.Start(llmtest.Config{Script: script})
	require.NoError(r.t, err)
	r.t.Cleanup(s.Close)
	r.ok(fmt.Sprintf(`(llm/configure :%s {:base-url %q :api-key %q :default-model "model-%s" %s})`, name, s.URL+"/v1", canary, name, options))
	return s
}

func (r *rig) eval(ctx context.Context, src string) (eval.Value, error) {
	return r.in.Eval(ctx, &value.Source{Name: "test", Text: src})
}

// ok evaluates what must not fail, and returns the value as it is written.
func (r *rig) ok(src string) string {
	r.t.Helper()
	v, err := r.eval(context.Background(), src)
	require.NoError(r.t, err, src)
	return value.Write(v)
}

// fails evaluates what must fail.
func (r *rig) fails(src string) *eval.Error {
	r.t.Helper()
	v, err := r.eval(context.Background(), src)
	require.Error(r.t, err, "%s is %s", src, v)
	e, ok := err.(*eval.Error)
	require.True(r.t, ok, "%T", err)
	require.NotContains(r.t, e.Render(), "panic", src)
	return e
}

// field is a field of the error that src fails with, as a program sees it.
func (r *rig) field(src, field string) string {
	r.t.Helper()
	return r.ok(fmt.Sprintf("(try (begin %s :no-error) (catch e (%s e)))", src, field))
}

// checks evaluates expr ; => value lines, and expr ; !! error text lines.
func (r *rig) checks(lines string) {
	r.t.Helper()
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if expr, want, ok := strings.Cut(line, " ; => "); ok {
			assert.Equal(r.t, want, r.ok(expr), expr)
			continue
		}
		expr, want, _ := strings.Cut(line, " ; !! ")
		e := r.fails(expr)
		assert.Contains(r.t, e.Error()+"\n"+e.Hint, want, expr)
		assert.False(r.t, e.Fatal(), expr)
	}
}

// waits are the sleeps so far in milliseconds.
func (r *rig) waits() []int {
	waits := []int{}
	for _, d := range r.clock.Sleeps() {
		waits = append(waits, int(d/time.Millisecond))
	}
	return waits
}

func status(n int) llmtest.Reply  { return llmtest.Reply{Status: n, Text: "no"} }
func text(s string) llmtest.Reply { return llmtest.Reply{Text: s} }
func hint(n int, s string) llmtest.Reply {
	return llmtest.Reply{Status: n, Text: "no", Header: http.Header{"Retry-After": {s}}}
}

func times(n int, r llmtest.Reply) (replies []llmtest.Reply) {
	for range n {
		replies = append(replies, r)
	}
	return replies
}

// bodies are the bodies of the requests that a server got.
func bodies(s *llmtest.Server) (all []string) {
	for _, r := range s.Requests() {
		all = append(all, string(r.Body))
	}
	return all
}

func (r *rig) define(name string, x any) error {
	v, err := value.From(x)
	r.in.Define(name, v)
	return err
}

// asks is a reply in which the model calls a tool.
func asks(name, arguments string) llmtest.Reply {
	return llmtest.Reply{ToolCalls: []llm.ToolCall{{ID: "call_1", Name: name, Arguments: arguments}}}
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return text
}

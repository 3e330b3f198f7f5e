package ai_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/llm/llmtest"
)

// generous is how late a stop may be noticed on a machine that is busy.
const generous = 2 * time.Second

func TestRateLimit(t *testing.T) {
	for program, waits := range map[string][]int{
		`(llm/with-rate-limit 5 (fn () (ask) (ask) (ask)))`:                                       {200, 200},
		`(llm/with-rate-limit 1/2 (fn () (ask) (ask)))`:                                           {2000},
		`(llm/with-rate-limit {:rps 5 :burst 2} (fn () (ask) (ask) (ask)))`:                       {200},
		`(llm/with-rate-limit {:rpm 60} (fn () (ask) (ask)))`:                                     {1000},
		`(llm/with-rate-limit {:concurrency 1} (fn () (ask) (ask)))`:                              {},
		`(llm/with-rate-limit 5 (fn () (llm/with-rate-limit 2 (fn () (ask) (ask)))))`:             {500},
		`(begin (llm/with-rate-limit 5 (fn () (ask))) (ask))`:                                     {},
		`(begin (llm/with-rate-limit 5 (fn () (ask))) (llm/with-rate-limit 5 (fn () (ask))))`:     {},
		`(llm/with-rate-limit {:tpm 600} (fn () (ask {:max-tokens 599}) (ask {:max-tokens 59})))`: {6000},
	} {
		r := newRig(t)
		r.repeating("a", text("ok"))
		r.ok(`(define (ask . o) (apply llm/complete "x" o))`)
		r.ok(program)
		assert.Equal(t, waits, r.waits(), program)
	}
}

// Retries and fallbacks take tokens too.
func TestRateLimitOfRetries(t *testing.T) {
	r := newRig(t)
	r.repeating("b", text("ok"))
	r.repeating("a", status(503))
	r.ok(`(llm/with-rate-limit 2 (fn () (llm/with-fallback [:a :b] (fn () (llm/complete "x" {:retries 1 :retry-base-ms 0})))))`)
	assert.Equal(t, []int{500, 500}, r.waits())
}

// A wait that the deadline does not allow is not begun.
func TestRateLimitAndDeadline(t *testing.T) {
	r := newRig(t)
	s := r.repeating("a", text("ok"))
	r.ok(`(define e (try (llm/with-rate-limit 1 (fn () (llm/complete "1") (llm/complete "2" {:deadline-ms 500}))) (catch e e)))`)
	assert.Equal(t, ":timeout", r.ok("(:kind e)"))
	assert.Contains(t, r.ok("(:message e)"), "the rate limit asks for 1s, longer than the deadline allows")
	assert.Len(t, s.Requests(), 1)
	assert.Empty(t, r.waits())
}

// One deadline bounds attempts, waits and chain together: none of these waits
// is begun. (The clock of the rig stands still but for waits.)
func TestDeadlines(t *testing.T) {
	for _, program := range []string{
		`(llm/complete "x" {:deadline-ms 1000})`,
		`(llm/with-deadline 1000 (fn () (llm/complete "x")))`,
		`(llm/with-deadline 9999 (fn () (llm/with-deadline 1000 (fn () (llm/complete "x")))))`,
		`(llm/with-deadline 1000 (fn () (llm/with-deadline 9999 (fn () (llm/complete "x" {:deadline-ms 5000})))))`,
		`(llm/with-retry {:deadline-ms 1000} (fn () (llm/complete "x")))`,
		`(llm/with-fallback [:a :b] (fn () (llm/complete "x" {:deadline-ms 1000})))`,
	} {
		r := newRig(t)
		r.repeating("b", status(503))
		s := r.provider("a", status(503), hint(429, "30"))
		assert.Contains(t, []string{"30000", "nil"}, r.field(program, ":retry-after-ms"))
		assert.Len(t, s.Requests(), 2, program)
		for _, wait := range r.waits() {
			assert.Less(t, wait, 1000)
		}
	}
	r := newRig(t)
	s := r.repeating("a", text("ok"))
	assert.Equal(t, ":timeout", r.field(`(llm/with-deadline 0 (fn () (llm/complete "x")))`, ":kind"))
	assert.Equal(t, ":timeout", r.field(`(llm/complete "x" {:deadline-ms 0})`, ":kind"))
	assert.Empty(t, s.Requests())
	r.server("c", ":deadline-ms 0", llmtest.Script{})
	assert.Equal(t, ":timeout", r.field(`(llm/complete "x")`, ":kind"))
	assert.Equal(t, `"ok"`, r.ok(`(llm/with-fallback [:a] (fn () (llm/complete "x")))`))
}

// A deadline that passes while a request is in flight ends it.
func TestDeadlineInFlight(t *testing.T) {
	r := newRig(t, realTime)
	s := r.repeating("a", llmtest.Reply{Text: "late", Delay: time.Minute})
	next := r.provider("b", text("no"))
	start := time.Now()
	assert.Equal(t, ":timeout", r.field(`(llm/with-fallback [:a :b] (fn () (llm/complete "x" {:deadline-ms 40})))`, ":kind"))
	assert.Less(t, time.Since(start), generous)
	assert.Len(t, s.Requests(), 1)
	assert.Empty(t, next.Requests())
}

// Cancelling ends waits and requests at once, and no program can catch it.
func TestCancellation(t *testing.T) {
	slow := llmtest.Reply{Text: "late", Delay: time.Minute}
	for name, c := range map[string]struct {
		reply    llmtest.Reply
		program  string
		requests int
	}{
		"in flight":            {slow, `(llm/complete "x")`, 1},
		"in a wait":            {hint(429, "10"), `(llm/complete "x")`, 1},
		"in a rate limit":      {text("ok"), `(llm/with-rate-limit 0.01 (fn () (llm/complete "1") (llm/complete "2")))`, 1},
		"in a chain":           {slow, `(llm/with-fallback [:a :a] (fn () (llm/complete "x")))`, 1},
		"in retry":             {slow, `(retry (fn () (llm/complete "x")) {:base-delay-ms 0})`, 1},
		"in the wait of retry": {status(400), `(retry (fn () (llm/complete "x")) {:base-delay-ms 60000})`, 1},
		"in a classifier":      {status(503), `(llm/complete "x" {:on-error (fn (i) (sleep 60000) :retry)})`, 1},
		"in a provider":        {slow, `(begin (llm/define-provider :p {:complete (fn (r) (sleep 60000))}) (llm/complete "x"))`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, realTime)
			s := r.repeating("a", c.reply)
			require.NoError(t, r.define("asked", 0))
			ctx, cancel := context.WithCancelCause(t.Context())
			why := errors.New("enough")
			go func() { // once it is where the name says
				for len(s.Requests()) < c.requests {
					time.Sleep(time.Millisecond)
				}
				time.Sleep(15 * time.Millisecond)
				cancel(why)
			}()
			start := time.Now()
			_, err := r.eval(ctx, `(try (begin `+c.program+`) (catch e (set! asked 1)))`)
			assert.Less(t, time.Since(start), generous)
			e := eval.AsError(err)
			require.Error(t, err)
			assert.Equal(t, eval.KindCancelled, e.Kind)
			assert.ErrorIs(t, err, why)
			assert.Equal(t, "0", r.ok("asked"), "nobody is asked after a cancellation")
			assert.Len(t, s.Requests(), c.requests)
		})
	}
	r := newRig(t)
	s := r.provider("a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := r.eval(ctx, `(llm/complete "x")`)
	assert.Equal(t, eval.KindCancelled, eval.AsError(err).Kind)
	assert.Empty(t, s.Requests())
}

// The deadline of the host's context ends the program.
func TestContextDeadline(t *testing.T) {
	r := newRig(t, realTime)
	r.repeating("a", llmtest.Reply{Text: "late", Delay: time.Minute})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := r.eval(ctx, `(try (llm/complete "x") (catch e :caught))`)
	assert.Less(t, time.Since(start), generous)
	assert.Equal(t, eval.KindTimeout, eval.AsError(err).Kind)
}

// Others run while a program waits for its request, its retry or its turn.
func TestLockIsReleased(t *testing.T) {
	for name, c := range map[string]struct {
		reply   llmtest.Reply
		program string
	}{
		"request":    {llmtest.Reply{Text: "ok", Delay: time.Minute}, `(llm/complete "x")`},
		"retry":      {hint(503, "60"), `(llm/complete "x")`},
		"rate limit": {text("ok"), `(llm/with-rate-limit 0.01 (fn () (llm/complete "1") (llm/complete "2")))`},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, realTime)
			s := r.repeating("a", c.reply)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				r.eval(ctx, c.program)
			}()
			for len(s.Requests()) == 0 {
				time.Sleep(time.Millisecond)
			}
			assert.Equal(t, "3", r.ok("(+ 1 2)"))
			select {
			case <-done:
				t.Error("the call has ended")
			default:
			}
			cancel()
			<-done
		})
	}
}

// Many goroutines share an interpreter: their requests are in flight together,
// and what happens to one is nothing to the others.
func TestConcurrentCalls(t *testing.T) {
	const n = 20
	r := newRig(t, realTime)
	r.repeating("good", llmtest.Reply{Text: "ok", Delay: 50 * time.Millisecond})
	bad := r.repeating("bad", status(400))
	start := time.Now()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			if i%2 == 0 {
				assert.Equal(t, `"ok"`, r.ok(`(llm/with-fallback [:bad :good] (fn () (llm/complete "x")))`))
			} else {
				assert.Equal(t, ":bad", r.field(`(llm/with-retry {:retries 0} (fn () (llm/with-fallback [:bad] (fn () (llm/complete "x")))))`, ":provider"))
			}
		})
	}
	all.Wait()
	assert.Less(t, time.Since(start), n*50*time.Millisecond)
	assert.Len(t, bad.Requests(), n)
}

// A limit is shared by all that run in its scope, whatever their goroutine.
func TestSharedRateLimit(t *testing.T) {
	const n, rate = 5, 50
	r := newRig(t, realTime)
	s := r.repeating("a", text("ok"))
	// A function that closes over its scope has it when another goroutine calls
	// it: here by an exchange of values through the host.
	ready, hold := make(chan struct{}), make(chan struct{})
	r.in.DefineBuiltin(eval.Builtin{Name: "host/run", Arity: eval.Exactly(1), Fn: func(t *eval.Thread, args []eval.Value) (eval.Value, error) {
		scope, fn := t.Scope(), args[0]
		close(ready)
		var all sync.WaitGroup
		for range n {
			all.Go(func() {
				<-hold
				r.in.Do(context.Background(), func(own *eval.Thread) (eval.Value, error) {
					return own.InScope(scope, func() (eval.Value, error) { return own.Call(fn) })
				})
			})
		}
		return eval.Value{}, t.Blocking(func(context.Context) error {
			close(hold)
			all.Wait()
			return nil
		})
	}})
	start := time.Now()
	r.ok(`(llm/with-rate-limit 50 (fn () (host/run (fn () (llm/complete "x")))))`)
	<-ready
	assert.Len(t, s.Requests(), n)
	assert.GreaterOrEqual(t, time.Since(start), (n-1)*time.Second/rate)
}

func TestNoGoroutinesLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("calls", func(t *testing.T) {
		r := newRig(t, realTime, func(c *ai.Config) { c.HTTPClient = nil }) // the client of the interpreter itself
		r.server("a", ":timeout 500 :retry-base-ms 0", llmtest.Script{Replies: []llmtest.Reply{
			{Fault: llmtest.Drop}, {Fault: llmtest.Reset}, {Text: "late", Delay: time.Minute}, text("ok"),
		}})
		assert.Equal(t, `"ok"`, r.ok(`(llm/complete "x")`))
		r.ok(`(define s (llm/mock-server {:replies [{:text "late" :delay-ms 60000}]}))`)
		r.ok(`(llm/configure :s {:base-url (:url s) :default-model "m"})`)
		r.fails(`(llm/complete "x" {:timeout 20 :retries 0})`)
	})
	for range 400 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

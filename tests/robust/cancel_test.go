package robust_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

// soon is generous: a cancelled evaluation returns within tens of milliseconds,
// but the machine that runs the tests may be busy.
const soon = 10 * time.Second

// TestCancel: every endless program stops when its context is cancelled.
func TestCancel(t *testing.T) {
	for name, text := range endlessLoops {
		t.Run(name, func(t *testing.T) {
			in := newInterp(eval.Limits{})
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(20*time.Millisecond, cancel)
			start := time.Now()
			_, err := in.Eval(ctx, source(text))
			require.Less(t, time.Since(start), soon)
			require.Error(t, err)
			require.Equal(t, eval.KindCancelled, eval.AsError(err).Kind, eval.AsError(err).Render())
			works(t, in)
		})
	}
}

// TestDeadline: a context whose time is over is a timeout.
func TestDeadline(t *testing.T) {
	in := newInterp(eval.Limits{})
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	_, err := in.Eval(ctx, source("(try (while #t 1) (catch e 'caught))"))
	require.Error(t, err)
	require.Equal(t, eval.KindTimeout, eval.AsError(err).Kind)
	_, err = in.Eval(ctx, source("1"))
	require.Equal(t, eval.KindTimeout, eval.AsError(err).Kind, "a context that is done is refused")
	works(t, in)
}

// TestCancelLongBuiltins: builtins that go over long data stop too.
func TestCancelLongBuiltins(t *testing.T) {
	in := newInterp(eval.Limits{})
	_, err := evalText(t, in, "(define xs (range 3000000)) (define s (string/repeat \"ab \" 1000000)) nil")
	require.NoError(t, err)
	for _, text := range []string{"(sort-by (lambda (x) (- x)) xs)", "(map (lambda (x) (map (lambda (y) y) xs)) xs)", "(foldl (lambda (a x) (+ a x)) 0 xs)",
		"(filter odd? xs)", "(list/unique xs)", "(frequencies xs)", "(list/group-by odd? xs)", "(apply + xs)", "(map str xs)"} {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(5*time.Millisecond, cancel)
		start := time.Now()
		_, _ = in.Eval(ctx, source("(list "+text+" "+text+" (while #t 1))"))
		require.Less(t, time.Since(start), soon, text)
		cancel()
	}
	works(t, in)
}

// TestCancelWhileWaitingForLock: who waits for the interpreter gives up when its
// own context is cancelled, and does not take the lock with it.
func TestCancelWhileWaitingForLock(t *testing.T) {
	in := newInterp(eval.Limits{})
	ctx, stop := context.WithCancel(context.Background())
	running := make(chan error, 1)
	go func() {
		_, err := in.Eval(ctx, source("(while #t 1)"))
		running <- err
	}()
	for i := 0; i < 20; i++ {
		waiting, cancel := context.WithTimeout(context.Background(), time.Duration(i%3+1)*time.Millisecond)
		_, err := in.Eval(waiting, source("1"))
		if err != nil { // it may come first, before the loop has started
			require.Equal(t, eval.KindTimeout, eval.AsError(err).Kind)
		}
		cancel()
	}
	stop()
	require.Equal(t, eval.KindCancelled, eval.AsError(<-running).Kind)
	works(t, in)
}

// TestCancelInBlocking: a builtin that waits is told, and the lock is there
// again behind it.
func TestCancelInBlocking(t *testing.T) {
	in := newInterp(eval.Limits{})
	var entered atomic.Int32
	in.DefineBuiltin(eval.Builtin{Name: "wait", Arity: eval.Exactly(0), Fn: func(t *eval.Thread, _ []eval.Value) (eval.Value, error) {
		return value.Nil, t.Blocking(func(ctx context.Context) error {
			entered.Add(1)
			<-ctx.Done()
			return ctx.Err()
		})
	}})
	for _, text := range []string{"(wait)", "(try (wait) (catch e 'caught))", "(map (lambda (x) (try (wait) (catch e 'caught))) '(1 2 3))", "(while #t (try (wait) (catch e 1)))"} {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(5*time.Millisecond, cancel)
		start := time.Now()
		_, err := in.Eval(ctx, source(text))
		require.Less(t, time.Since(start), soon)
		require.Error(t, err, text)
		require.Equal(t, eval.KindCancelled, eval.AsError(err).Kind, text)
		works(t, in)
	}
	require.EqualValues(t, 4, entered.Load())
}

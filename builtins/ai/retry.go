package ai

import (
	"context"
	"math"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

func retryBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "retry", Arity: eval.Between(1, 2), Fn: retry,
			Doc: "(retry thunk [{:max-attempts 3 :base-delay-ms 100 :backoff 2.0 :max-delay-ms :jitter :deadline-ms :on-error :on-retry}]) calls thunk until it does not fail; the " +
				"last error is raised again. :on-error is a function of {:error :type :message :value :status :attempt :retryable? :elapsed-ms} that answers :retry, or fails.",
			Example: "(let ((n 0)) (retry (fn () (set! n (+ n 1)) (if (< n 3) (error \"not yet\") n)) {:base-delay-ms 1})) ; => 3"},
	}
}

var retryOptions = []string{"max-attempts", "base-delay-ms", "backoff", "max-delay-ms", "jitter", "deadline-ms", "on-error", "on-retry"}

func retry(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	thunk, options := args[0], value.Nil
	if len(args) > 1 {
		options = args[1]
	}
	if !isFunction(thunk) {
		return value.Nil, eval.TypeError("a function without parameters to retry", thunk)
	}
	loop, err := readLoop(t, options)
	if err != nil {
		return value.Nil, err
	}
	result := value.Nil
	err = loop.Do(t.Context(), func(ctx context.Context, n int) (err error) {
		result, err = t.Call(thunk)
		return err
	})
	if err == nil {
		return result, nil
	}
	return value.Nil, retryError(t, err)
}

// retryError is the error that ends a retry: the thunk's last, or the one that a
// callback raised.
func retryError(t *eval.Thread, err error) error {
	if raised, ok := err.(*llm.CallbackError); ok {
		return scriptError(raised)
	}
	if _, ok := err.(*llm.Error); ok { // the loop's own: the context ended in a wait
		if stopped := t.Interrupted(); stopped != nil {
			return stopped
		}
	}
	return err
}

func readLoop(t *eval.Thread, options eval.Value) (*llm.Loop, error) {
	s := stateOf(t)
	o := eval.OptionsOf("retry", options, retryOptions...)
	loop := &llm.Loop{Env: s.config.Env, Retries: attempts(o) - 1, Retryable: retryable}
	loop.Block = t.BlockingContext
	loop.Backoff = llm.Backoff{Base: delay(o, "base-delay-ms", 100*time.Millisecond), Factor: o.Float("backoff", 2), Max: o.Millis("max-delay-ms", 0), Jitter: jitter(o)}
	if v, given := o.Get("max-delay-ms"); given && loop.Backoff.Max == 0 && o.Err() == nil && v.IsNumber() {
		loop.Backoff.Base = 0 // a longest wait of nothing
	}
	if loop.Backoff.Factor <= 0 {
		o.Bad("backoff", "a multiplier above 0")
	}
	if _, given := o.Get("deadline-ms"); given {
		loop.Deadline = s.now().Add(o.Millis("deadline-ms", 0))
	}
	if asked := callbackOption(o, "on-error"); asked.given {
		loop.OnError = retryClassifier(t, asked.fn)
	}
	if told := callbackOption(o, "on-retry"); told.given {
		loop.OnRetry = func(f llm.Failure) error {
			_, err := t.Call(told.fn, retryMap(f, true))
			return err
		}
	}
	if err := o.Err(); err != nil {
		return nil, err
	}
	if err := loop.Validate(); err != nil {
		return nil, &eval.Error{Kind: eval.KindEval, Message: "retry: " + err.Error(), Cause: err}
	}
	return loop, nil
}

// retryable errors are all but those that no program may catch.
func retryable(err error) bool { return !eval.AsError(err).Fatal() }

func retryClassifier(t *eval.Thread, fn eval.Value) func(llm.Failure) (llm.Verdict, error) {
	return func(f llm.Failure) (llm.Verdict, error) {
		if !f.Retryable {
			return llm.Fail, nil
		}
		v, err := t.Call(fn, retryMap(f, false))
		if err != nil {
			return llm.Fail, err
		}
		return verdict(v), nil
	}
}

// attempts reads :max-attempts, which is at least 1.
func attempts(o *eval.Options) int {
	n := o.Int("max-attempts", 3)
	return int(min(max(n, 1), math.MaxInt32))
}

// delay reads a number of milliseconds, which is at least 0.
func delay(o *eval.Options, name string, fallback time.Duration) time.Duration {
	if _, given := o.Get(name); !given {
		return fallback
	}
	f := o.Float(name, 0)
	return time.Duration(min(max(f, 0), float64(math.MaxInt64/int64(time.Millisecond))) * float64(time.Millisecond))
}

func jitter(o *eval.Options) bool {
	v, given := o.Get("jitter")
	if !given {
		return false
	}
	switch name, _ := v.KeywordName(); name {
	case "full":
		return true
	case "none":
		return false
	}
	o.Bad("jitter", ":full or :none")
	return false
}

// retryMap is what the callbacks of retry are told.
func retryMap(f llm.Failure, waits bool) eval.Value {
	e := eval.AsError(f.Err)
	m := e.Map()
	field := func(name string) eval.Value {
		v, _ := m.Get(keyword(name))
		return v
	}
	kvs := []eval.Value{
		keyword("error"), m, keyword("type"), field("type"), keyword("message"), field("message"), keyword("value"), field("value"),
		keyword("status"), errorStatus(e, field("status")), keyword("attempt"), value.Int(int64(f.Attempt)),
		keyword("retryable?"), value.Bool(f.Retryable), keyword("elapsed-ms"), ms(f.Elapsed),
	}
	if waits {
		kvs = append(kvs, keyword("wait-ms"), ms(f.Wait))
	}
	return value.Map(kvs...)
}

// errorStatus finds the status of a failure: in the error, or in the map that
// was thrown.
func errorStatus(e *eval.Error, own eval.Value) eval.Value {
	if own.IsNil() && e.Kind == eval.KindUser && e.Value.IsMap() {
		own, _ = e.Value.Get(keyword("status"))
	}
	return own
}

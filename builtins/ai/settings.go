package ai

import (
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

// settings are retry options as one place gave them: a call, a scope, or
// llm/configure. The nearest place wins, option by option.
type settings struct {
	retries            *int
	base, cap, hintCap *time.Duration
	timeout, deadline  *time.Duration
	statuses           []int
	onError, onRetry   callback
}

// callback is a function of the program that a call asks or tells. A callback
// that is given but has no function silences those of the places around.
type callback struct {
	given bool
	fn    eval.Value
}

// settingOptions are the options that settings come from.
var settingOptions = []string{"retries", "retry-base-ms", "retry-cap-ms", "retry-after-cap-ms", "retryable-statuses", "on-error", "on-retry", "timeout", "deadline-ms"}

func readSettings(o *eval.Options) settings {
	s := settings{base: millis(o, "retry-base-ms"), cap: millis(o, "retry-cap-ms"), hintCap: millis(o, "retry-after-cap-ms"),
		timeout: millis(o, "timeout"), deadline: millis(o, "deadline-ms")}
	if v, given := o.Get("retries"); given {
		n, ok := wholeNumber(v)
		if !ok || n < 0 || n > maxRetries {
			o.Bad("retries", "a whole number of extra attempts, 0 or more,")
		}
		k := int(n)
		s.retries = &k
	}
	for _, v := range o.Elems("retryable-statuses") {
		n, ok := wholeNumber(v)
		if !ok || n < 100 || n > 999 {
			o.Bad("retryable-statuses", "a list of HTTP statuses")
			break
		}
		s.statuses = append(s.statuses, int(n))
	}
	s.onError, s.onRetry = callbackOption(o, "on-error"), callbackOption(o, "on-retry")
	return s
}

// callbackOption reads an option that is a function. Keywords and maps can be
// called too, but here they are mistakes, such as {:on-error :retry}.
func callbackOption(o *eval.Options, name string) (c callback) {
	if c.fn, c.given = o.Get(name); c.given && !isFunction(c.fn) {
		o.Bad(name, "a function")
	}
	return c
}

func isFunction(v eval.Value) bool { return v.IsClosure() || v.IsBuiltin() }

func millis(o *eval.Options, name string) *time.Duration {
	if _, given := o.Get(name); !given {
		return nil
	}
	d := o.Millis(name, 0)
	return &d
}

// over returns s where it says something, and outer elsewhere. Statuses add up:
// they only ever widen what is retried.
func (s settings) over(outer settings) settings {
	s.retries = first(s.retries, outer.retries)
	s.base, s.cap, s.hintCap = first(s.base, outer.base), first(s.cap, outer.cap), first(s.hintCap, outer.hintCap)
	s.timeout, s.deadline = first(s.timeout, outer.timeout), first(s.deadline, outer.deadline)
	s.statuses = append(append([]int(nil), s.statuses...), outer.statuses...)
	if !s.onError.given {
		s.onError = outer.onError
	}
	if !s.onRetry.given {
		s.onRetry = outer.onRetry
	}
	return s
}

func first[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

// policy is the retry policy that the settings ask for.
func (s settings) policy(t *eval.Thread) *llm.Policy {
	p := llm.DefaultPolicy()
	set(&p.Retries, s.retries)
	set(&p.Base, s.base)
	set(&p.Cap, s.cap)
	set(&p.HintCap, s.hintCap)
	p.Statuses = s.statuses
	p.OnError = s.onError.classifier(t)
	if fn := s.onRetry.fn; isFunction(fn) {
		p.OnRetry = func(f llm.Failure) error {
			_, err := callBack(t, fn, failureMap(f, true))
			return err
		}
	}
	return &p
}

// classifier is the callback as an :on-error of a policy, nil without a function.
func (c callback) classifier(t *eval.Thread) func(llm.Failure) (llm.Verdict, error) {
	if !isFunction(c.fn) {
		return nil
	}
	return func(f llm.Failure) (llm.Verdict, error) {
		v, err := callBack(t, c.fn, failureMap(f, false))
		return verdict(v), err
	}
}

// callBack calls a callback. Calls that it makes are not its own business: they
// do without the callbacks of the places around, or it would be asked about
// them, and ask again, for ever.
func callBack(t *eval.Thread, fn, info eval.Value) (eval.Value, error) {
	silent := settings{onError: callback{given: true}, onRetry: callback{given: true}}
	return t.InScope(nested(t).With(retryKey{}, silent), func() (eval.Value, error) { return t.Call(fn, info) })
}

type nestedKey struct{} // true

// nested is the scope of code that a call in flight waits for: a callback, or a
// provider that is a function. Calls made there must not wait for that call.
func nested(t *eval.Thread) *eval.Scope { return t.Scope().With(nestedKey{}, true) }

func isNested(t *eval.Thread) bool { return t.Scope().Get(nestedKey{}) != nil }

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// verdict is what a function said about a failure: :retry retries, anything
// else fails.
func verdict(v eval.Value) llm.Verdict {
	if name, ok := v.KeywordName(); ok && name == "retry" {
		return llm.Retry
	}
	return llm.Fail
}

// plainName is the text of a string, keyword or symbol.
func plainName(v eval.Value) string {
	if s, ok := v.AsString(); ok {
		return s
	}
	if s, ok := v.KeywordName(); ok {
		return s
	}
	s, _ := v.SymbolName()
	return s
}

// wholeNumber is an integer; a whole float will do.
func wholeNumber(v eval.Value) (int64, bool) {
	a := eval.ArgsOf([]eval.Value{v})
	n := a.Int(0)
	return n, a.Err() == nil
}

// maxRetries keeps a typing error from being taken for a wish.
const maxRetries = 1_000_000

// keyword makes a map entry's key.
func keyword(name string) eval.Value { return value.Keyword(name) }

package ai

import (
	"net/http"
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
	onError, onRetry   eval.Value // nil value: not given
	hasError, hasRetry bool
}

// settingOptions are the options that settings come from.
func settingOptions() []string {
	return []string{"retries", "retry-base-ms", "retry-cap-ms", "retry-after-cap-ms", "retryable-statuses", "on-error", "on-retry", "timeout", "deadline-ms"}
}

func readSettings(o *eval.Options) settings {
	s := settings{base: millis(o, "retry-base-ms"), cap: millis(o, "retry-cap-ms"), hintCap: millis(o, "retry-after-cap-ms"),
		timeout: millis(o, "timeout"), deadline: millis(o, "deadline-ms")}
	if v, given := o.Get("retries"); given {
		n, ok := v.AsInt()
		if !ok || n < 0 || n > 1_000_000 {
			o.Bad("retries", "a whole number of extra attempts, 0 or more,")
		}
		k := int(n)
		s.retries = &k
	}
	for _, v := range o.Elems("retryable-statuses") {
		n, ok := v.AsInt()
		if !ok || n < 100 || n > 999 {
			o.Bad("retryable-statuses", "a list of HTTP statuses")
			break
		}
		s.statuses = append(s.statuses, int(n))
	}
	s.onError, s.hasError = o.Func("on-error")
	s.onRetry, s.hasRetry = o.Func("on-retry")
	return s
}

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
	if !s.hasError {
		s.onError, s.hasError = outer.onError, outer.hasError
	}
	if !s.hasRetry {
		s.onRetry, s.hasRetry = outer.onRetry, outer.hasRetry
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
	if s.hasError {
		p.OnError = classifier(t, s.onError)
	}
	if s.hasRetry {
		p.OnRetry = func(f llm.Failure) error {
			_, err := t.Call(s.onRetry, failureMap(f, true))
			return err
		}
	}
	return &p
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// classifier asks an interpreted function what to do about a failure: :retry
// retries, anything else fails.
func classifier(t *eval.Thread, fn eval.Value) func(llm.Failure) (llm.Verdict, error) {
	return func(f llm.Failure) (llm.Verdict, error) {
		v, err := t.Call(fn, failureMap(f, false))
		if err != nil {
			return llm.Fail, err
		}
		return verdict(v), nil
	}
}

func verdict(v eval.Value) llm.Verdict {
	if name, ok := v.KeywordName(); ok && name == "retry" {
		return llm.Retry
	}
	return llm.Fail
}

// headerOption reads {:headers {"X-Name" "text"}}.
func headerOption(o *eval.Options) http.Header {
	v, given := o.Get("headers")
	if !given {
		return nil
	}
	if !v.IsMap() {
		o.Bad("headers", "a map of names and texts")
		return nil
	}
	h := http.Header{}
	for k, x := range v.Entries() {
		name, text := plainName(k), ""
		if s, ok := x.AsString(); ok {
			text = s
		} else {
			text = x.String()
		}
		if name == "" {
			o.Bad("headers", "a map of names and texts")
			return nil
		}
		h.Set(name, text)
	}
	return h
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

// keyword makes a map entry's key.
func keyword(name string) eval.Value { return value.Keyword(name) }

package ai

import (
	"math"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

// The scope keys of the dynamic extents.
type (
	retryKey    struct{} // settings
	chainKey    struct{} // *chain
	limitKey    struct{} // *llm.Limiter
	deadlineKey struct{} // time.Time
)

// chain is a fallback chain as a program wrote it.
type chain struct {
	entries []chainEntry
	on      []llm.Kind
}

type chainEntry struct{ name, model string }

func scopeBuiltins() []eval.Builtin {
	const noRun = "needs a provider"
	return []eval.Builtin{
		{Name: "llm/with-fallback", Arity: eval.Between(2, 3), Fn: llmWithFallback, Caps: eval.CapLLM,
			Doc: "(llm/with-fallback chain thunk [{:on [kind ...]}]) calls thunk; each llm/* call in it goes along the chain until a provider answers. An entry is :provider, " +
				"[:provider \"model\"] or {:provider :model}. Each provider retries first. :on narrows the failures that move on.",
			NoRun: noRun},
		{Name: "llm/with-rate-limit", Arity: eval.Exactly(2), Fn: llmWithRateLimit, Caps: eval.CapLLM,
			Doc: "(llm/with-rate-limit rps thunk) calls thunk; its llm/* requests, retries too, go out at most rps times a second. A map " +
				"{:rps :burst :rpm :tpm :concurrency} gives more.",
			Example: "(llm/with-rate-limit 5 (fn () 42)) ; => 42"},
		{Name: "llm/with-retry", Arity: eval.Exactly(2), Fn: llmWithRetry, Caps: eval.CapLLM,
			Doc:     "(llm/with-retry {:retries :on-error ...} thunk) calls thunk; its llm/* calls retry by these options, unless they have their own.",
			Example: "(llm/with-retry {:retries 0} (fn () 42)) ; => 42"},
		{Name: "llm/with-deadline", Arity: eval.Exactly(2), Fn: llmWithDeadline, Caps: eval.CapLLM,
			Doc:     "(llm/with-deadline ms thunk) calls thunk; its llm/* calls end within so many milliseconds from now, waits and fallbacks included.",
			Example: "(llm/with-deadline 1000 (fn () 42)) ; => 42"},
	}
}

// within calls a thunk in a scope that has one more setting.
func within(t *eval.Thread, thunk eval.Value, key, setting any) (eval.Value, error) {
	if !isFunction(thunk) {
		return value.Nil, eval.TypeError("a function without parameters, such as (fn () (llm/complete \"...\"))", thunk)
	}
	return t.InScope(t.Scope().With(key, setting), func() (eval.Value, error) { return t.Call(thunk) })
}

func llmWithRetry(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	o := eval.OptionsOf("llm/with-retry", args[0], settingOptions...)
	s := readSettings(o)
	if err := o.Err(); err != nil {
		return value.Nil, err
	}
	return within(t, args[1], retryKey{}, s)
}

// scopeSettings are those of the scopes around, the nearest first.
func scopeSettings(t *eval.Thread) settings {
	var all settings
	t.Scope().All(retryKey{}, func(s any) bool {
		all = all.over(s.(settings))
		return true
	})
	return all
}

func llmWithDeadline(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	ms, ok := args[0].ToFloat()
	if !ok || !(ms >= 0 && ms <= float64(math.MaxInt64/time.Millisecond)) {
		return value.Nil, eval.TypeError("a number of milliseconds that is not negative", args[0])
	}
	at := stateOf(t).now().Add(time.Duration(ms * float64(time.Millisecond)))
	return within(t, args[1], deadlineKey{}, at)
}

func scopeDeadline(t *eval.Thread) (at time.Time) {
	t.Scope().All(deadlineKey{}, func(x any) bool {
		at = earlier(at, x.(time.Time))
		return true
	})
	return at
}

func llmWithRateLimit(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	limit, err := readRateLimit(args[0])
	if err != nil {
		return value.Nil, err
	}
	limiter, err := llm.NewLimiter(limit)
	if err != nil {
		return value.Nil, &eval.Error{Kind: eval.KindEval, Message: "llm/with-rate-limit: " + err.Error(), Cause: err}
	}
	return within(t, args[1], limitKey{}, limiter)
}

func readRateLimit(v eval.Value) (llm.RateLimit, error) {
	if !v.IsMap() {
		rps, ok := v.ToFloat()
		if !ok || !(rps > 0) || math.IsInf(rps, 0) {
			return llm.RateLimit{}, eval.TypeError("a rate above 0, in requests a second, or a map {:rps :burst :rpm :tpm :concurrency}", v)
		}
		return llm.RateLimit{RPS: rps}, nil
	}
	o := eval.OptionsOf("llm/with-rate-limit", v, "rps", "rpm", "tpm", "burst", "concurrency")
	limit := llm.RateLimit{RPS: rate(o, "rps"), RPM: rate(o, "rpm"), TPM: rate(o, "tpm"), Burst: count(o, "burst"), Concurrency: count(o, "concurrency")}
	if o.Err() == nil && limit == (llm.RateLimit{Burst: limit.Burst}) {
		return limit, eval.Errorf(eval.KindEval, "llm/with-rate-limit needs one of :rps :rpm :tpm :concurrency")
	}
	return limit, o.Err()
}

func rate(o *eval.Options, name string) float64 {
	f := o.Float(name, 0)
	if _, given := o.Get(name); given && f <= 0 {
		o.Bad(name, "a rate above 0")
	}
	return f
}

func count(o *eval.Options, name string) int {
	n := o.Int(name, 0)
	if _, given := o.Get(name); given && (n < 1 || n > 1_000_000) {
		o.Bad(name, "a whole number above 0")
	}
	return int(n)
}

func limitersOf(t *eval.Thread) (ls []*llm.Limiter) {
	t.Scope().All(limitKey{}, func(x any) bool {
		ls = append(ls, x.(*llm.Limiter))
		return true
	})
	return ls
}

func llmWithFallback(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	c, err := readChain(args[0])
	if err != nil {
		return value.Nil, err
	}
	if len(args) == 3 {
		if c.on, err = readKinds(args[2]); err != nil {
			return value.Nil, err
		}
	}
	return within(t, args[1], chainKey{}, c)
}

func readChain(v eval.Value) (*chain, error) {
	if !v.IsSeq() {
		return nil, eval.TypeError("a list of providers, such as [:anthropic [:openai \"gpt-5.5\"]]", v)
	}
	c := &chain{}
	for x := range v.Elems() {
		e, err := readEntry(x)
		if err != nil {
			return nil, err
		}
		c.entries = append(c.entries, e)
	}
	if len(c.entries) == 0 {
		return nil, eval.Errorf(eval.KindEval, "llm/with-fallback needs at least one provider")
	}
	return c, nil
}

func readEntry(v eval.Value) (chainEntry, error) {
	const shape = "a chain entry: :provider, [:provider \"model\"] or {:provider :name :model \"...\"}"
	name, model := v, value.Nil
	switch {
	case v.IsSeq():
		parts := v.Slice()
		if len(parts) == 0 || len(parts) > 2 {
			return chainEntry{}, eval.TypeError(shape, v)
		}
		name = parts[0]
		if len(parts) == 2 {
			model = parts[1]
		}
	case v.IsMap():
		o := eval.OptionsOf("an entry of llm/with-fallback", v, "provider", "model")
		name, _ = o.Get("provider")
		model, _ = o.Get("model")
		if err := o.Err(); err != nil {
			return chainEntry{}, err
		}
	}
	n, ok := name.KeywordName()
	text, isText := model.AsString()
	if !ok || !isText && !model.IsNil() {
		return chainEntry{}, eval.TypeError(shape, v)
	}
	return chainEntry{n, text}, nil
}

func readKinds(v eval.Value) ([]llm.Kind, error) {
	o := eval.OptionsOf("llm/with-fallback", v, "on")
	var kinds []llm.Kind
	for _, x := range o.Elems("on") {
		name, ok := x.KeywordName()
		if !ok || !llm.Kind(name).Valid() {
			return nil, eval.TypeError("a kind of failure such as :rate-limit or :server in :on", x)
		}
		kinds = append(kinds, llm.Kind(name))
	}
	if _, given := o.Get("on"); given && len(kinds) == 0 && o.Err() == nil {
		return nil, eval.Errorf(eval.KindEval, "llm/with-fallback: :on is empty, so nothing would move on")
	}
	return kinds, o.Err()
}

// resolvedEntry is a chain entry whose provider was looked up.
type resolvedEntry struct {
	provider *provider
	model    string
}

// chainOf is the chain that a call goes along: the innermost llm/with-fallback,
// or the default provider alone.
func chainOf(t *eval.Thread, s *state) (entries []resolvedEntry, on []llm.Kind, err error) {
	c, ok := t.Scope().Get(chainKey{}).(*chain)
	if !ok {
		p, err := s.defaultProvider()
		return []resolvedEntry{{p, ""}}, nil, err
	}
	for _, e := range c.entries {
		entries = append(entries, resolvedEntry{s.lookup(e.name), e.model})
	}
	return entries, c.on, nil
}

package ai

import (
	"context"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

type cacheKey struct{} // time.Duration: the age up to which answers count

func cacheBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "llm/with-cache", Arity: eval.Between(1, 2), Fn: llmWithCache, Caps: eval.CapLLM,
			Doc: "(llm/with-cache [{:ttl 3600}] thunk) calls thunk; its llm/* calls that were answered before, not longer than :ttl seconds ago, get that answer again. It costs " +
				"nothing and reports no tokens. Everything that changes an answer is in the key: provider, address, model, messages, system prompt, tools and options. Answers " +
				"are kept in memory and under ~/.gosema/cache/llm. Streams are not cached.",
			Example: "(llm/with-cache {:ttl 60} (fn () 42)) ; => 42"},
		{Name: "llm/cache-key", Arity: eval.Between(1, 2), Fn: llmCacheKey, Caps: eval.CapLLM,
			Doc:     "(llm/cache-key prompt [options]) is the key, a SHA-256 in hexadecimal, under which llm/with-cache keeps the answer of (llm/complete prompt options).",
			Example: "(string-length (llm/cache-key \"hello\" {:model \"m\"})) ; => 64"},
		{Name: "llm/cache-stats", Arity: eval.Exactly(0), Fn: llmCacheStats, Caps: eval.CapLLM,
			Doc: "(llm/cache-stats) is {:hits :misses :size} of this session; :size is how many answers are in memory.", Example: "(llm/cache-stats) ; => {:hits 0 :misses 0 :size 0}"},
		{Name: "llm/cache-clear", Arity: eval.Exactly(0), Fn: llmCacheClear, Caps: eval.CapLLM,
			Doc: "(llm/cache-clear) removes all cached answers, those in files too, and answers how many there were.", NoRun: "removes files"},
	}
}

func llmWithCache(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	ttl := time.Hour
	if len(args) == 2 {
		if !args[0].IsMap() {
			return value.Nil, eval.TypeError("a map of options, such as {:ttl 3600}, before the function", args[0])
		}
		o := eval.OptionsOf("llm/with-cache", args[0], "ttl")
		seconds := o.Float("ttl", ttl.Seconds())
		if seconds < 0 {
			o.Bad("ttl", "a number of seconds that is not negative")
		}
		if err := o.Err(); err != nil {
			return value.Nil, err
		}
		ttl = time.Duration(min(seconds*float64(time.Second), float64(1<<62)))
	}
	return within(t, args[len(args)-1], cacheKey{}, ttl)
}

// answers is the cache of the interpreter.
func (s *state) answers() *llm.Cache {
	if s.cache == nil {
		s.cache = llm.NewCache(s.config.CacheDir)
	}
	return s.cache
}

func llmCacheKey(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	a, err := readAsking("llm/cache-key", args[0], optionsAt(args, 1), completeOptions, nil)
	if err != nil {
		return value.Nil, err
	}
	call, err := newCall(t, stateOf(t), a.own)
	if err != nil {
		call = &llm.Call{Chain: []llm.Entry{{Provider: llm.Missing("", "")}}}
	}
	return value.String(call.CacheKey(a.req)), nil
}

func llmCacheStats(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	stats := stateOf(t).answers().Stats()
	return value.Map(keyword("hits"), value.Int(int64(stats.Hits)), keyword("misses"), value.Int(int64(stats.Misses)), keyword("size"), value.Int(int64(stats.Size))), nil
}

func llmCacheClear(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	cache, n := stateOf(t).answers(), 0
	err := t.Blocking(func(context.Context) (err error) {
		n, err = cache.Clear()
		return err
	})
	if err != nil {
		return value.Nil, fileError("llm/cache-clear", err)
	}
	return value.Int(int64(n)), nil
}

// Package llm calls large language models and survives their failures.
//
// It knows no Lisp: it is a plain Go library that a language binding, or any
// Go program, puts to use. A call passes through these stages:
//
//	Call.Complete
//	  tape         replays an answer, or records it          cassette.go, tape.go
//	  fallback     one chain of entries, tried in order      fallback.go
//	    cache      an answer that was given before           cache.go, cachefile.go
//	    budgets    admission, and the bill                   budget.go, spend.go, price.go
//	    breaker    refuses what fails all the time           breaker.go
//	    retry      the attempts at one entry                 exchange.go, loop.go, retrybudget.go
//	      hedge    a second request beside a slow one        hedge.go
//	        limit  a token of every rate limit in force      ratelimit.go
//	          Provider.Complete: one request, one reply      openai, anthropic, gemini, ollama
//	          Streamer.Open: the same, its text as it comes  stream.go
//
// The order is fixed, and each stage is there once however its settings were put
// together: two calls with the same settings in force do the same. Cache and
// budgets stand within the chain, so that they know the provider and the model
// which answer: an entry's answer is cached as its own, and a cached one costs
// nothing.
//
// Call.Stream walks the same way, until the first piece of text; from there on a
// failure ends the call, with what was handed over.
//
// [ToolLoop] stands on top: it asks, runs the tools that the model calls, and
// asks again.
//
// Contract:
//
//   - A [Provider] makes one attempt and maps every failure to an [*Error]. It
//     never retries, never waits, never reads the environment, keeps no state.
//   - The attempt loop alone owns attempts, waits, the server's hints, the
//     deadline, the classifier and the attempt log.
//   - Whatever waits (a request with its body, a sleep, a rate limit) runs
//     inside [Env.Block]; the callbacks OnError and OnRetry run outside of it,
//     on the goroutine of the caller. An interpreter releases its lock in Block.
//   - Time comes from [Env.Clock] and chance from [Env.Rand].
//   - Settings are checked before the first request; see [OptionError].
//   - Zero is a value, never "unknown": unknown usage is nil, a hint that was
//     not given is [Hint.Known] false.
//   - Keys are in no error, log or URL, and no redirect takes them elsewhere.
//
// Nothing in this package is package-level mutable state. A [Call] may be used
// by several goroutines at once as long as nobody changes it.
package llm

// Package llm calls large language models and survives their failures.
//
// It knows no Lisp: it is a plain Go library that a language binding, or any
// Go program, puts to use. A call passes through these stages:
//
//	Call.Complete
//	  fallback     one chain of entries, tried in order        fallback.go
//	    retry      the attempts at one entry                   attempt.go, loop.go
//	      limit    a token of every rate limit in force        ratelimit.go
//	        Provider.Complete: one request, one reply          openai, anthropic, gemini, ollama
//	        Streamer.Open: the same, its text as it comes      stream.go
//
// Call.Stream walks the same way, until the first piece of text; from there on a
// failure ends the call, with what was handed over.
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

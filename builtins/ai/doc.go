// Package ai binds the LLM engine (package llm) to the language: llm/*, client/*
// and retry. It is thin: what a retry waits, when a chain moves on and what a limit
// admits is decided in package llm; here values become requests and settings,
// and failures become errors of the language.
//
// The attempt loop runs on the program's thread under the interpreter's lock.
// Whatever waits goes through [eval.Thread.BlockingContext], so other threads
// go on meanwhile, and an interpreted :on-error function is called like any
// other.
//
// A callback's own calls do without the callbacks of the places around it: a
// classifier that asks a model is not asked about that call's failures.
//
// The tool calls of a model's turn run on threads of their own, each in the scope
// of the run; one alone runs on the program's thread. What a tool raises is a
// result for the model, and never ends the run.
//
// The items of llm/batch and llm/pmap run on threads of their own, see
// [eval.Spawner], each in the caller's scope: what is in force around a batch, such
// as a rate limit or a budget, is shared by its items. The progress line is drawn
// by a goroutine that holds no lock.
//
// Settings of dynamic extents (llm/with-retry and so on) are values in the
// thread's scope. Everything else, such as the configured providers, is the
// interpreter's.
package ai

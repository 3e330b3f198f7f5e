// Package wire is the HTTP under the providers: sending a body, reading the
// whole reply, and mapping what goes wrong.
//
// Bodies are written and read without reflection ([Writer], [Reader]), which
// halves what a call costs beside its bytes; a reply that is not as expected is
// read again by encoding/json, whose word and whose errors count.
//
// Contract: one request for each Post, no retry of its own; bodies are bounded;
// every failure is an [*llm.Error] whose texts have no secret in them; a
// redirect that leaves the origin is not followed.
package wire

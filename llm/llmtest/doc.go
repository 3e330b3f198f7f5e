// Package llmtest has what it takes to test against failing models: [Server],
// a real HTTP server on loopback that speaks the providers' wire formats and
// misbehaves on order; [Provider], a scripted provider without HTTP; and
// [Clock], in which waits take no time.
//
// Contract: it depends on no testing package, so that programs can offer the
// server to their users. Every request is answered by the next reply of its
// script, in order of arrival, and put into a journal without its keys. Close
// ends every connection and leaves no goroutine.
package llmtest

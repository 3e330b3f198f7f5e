// Package vm is the machine that runs compiled programs: instructions, closures,
// threads and their stacks, the loop, errors, and the lock of an interpreter.
// Package eval compiles to it and is what other packages use; it re-exports
// from here what they need.
//
//	Machine   what one interpreter's threads share: globals, code, heap, lock
//	Thread    one flow of control on one goroutine: stack, scope, context, fuel
//	Code      a compiled function: instructions, constants, positions
//	Closure   a Code with the values it captured
//
// # Frames
//
// Lisp calling Lisp never recurses on the Go stack. A thread has one growable
// array of values, and a frame is a window of it:
//
//	base[0]  Ref: the return address, Bits: distance to the caller's frame
//	base[1]  the closure that runs
//	base[2]  the first parameter, and so on; then locals and temporaries
//
// A caller evaluates arguments straight into the callee's window, which lies
// over its own temporaries. Return addresses are pointers into code, so the
// collector keeps running code alive; distances are relative, so a stack can
// be moved.
//
// # Code that writes itself
//
// Instructions are patched as they run: call sites remember the code they
// called last (a prediction), float arithmetic specialises, and inlined
// builtins turn into calls when their global is redefined. So code belongs to
// one Machine. A prediction is an address that the collector does not see:
// registry.go says why it can never mean other code.
//
// # Go calling Lisp
//
// A builtin that calls back runs a nested loop on the same stack, above t.top.
// Nesting is bounded (a catchable error), because it does use the Go stack.
package vm

//go:generate go run ./gen

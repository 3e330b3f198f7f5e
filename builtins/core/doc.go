// Package core holds the builtins that need nothing but their arguments: lists,
// strings, maps, numbers, bytes, errors, and printing to the interpreter's own
// streams. What touches the rest of the world is in package sys.
//
//	Builtins() = listBuiltins + stringBuiltins + ...   one table a file
//
// An entry of a table is all there is to know of a builtin; its Go function
// has the Lisp name (string/split is stringSplit, null? is isNull).
//
// # What every builtin keeps to
//
//   - Arguments are read with [eval.Args], so that type errors have one
//     wording. nil counts as an empty list and as an empty map.
//   - Functions of the program are called by a [eval.Caller], and results are
//     collected in a slice first: nothing costs more than linear time.
//   - Long loops tick, so that cancellation and step limits stop them; whatever
//     could ask for more memory than there is goes through reserve first, and
//     is refused at once beyond maxBytes.
//   - No argument makes a builtin panic, but for data nested too deeply and
//     numbers too large, which package value reports by a panic of its own.
package core

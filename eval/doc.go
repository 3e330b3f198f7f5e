// Package eval makes an interpreter of the language: it expands macros, compiles
// forms for package vm, and holds the table of builtins.
//
//	text --reader--> values with places
//	     --analyze--> nodes       special forms, macros, scopes (form_*.go)
//	     --resolve--> variables   which are captured, assigned, used too early
//	     --generate-> vm.Code     registers, jumps, inlined builtins
//	     --vm-------> value
//
// Forms of a text are compiled and run one after the other, so a macro or a
// redefinition works from the next form on. Special forms stand in one table
// (forms.go) and win over everything else at the head of a form; then come local
// variables, macros, and functions.
//
// # Threads, locks, scopes
//
// An [Interp] runs one program at a time under its lock; a builtin that waits
// does so in [Thread.Blocking], which lets others go on. A [Scope] holds what
// dynamic extents set. Both are documented in package vm.
package eval

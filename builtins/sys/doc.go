// Package sys holds the builtins that touch the world: files, paths, streams and
// archives, the environment, the terminal and its keys, child processes, time.
//
//	(file/read "a.txt")
//	  read the arguments        under the interpreter's lock
//	  wait(open, read)          without it: other threads go on
//	  make the result           under it again
//
// Whatever may block runs in wait, on Go data only, and a cancelled evaluation
// goes on at once even if the operating system does not. Each entry names the
// capabilities that a sandbox can deny. Failures are of kind :io, and say what
// was tried, with which path, and what the system answered.
//
// What a program opens and leaves open is closed with its interpreter.
//
// Environment variables that a program sets are its interpreter's own: the
// process and other interpreters do not see them. [Environ] is what a child
// process should get.
package sys

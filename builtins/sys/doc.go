// Package sys has the builtins that touch the world outside the program: files,
// environment, time, and the end of the process.
//
// Each names the capabilities that a sandbox must allow for it. Whatever waits
// runs without the interpreter's lock: arguments become Go data first, and
// results become values afterwards.
package sys

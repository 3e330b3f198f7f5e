// Command gosema runs programs of the Sema language and is its REPL.
//
//	main -> run -> options -> session -+-> programs: -l, -e, -p, FILE, stdin
//	                                   +-> repl: a terminal, or plain lines
//
// A session is an interpreter with the streams of the process around it:
// output that is gathered into large writes, and input whose reads can be given
// up. What a person or a supervisor can ask for while a program runs (SIGINT,
// SIGTERM) cancels its context; interrupts keeps that in one place.
package main

import (
	"context"
	"os"
)

func main() {
	tuneGC()
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

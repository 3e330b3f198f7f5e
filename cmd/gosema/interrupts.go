package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/gosema/gosema/eval"
)

// interrupts turns SIGINT and SIGTERM into the end of the evaluation that runs.
// If it does not end by that, more of them end the process.
type interrupts struct {
	signals chan os.Signal
	kill    func(code int) // ends the process
	// A session is worth more than a script: a Ctrl-C that comes too late must
	// not end it, nor one pressed twice in haste.
	session bool
	err     io.Writer // where a session warns of that

	mu     sync.Mutex
	cancel context.CancelCauseFunc // of the evaluation; nil if there is none
	count  int                     // of signals during it
	code   int                     // what an interrupted program exits with; 0: it was not
}

func newInterrupts(session bool, stderr io.Writer, kill func(code int)) *interrupts {
	i := &interrupts{signals: make(chan os.Signal, 4), kill: kill, session: session, err: stderr}
	signal.Notify(i.signals, os.Interrupt, syscall.SIGTERM)
	go i.watch()
	return i
}

func (i *interrupts) stop() {
	signal.Stop(i.signals)
	close(i.signals)
}

func (i *interrupts) watch() {
	for s := range i.signals {
		if code := i.handle(s); code != 0 {
			i.kill(code)
		}
	}
}

// handle returns the code to exit with, 0 to go on.
func (i *interrupts) handle(s os.Signal) int {
	code, message := exitInterrupted, "interrupted"
	if s == syscall.SIGTERM {
		code, message = exitTerminated, "terminated"
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	lenient := i.session && s == os.Interrupt
	if i.cancel == nil {
		if lenient {
			return 0
		}
		return code
	}
	switch i.count++; {
	case i.count == 1:
		i.code = code
		i.cancel(eval.Errorf(eval.KindCancelled, "%s", message))
		return 0
	case i.count == 2 && lenient:
		fmt.Fprintln(i.err, "this does not stop yet: Ctrl-C once more ends the session")
		return 0
	}
	return code
}

// during returns a context for one evaluation. done ends it and returns the code
// to exit with if it was interrupted, else 0.
func (i *interrupts) during(parent context.Context) (ctx context.Context, done func() int) {
	ctx, cancel := context.WithCancelCause(parent)
	i.mu.Lock()
	i.cancel, i.count, i.code = cancel, 0, 0
	i.mu.Unlock()
	return ctx, func() int {
		cancel(nil)
		i.mu.Lock()
		defer i.mu.Unlock()
		i.cancel = nil
		return i.code
	}
}

package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/gosema/gosema/eval"
)

// interrupts turns SIGINT and SIGTERM into the end of the evaluation that runs.
// A second one means that it does not end by itself: it ends the process.
type interrupts struct {
	signals chan os.Signal
	kill    func(code int) // ends the process

	mu     sync.Mutex
	cancel context.CancelCauseFunc // of the evaluation; nil if there is none
	code   int                     // what an interrupted program exits with; 0: it was not
}

func newInterrupts(kill func(code int)) *interrupts {
	i := &interrupts{signals: make(chan os.Signal, 4), kill: kill}
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

// handle cancels what runs; it returns the code to exit with if that was tried
// before, or if nothing runs and s is more than the echo of a Ctrl-C.
func (i *interrupts) handle(s os.Signal) int {
	code, message := 130, "interrupted" // 128 and the number of the signal, as shells count
	if s == syscall.SIGTERM {
		code, message = 143, "terminated"
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.cancel != nil && i.code == 0:
		i.code = code
		i.cancel(eval.Errorf(eval.KindCancelled, "%s", message))
		return 0
	case i.cancel == nil && s == os.Interrupt:
		return 0
	}
	return code
}

// during returns a context for one evaluation. done ends it and returns the code
// to exit with if it was interrupted, else 0.
func (i *interrupts) during(parent context.Context) (ctx context.Context, done func() int) {
	ctx, cancel := context.WithCancelCause(parent)
	i.mu.Lock()
	i.cancel, i.code = cancel, 0
	i.mu.Unlock()
	return ctx, func() int {
		cancel(nil)
		i.mu.Lock()
		defer i.mu.Unlock()
		i.cancel = nil
		return i.code
	}
}

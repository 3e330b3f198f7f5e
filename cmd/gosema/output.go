package main

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/chzyer/readline"
)

const (
	outputBuffer = 64 << 10
	// maxDelay is how long output may wait for more: not long enough to notice,
	// long enough to gather thousands of lines in one write.
	maxDelay = 5 * time.Millisecond
)

// output gathers small writes into large ones, unless it goes to a terminal.
// What is gathered is written after maxDelay whatever the program does, so that a
// reader of the pipe sees what was printed before a long wait.
type output struct {
	mu    sync.Mutex
	w     io.Writer
	tty   bool
	buf   []byte
	err   error // the first that writing had; nothing is written after it
	timer *time.Timer
	armed bool
}

func newOutput(w io.Writer) *output { return &output{w: w, tty: isTerminal(w)} }

func (o *output) Write(p []byte) (int, error) { return write(o, p) }

func (o *output) WriteString(s string) (int, error) { return write(o, s) }

func write[T string | []byte](o *output, p T) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil && len(o.buf)+len(p) > outputBuffer {
		o.flush()
	}
	if o.err != nil {
		return 0, o.err
	}
	o.buf = append(o.buf, p...)
	if o.tty || len(o.buf) > outputBuffer {
		o.flush()
		return len(p), o.err
	}
	o.arm()
	return len(p), nil
}

// arm sees to it that what is gathered does not stay.
func (o *output) arm() {
	if o.armed {
		return
	}
	o.armed = true
	if o.timer == nil {
		o.timer = time.AfterFunc(maxDelay, func() { _ = o.Flush() })
		return
	}
	o.timer.Reset(maxDelay)
}

// Flush writes out what was gathered.
func (o *output) Flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flush()
	return o.err
}

func (o *output) flush() {
	if len(o.buf) > 0 && o.err == nil {
		_, o.err = o.w.Write(o.buf)
	}
	o.buf, o.armed = o.buf[:0], false
	if cap(o.buf) > 4*outputBuffer { // one huge text need not stay allocated
		o.buf = nil
	}
}

// File is where output goes; nil if that is no file.
func (o *output) File() *os.File {
	f, _ := o.w.(*os.File)
	return f
}

// broken reports whether the reader of a pipe went away.
func (o *output) broken() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return errors.Is(o.err, syscall.EPIPE)
}

// after is a writer that lets other output go first: errors appear behind what
// was printed before them.
type after struct {
	first *output
	w     io.Writer
}

func (a after) Write(p []byte) (int, error) {
	_ = a.first.Flush()
	return a.w.Write(p)
}

// File is where errors go; nil if that is no file.
func (a after) File() *os.File {
	f, _ := a.w.(*os.File)
	return f
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && readline.IsTerminal(int(f.Fd()))
}

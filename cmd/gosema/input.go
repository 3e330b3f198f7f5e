package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

const inputBuffer = 32 << 10

// errGivenUp is what a read returns when its evaluation is over.
var errGivenUp = errors.New("the read was given up")

// input is the standard input of the process, which the program and the REPL
// share. The operating system's read cannot be cancelled, so it waits on a
// goroutine of its own; what it brings after its reader gave up is for the next
// reader.
type input struct {
	src    io.Reader
	tty    bool
	before func() // runs before waiting, to show what was printed
	ctx    atomic.Pointer[context.Context]

	mu      sync.Mutex // one reader at a time
	buf     []byte
	rest    []byte // read, but not asked for yet
	err     error  // comes behind rest
	waiting bool   // a read is under way
	arrived chan chunk
}

type chunk struct {
	n   int
	err error
}

func newInput(src io.Reader, before func()) *input {
	return &input{src: src, tty: isTerminal(src), before: before, arrived: make(chan chunk, 1)}
}

// during makes reads give up when ctx is done, until undo is called.
func (in *input) during(ctx context.Context) (undo func()) {
	in.ctx.Store(&ctx)
	return func() { in.ctx.Store(nil) }
}

func (in *input) Read(p []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.take(p, false)
}

// take reads what is there, or waits for some. Up to a line end only, if asked:
// what follows it is not for this reader.
func (in *input) take(p []byte, line bool) (int, error) {
	if len(in.rest) == 0 && in.err == nil {
		if err := in.wait(); err != nil {
			return 0, err
		}
	}
	if len(in.rest) == 0 {
		err := in.err
		in.err = nil // a terminal goes on after an end of file
		return 0, err
	}
	from := in.rest
	if i := bytes.IndexByte(from, '\n'); line && i >= 0 {
		from = from[:i+1]
	}
	n := copy(p, from)
	in.rest = in.rest[n:]
	return n, nil
}

// ReadLine reads a line with its end, which the last may lack.
func (in *input) ReadLine() (string, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	var line []byte
	p := make([]byte, 4096)
	for {
		n, err := in.take(p, true)
		line = append(line, p[:n]...)
		if err != nil || bytes.HasSuffix(line, []byte("\n")) {
			return string(line), err
		}
	}
}

func (in *input) wait() error {
	in.before()
	ctx := in.context()
	if ctx.Err() != nil {
		return errGivenUp
	}
	if !in.waiting {
		in.waiting = true
		if in.buf == nil {
			in.buf = make([]byte, inputBuffer)
		}
		go in.fetch()
	}
	select {
	case c := <-in.arrived:
		in.waiting = false
		in.rest, in.err = in.buf[:c.n], c.err
		return nil
	case <-ctx.Done():
		return errGivenUp
	}
}

func (in *input) fetch() {
	n, err := in.src.Read(in.buf)
	if in.tty { // keys pressed while the line editor had the terminal
		for i, c := range in.buf[:n] {
			if c == '\r' {
				in.buf[i] = '\n'
			}
		}
	}
	in.arrived <- chunk{n, err}
}

func (in *input) context() context.Context {
	if ctx := in.ctx.Load(); ctx != nil {
		return *ctx
	}
	return context.Background()
}

// programInput is input as programs get it.
type programInput struct {
	*input
	interactive bool // the lines behind the next are for the REPL
}

// Read reads nothing, rather than fail, when its evaluation is over: a later
// evaluation of the same interpreter may go on reading.
func (p programInput) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, err := p.take(b, p.interactive)
	if errors.Is(err, errGivenUp) {
		return n, nil
	}
	return n, err
}

// IsTerminal reports whether a person types the input.
func (p programInput) IsTerminal() bool { return p.tty }

// File is what a child process reads from; nil if the input is no file.
func (p programInput) File() *os.File {
	f, _ := p.src.(*os.File)
	return f
}

// typed gives the line editor the keys one by one: it would keep what it reads
// ahead, and a program that asks for it would wait.
type typed struct{ *input }

func (t typed) Read(p []byte) (int, error) { return t.input.Read(p[:min(1, len(p))]) }

func (t typed) Close() error { return nil }

package main

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
)

const inputBuffer = 32 << 10

// input is the standard input of a program. The operating system's read cannot
// be cancelled, so it waits on a goroutine of its own; what it brings after its
// reader gave up is for the next reader.
type input struct {
	src    io.Reader
	before func() // runs before waiting, to show what was printed
	ctx    atomic.Pointer[context.Context]

	mu      sync.Mutex
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
	return &input{src: src, before: before, arrived: make(chan chunk, 1)}
}

// during makes reads give up when ctx is done, until undo is called.
func (in *input) during(ctx context.Context) (undo func()) {
	in.ctx.Store(&ctx)
	return func() { in.ctx.Store(nil) }
}

func (in *input) Read(p []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(p) == 0 {
		return 0, nil
	}
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
	n := copy(p, in.rest)
	in.rest = in.rest[n:]
	return n, nil
}

func (in *input) wait() error {
	in.before()
	if !in.waiting {
		in.waiting = true
		if in.buf == nil {
			in.buf = make([]byte, inputBuffer)
		}
		go in.fetch()
	}
	ctx := in.context()
	select {
	case c := <-in.arrived:
		in.waiting = false
		in.rest, in.err = in.buf[:c.n], c.err
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (in *input) fetch() {
	n, err := in.src.Read(in.buf)
	in.arrived <- chunk{n, err}
}

func (in *input) context() context.Context {
	if ctx := in.ctx.Load(); ctx != nil {
		return *ctx
	}
	return context.Background()
}

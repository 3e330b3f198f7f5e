package sys

import (
	"context"
	"io"

	"github.com/gosema/gosema/eval"
)

// input is what a program reads from a file or from its standard input. A read
// that was cancelled is not lost: what it brings is there for the next one. The
// fields are guarded by the interpreter's lock, but for what a running read sends.
type input struct {
	r       io.Reader
	name    string // in errors
	step    int    // how many bytes to read at once
	prompt  bool   // reading never waits for long
	buf     []byte
	taken   int64      // how many bytes were taken out of buf, see source
	pending chan chunk // the answer of the read that is under way, if one is
	eof     bool       // nothing will come behind buf
	met     bool       // and the program has seen that
}

type chunk struct {
	b   []byte
	err error
}

type inputKey struct{}

// inputOf is the standard input of the program on t.
func inputOf(t *eval.Thread) *input {
	in := eval.InterpOf(t)
	return in.State(inputKey{}, func() any { return &input{r: in.Stdin(), name: "the input", step: 4096} }).(*input)
}

func (in *input) buffered() []byte { return in.buf }

func (in *input) skip(n int) {
	in.buf = in.buf[n:]
	in.taken += int64(n)
}

func (in *input) skipped() int64 { return in.taken }

// start begins a read, unless one is under way.
func (in *input) start() chan chunk {
	if in.pending == nil {
		in.pending = make(chan chunk, 1)
		go func(r io.Reader, answer chan chunk, step int) {
			b := make([]byte, step)
			n, err := r.Read(b)
			answer <- chunk{b[:n], err}
		}(in.r, in.pending, in.step)
	}
	return in.pending
}

// fill waits for more input; more is false if none will come.
func (in *input) fill(t *eval.Thread) (more bool, err error) {
	if in.eof {
		in.met = true
		return false, nil
	}
	answer := in.start()
	c, err := wait(t, func(ctx context.Context) (chunk, error) {
		select {
		case c := <-answer:
			answer <- c // whoever holds the lock takes it
			return c, nil
		case <-ctx.Done():
			return chunk{}, ctx.Err()
		}
	})
	if err != nil {
		return false, err
	}
	if in.pending != answer { // another thread waited for the same read, and took it
		return true, nil
	}
	in.pending = nil
	return true, in.accept(c)
}

// accept takes what a read brought.
func (in *input) accept(c chunk) error {
	if len(in.buf) == 0 {
		in.buf = c.b
	} else {
		in.buf = append(in.buf, c.b...)
	}
	switch {
	case c.err == io.EOF:
		in.eof = true
	case c.err != nil:
		return ioError("reading", in.name, c.err)
	}
	return nil
}

// ready is true if there is something to read now. It starts no read of a
// terminal or a pipe, where what comes may be for someone else.
func (in *input) ready(t *eval.Thread) (bool, error) {
	for len(in.buf) == 0 && !in.eof && in.prompt {
		if _, err := in.fill(t); err != nil {
			return false, err
		}
	}
	if len(in.buf) == 0 && in.pending != nil {
		select {
		case c := <-in.pending:
			in.pending <- c // for others who wait for it
			in.pending = nil
			if err := in.accept(c); err != nil {
				return false, err
			}
		default:
		}
	}
	return len(in.buf) > 0, nil
}

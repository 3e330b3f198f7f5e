package sys

import (
	"bytes"
	"context"
	"io"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func stdinBuiltins() []eval.Builtin {
	const reads = "reads the input"
	return []eval.Builtin{
		{Name: "io/read-line", Aliases: []string{"read-line"}, Arity: eval.Exactly(0), Fn: ioReadLine, NoRun: reads,
			Doc: "(io/read-line) reads a line from the input; nil at its end.", Example: `(io/read-line) ; => "typed text"`},
		{Name: "io/read-stdin", Aliases: []string{"read-stdin"}, Arity: eval.Exactly(0), Fn: ioReadStdin, NoRun: reads,
			Doc: "(io/read-stdin) reads all that is left of the input.", Example: `(io/read-stdin) ; => "all\nof it\n"`},
		{Name: "io/eof?", Arity: eval.Exactly(0), Fn: isIoEOF,
			Doc: "(io/eof?) tells whether reading has met the end of the input.", Example: "(io/eof?) ; => #f"},
	}
}

// input is the standard input of an interpreter. A read that was cancelled is
// not lost: what it brings is there for the next one. The fields are guarded by
// the interpreter's lock, but for what a running read sends.
type input struct {
	r       io.Reader
	buf     []byte
	pending chan chunk // the answer of the read that is under way, if one is
	eof     bool       // nothing will come behind buf
	met     bool       // and the program has seen that
}

type chunk struct {
	b   []byte
	err error
}

type inputKey struct{}

func inputOf(t *eval.Thread) *input {
	in := eval.InterpOf(t)
	return in.State(inputKey{}, func() any { return &input{r: in.Stdin()} }).(*input)
}

// fill waits for more input.
func (in *input) fill(t *eval.Thread) error {
	if in.pending == nil {
		in.pending = make(chan chunk, 1)
		go func(r io.Reader, answer chan chunk) {
			b := make([]byte, 4096)
			n, err := r.Read(b)
			answer <- chunk{b[:n], err}
		}(in.r, in.pending)
	}
	answer := in.pending
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
		return err
	}
	if in.pending != answer { // another thread waited for the same read, and took it
		return nil
	}
	in.pending = nil
	in.buf = append(in.buf, c.b...)
	switch {
	case c.err == io.EOF:
		in.eof = true
	case c.err != nil:
		return ioError("reading", "the input", c.err)
	}
	return nil
}

func ioReadLine(t *eval.Thread, args []Value) (Value, error) {
	in := inputOf(t)
	for {
		if i := bytes.IndexByte(in.buf, '\n'); i >= 0 {
			line := in.buf[:i]
			in.buf = in.buf[i+1:]
			return inputText(bytes.TrimSuffix(line, []byte("\r")))
		}
		if in.eof {
			break
		}
		if err := t.Reserve(int64(len(in.buf))); err != nil || len(in.buf) > maxBytes {
			return value.Nil, tooMuch(err)
		}
		if err := in.fill(t); err != nil {
			return value.Nil, err
		}
	}
	line := in.buf
	in.buf = nil
	if len(line) == 0 {
		in.met = true
		return value.Nil, nil
	}
	return inputText(line)
}

func ioReadStdin(t *eval.Thread, args []Value) (Value, error) {
	in := inputOf(t)
	for !in.eof {
		if err := t.Reserve(int64(len(in.buf))); err != nil || len(in.buf) > maxBytes {
			return value.Nil, tooMuch(err)
		}
		if err := in.fill(t); err != nil {
			return value.Nil, err
		}
	}
	all := in.buf
	in.buf, in.met = nil, true
	return inputText(all)
}

// tooMuch is err, or else that the input is longer than what is ever read.
func tooMuch(err error) error {
	if err != nil {
		return err
	}
	return eval.Errorf(eval.KindIO, "refused: the input has more than %d bytes without an end", maxBytes)
}

func inputText(b []byte) (Value, error) {
	if !utf8.Valid(b) {
		return value.Nil, eval.Errorf(eval.KindIO, "the input is not UTF-8 text")
	}
	return value.String(string(b)), nil
}

func isIoEOF(t *eval.Thread, args []Value) (Value, error) {
	return value.Bool(inputOf(t).met), nil
}

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/gosema/gosema"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// session is an interpreter and the streams around it.
type session struct {
	options    *options
	interp     *eval.Interp
	input      *input
	stdin      *bufio.Reader // of input; the program and the REPL share it
	stdout     io.Writer     // what out writes to
	out        *output
	err        io.Writer
	interrupts *interrupts
	restore    atomic.Pointer[func()] // gives the terminal back its modes

	interrupted int  // what to exit with, if a signal ended the last evaluation
	exited      bool // the program asked to leave, or was told to
}

// evaluation is something to evaluate.
type evaluation func(ctx context.Context, s *session) (eval.Value, error)

func newSession(o *options, stdin io.Reader, stdout, stderr io.Writer) (*session, error) {
	s := &session{options: o, stdout: stdout, out: newOutput(stdout)}
	s.err = after{s.out, stderr}
	s.input = newInput(stdin, func() { _ = s.out.Flush() })
	s.stdin = bufio.NewReaderSize(s.input, inputBuffer)
	g, err := gosema.New(gosema.Config{
		Stdin: s.stdin, Stdout: s.out, Stderr: s.err, Args: o.sysArgs(), Deny: o.deny, NoLLM: o.noLLM,
	})
	if err != nil {
		return nil, err
	}
	s.interp = g.Interp()
	s.interrupts = newInterrupts(s.kill)
	return s, nil
}

// close flushes the output. It returns the code to exit with, which is code
// unless the output is lost.
func (s *session) close(code int) int {
	s.interrupts.stop()
	err := s.out.Flush()
	if err == nil || code != exitOK {
		return code
	}
	if !s.out.broken() {
		fmt.Fprintf(s.err, "gosema: cannot write the output: %v\n", err)
	}
	return exitError
}

// kill ends the process at once. Output may be lost: its reader may be what is
// stuck.
func (s *session) kill(code int) {
	if restore := s.restore.Load(); restore != nil {
		(*restore)()
	}
	os.Exit(code)
}

// limit applies --timeout.
func (s *session) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	d := s.options.timeout
	if d == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, d, eval.Errorf(eval.KindTimeout, "the time limit of %s is over", d))
}

// evaluate evaluates something that a signal may interrupt.
func (s *session) evaluate(ctx context.Context, do evaluation) (eval.Value, error) {
	ctx, done := s.interrupts.during(ctx)
	defer s.input.during(ctx)()
	v, err := do(ctx, s)
	s.interrupted = done()
	return v, err
}

func evalSource(name, text string) evaluation {
	return func(ctx context.Context, s *session) (eval.Value, error) {
		return s.interp.Eval(ctx, &value.Source{Name: name, Text: text})
	}
}

func (s *session) evalStdin(ctx context.Context) (eval.Value, error) {
	text, err := io.ReadAll(s.stdin)
	if err != nil {
		return value.Nil, fmt.Errorf("cannot read stdin: %w", err)
	}
	return s.interp.Eval(ctx, &value.Source{Name: "<stdin>", Text: string(text)})
}

// print shows a result.
func (s *session) print(v eval.Value) error {
	text, err := format(v)
	if err != nil {
		return err
	}
	_, err = s.out.WriteString(text + "\n")
	return err
}

// format is v as the reader would read it; data nested too deep has no such text.
func format(v eval.Value) (text string, err error) {
	defer func() {
		r := recover()
		if e, deep := r.(*value.DepthError); deep {
			err = fmt.Errorf("the result cannot be printed: %w", e)
		} else if r != nil {
			panic(r)
		}
	}()
	return value.Write(v), nil
}

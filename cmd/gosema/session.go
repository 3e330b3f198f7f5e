package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	stdout     io.Writer // what out writes to
	out        *output
	err        io.Writer
	interrupts *interrupts
	restore    atomic.Pointer[func()] // gives the terminal back its modes

	initial     map[string]eval.Value // the bindings before all programs, for the REPL
	interrupted int                   // what to exit with, if a signal ended the last evaluation
	exited      bool                  // the program asked to leave, or was told to
}

// evaluation is something to evaluate.
type evaluation func(ctx context.Context, s *session) (eval.Value, error)

func newSession(o *options, stdin io.Reader, stdout, stderr io.Writer) (*session, error) {
	s := &session{options: o, stdout: stdout, out: newOutput(stdout)}
	s.err = after{s.out, stderr}
	s.input = newInput(stdin, func() { _ = s.out.Flush() })
	g, err := gosema.New(gosema.Config{
		Stdin: programInput{s.input, o.interactive}, Stdout: s.out, Stderr: s.err, Args: o.sysArgs(), Deny: o.deny, NoLLM: o.noLLM,
		Packages: packageDirs(), Getenv: o.chat.getenv,
	})
	if err != nil {
		return nil, err
	}
	s.interp = g.Interp()
	if o.interactive {
		s.initial = s.bindings()
	}
	s.interrupts = newInterrupts(o.interactive, stderr, s.kill)
	return s, nil
}

// getenv is the environment in which the command line goes first.
func (c chatChoice) getenv(name string) string {
	switch {
	case name == "SEMA_CHAT_PROVIDER" && c.provider != "":
		return c.provider
	case name == "SEMA_CHAT_MODEL" && c.model != "":
		return c.model
	}
	return os.Getenv(name)
}

// close writes out what the program left in files and prints, and returns the code
// to exit with: code, unless the output is lost.
func (s *session) close(code int) int {
	s.interrupts.stop()
	s.interp.Close()
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

func evalFile(path string) evaluation {
	return func(ctx context.Context, s *session) (eval.Value, error) { return s.interp.LoadFile(ctx, path) }
}

func evalStdin(ctx context.Context, s *session) (eval.Value, error) {
	text, err := io.ReadAll(s.input)
	if ctx.Err() != nil { // let the evaluation find out why
		text = nil
	} else if err != nil {
		return value.Nil, fmt.Errorf("cannot read stdin: %w", err)
	}
	return s.interp.Eval(ctx, &value.Source{Name: "<stdin>", Text: string(text)})
}

// printing is do, and then printing the result unless it is nil, or nil too.
// That belongs to the evaluation: a long result must be possible to stop.
func (do evaluation) printing(nilToo bool) evaluation {
	return func(ctx context.Context, s *session) (eval.Value, error) {
		v, err := do(ctx, s)
		if err == nil && (nilToo || !v.IsNil()) {
			err = s.print(ctx, v)
		}
		return v, err
	}
}

// print shows a result.
func (s *session) print(ctx context.Context, v eval.Value) error {
	text, err := format(v)
	if err != nil {
		return err
	}
	const part = 4096 // so that a slow terminal can be stopped
	for text += "\n"; text != "" && err == nil; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n := min(part, len(text))
		_, err = s.out.WriteString(text[:n])
		text = text[n:]
	}
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

// packageDirs is where import looks for packages: the list SEMA_PACKAGES, else
// the directory that the reference installs into.
func packageDirs() []string {
	if list := os.Getenv("SEMA_PACKAGES"); list != "" {
		return filepath.SplitList(list)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	return []string{filepath.Join(home, ".sema", "packages")}
}

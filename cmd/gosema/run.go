package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/gosema/gosema/builtins/sys"
	"github.com/gosema/gosema/eval"
)

// The exit codes of the command itself. A program may choose others.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitInterrupted = 128 + 2 // and the number of the signal, as shells count
	exitTerminated  = 128 + 15
)

// run is the whole command. It returns the code to exit with.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseFlags(args)
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "gosema: %v\n%s\n", err, usageHint)
		return exitUsage
	case o.help:
		printHelp(stdout)
		return exitOK
	case o.version:
		printVersion(stdout)
		return exitOK
	}
	o.complete(isTerminal(stdin))
	s, err := newSession(o, stdin, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "gosema: %v\n", err)
		return exitError
	}
	return s.close(s.run(ctx))
}

// complete adds what the command line leaves to the kind of stdin: with nothing
// to run, a terminal is for the REPL and anything else holds the program.
func (o *options) complete(terminal bool) {
	sort.SliceStable(o.programs, func(i, j int) bool {
		return o.programs[i].kind == loadFile && o.programs[j].kind != loadFile
	})
	if o.interactive || o.has(evalText, printText, runFile, runStdin) {
		return
	}
	if terminal {
		o.interactive = true
		return
	}
	o.programs = append(o.programs, program{kind: runStdin})
}

// run evaluates the programs, then talks with the user if that was asked for.
// After an error it does so still: -i is for looking at what went wrong.
func (s *session) run(ctx context.Context) int {
	code := s.runPrograms(ctx)
	if s.exited || !s.options.interactive {
		return code
	}
	return newREPL(s).run(ctx)
}

func (s *session) runPrograms(ctx context.Context) int {
	ctx, cancel := s.limit(ctx)
	defer cancel()
	for _, p := range s.options.programs {
		if code := s.runProgram(ctx, p); code != exitOK || s.exited {
			return code
		}
	}
	return exitOK
}

func (s *session) runProgram(ctx context.Context, p program) int {
	if _, err := s.evaluate(ctx, p.evaluation()); err != nil {
		return s.fail(err)
	}
	return exitOK
}

// evaluation is how to evaluate p.
func (p program) evaluation() evaluation {
	switch p.kind {
	case loadFile, runFile:
		return evalFile(p.text)
	case runStdin:
		return evalStdin
	}
	return evalSource("<eval>", p.text).printing(p.kind == printText)
}

// fail reports an error and returns the code to exit with.
func (s *session) fail(err error) int {
	code, exited := exitCode(err)
	switch {
	case exited:
		s.exited = true
		return code
	case s.out.broken(): // nobody listens any more
		s.exited = true
		return exitError
	}
	fmt.Fprint(s.err, render(err))
	if code := s.interrupted; code != 0 {
		s.interrupted = 0
		s.exited = !s.options.interactive || code != exitInterrupted // Ctrl-C leaves no session
		return code
	}
	return exitError
}

// exitCode is the code of (exit n), if err is that.
func exitCode(err error) (code int, ok bool) {
	var exit *sys.ExitError
	if errors.As(err, &exit) {
		return exit.Code, true
	}
	return exitOK, false
}

// render is an error as a person reads it.
func render(err error) string { return eval.AsError(err).Render() }

// sysArgs are what (sys/args) answers: like in other processes, the command and the
// program come first.
func (o *options) sysArgs() []string {
	args := []string{"gosema"}
	for _, p := range o.programs {
		switch p.kind {
		case runFile:
			return append(append(args, p.text), o.args...)
		case runStdin:
			return append(append(args, "-"), o.args...)
		case evalText, printText:
			return append(append(args, "-e"), o.args...)
		}
	}
	return append(args, o.args...)
}

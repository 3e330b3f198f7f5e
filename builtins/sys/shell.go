package sys

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func shellBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "shell", Arity: eval.AtLeast(1), Fn: shell, Caps: eval.CapShell,
			Doc: "(shell command [arg ...]) runs a command of the shell; with arguments, the program command with just these. It answers {:stdout :stderr :exit-code}. " +
				"Other tasks go on meanwhile; a cancelled evaluation ends it with all that it started.",
			Example: `(:stdout (shell "echo hi")) ; => "hi\n"`},
		{Name: "shell/quote", Arity: eval.Exactly(1), Fn: shellQuote,
			Doc: "(shell/quote s) writes s so that the shell takes it as one word.", Example: `(shell/quote "it's") ; => "'it'\\''s'"`},
		{Name: "uuid/v4", Arity: eval.Exactly(0), Fn: uuid4,
			Doc: "(uuid/v4) is a random UUID (RFC 9562, version 4).", Example: `(uuid/v4) ; => "9f0d2f0e-58f4-4d0c-8a6b-1f2a3b4c5d6e"`, NoRun: "is random"},
	}
}

// killDelay is how long a command may hold its output open after it was killed.
const killDelay = 2 * time.Second

func shell(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	words := make([]string, len(args))
	for i := range args {
		words[i] = a.String(i)
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if len(words) == 1 {
		words = shellCommand(words[0])
	}
	var stdout, stderr bounded
	code, err := wait(t, func(ctx context.Context) (int, error) {
		cmd := exec.CommandContext(ctx, words[0], words[1:]...)
		cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &stdout, &stderr, killDelay
		ownGroup(cmd)
		err := cmd.Run()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			return exit.ExitCode(), nil
		}
		return 0, err
	})
	switch {
	case err != nil && eval.AsError(err).Fatal():
		return value.Nil, err
	case err != nil:
		return value.Nil, &eval.Error{Kind: eval.KindIO, Message: fmt.Sprintf("shell: cannot run %s: %v", words[0], err), Cause: err}
	case stdout.full || stderr.full:
		return value.Nil, eval.Errorf(eval.KindEval, "the command wrote more than %d bytes: send its output to a file", maxBytes)
	}
	return value.Map(value.Keyword("stdout"), value.String(stdout.text()), value.Keyword("stderr"), value.String(stderr.text()),
		value.Keyword("exit-code"), value.Int(int64(code))), nil
}

// bounded keeps what is written to it, up to maxBytes.
type bounded struct {
	buf  bytes.Buffer
	full bool
}

var errFull = errors.New("too much output")

func (b *bounded) Write(p []byte) (int, error) {
	if b.buf.Len()+len(p) > maxBytes {
		b.full = true
		return 0, errFull
	}
	return b.buf.Write(p)
}

func (b *bounded) text() string { return strings.ToValidUTF8(b.buf.String(), "\ufffd") }

func shellQuote(_ *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := a.String(0)
	return value.String("'" + strings.ReplaceAll(s, "'", `'\''`) + "'"), a.Err()
}

func uuid4(*eval.Thread, []Value) (Value, error) {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return value.String(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])), nil
}

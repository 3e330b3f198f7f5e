package sys

import (
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func shellBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "shell", Arity: eval.AtLeast(1), Fn: shell, Caps: eval.CapShell,
			Doc: "(shell command [arg ...] [{:cwd path :env {name text}}]) runs a command of the shell; with arguments, the program command with just these. " +
				"It answers {:stdout :stderr :exit-code}, the last -1 if a signal ended it. Other tasks go on meanwhile; a cancelled evaluation ends it with all that it started.",
			Example: `(:stdout (shell "echo hi")) ; => "hi\n"` + "\n" + `(:stdout (shell "echo" "a  b" "$HOME")) ; => "a  b $HOME\n"`},
		{Name: "shell/quote", Arity: eval.Exactly(1), Fn: shellQuote,
			Doc: "(shell/quote s) writes s so that the shell takes it as one word.", Example: `(shell/quote "it's") ; => "'it'\\''s'"`},
		{Name: "uuid/v4", Arity: eval.Exactly(0), Fn: uuid4,
			Doc: "(uuid/v4) is a random UUID (RFC 9562, version 4).", Example: `(uuid/v4) ; => "9f0d2f0e-58f4-4d0c-8a6b-1f2a3b4c5d6e"`, NoRun: "is random"},
	}
}

func shell(t *eval.Thread, args []Value) (Value, error) {
	c, err := readCommand(t, args)
	if err != nil {
		return value.Nil, err
	}
	code, err := wait(t, c.run)
	if c.stdout.full || c.stderr.full {
		e := eval.Errorf(eval.KindIO, "shell: the command wrote more than %d bytes", maxOutput)
		e.Hint = "redirect it to a file: (shell \"... > file\")"
		return value.Nil, e
	}
	if err != nil {
		return value.Nil, c.failure(err)
	}
	if err := t.Reserve(3 * int64(c.stdout.buf.Len()+c.stderr.buf.Len())); err != nil {
		return value.Nil, err
	}
	return value.Map(value.Keyword("stdout"), value.String(c.stdout.text()), value.Keyword("stderr"), value.String(c.stderr.text()),
		value.Keyword("exit-code"), value.Int(int64(code))), nil
}

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

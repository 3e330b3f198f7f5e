package sys

import (
	"fmt"
	"os"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// ExitError is the cause of the error that (exit code) raises: it ends the
// evaluation, and whoever embeds the interpreter decides what to do.
type ExitError struct{ Code int }

func (e *ExitError) Error() string { return fmt.Sprintf("exit %d", e.Code) }

func processBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "exit", Arity: eval.Between(0, 1), Fn: exit, Caps: eval.CapProcess,
			Doc: "(exit [code]) ends the program; code is 0 to 255, 0 if it is not given.", NoRun: "ends the program"},
		{Name: "env", Arity: eval.Exactly(1), Fn: env, Caps: eval.CapEnvRead,
			Doc: "(env name) is an environment variable, or nil if it is not set.", Example: "(env \"NO_SUCH_VARIABLE\") ; => nil"},
		{Name: "sys/args", Arity: eval.Exactly(0), Fn: sysArgs,
			Doc: "(sys/args) lists the program's name and its arguments.", NoRun: "depends on how the program was started"},
		{Name: "sys/cwd", Arity: eval.Exactly(0), Fn: sysCwd, Caps: eval.CapFSRead,
			Doc: "(sys/cwd) is the current directory.", NoRun: "depends on where the program was started"},
	}
}

func exit(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	code := int64(0)
	if a.Has(0) {
		code = a.Int(0)
	}
	if code < 0 || code > 255 {
		a.Bad(0, "an exit code from 0 to 255")
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	e := eval.Errorf(eval.KindExit, "exit %d", code)
	e.Cause = &ExitError{int(code)}
	return value.Nil, e
}

func env(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	name := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if text, ok := os.LookupEnv(name); ok {
		return value.String(text), nil
	}
	return value.Nil, nil
}

func sysArgs(t *eval.Thread, args []Value) (Value, error) {
	var list []Value
	for _, a := range eval.InterpOf(t).Args() {
		list = append(list, value.String(a))
	}
	return t.Heap().List(list), nil
}

func sysCwd(t *eval.Thread, args []Value) (Value, error) {
	dir, err := os.Getwd()
	if err != nil {
		return value.Nil, fileError("sys/cwd", "find", "the current directory", err)
	}
	return value.String(dir), nil
}

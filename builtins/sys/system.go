package sys

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func systemBuiltins() []eval.Builtin {
	const varies = "depends on the machine"
	none := eval.Exactly(0)
	return []eval.Builtin{
		{Name: "exit", Arity: eval.Between(0, 1), Fn: exit, Caps: eval.CapProcess, NoRun: "ends the program",
			Doc: "(exit [code]) ends the program, with a code from 0 to 255.", Example: "(exit 1)"},
		{Name: "sys/args", Arity: none, Fn: sysArgs, NoRun: varies,
			Doc: "(sys/args) lists the arguments of the program.", Example: `(sys/args) ; => ("gosema" "a.sema" "x")`},
		{Name: "sys/platform", Arity: none, Fn: fixed(platform()), NoRun: varies,
			Doc: `(sys/platform) is "linux", "macos", "windows" or "unknown".`, Example: `(sys/platform) ; => "linux"`},
		{Name: "sys/os", Arity: none, Fn: fixed(osName()), NoRun: varies,
			Doc: "(sys/os) is the name of the operating system.", Example: `(sys/os) ; => "freebsd"`},
		{Name: "sys/arch", Arity: none, Fn: fixed(arch()), NoRun: varies,
			Doc: "(sys/arch) is the name of the processor architecture.", Example: `(sys/arch) ; => "x86_64"`},
		{Name: "sys/pid", Arity: none, Fn: sysPid, NoRun: varies,
			Doc: "(sys/pid) is the number of the process.", Example: "(sys/pid) ; => 12345"},
		{Name: "sys/hostname", Arity: none, Fn: textOrNil(os.Hostname), NoRun: varies,
			Doc: "(sys/hostname) is the name of the machine.", Example: `(sys/hostname) ; => "ada-laptop"`},
		{Name: "sys/user", Arity: none, Fn: textOrNil(user), NoRun: varies,
			Doc: "(sys/user) is the name of the user, nil if that is not known.", Example: `(sys/user) ; => "ada"`},
		{Name: "sys/home-dir", Arity: none, Fn: textOrNil(os.UserHomeDir), NoRun: varies,
			Doc: "(sys/home-dir) is the user's own directory.", Example: `(sys/home-dir) ; => "/home/ada"`},
		{Name: "sys/temp-dir", Arity: none, Fn: textOrNil(func() (string, error) { return os.TempDir(), nil }), NoRun: varies,
			Doc: "(sys/temp-dir) is the directory for files that need not stay.", Example: `(sys/temp-dir) ; => "/tmp"`},
		{Name: "sys/config-dir", Arity: none, Fn: textOrNil(os.UserConfigDir), NoRun: varies,
			Doc: "(sys/config-dir) is the directory for the settings of programs.", Example: `(sys/config-dir) ; => "/home/ada/.config"`},
		{Name: "sys/sema-home", Arity: none, Fn: semaHome, NoRun: varies,
			Doc: "(sys/sema-home) is the directory of the language's own data: the environment variable SEMA_HOME, else .sema in the user's own directory.", Example: `(sys/sema-home) ; => "/home/ada/.sema"`},
		{Name: "sys/which", Arity: eval.Exactly(1), Fn: sysWhich, Caps: eval.CapProcess,
			Doc: "(sys/which name) is the path of a command, nil if there is none.", Example: `(sys/which "no-such-command") ; => nil`},
		{Name: "sys/interactive?", Arity: none, Fn: isInteractive, NoRun: varies,
			Doc: "(sys/interactive?) tells whether the input is a terminal.", Example: "(sys/interactive?) ; => #f"},
	}
}

// ExitError is the cause of the error that (exit code) raises: it passes all
// handlers of the program, and whoever runs the program ends it with the code.
type ExitError struct{ Code int }

func (e *ExitError) Error() string { return fmt.Sprintf("exit %d", e.Code) }

func exit(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	code := int64(0)
	if len(args) > 0 {
		code = a.Int(0)
	}
	if code < 0 || code > 255 {
		a.Bad(0, "an exit code from 0 to 255")
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	e := &ExitError{int(code)}
	return value.Nil, &eval.Error{Kind: eval.KindExit, Message: e.Error(), Cause: e}
}

func sysArgs(t *eval.Thread, args []Value) (Value, error) {
	var elems []Value
	for _, s := range eval.InterpOf(t).Args() {
		elems = append(elems, value.String(s))
	}
	return t.Heap().List(elems), nil
}

// fixed makes a builtin of a text that does not change.
func fixed(s string) builtinFunc {
	return func(*eval.Thread, []Value) (Value, error) { return value.String(s), nil }
}

func platform() string {
	switch name := osName(); name {
	case "linux", "macos", "windows":
		return name
	}
	return "unknown"
}

func osName() string {
	if runtime.GOOS == "darwin" {
		return "macos"
	}
	return runtime.GOOS
}

func arch() string {
	switch runtime.GOARCH {
	case "amd64":
		return "x86_64"
	case "arm64":
		return "aarch64"
	}
	return runtime.GOARCH
}

func sysPid(t *eval.Thread, args []Value) (Value, error) {
	return value.Int(int64(os.Getpid())), nil
}

// textOrNil makes a builtin of a question that may have no answer.
func textOrNil(f func() (string, error)) builtinFunc {
	return func(*eval.Thread, []Value) (Value, error) {
		s, err := f()
		if err != nil || s == "" {
			return value.Nil, nil
		}
		return value.String(s), nil
	}
}

func user() (string, error) {
	for _, name := range []string{"USER", "LOGNAME", "USERNAME"} {
		if s := os.Getenv(name); s != "" {
			return s, nil
		}
	}
	return "", nil
}

func semaHome(t *eval.Thread, args []Value) (Value, error) {
	if dir := variables(t)["SEMA_HOME"]; dir != "" {
		return value.String(dir), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return value.Nil, nil
	}
	return value.String(filepath.Join(home, ".sema")), nil
}

func sysWhich(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	name := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	path, err := findProgram(name, "", variables(t)["PATH"])
	if err == nil {
		path, err = exec.LookPath(path)
	}
	if err != nil {
		return value.Nil, nil
	}
	return value.String(path), nil
}

func isInteractive(t *eval.Thread, args []Value) (Value, error) {
	return value.Bool(isTerminal(eval.InterpOf(t).Stdin())), nil
}

package sys_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/core"
	"github.com/gosema/gosema/builtins/sys"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func shellInterp(deny eval.Caps) *eval.Interp {
	return eval.New(eval.Config{Library: eval.NewLibrary(core.Builtins(), sys.Builtins()), Deny: deny})
}

func evaluate(ctx context.Context, in *eval.Interp, text string) (value.Value, error) {
	return in.Eval(ctx, &value.Source{Name: "test", Text: text})
}

func TestShell(t *testing.T) {
	in := shellInterp(0)
	for text, want := range map[string]string{
		`(shell "echo hi; echo err >&2; exit 3")`:                              `{:exit-code 3 :stderr "err\n" :stdout "hi\n"}`,
		`(shell "echo" "a  b" "$HOME")`:                                        `{:exit-code 0 :stderr "" :stdout "a  b $HOME\n"}`,
		`(:stdout (shell (string-append "echo " (shell/quote "it's $HOME"))))`: `"it's $HOME\n"`,
		`(:stdout (shell "printf 'a\\377b'"))`:                                 "\"a\ufffdb\"",
		`(:stdout (shell "printf '\\342\\202'"))`:                              "\"\ufffd\ufffd\"",
		`(shell "kill -9 $$")`:                                                 `{:exit-code -1 :stderr "" :stdout ""}`,
		`(:stdout (shell "pwd" {:cwd "/"}))`:                                   `"/\n"`,
		`(:stdout (shell "echo $A$B" {:env {"A" "x" :B "y"}}))`:                `"xy\n"`,
		`(begin (sys/set-env "Q" "seen") (:stdout (shell "echo $Q")))`:         `"seen\n"`,
		`(:stdout (shell "(sleep 0.3; echo late) & echo soon"))`:               `"soon\nlate\n"`,
		`(:exit-code (shell ""))`:                                              `0`,
		`(string-length (:stdout (shell "head -c 100000 /dev/zero")))`:         `100000`,
	} {
		v, err := evaluate(t.Context(), in, text)
		require.NoError(t, err, text)
		require.Equal(t, want, value.Write(v), text)
	}
	for text, says := range map[string]string{
		`(shell "no-such-program" "x")`:      "shell no-such-program: there is no such program",
		`(shell "pwd" {:cwd "/none"})`:       "shell /none: no such file or directory",
		`(shell "pwd" {:cwd 5})`:             "expected a string for the option :cwd, got 5",
		`(shell "pwd" {:dir "/"})`:           "shell has no option :dir",
		`(shell "pwd" {:env 5})`:             "a map of names and texts",
		`(shell "pwd" {:env {"A=B" "x"}})`:   "names and texts of environment variables",
		`(shell "pwd" {:env {"A" 5}})`:       "names and texts of environment variables",
		`(shell {:cwd "/"})`:                 "expected a string",
		`(shell "echo" 5)`:                   "expected a string, got 5",
		"(shell \"a\\x00;b\")":               "without NUL",
		`(shell "yes")`:                      "shell: the command wrote more than 268435456 bytes",
		`(shell "yes >&2" {:env {"A" "b"}})`: "wrote more than",
	} {
		_, err := evaluate(t.Context(), in, text)
		require.ErrorContains(t, err, says, text)
	}
	_, err := evaluate(t.Context(), in, `(shell "no-such-program" "x")`)
	require.Equal(t, eval.KindIO, eval.AsError(err).Kind)
	_, err = evaluate(t.Context(), shellInterp(eval.CapShell), `(shell "echo")`)
	require.Equal(t, eval.KindPermission, eval.AsError(err).Kind)
}

// TestShellIsKilled with what it started, when the evaluation is cancelled.
func TestShellIsKilled(t *testing.T) {
	in := shellInterp(0)
	mark := filepath.Join(t.TempDir(), "mark")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := evaluate(ctx, in, `(shell "(sleep 1; touch `+mark+`) & sleep 60")`)
	require.Equal(t, eval.KindTimeout, eval.AsError(err).Kind)
	time.Sleep(1500 * time.Millisecond) // what was started would have written by now
	_, err = os.Stat(mark)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A process that left the group and has the output open holds nobody up.
func TestShellDoesNotWaitForTheEscaped(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := evaluate(ctx, shellInterp(0), `(shell "setsid sleep 3")`)
	require.Equal(t, eval.KindTimeout, eval.AsError(err).Kind)
	require.Less(t, time.Since(start), 2*time.Second)
}

// TestShellGetsTheInput: a child reads what the program would.
func TestShellGetsTheInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in")
	require.NoError(t, os.WriteFile(path, []byte("typed"), 0o600))
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	in := eval.New(eval.Config{Library: eval.NewLibrary(core.Builtins(), sys.Builtins()), Stdin: f})
	v, err := evaluate(t.Context(), in, `(:stdout (shell "cat"))`)
	require.NoError(t, err)
	require.Equal(t, `"typed"`, value.Write(v))
}

func TestTimeFormat(t *testing.T) {
	in := shellInterp(0)
	for text, want := range map[string]string{
		`(time/format 1700000000 "%F %T %a %j %-d %%")`:                     `"2023-11-14 22:13:20 Tue 318 14 %"`,
		`(time/parse "15/01/2025 14:30:00" "%d/%m/%Y %H:%M:%S")`:            `1736951400.0`,
		`(time/parse (time/format 1736951400 "%F %T") "%Y-%m-%d %H:%M:%S")`: `1736951400.0`,
	} {
		v, err := evaluate(t.Context(), in, text)
		require.NoError(t, err, text)
		require.Equal(t, want, value.Write(v), text)
	}
	for text, says := range map[string]string{
		`(time/format 0 "%Q")`:              "begins a directive",
		`(time/format 0 "50%")`:             "begins a directive",
		`(time/format "x" "%Y")`:            "expected a number",
		`(time/format 1e300 "%Y")`:          "between the years 1 and 9999",
		`(time/parse "2025-01-15" "%F")`:    "does not say both",
		`(time/parse "x" "%Y-%m-%d %H:%M")`: "is no time in the format",
		`(time/parse 5 "%Y")`:               "expected a string",
	} {
		_, err := evaluate(t.Context(), in, text)
		require.ErrorContains(t, err, says, text)
	}
}

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
		`(:stdout (shell "printf 'a\\377b'"))`:                                 `"a�b"`,
		`(string-length (:stdout (shell "head -c 100000 /dev/zero")))`:         `100000`,
	} {
		v, err := evaluate(t.Context(), in, text)
		require.NoError(t, err, text)
		require.Equal(t, want, value.Write(v), text)
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

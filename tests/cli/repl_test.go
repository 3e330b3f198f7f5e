package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const ready = `sema>` // the prompt, which expect sees without its space

// startREPL starts a quiet session and waits for it.
func startREPL(t *testing.T, home string) *terminal {
	x := startTerminal(t, home, "gosema -q")
	x.expect(ready)
	return x
}

func TestREPLGreets(t *testing.T) {
	x := startTerminal(t, t.TempDir(), "gosema")
	x.expect(`gosema \S+ - ,help shows what there is, Ctrl-D leaves\nsema>`)
	x.press("C-d")
	x.expectExit("0")
}

func TestREPLEvaluates(t *testing.T) {
	x := startREPL(t, t.TempDir())
	x.enter("(+ 1 2)")
	x.expect(`sema> \(\+ 1 2\)\n3\nsema>`)
	x.enter("(define x 5)")
	x.expect(`sema> \(define x 5\)\nsema>`)
	x.enter(`(println "žluťoučký") (list x *1)`)
	x.expect(`žluťoučký\n\(5 3\)\nsema>`)
	x.enter("(exit 6)")
	x.expectExit("6")
}

func TestREPLTakesFormsOverSeveralLines(t *testing.T) {
	x := startREPL(t, t.TempDir())
	x.enter("(define (f n)")
	x.expect(`sema> \(define \(f n\)\n  \.\.\.`)
	x.enter(`  (str "a`)
	x.expect(`  \.\.\.   \(str "a\n  \.\.\.`)
	x.enter(`b" n))`)
	x.expect(`b" n\)\)\nsema>`)
	x.enter("(f 1)")
	x.expect(`"a\\nb1"\nsema>`)
}

func TestREPLGoesOnAfterErrors(t *testing.T) {
	x := startREPL(t, t.TempDir())
	x.enter("(define (f x) (car x))")
	x.expect(`\)\)\nsema>`)
	x.enter("(+ 1 (f 5))")
	x.expect(`error: expected a list or a vector, got 5\n --> <repl 1>:1:15\n  \|\n1 \| .*\n  \|               \^\^\^\^\^\^\^\n.*sema>`)
	x.enter("(:message *e)")
	x.expect(`"expected a list or a vector, got 5"\nsema>`)
	x.enter(")")
	x.expect(`error: unexpected \).*sema>`)
}

func TestREPLInterruptStopsTheEvaluation(t *testing.T) {
	x := startREPL(t, t.TempDir())
	x.enter("(define x 1)")
	x.expect(`1\)\nsema>`)
	for _, busy := range []string{`(println "busy") (let loop () (loop))`, `(println "busy") (sleep 60000)`, `(println "busy") (io/read-line)`} {
		x.enter(busy)
		x.expect(`\nbusy`)
		x.press("C-c")
		x.expect(`error: interrupted\n.*sema>`)
		x.enter("(+ x 1)")
		x.expect(`\n2\nsema>`)
		x.clear()
	}
}

func TestREPLInterruptAtThePromptDropsTheLine(t *testing.T) {
	x := startREPL(t, t.TempDir())
	x.typeText("(foo")
	x.expect(`sema> \(foo`)
	x.press("C-c")
	x.expect(`sema> \(foo\^C\nsema>`)
	x.enter("(list 1")
	x.expect(`\.\.\.`)
	x.press("C-c")
	x.expect(`\.\.\. \^C\nsema>`)
	x.press("C-c")
	x.expect(`sema> \^C\nsema>`)
	x.press("C-c")
	x.expect(`sema> \^C\nCtrl-D or ,quit leaves\nsema>`)
	x.enter("(+ 1 2)")
	x.expect(`\n3\nsema>`)
	x.enter(",quit")
	x.expectExit("0")
}

func TestREPLHistory(t *testing.T) {
	home := t.TempDir()
	x := startREPL(t, home)
	x.enter("(+ 1 1)")
	x.expect(`\n2\nsema>`)
	x.enter("(list 5")
	x.expect(`\.\.\.`)
	x.enter("  6)")
	x.expect(`\n\(5 6\)\nsema>`)
	x.press("Up")
	x.expect(`sema> \(list 5 6\)`)
	x.press("Up")
	x.expect(`sema> \(\+ 1 1\)`)
	x.press("Enter")
	x.expect(`sema> \(\+ 1 1\)\n2\nsema>`)
	x.press("C-d")
	x.expectExit("0")

	file := filepath.Join(home, ".gosema", "history")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "(+ 1 1)\n(list 5 6)\n(+ 1 1)\n", string(text))
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	y := startREPL(t, home)
	y.press("Up", "Up")
	y.expect(`sema> \(list 5 6\)`)
	y.press("C-c")
	y.press("C-r")
	y.typeText("+ 1")
	y.press("Enter")
	y.expect(`\n2\nsema>`)
}

func TestREPLHistoryKeepsWhatCannotBeJoined(t *testing.T) {
	home := t.TempDir()
	x := startREPL(t, home)
	x.enter("(list 1 ; one")
	x.expect(`\.\.\.`)
	x.enter("2)")
	x.expect(`\(1 2\)\nsema>`)
	text, err := os.ReadFile(filepath.Join(home, ".gosema", "history"))
	require.NoError(t, err)
	require.Equal(t, "(list 1 ; one\n2)\n", string(text))
}

func TestREPLHistoryInXDGStateHome(t *testing.T) {
	home := t.TempDir()
	x := startTerminal(t, home, "XDG_STATE_HOME="+home+"/state gosema -q")
	x.expect(ready)
	x.enter("(+ 1 1)")
	x.expect(`\n2\nsema>`)
	require.FileExists(t, filepath.Join(home, "state", "gosema", "history"))
}

func TestREPLCompletes(t *testing.T) {
	x := startREPL(t, t.TempDir())
	x.typeText("(string/tri")
	x.press("Tab")
	x.expect(`sema> \(string/trim`)
	x.press("Tab")
	x.expect(`sema> \(string/trim\n.*string/trim-left +string/trim-right`)
	x.press("C-c", "C-c")
	x.expect(`sema> \(string/trim\^C\nsema>`)

	x.enter("(define my-own-name 42)")
	x.expect(`42\)\nsema>`)
	x.typeText("my-o")
	x.press("Tab")
	x.expect(`sema> my-own-name`)
	x.press("Enter")
	x.expect(`\n42\nsema>`)

	x.typeText("(defmac")
	x.press("Tab")
	x.expect(`sema> \(defmacro`)
	x.press("C-c", "C-c")
	x.typeText(",apr")
	x.press("Tab")
	x.expect(`sema> ,apropos`)
}

func TestREPLCompletesOnNarrowTerminal(t *testing.T) {
	x := startREPL(t, t.TempDir())
	x.tmux("set", "-g", "window-size", "manual")
	x.tmux("resize-window", "-x", "20", "-y", "10")
	x.typeText("(s")
	x.press("Tab", "Tab", "Down", "Up", "C-a", "C-c", "C-c")
	x.enter("(+ 1 2)")
	x.expect(`\n3\nsema>`)
}

func TestREPLPrograms(t *testing.T) {
	x := startREPL(t, t.TempDir())
	x.enter(`(println "name?") (define line (io/read-line))`)
	x.expect(`\nname\?`)
	x.typeText("typed text")
	x.press("Enter")
	x.expect(`typed text\nsema>`)
	x.enter("(list line)")
	x.expect(`\("typed text"\)\nsema>`)
	x.paste("(define pasted (io/read-line))\npasted text\n(list pasted)\n")
	x.expect(`\("pasted text"\)\nsema>`)
}

// TestTerminalIsLeftAsItWas looks at the modes behind a session, however it
// ended.
func TestTerminalIsLeftAsItWas(t *testing.T) {
	for name, leave := range map[string]string{
		"quit": ",quit", "exit": "(exit 1)", "killed": `(shell "kill -TERM $PPID")`,
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			x := startTerminal(t, home, "stty -a > before; gosema -q; stty -a > behind")
			x.expect(ready)
			if name == "killed" {
				x.tmux("run-shell", "kill -TERM $(pgrep -P #{pane_pid})")
			} else {
				x.enter(leave)
			}
			x.expectExit("0")
			before, err := os.ReadFile(filepath.Join(home, "before"))
			require.NoError(t, err)
			behind, err := os.ReadFile(filepath.Join(home, "behind"))
			require.NoError(t, err)
			require.Equal(t, strings.Fields(string(before)), strings.Fields(string(behind)))
		})
	}
}

func TestInterruptedProgramLeavesTheSessionItAskedFor(t *testing.T) {
	x := startTerminal(t, t.TempDir(), `gosema -qi -e '(define x 1) (println "busy") (let loop () (set! x 2) (loop))'`)
	x.expect(`busy`)
	x.press("C-c")
	x.expect(`error: interrupted\n.*sema>`)
	x.enter("x")
	x.expect(`\n2\nsema>`)
}

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const screenDeadline = 15 * time.Second

// terminal is a real one, 80 columns and 24 lines, that tmux keeps.
type terminal struct {
	t      *testing.T
	socket string
}

// needTmux skips the test where there is no tmux, but not where it counts.
func needTmux(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatal("tmux is not installed: the REPL tests need it")
	}
	t.Skip("tmux is not installed: the REPL is not tested in a terminal")
}

// startTerminal runs a shell command in a new terminal, and shows its exit code
// there: tmux itself now and then misses the end of a process.
func startTerminal(t *testing.T, home, command string) *terminal {
	needTmux(t)
	dir, err := os.MkdirTemp("", "tmux-") // t.TempDir may be too long for a socket
	require.NoError(t, err)
	term := &terminal{t, filepath.Join(dir, "s")}
	config := filepath.Join(dir, "tmux.conf")
	require.NoError(t, os.WriteFile(config, []byte("set -g history-limit 10000\nset -s escape-time 0\n"), 0o644))
	c := exec.Command("tmux", "-S", term.socket, "-f", config, "new-session", "-d", "-x", "80", "-y", "24",
		command+`; echo "[exit $?]"; exec cat`)
	c.Env, c.Dir = append(environment(home), "TERM=xterm"), home
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", term.socket, "kill-server").Run()
		_ = os.RemoveAll(dir)
	})
	return term
}

func (x *terminal) tmux(args ...string) string {
	x.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", x.socket}, args...)...).CombinedOutput()
	require.NoError(x.t, err, string(out))
	return string(out)
}

// typeText types text as it is.
func (x *terminal) typeText(text string) { x.tmux("send-keys", "-l", "--", text) }

// enter types a line.
func (x *terminal) enter(line string) {
	x.typeText(line)
	x.press("Enter")
}

// press presses keys by their tmux names, such as Enter, C-c and Up.
func (x *terminal) press(keys ...string) { x.tmux(append([]string{"send-keys"}, keys...)...) }

// paste gives the terminal all of text at once.
func (x *terminal) paste(text string) {
	x.tmux("set-buffer", "--", text)
	x.tmux("paste-buffer")
}

// clear empties the screen and waits for the prompt on top of it.
func (x *terminal) clear() {
	x.press("C-l")
	x.tmux("clear-history")
}

// screen is what stands on it, without the empty lines below.
func (x *terminal) screen() string {
	return strings.TrimRight(x.tmux("capture-pane", "-p", "-J", "-S", "-"), "\n ")
}

// expect waits until the end of the screen matches a pattern.
func (x *terminal) expect(pattern string) {
	x.t.Helper()
	re := regexp.MustCompile(`(?s)` + pattern + `$`)
	x.wait(pattern, func() bool { return re.MatchString(x.screen()) })
}

// expectExit waits until the command ends with a code.
func (x *terminal) expectExit(code string) {
	x.t.Helper()
	x.expect(`\[exit ` + code + `\]`)
}

func (x *terminal) wait(what string, done func() bool) {
	x.t.Helper()
	for end := time.Now().Add(screenDeadline); !done(); {
		if time.Now().After(end) {
			x.t.Fatalf("waited for:\n%s\nthe screen is:\n%s", indent(what), indent(x.screen()))
		}
		time.Sleep(10 * time.Millisecond) // between two looks
	}
}

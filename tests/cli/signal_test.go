package cli

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// child is a running command. Its stdin stays open.
type child struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdout *bufio.Reader
	stderr strings.Builder
}

func startChild(t *testing.T, args ...string) *child {
	c := &child{t: t, cmd: exec.Command(binDir+"/gosema", args...)}
	c.cmd.Env, c.cmd.Stderr = environment(t.TempDir()), &c.stderr
	stdin, err := c.cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := c.cmd.StdoutPipe()
	require.NoError(t, err)
	c.stdout = bufio.NewReader(stdout)
	require.NoError(t, c.cmd.Start())
	watchdog := time.AfterFunc(commandDeadline, func() { _ = c.cmd.Process.Kill() })
	t.Cleanup(func() {
		watchdog.Stop()
		_ = stdin.Close()
		_ = c.cmd.Process.Kill()
	})
	return c
}

// expect waits for a line of output.
func (c *child) expect(want string) {
	line, err := c.stdout.ReadString('\n')
	require.NoError(c.t, err)
	require.Equal(c.t, want+"\n", line)
}

func (c *child) signal(s os.Signal) { require.NoError(c.t, c.cmd.Process.Signal(s)) }

// exitCode waits for the end.
func (c *child) exitCode() int {
	_ = c.cmd.Wait()
	return c.cmd.ProcessState.ExitCode()
}

func TestSignalsEndPrograms(t *testing.T) {
	for name, program := range map[string]string{
		"loop":  `(println "started") (let loop () (loop))`,
		"input": `(println "started") (io/read-line)`,
		"sleep": `(println "started") (sleep 60000)`,
	} {
		t.Run(name, func(t *testing.T) {
			c := startChild(t, "-e", program, "-e", `(println "not reached")`)
			c.expect("started")
			c.signal(os.Interrupt)
			require.Equal(t, 130, c.exitCode(), c.stderr.String())
			require.Contains(t, c.stderr.String(), "error: interrupted\n")
		})
	}
}

func TestTerminateEndsPrograms(t *testing.T) {
	c := startChild(t, "-e", `(println "started") (let loop () (loop))`)
	c.expect("started")
	c.signal(syscall.SIGTERM)
	require.Equal(t, 143, c.exitCode())
	require.Contains(t, c.stderr.String(), "error: terminated\n")
}

func TestInterruptWhileReadingTheProgram(t *testing.T) {
	started := filepath.Join(t.TempDir(), "started.sema")
	require.NoError(t, os.WriteFile(started, []byte(`(println "started")`), 0o644))
	c := startChild(t, "-l", started)
	c.expect("started")
	c.signal(os.Interrupt)
	require.Equal(t, 130, c.exitCode(), c.stderr.String())
}

func TestTerminateEndsIdleREPL(t *testing.T) {
	c := startChild(t, "-i", "-e", `(println "started")`)
	c.expect("started")
	c.signal(os.Interrupt) // nothing runs that it could stop
	c.signal(syscall.SIGTERM)
	require.Equal(t, 143, c.exitCode())
}

// TestSecondInterruptKills needs a program that does not notice the first: one
// whose output nobody reads.
func TestSecondInterruptKills(t *testing.T) {
	c := startChild(t, "-e", `(println "started") (let loop () (println "and so on") (loop))`)
	c.expect("started")
	c.signal(os.Interrupt)
	done := make(chan int, 1)
	go func() { done <- c.exitCode() }()
	for { // the first may not have been looked at when the second comes
		select {
		case code := <-done:
			require.Equal(t, 130, code)
			return
		case <-time.After(20 * time.Millisecond):
			_ = c.cmd.Process.Signal(os.Interrupt)
		}
	}
}

// TestInterruptedProgramCannotCatchIt: its own handlers must not keep a program
// alive.
func TestInterruptedProgramCannotCatchIt(t *testing.T) {
	c := startChild(t, "-e", `(println "started") (let again () (try (let loop () (loop)) (catch e (println "caught"))) (again))`)
	c.expect("started")
	c.signal(os.Interrupt)
	require.Equal(t, 130, c.exitCode())
}

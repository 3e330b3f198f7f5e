//go:build unix

package sys

import (
	"os/exec"
	"syscall"
)

func shellCommand(text string) []string { return []string{"/bin/sh", "-c", text} }

// ownGroup puts a command into a process group of its own, so that killing it
// kills what it started, too.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends a command, with its group if it has one.
func kill(cmd *exec.Cmd, group bool) {
	if group {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		return
	}
	_ = cmd.Process.Kill()
}

//go:build !unix

package sys

import "os/exec"

func shellCommand(text string) []string { return []string{"cmd", "/C", text} }

func ownGroup(*exec.Cmd) {}

func kill(cmd *exec.Cmd, _ bool) { _ = cmd.Process.Kill() }

package main

import (
	"os"
	"path/filepath"
	"strings"
)

const historyLimit = 2000

// history is the file of what was typed, one entry a line. What cannot be read or
// written is no reason to stop a session: there is just no history then.
type history struct {
	lines []string // from earlier sessions
	file  *os.File
}

// historyPath is where the history is kept; "" if there is no place for it.
func historyPath() string {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "gosema", "history")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".gosema", "history")
}

// openHistory reads the history and makes it ready for more. Only its owner may
// read it: people type secrets.
func openHistory(path string) *history {
	h := &history{}
	if path == "" {
		return h
	}
	if text, err := os.ReadFile(path); err == nil {
		h.lines = strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
	}
	if n := len(h.lines); n > historyLimit {
		h.lines = h.lines[n-historyLimit:]
		rewrite(path, h.lines)
	}
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return h
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return h
	}
	_ = f.Chmod(0o600)
	h.file = f
	return h
}

// rewrite replaces the file by a new one, so that another session that has it
// open, or a crash, cannot leave half of it.
func rewrite(path string, lines []string) {
	f, err := os.CreateTemp(filepath.Dir(path), "history-*") // which makes it 0600
	if err != nil {
		return
	}
	_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
	if f.Close() != nil || err != nil || os.Rename(f.Name(), path) != nil {
		_ = os.Remove(f.Name())
	}
}

func (h *history) add(line string) {
	if h.file != nil {
		_, _ = h.file.WriteString(line + "\n")
	}
}

func (h *history) close() {
	if h.file != nil {
		_ = h.file.Close()
	}
}

// historyLines are the lines to remember an entry by: one, if its lines say the
// same when they are joined. They do not if there is a comment in one, or a
// string goes over two.
func historyLines(entry string) []string {
	var lines []string
	for line := range strings.SplitSeq(entry, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if joined := strings.Join(lines, " "); sameForms(joined, entry) {
		return []string{joined}
	}
	return lines
}

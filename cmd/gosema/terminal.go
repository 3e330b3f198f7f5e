package main

import (
	"errors"
	"os"
	"sync"

	"github.com/chzyer/readline"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/reader"
)

// newLineReader edits lines on a terminal that can do it, and reads them plainly
// from anything else.
func newLineReader(r *repl) (lineReader, error) {
	if !r.input.tty || !r.out.tty || os.Getenv("TERM") == "dumb" {
		return &plainLines{r.input, r.out}, nil
	}
	return newTerminal(r)
}

// terminal edits lines with readline.
type terminal struct {
	editor  *readline.Instance
	history *history
}

func newTerminal(r *repl) (*terminal, error) {
	raw := &rawMode{fd: int(os.Stdin.Fd())}
	editor, err := readline.NewEx(&readline.Config{
		Prompt:                 prompt,
		Stdin:                  typed{r.input},
		Stdout:                 r.stdout,
		AutoComplete:           &completer{names: r.completions, screen: screenSize},
		DisableAutoSaveHistory: true, // which would save lines, not entries
		HistoryLimit:           historyLimit,
		FuncMakeRaw:            raw.enter,
		FuncExitRaw:            raw.exit,
		FuncGetWidth:           func() int { columns, _ := screenSize(); return columns },
	})
	if err != nil {
		return nil, err
	}
	restore := func() { _ = raw.exit() }
	r.restore.Store(&restore)
	t := &terminal{editor: editor, history: openHistory(historyPath())}
	for _, line := range t.history.lines {
		_ = editor.SaveHistory(line)
	}
	return t, nil
}

func (t *terminal) ReadLine(prompt string) (string, error) {
	t.editor.SetPrompt(prompt)
	line, err := t.editor.Readline()
	if errors.Is(err, readline.ErrInterrupt) {
		err = errInterrupted
	}
	return line, err
}

// Remember saves an entry, on one line if that does not change what it says:
// readline cannot edit more than one.
func (t *terminal) Remember(entry string) {
	for _, line := range historyLines(entry) {
		// Saving "" forgets that the user may have fetched an older line; else
		// readline would save that line again in place of this one.
		_ = t.editor.SaveHistory("")
		_ = t.editor.SaveHistory(line)
		t.history.add(line)
	}
}

func (t *terminal) Close() {
	_ = t.editor.Close()
	t.history.close()
}

// rawMode is the mode of the terminal in which keys come one by one. A signal may
// end it from another goroutine, which readline's own does not expect.
type rawMode struct {
	fd    int
	mu    sync.Mutex
	saved *readline.State // nil: not in raw mode
}

func (m *rawMode) enter() (err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.saved == nil {
		m.saved, err = readline.MakeRaw(m.fd)
	}
	return err
}

func (m *rawMode) exit() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	saved := m.saved
	m.saved = nil
	if saved == nil {
		return nil
	}
	return readline.Restore(m.fd, saved)
}

// screenSize is never zero: readline divides by the width.
func screenSize() (columns, rows int) {
	columns, rows, err := readline.GetSize(int(os.Stdout.Fd()))
	if err != nil || columns <= 0 || rows <= 0 {
		return 80, 24
	}
	return columns, rows
}

// sameForms reports whether two texts read as equal data.
func sameForms(a, b string) bool {
	x, err := reader.ReadAll(&value.Source{Text: a})
	if err != nil {
		return false
	}
	y, err := reader.ReadAll(&value.Source{Text: b})
	if err != nil || len(x.Forms) != len(y.Forms) {
		return false
	}
	for i := range x.Forms {
		if !value.Equal(x.Forms[i].Value, y.Forms[i].Value) {
			return false
		}
	}
	return true
}

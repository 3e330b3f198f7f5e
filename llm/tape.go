package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// TapeMode says what a [Tape] does with a call.
type TapeMode string

const (
	TapeAuto   TapeMode = "auto"   // replays what it has, records the rest
	TapeReplay TapeMode = "replay" // replays what it has, fails the rest
	TapeRecord TapeMode = "record" // makes every call, and records it
)

// Tape keeps the answers of calls in a file, to replay them: a line of JSON for
// each, found by the hash of the request. Neither prompts nor keys are on it. A
// line is written as soon as its answer is there. It may be used by many
// goroutines.
type Tape struct {
	path string
	mode TapeMode

	mu    sync.Mutex
	lines []*tapeLine
	index map[tapeKey]int // into lines; of several with one key the last counts
	fresh map[tapeKey]bool
	stale bool  // the file has lines that others replaced
	torn  bool  // the file's last line has no end
	err   error // of the first line that could not be written
}

type tapeKey struct{ kind, key string }

// tapeLine is a line of the file.
type tapeLine struct {
	Version int    `json:"v"`
	Kind    string `json:"kind"`
	Key     string `json:"key"`
	answer
	Chunks     []string    `json:"chunks,omitempty"`     // of a stream, as they came
	Embeddings [][]float64 `json:"embeddings,omitempty"` // kept for calls that are no completions

	raw []byte // as the file has it
}

const (
	tapeVersion  = 1
	tapeComplete = "complete"
	tapeStream   = "stream"
)

// OpenTape reads a tape. A file that does not exist is an empty one.
func OpenTape(path string, mode TapeMode) (*Tape, error) {
	switch mode {
	case TapeAuto, TapeReplay, TapeRecord:
	default:
		return nil, &OptionError{Option: "mode", Want: ":auto, :record or :replay", Got: string(mode)}
	}
	t := &Tape{path: path, mode: mode, index: map[tapeKey]int{}, fresh: map[tapeKey]bool{}}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := t.read(f); err != nil {
		return nil, fmt.Errorf("the tape %s: %w", path, err)
	}
	return t, nil
}

// Path returns the name of the file, and Mode what the tape does with calls.
func (t *Tape) Path() string   { return t.path }
func (t *Tape) Mode() TapeMode { return t.mode }

func (t *Tape) read(from io.Reader) error {
	r := bufio.NewReader(from)
	for n := 1; ; n++ {
		raw, err := r.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return err
		}
		end := err == io.EOF
		if raw = bytes.TrimSpace(raw); len(raw) > 0 {
			line := &tapeLine{raw: raw}
			bad := line.parse()
			t.torn = end
			switch {
			case bad != nil && !end:
				return fmt.Errorf("line %d: %w", n, bad)
			case bad != nil: // cut off when its writer died
				t.stale = true
			default:
				t.add(line)
			}
		}
		if end {
			return nil
		}
	}
}

func (l *tapeLine) parse() error {
	if err := json.Unmarshal(l.raw, l); err != nil {
		return err
	}
	if l.Version != tapeVersion {
		return fmt.Errorf("it has version %d, and this program reads version %d", l.Version, tapeVersion)
	}
	if l.Kind == "" || l.Key == "" {
		return errors.New("it has no kind or no key")
	}
	return nil
}

func (t *Tape) add(line *tapeLine) {
	key := tapeKey{line.Kind, line.Key}
	if old, twice := t.index[key]; twice {
		t.lines[old], t.stale = nil, true
	}
	t.index[key] = len(t.lines)
	t.lines = append(t.lines, line)
}

// find returns the line of a call, if it is to be replayed.
func (t *Tape) find(kind, key string) *tapeLine {
	if t.mode == TapeRecord {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if i, ok := t.index[tapeKey{kind, key}]; ok {
		return t.lines[i]
	}
	return nil
}

// record writes a line. The first answer to a call is the one that stays.
func (t *Tape) record(line *tapeLine) {
	line.Version = tapeVersion
	t.mu.Lock()
	defer t.mu.Unlock()
	key := tapeKey{line.Kind, line.Key}
	if t.fresh[key] {
		return
	}
	raw, err := json.Marshal(line)
	if err == nil {
		line.raw = raw
		t.fresh[key] = true
		t.add(line)
		if t.torn { // what comes behind half a line would be no line either
			err = t.rewrite()
		} else {
			err = t.append(raw)
		}
	}
	if t.err == nil {
		t.err = err
	}
}

func (t *Tape) append(raw []byte) error {
	if err := os.MkdirAll(filepath.Dir(t.path), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(t.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(bytes.Clone(raw), '\n'))
	return errors.Join(err, f.Close())
}

// Save rewrites the file without the lines that others replaced, if there are
// any, and returns the error of the first answer that could not be written.
func (t *Tape) Save() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil || !t.stale || len(t.fresh) == 0 {
		return t.err
	}
	return t.rewrite()
}

// rewrite makes the file anew, of the lines that count.
func (t *Tape) rewrite() error {
	var text bytes.Buffer
	for _, line := range t.lines {
		if line != nil {
			text.Write(line.raw)
			text.WriteByte('\n')
		}
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(t.path); err == nil {
		mode = info.Mode().Perm()
	}
	err := replaceFile(t.path, text.Bytes())
	if err == nil {
		t.stale, t.torn = false, false
		err = os.Chmod(t.path, mode)
	}
	return err
}

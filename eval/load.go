package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gosema/gosema/eval/value"
)

// fileKey is the scope key of the file that is being loaded.
type fileKey struct{}

// maxLoads bounds files that load each other.
const maxLoads = 100

// load evaluates a file. A relative path starts from the file that loads it.
func load(t *Thread, args []Value) (Value, error) {
	a := ArgsOf(args)
	path := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if from, ok := t.Scope().Get(fileKey{}).(string); ok && !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(from), path)
	}
	return loadFile(t, path)
}

func loadFile(t *Thread, path string) (Value, error) {
	depth := 0
	t.Scope().All(fileKey{}, func(any) bool { depth++; return true })
	if depth >= maxLoads {
		e := Errorf(KindEval, "files load each other more than %d deep", maxLoads)
		e.Hint = "does " + path + " load itself?"
		return value.Nil, e
	}
	text, err := readBlocking(t, path)
	if err != nil {
		return value.Nil, err
	}
	return t.InScope(t.Scope().With(fileKey{}, path), func() (Value, error) {
		return EvalString(t, &value.Source{Name: path, Text: text})
	})
}

// readBlocking reads a file without the lock.
func readBlocking(t *Thread, path string) (string, error) {
	var text []byte
	err := t.Blocking(func(context.Context) (err error) {
		text, err = readSource(path)
		return err
	})
	if err != nil {
		return "", fileError(path, err)
	}
	return string(text), nil
}

// maxSource bounds the text of a program; a device has no end of its own.
const maxSource = 256 << 20

func readSource(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSource+1))
	if err == nil && len(text) > maxSource {
		err = errors.New("it is larger than 256 MiB")
	}
	return text, err
}

func fileError(path string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok { // the evaluation ended meanwhile
		return e
	}
	reason := err
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		reason = pe.Err
	}
	return &Error{Kind: KindIO, Message: fmt.Sprintf("cannot read %s: %v", path, reason), Cause: err}
}

// LoadFile evaluates the forms of a file and returns the value of the last.
func (in *Interp) LoadFile(ctx context.Context, path string) (Value, error) {
	return in.Do(ctx, func(t *Thread) (Value, error) { return loadFile(t, path) })
}

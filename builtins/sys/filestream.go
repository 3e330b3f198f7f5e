package sys

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func fileStreamBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "stream/open-input", Arity: eval.Exactly(1), Fn: streamOpenInput, Caps: eval.CapFSRead, NoRun: needsFile,
			Doc: "(stream/open-input path) is a stream to read a file from; close it, best by with-stream.", Example: `(stream/read-line (stream/open-input "data.txt")) ; => "one"`},
		{Name: "stream/open-output", Arity: eval.Exactly(1), Fn: streamOpenOutput, Caps: eval.CapFSWrite, NoRun: "writes a file",
			Doc:     "(stream/open-output path) is a stream to write a file with, in the place of what it had; close it, best by with-stream.",
			Example: `(stream/write-string (stream/open-output "out.txt") "hello") ; => 5`},
	}
}

func streamOpenInput(t *eval.Thread, args []Value) (Value, error) {
	const name = "stream/open-input"
	a := eval.ArgsOf(args)
	path := pathArg(&a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	f, err := open(t, name, path)
	if err != nil {
		return value.Nil, err
	}
	info, err := f.Stat()
	in := &input{r: f, name: path, step: readStep, prompt: err == nil && info.Mode().IsRegular()}
	s := &stream{kind: "file-input", in: in}
	files := filesOf(t)
	s.release = func(t *eval.Thread) error {
		files.forget(s)
		_, err := act(t, func(context.Context) error { return f.Close() })
		return ioError("stream/close", path, err)
	}
	files.add(t, s, f.Close)
	return newStream(s), nil
}

func streamOpenOutput(t *eval.Thread, args []Value) (Value, error) {
	const name = "stream/open-output"
	a := eval.ArgsOf(args)
	path := pathArg(&a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	f, err := wait(t, func(context.Context) (*os.File, error) { return os.Create(path) })
	if err != nil {
		return value.Nil, ioError(name, path, err)
	}
	w := &fileWriter{path: path, f: f}
	s := &stream{kind: "file-output", out: w}
	files := filesOf(t)
	s.release = func(t *eval.Thread) error {
		files.forget(s)
		_, err := act(t, func(context.Context) error { return w.close() })
		return ioError("stream/close", path, err)
	}
	files.add(t, s, w.close)
	return newStream(s), nil
}

// fileWriter gathers small writes. What it does to the file happens without the
// interpreter's lock, so it has its own, and goes on to the end even if the
// evaluation does not wait for it: nothing is lost or comes twice.
type fileWriter struct {
	path   string
	mu     sync.Mutex
	f      *os.File
	buf    []byte
	closed bool
}

const writeStep = 64 << 10

func (w *fileWriter) write(t *eval.Thread, b []byte) error {
	if w.mu.TryLock() {
		fits := !w.closed && len(w.buf)+len(b) <= writeStep
		if fits {
			w.buf = append(w.buf, b...)
		}
		w.mu.Unlock()
		if fits {
			return t.Tick(1 + len(b)/64)
		}
	}
	own := bytes.Clone(b)
	_, err := act(t, func(context.Context) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.buf = append(w.buf, own...)
		return w.pass()
	})
	return ioError("writing", w.path, err)
}

// pass writes to the file what was gathered.
func (w *fileWriter) pass() error {
	b := w.buf
	w.buf = w.buf[:0]
	if w.closed {
		return fs.ErrClosed
	}
	if len(b) == 0 {
		return nil
	}
	_, err := w.f.Write(b)
	return err
}

func (w *fileWriter) flush(t *eval.Thread) error {
	_, err := act(t, func(context.Context) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.pass()
	})
	return ioError("writing", w.path, err)
}

func (w *fileWriter) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	err := w.pass()
	w.closed = true
	return errors.Join(err, w.f.Close())
}

// openFiles are the files that a program has open, to be closed with its
// interpreter.
type openFiles struct {
	mu      sync.Mutex
	closers map[*stream]func() error // nil: the interpreter does not know of us
}

type filesKey struct{}

func filesOf(t *eval.Thread) *openFiles {
	return eval.InterpOf(t).State(filesKey{}, func() any { return &openFiles{} }).(*openFiles)
}

func (o *openFiles) add(t *eval.Thread, s *stream, closer func() error) {
	o.mu.Lock()
	fresh := o.closers == nil
	if fresh {
		o.closers = map[*stream]func() error{}
	}
	o.closers[s] = closer
	o.mu.Unlock()
	if fresh {
		eval.InterpOf(t).OnClose(o.closeAll)
	}
}

func (o *openFiles) forget(s *stream) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.closers, s)
}

func (o *openFiles) closeAll() {
	o.mu.Lock()
	closers := o.closers
	o.closers = nil
	o.mu.Unlock()
	for _, c := range closers {
		_ = c() // nobody is there to be told
	}
}

package sys

import (
	"bytes"
	"context"
	"io"
	"os"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func lineBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "file/for-each-line", Arity: eval.Exactly(2), Fn: fileForEachLine, Caps: eval.CapFSRead, NoRun: needsFile,
			Doc: "(file/for-each-line path f) calls f with each line of a file, which may be larger than memory.", Example: `(file/for-each-line "data.txt" println) ; => nil`},
		{Name: "file/fold-lines", Arity: eval.Exactly(3), Fn: fileFoldLines, Caps: eval.CapFSRead, NoRun: needsFile,
			Doc: "(file/fold-lines path f init) is foldl over the lines of a file, which may be larger than memory.", Example: `(file/fold-lines "data.txt" (fn (n line) (+ n 1)) 0) ; => 2`},
		{Name: "file/fold-lines-bytes", Arity: eval.Exactly(3), Fn: fileFoldLinesBytes, Caps: eval.CapFSRead, NoRun: needsFile,
			Doc:     "(file/fold-lines-bytes path f init) is file/fold-lines that gives f each line as a bytevector.",
			Example: `(file/fold-lines-bytes "data.txt" (fn (n line) (+ n (bytes/length line))) 0) ; => 6`},
	}
}

const (
	readStep = 64 << 10
	maxLine  = 256 << 10
)

// lineReader reads a file line by line; only reading itself gives the lock away.
type lineReader struct {
	t          *eval.Thread
	name, path string
	f          *os.File
	buf        []byte // what was read and not yet returned
	eof        bool
}

// next returns a line without its end; it is valid until the next call. ok is
// false behind the last.
func (r *lineReader) next() (line []byte, ok bool, err error) {
	scanned := 0
	for {
		if i := bytes.IndexByte(r.buf[scanned:], '\n'); i >= 0 {
			i += scanned
			line, r.buf = r.buf[:i], r.buf[i+1:]
			break
		}
		if r.eof {
			line, r.buf = r.buf, nil
			if len(line) == 0 {
				return nil, false, nil
			}
			break
		}
		scanned = len(r.buf)
		if scanned > maxLine+1 { // a \r may follow
			return nil, false, r.tooLong()
		}
		if err := r.fill(); err != nil {
			return nil, false, err
		}
	}
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) > maxLine {
		return nil, false, r.tooLong()
	}
	return line, true, nil
}

func (r *lineReader) tooLong() error {
	return eval.Errorf(eval.KindIO, "%s %s: a line has more than %d bytes", r.name, r.path, maxLine)
}

// fill reads more, to a buffer of its own: lines that were returned stay.
func (r *lineReader) fill() error {
	more, err := wait(r.t, func(context.Context) ([]byte, error) {
		b := make([]byte, len(r.buf), len(r.buf)+readStep)
		copy(b, r.buf)
		n, err := r.f.Read(b[len(b):cap(b)])
		return b[:len(b)+n], err
	})
	if err == io.EOF {
		r.eof, err = true, nil
	}
	if err != nil {
		return ioError(r.name, r.path, err)
	}
	r.buf = more
	return nil
}

// eachLine calls body with each line of a file.
func eachLine(t *eval.Thread, name, path string, body func(line []byte) error) error {
	f, err := open(t, name, path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := &lineReader{t: t, name: name, path: path, f: f}
	for {
		line, ok, err := r.next()
		if err != nil || !ok {
			return err
		}
		if err := t.Tick(1); err != nil {
			return err
		}
		if err := body(line); err != nil {
			return err
		}
	}
}

// lineText is a line as a string.
func lineText(name, path string, line []byte) (Value, error) {
	if !utf8.Valid(line) {
		return value.Nil, notText(name, path)
	}
	return value.String(string(line)), nil
}

func fileForEachLine(t *eval.Thread, args []Value) (Value, error) {
	const name = "file/for-each-line"
	a := eval.ArgsOf(args)
	path, fn := pathArg(&a, 0), a.Func(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.Nil, eachLine(t, name, path, func(line []byte) error {
		x, err := lineText(name, path, line)
		if err == nil {
			_, err = t.Call(fn, x)
		}
		return err
	})
}

func fileFoldLines(t *eval.Thread, args []Value) (Value, error) {
	return foldLines(t, "file/fold-lines", args, lineText)
}

func fileFoldLinesBytes(t *eval.Thread, args []Value) (Value, error) {
	return foldLines(t, "file/fold-lines-bytes", args, func(_, _ string, line []byte) (Value, error) {
		return value.Bytes(bytes.Clone(line)), nil
	})
}

func foldLines(t *eval.Thread, name string, args []Value, convert func(name, path string, line []byte) (Value, error)) (Value, error) {
	a := eval.ArgsOf(args)
	path, fn, acc := pathArg(&a, 0), a.Func(1), a.Value(2)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	err := eachLine(t, name, path, func(line []byte) error {
		x, err := convert(name, path, line)
		if err == nil {
			acc, err = t.Call(fn, acc, x)
		}
		return err
	})
	return acc, err
}

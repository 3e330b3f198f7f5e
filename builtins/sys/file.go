package sys

import (
	"context"
	"io"
	"os"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

const needsFile = "needs a file"

func fileBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "file/read", Arity: eval.Exactly(1), Fn: fileRead, Caps: eval.CapFSRead, NoRun: needsFile,
			Doc: "(file/read path) is the text of a file, which must be UTF-8.", Example: `(file/read "data.txt") ; => "one\ntwo\n"`},
		{Name: "file/read-lines", Arity: eval.Exactly(1), Fn: fileReadLines, Caps: eval.CapFSRead, NoRun: needsFile,
			Doc: "(file/read-lines path) lists the lines of a file, without their ends.", Example: `(file/read-lines "data.txt") ; => ("one" "two")`},
		{Name: "file/write", Arity: eval.Exactly(2), Fn: fileWrite, Caps: eval.CapFSWrite, NoRun: "writes a file",
			Doc: "(file/write path s) makes s the text of a file, in the place of what it had.", Example: `(file/write "out.txt" "hello") ; => nil`},
		{Name: "file/append", Arity: eval.Exactly(2), Fn: fileAppend, Caps: eval.CapFSWrite, NoRun: "writes a file",
			Doc: "(file/append path s) adds s to the end of a file, which it makes if need be.", Example: `(file/append "log.txt" "line\n") ; => nil`},
		{Name: "file/write-lines", Arity: eval.Exactly(2), Fn: fileWriteLines, Caps: eval.CapFSWrite, NoRun: "writes a file",
			Doc: "(file/write-lines path seq) writes the texts of the elements with line breaks between them.", Example: `(file/write-lines "out.txt" '("a" "b")) ; => nil`},
		{Name: "file/delete", Arity: eval.Exactly(1), Fn: onPath("file/delete", os.Remove), Caps: eval.CapFSWrite, NoRun: needsFile,
			Doc: "(file/delete path) removes a file, or a directory that is empty.", Example: `(file/delete "tmp.txt") ; => nil`},
		{Name: "file/rename", Arity: eval.Exactly(2), Fn: onPaths("file/rename", os.Rename), Caps: eval.CapFSWrite, NoRun: needsFile,
			Doc: "(file/rename from to) renames or moves a file.", Example: `(file/rename "a.txt" "b.txt") ; => nil`},
		{Name: "file/copy", Arity: eval.Exactly(2), Fn: onPaths("file/copy", copyFile), Caps: eval.CapFSRead | eval.CapFSWrite, NoRun: needsFile,
			Doc: "(file/copy from to) copies a file, in the place of what to had.", Example: `(file/copy "a.txt" "b.txt") ; => nil`},
	}
}

// readAll reads a file step by step, and asks for the memory before each.
func readAll(t *eval.Thread, name, path string) ([]byte, error) {
	f, err := open(t, name, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buf := make([]byte, 0, 512)
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if buf, err = grown(t, path, buf, info.Size()+1); err != nil { // +1: to see the end
			return nil, err
		}
	}
	for {
		n, err := wait(t, func(context.Context) (int, error) { return io.ReadFull(f, buf[len(buf):cap(buf)]) })
		buf = buf[:len(buf)+n]
		switch err {
		case nil:
			if buf, err = grown(t, path, buf, 2*int64(cap(buf))); err != nil {
				return nil, err
			}
		case io.EOF, io.ErrUnexpectedEOF:
			return buf, nil
		default:
			return nil, ioError(name, path, err)
		}
	}
}

// grown is buf with room for n bytes in all.
func grown(t *eval.Thread, path string, buf []byte, n int64) ([]byte, error) {
	if n > maxBytes+1 {
		return nil, eval.Errorf(eval.KindIO, "refused: %s has more than %d bytes", path, maxBytes)
	}
	if err := t.Reserve(n); err != nil {
		return nil, err
	}
	return append(make([]byte, 0, n), buf...), nil
}

func open(t *eval.Thread, name, path string) (*os.File, error) {
	f, err := wait(t, func(context.Context) (*os.File, error) { return os.Open(path) })
	return f, ioError(name, path, err)
}

// readText is readAll of a text.
func readText(t *eval.Thread, name string, args []Value) (string, error) {
	a := eval.ArgsOf(args)
	path := pathArg(&a, 0)
	if err := a.Err(); err != nil {
		return "", err
	}
	b, err := readAll(t, name, path)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(b) {
		return "", notText(name, path)
	}
	return unsafe.String(unsafe.SliceData(b), len(b)), nil // b is not written to again
}

func notText(name, path string) error {
	e := eval.Errorf(eval.KindIO, "%s %s: the file is not UTF-8 text", name, path)
	e.Hint = "file/read-bytes and file/fold-lines-bytes take any file"
	return e
}

func fileRead(t *eval.Thread, args []Value) (Value, error) {
	s, err := readText(t, "file/read", args)
	return value.String(s), err
}

func fileReadLines(t *eval.Thread, args []Value) (Value, error) {
	s, err := readText(t, "file/read-lines", args)
	if err != nil {
		return value.Nil, err
	}
	n := int64(strings.Count(s, "\n")) + 1
	if err := t.Reserve(n * 64); err != nil {
		return value.Nil, err
	}
	lines := make([]Value, 0, n)
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		lines = append(lines, value.String(strings.Clone(strings.TrimSuffix(line, "\r")))) // none keeps the whole text alive
	}
	return t.Heap().List(lines), t.Tick(len(lines))
}

// put writes a string to a file opened with flags.
func put(t *eval.Thread, name string, args []Value, flags int) (Value, error) {
	a := eval.ArgsOf(args)
	path, s := pathArg(&a, 0), a.String(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return putText(t, name, path, s, flags)
}

func putText(t *eval.Thread, name, path, s string, flags int) (Value, error) {
	v, err := act(t, func(context.Context) error {
		f, err := os.OpenFile(path, flags|os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(f, s); err != nil {
			f.Close()
			return err
		}
		return f.Close()
	})
	return v, ioError(name, path, err)
}

func fileWrite(t *eval.Thread, args []Value) (Value, error) {
	return put(t, "file/write", args, os.O_TRUNC)
}

func fileAppend(t *eval.Thread, args []Value) (Value, error) {
	return put(t, "file/append", args, os.O_APPEND)
}

func fileWriteLines(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	path, seq := pathArg(&a, 0), a.Seq(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	lines := make([]string, 0, seq.Len())
	for x := range seq.Elems() {
		if err := t.Tick(1); err != nil {
			return value.Nil, err
		}
		lines = append(lines, value.Display(x))
	}
	return putText(t, "file/write-lines", path, strings.Join(lines, "\n"), os.O_TRUNC)
}

// onPath makes a builtin of an operation on one path.
func onPath(name string, f func(path string) error) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		path := pathArg(&a, 0)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		v, err := act(t, func(context.Context) error { return f(path) })
		return v, ioError(name, path, err)
	}
}

// onPaths makes a builtin of an operation from one path to another.
func onPaths(name string, f func(from, to string) error) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		from, to := pathArg(&a, 0), pathArg(&a, 1)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		v, err := act(t, func(context.Context) error { return f(from, to) })
		return v, ioError(name, from+" to "+to, err)
	}
}

type builtinFunc = func(t *eval.Thread, args []Value) (Value, error)

func copyFile(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	info, err := src.Stat()
	if err != nil {
		return err
	}
	if there, err := os.Stat(to); err == nil && os.SameFile(info, there) {
		return nil // opening it for writing would empty it
	}
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, info.Mode().Perm())
	if err != nil {
		return err
	}
	if _, err := io.Copy(dst, src); err != nil {
		dst.Close()
		return err
	}
	return dst.Close()
}

package sys

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func fileBuiltins() []eval.Builtin {
	const noRun = "touches files"
	return []eval.Builtin{
		{Name: "file/read", Arity: eval.Exactly(1), Fn: fileRead, Caps: eval.CapFSRead, NoRun: noRun,
			Doc: "(file/read path) is the text of a file, which must be UTF-8."},
		{Name: "file/read-bytes", Arity: eval.Exactly(1), Fn: fileReadBytes, Caps: eval.CapFSRead, NoRun: noRun,
			Doc: "(file/read-bytes path) is the content of a file as a bytevector."},
		{Name: "file/read-lines", Arity: eval.Exactly(1), Fn: fileReadLines, Caps: eval.CapFSRead, NoRun: noRun,
			Doc: "(file/read-lines path) lists the lines of a text file, without their line breaks."},
		{Name: "file/write", Arity: eval.Exactly(2), Fn: fileWrite, Caps: eval.CapFSWrite, NoRun: noRun,
			Doc: "(file/write path text) makes text the whole content of a file."},
		{Name: "file/write-bytes", Arity: eval.Exactly(2), Fn: fileWriteBytes, Caps: eval.CapFSWrite, NoRun: noRun,
			Doc: "(file/write-bytes path bytes) makes a bytevector the whole content of a file."},
		{Name: "file/write-lines", Arity: eval.Exactly(2), Fn: fileWriteLines, Caps: eval.CapFSWrite, NoRun: noRun,
			Doc: "(file/write-lines path lines) writes strings as lines."},
		{Name: "file/append", Arity: eval.Exactly(2), Fn: fileAppend, Caps: eval.CapFSWrite, NoRun: noRun,
			Doc: "(file/append path text) adds text at the end of a file, which need not exist."},
		{Name: "file/exists?", Arity: eval.Exactly(1), Fn: fileTest(func(fs.FileInfo) bool { return true }), Caps: eval.CapFSRead,
			Doc: "(file/exists? path) is true if there is a file or directory.", Example: "(file/exists? \"/no/such/file\") ; => #f"},
		{Name: "file/is-file?", Arity: eval.Exactly(1), Fn: fileTest(func(i fs.FileInfo) bool { return i.Mode().IsRegular() }), Caps: eval.CapFSRead,
			Doc: "(file/is-file? path) is true of a regular file.", Example: "(file/is-file? \"/\") ; => #f"},
		{Name: "file/is-directory?", Arity: eval.Exactly(1), Fn: fileTest(fs.FileInfo.IsDir), Caps: eval.CapFSRead,
			Doc: "(file/is-directory? path) is true of a directory.", Example: "(file/is-directory? \"/\") ; => #t"},
		{Name: "file/delete", Arity: eval.Exactly(1), Fn: fileDelete, Caps: eval.CapFSWrite, NoRun: noRun,
			Doc: "(file/delete path) removes a file."},
	}
}

func fileRead(t *eval.Thread, args []Value) (Value, error) {
	text, err := readText(t, "file/read", args)
	return value.String(text), err
}

func fileReadLines(t *eval.Thread, args []Value) (Value, error) {
	text, err := readText(t, "file/read-lines", args)
	if err != nil || text == "" {
		return value.Empty, err
	}
	var lines []Value
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		lines = append(lines, value.String(strings.TrimSuffix(line, "\r")))
	}
	return t.Heap().List(lines), nil
}

func readText(t *eval.Thread, who string, args []Value) (string, error) {
	data, path, err := readBytes(t, who, args)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(data) {
		e := eval.Errorf(eval.KindIO, "%s: %s is not UTF-8 text", who, path)
		e.Hint = "file/read-bytes reads any file"
		return "", e
	}
	return string(data), nil
}

func fileReadBytes(t *eval.Thread, args []Value) (Value, error) {
	data, _, err := readBytes(t, "file/read-bytes", args)
	return value.Bytes(data), err
}

// maxFile bounds what is read at once, whatever the limits.
const maxFile = 1 << 30

func readBytes(t *eval.Thread, who string, args []Value) (data []byte, path string, err error) {
	a := eval.ArgsOf(args)
	path = a.String(0)
	if err := a.Err(); err != nil {
		return nil, "", err
	}
	size, err := blocking(t, func(context.Context) (int64, error) { return fileSize(path) })
	if err != nil {
		return nil, path, fileError(who, "read", path, err)
	}
	if err := t.Reserve(2 * size); err != nil { // the bytes, and the string made of them
		return nil, path, err
	}
	data, err = blocking(t, func(context.Context) ([]byte, error) { return readBounded(path) })
	if err != nil {
		return nil, path, fileError(who, "read", path, err)
	}
	return data, path, nil
}

func fileSize(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

var errTooLarge = errors.New("it is larger than 1 GiB")

// readBounded does not trust the size that the file system told: a device or a
// pipe has none.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = errTooLarge
	}
	return data, err
}

func fileWrite(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	path, text := a.String(0), a.String(1)
	return write(t, "file/write", a, path, []byte(text), os.O_TRUNC)
}

func fileWriteBytes(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	path, data := a.String(0), a.Bytes(1)
	return write(t, "file/write-bytes", a, path, data, os.O_TRUNC)
}

func fileAppend(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	path, text := a.String(0), a.String(1)
	return write(t, "file/append", a, path, []byte(text), os.O_APPEND)
}

func fileWriteLines(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	path := a.String(0)
	var text strings.Builder
	for line := range a.Seq(1).Elems() {
		s, ok := line.AsString()
		if !ok {
			a.Fail(eval.TypeError("a list of strings", line))
		}
		text.WriteString(s)
		text.WriteByte('\n')
	}
	return write(t, "file/write-lines", a, path, []byte(text.String()), os.O_TRUNC)
}

func write(t *eval.Thread, who string, a eval.Args, path string, data []byte, mode int) (Value, error) {
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	_, err := blocking(t, func(context.Context) (struct{}, error) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|mode, 0o666)
		if err != nil {
			return struct{}{}, err
		}
		_, err = f.Write(data)
		return struct{}{}, errors.Join(err, f.Close())
	})
	if err != nil {
		return value.Nil, fileError(who, "write", path, err)
	}
	return value.Nil, nil
}

func fileTest(test func(fs.FileInfo) bool) func(*eval.Thread, []Value) (Value, error) {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		path := a.String(0)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		yes, err := blocking(t, func(context.Context) (bool, error) {
			info, err := os.Stat(path)
			return err == nil && test(info), nil
		})
		return value.Bool(yes), err
	}
}

func fileDelete(t *eval.Thread, args []Value) (Value, error) {
	return pathAction(t, "file/delete", "delete", args, os.Remove)
}

// pathAction does something to the path that is the only argument.
func pathAction(t *eval.Thread, who, verb string, args []Value, act func(path string) error) (Value, error) {
	a := eval.ArgsOf(args)
	path := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	_, err := blocking(t, func(context.Context) (struct{}, error) { return struct{}{}, act(path) })
	if err != nil {
		return value.Nil, fileError(who, verb, path, err)
	}
	return value.Nil, nil
}

// fileError says what could not be done to which file, and why.
func fileError(who, verb, path string, err error) error {
	if e, ok := errors.AsType[*eval.Error](err); ok { // the evaluation ended meanwhile
		return e
	}
	reason := err
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		reason = pe.Err
	}
	e := eval.Errorf(eval.KindIO, "%s: cannot %s %s: %v", who, verb, path, reason)
	e.Cause = err
	return e
}

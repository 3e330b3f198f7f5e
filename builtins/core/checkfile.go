package core

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// maxProgram bounds the text of a program, as eval does when it loads one.
const maxProgram = 256 << 20

// checkFile is the one builtin of this package that reads a file: it is about the
// text, for which the checker is here.
func checkFile(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	path := a.String(0)
	if a.Err() == nil && path == "" {
		a.Bad(0, "a path")
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	src := &value.Source{Name: path}
	err := t.Blocking(func(context.Context) (err error) {
		src.Text, err = readProgram(path)
		return err
	})
	if e, ok := errors.AsType[*eval.Error](err); ok { // the evaluation ended meanwhile
		return value.Nil, e
	}
	if err != nil {
		return report(t, []Value{value.Map(value.Keyword("level"), value.Keyword("error"), value.Keyword("code"), value.String("io"),
			value.Keyword("message"), value.String(path+": "+err.Error()))}), nil
	}
	if err := t.Reserve(int64(len(src.Text))); err != nil {
		return value.Nil, err
	}
	return checkSource(t, src)
}

// readProgram reads a regular file: a pipe may never end.
func readProgram(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", systemReason(err)
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("it is no regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return "", systemReason(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxProgram+1))
	switch {
	case err != nil:
		return "", systemReason(err)
	case len(text) > maxProgram:
		return "", errors.New("it is larger than 256 MiB")
	case !utf8.Valid(text):
		return "", errors.New("it is not UTF-8 text")
	}
	return string(text), nil
}

// systemReason is what the system answered, without the path.
func systemReason(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

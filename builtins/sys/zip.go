package sys

import (
	"archive/zip"
	"context"
	"io"
	"io/fs"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

type zipWriter struct{ *zip.Writer }

func newZip(w io.Writer, _ string) archiveWriter { return zipWriter{zip.NewWriter(w)} }

func (z zipWriter) create(info fs.FileInfo) (io.Writer, error) {
	h, err := zip.FileInfoHeader(info)
	if err != nil {
		return nil, err
	}
	h.Method = zip.Deflate
	return z.CreateHeader(h)
}

func zipList(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	path := pathArg(&a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	names, err := wait(t, func(context.Context) (names []string, err error) {
		r, err := zip.OpenReader(path)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		for _, f := range r.File {
			names = append(names, strings.ToValidUTF8(f.Name, "\ufffd"))
		}
		return names, nil
	})
	if err != nil {
		return value.Nil, ioError("zip/list", path, err)
	}
	if err := t.Reserve(int64(len(names)) * 64); err != nil {
		return value.Nil, err
	}
	elems := make([]Value, len(names))
	for i, n := range names {
		elems[i] = value.String(n)
	}
	return t.Heap().List(elems), t.Tick(len(elems))
}

func eachInZip(_ context.Context, path string, f func(e entry) error) error {
	r, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	defer r.Close()
	for _, file := range r.File {
		if err := eachZipFile(file, f); err != nil {
			return err
		}
	}
	return nil
}

func eachZipFile(file *zip.File, f func(e entry) error) error {
	e := entry{name: file.Name, mode: file.Mode()}
	if !e.mode.IsRegular() {
		return f(e)
	}
	r, err := file.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	e.r = r
	return f(e)
}

package sys

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

// tarWriter is a tar archive, and the compression around it if there is one.
type tarWriter struct {
	*tar.Writer
	compressed *gzip.Writer
}

func newTar(w io.Writer, path string) archiveWriter {
	name := strings.ToLower(path)
	if !strings.HasSuffix(name, ".tar.gz") && !strings.HasSuffix(name, ".tgz") {
		return tarWriter{tar.NewWriter(w), nil}
	}
	z := gzip.NewWriter(w)
	return tarWriter{tar.NewWriter(z), z}
}

func (a tarWriter) create(info fs.FileInfo) (io.Writer, error) {
	h, err := tar.FileInfoHeader(info, "")
	if err != nil {
		return nil, err
	}
	h.Uname, h.Gname, h.Uid, h.Gid = "", "", 0, 0 // nobody's business elsewhere
	return a, a.WriteHeader(h)
}

func (a tarWriter) Close() error {
	err := a.Writer.Close()
	if a.compressed != nil {
		err = errors.Join(err, a.compressed.Close())
	}
	return err
}

func eachInTar(ctx context.Context, path string, f func(e entry) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := plainTar(&untilDone{ctx, file})
	if err != nil {
		return err
	}
	for {
		h, err := r.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		e := entry{name: h.Name, mode: h.FileInfo().Mode(), r: r}
		if h.Typeflag == tar.TypeLink || h.Typeflag == tar.TypeXGlobalHeader {
			e.mode |= fs.ModeIrregular
		}
		if err := f(e); err != nil {
			return err
		}
	}
}

// plainTar reads a tar archive that may be compressed, as its first bytes tell.
func plainTar(file io.Reader) (*tar.Reader, error) {
	r := bufio.NewReader(file)
	if magic, _ := r.Peek(2); string(magic) != "\x1f\x8b" {
		return tar.NewReader(r), nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	return tar.NewReader(z), nil
}

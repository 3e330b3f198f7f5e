package sys

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func archiveBuiltins() []eval.Builtin {
	const both = eval.CapFSRead | eval.CapFSWrite
	return []eval.Builtin{
		{Name: "zip/create", Arity: eval.Exactly(2), Fn: createArchive("zip/create", newZip), Caps: both, NoRun: needsFile,
			Doc: "(zip/create path files) makes a ZIP archive of files, each under its name without directories, and is their number.", Example: `(zip/create "a.zip" '("x.txt" "y.txt")) ; => 2`},
		{Name: "zip/list", Arity: eval.Exactly(1), Fn: zipList, Caps: eval.CapFSRead, NoRun: needsFile,
			Doc: "(zip/list path) lists the names in a ZIP archive.", Example: `(zip/list "a.zip") ; => ("x.txt" "y.txt")`},
		{Name: "zip/extract", Arity: eval.Exactly(2), Fn: extractArchive("zip/extract", eachInZip), Caps: both, NoRun: needsFile,
			Doc:     "(zip/extract path dir) makes the files of a ZIP archive in a directory and is their number. Links, and names that lead out of dir, are left out; more than 4 GiB are refused.",
			Example: `(zip/extract "a.zip" "out") ; => 2`},
		{Name: "tar/create", Arity: eval.Exactly(2), Fn: createArchive("tar/create", newTar), Caps: both, NoRun: needsFile,
			Doc:     "(tar/create path files) makes a tar archive of files, each under its name without directories, and is their number. It is compressed if path ends in .tar.gz or .tgz.",
			Example: `(tar/create "a.tgz" '("x.txt" "y.txt")) ; => 2`},
		{Name: "tar/extract", Arity: eval.Exactly(2), Fn: extractArchive("tar/extract", eachInTar), Caps: both, NoRun: needsFile,
			Doc:     "(tar/extract path dir) makes the files of a tar archive, compressed or not, in a directory and is their number. Links, and names that lead out of dir, are left out; more than 4 GiB are refused.",
			Example: `(tar/extract "a.tgz" "out") ; => 2`},
	}
}

const (
	maxExtracted = 4 << 30
	maxEntries   = 1 << 20
)

// archiveWriter is an archive in the making.
type archiveWriter interface {
	// create starts the next entry; what is written to w then is its content.
	create(info fs.FileInfo) (w io.Writer, err error)
	Close() error
}

func createArchive(name string, start func(w io.Writer, path string) archiveWriter) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		out, files := pathArg(&a, 0), pathList(&a, 1)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		_, err := act(t, func(ctx context.Context) error {
			return replaceFile(out, func(w io.Writer) error {
				archive := start(w, out)
				if err := addAll(ctx, archive, files); err != nil {
					return err
				}
				return archive.Close()
			})
		})
		return value.Int(int64(len(files))), ioError(name, out, err)
	}
}

// pathList reads argument i, a list of paths.
func pathList(a *eval.Args, i int) (paths []string) {
	for x := range a.Seq(i).Elems() {
		s, ok := x.AsString()
		if !ok || s == "" {
			a.Bad(i, "a list of paths")
			return nil
		}
		paths = append(paths, s)
	}
	return paths
}

// replaceFile makes what f writes the content of a file, once it is whole.
func replaceFile(path string, f func(w io.Writer) error) (err error) {
	temporary := fmt.Sprintf("%s.%x.part", path, rand.Uint64())
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if err = errors.Join(f(file), file.Close()); err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		_ = os.Remove(temporary)
	}
	return err
}

func addAll(ctx context.Context, archive archiveWriter, files []string) error {
	seen := map[string]bool{}
	for _, file := range files {
		base := filepath.Base(file)
		if seen[base] {
			return fmt.Errorf("two files would have the name %s in the archive", base)
		}
		seen[base] = true
		if err := add(ctx, archive, file); err != nil {
			return err
		}
	}
	return nil
}

func add(ctx context.Context, archive archiveWriter, file string) error {
	info, err := os.Stat(file) // before opening, which waits for a pipe's other end
	if err != nil {
		return fmt.Errorf("%s: %s", file, reason(err))
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file, and an archive holds only files", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("%s: %s", file, reason(err))
	}
	defer f.Close()
	w, err := archive.create(info)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, &untilDone{ctx, io.LimitReader(f, info.Size())})
	return err
}

// untilDone is a reader that ends when a context does.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u *untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// entry is a file or a directory in an archive.
type entry struct {
	name string
	mode fs.FileMode
	r    io.Reader // the content of a file
}

// eachEntry calls f with the entries of an archive.
type eachEntry func(ctx context.Context, path string, f func(e entry) error) error

func extractArchive(name string, each eachEntry) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		path, dir := pathArg(&a, 0), pathArg(&a, 1)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		n, err := wait(t, func(ctx context.Context) (int, error) { return extract(ctx, path, dir, each) })
		return value.Int(int64(n)), ioError(name, path, err)
	}
}

// extractor makes files in a directory. Its root keeps it there, whatever
// symbolic links are in the way.
type extractor struct {
	ctx   context.Context
	root  *os.Root
	made  map[string]bool
	count int
	left  int64 // bytes that may still come
}

func extract(ctx context.Context, path, dir string, each eachEntry) (int, error) {
	if _, err := os.Stat(path); err != nil { // before making dir
		return 0, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	x := &extractor{ctx: ctx, root: root, made: map[string]bool{}, left: maxExtracted}
	err = each(ctx, path, x.extract)
	return x.count, err
}

func (x *extractor) extract(e entry) error {
	if err := x.ctx.Err(); err != nil {
		return err
	}
	name := path.Clean(strings.ReplaceAll(e.name, `\`, "/"))
	local := filepath.FromSlash(name)
	if path.IsAbs(name) || !filepath.IsLocal(local) {
		return nil // it would lead out of the directory
	}
	if x.count++; x.count > maxEntries {
		return fmt.Errorf("refused: it has more than %d entries", maxEntries)
	}
	if e.mode.IsDir() {
		return x.root.MkdirAll(local, 0o777)
	}
	if !e.mode.IsRegular() {
		x.count--
		return nil
	}
	if x.made[name] {
		return fmt.Errorf("it has two files named %s", name)
	}
	x.made[name] = true
	if err := x.root.MkdirAll(filepath.Dir(local), 0o777); err != nil {
		return err
	}
	return x.write(local, e)
}

func (x *extractor) write(local string, e entry) error {
	f, err := x.root.OpenFile(local, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, e.mode.Perm()|0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(f, &untilDone{x.ctx, io.LimitReader(e.r, x.left+1)})
	if x.left -= n; x.left < 0 {
		err = fmt.Errorf("refused: it has more than %d bytes", int64(maxExtracted))
	}
	return errors.Join(err, f.Close())
}

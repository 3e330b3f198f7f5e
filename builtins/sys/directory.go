package sys

import (
	"context"
	"io/fs"
	"os"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func directoryBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "file/exists?", Arity: eval.Exactly(1), Fn: pathTest(os.Stat, func(fs.FileMode) bool { return true }), Caps: eval.CapFSRead,
			Doc: "(file/exists? path) tells whether there is a file or directory.", Example: `(file/exists? "/no/such/file") ; => #f`},
		{Name: "file/is-file?", Arity: eval.Exactly(1), Fn: pathTest(os.Stat, fs.FileMode.IsRegular), Caps: eval.CapFSRead,
			Doc: "(file/is-file? path) tells whether there is a regular file.", Example: `(file/is-file? "/") ; => #f`},
		{Name: "file/is-directory?", Arity: eval.Exactly(1), Fn: pathTest(os.Stat, fs.FileMode.IsDir), Caps: eval.CapFSRead,
			Doc: "(file/is-directory? path) tells whether there is a directory.", Example: `(file/is-directory? "/") ; => #t`},
		{Name: "file/is-symlink?", Arity: eval.Exactly(1), Fn: pathTest(os.Lstat, isSymlink), Caps: eval.CapFSRead,
			Doc: "(file/is-symlink? path) tells whether there is a symbolic link.", Example: `(file/is-symlink? "/") ; => #f`},
		{Name: "file/info", Arity: eval.Exactly(1), Fn: fileInfo, Caps: eval.CapFSRead, NoRun: needsFile,
			Doc:     "(file/info path) is a map of :size in bytes, :modified in milliseconds since 1970, :is-file and :is-dir.",
			Example: `(file/info "a.txt") ; => {:is-dir #f :is-file #t :modified 1782248141021 :size 12}`},
		{Name: "file/list", Arity: eval.Exactly(1), Fn: fileList, Caps: eval.CapFSRead, NoRun: "needs a directory",
			Doc: "(file/list path) lists the names of what is in a directory.", Example: `(file/list "src") ; => ("a.sema" "b.sema")`},
		{Name: "file/glob", Arity: eval.Exactly(1), Fn: fileGlob, Caps: eval.CapFSRead, NoRun: "needs files",
			Doc: "(file/glob pattern) lists the paths that match: * and ? stand for parts of a name, [a-z] for one of these characters, ** for directories of any depth.", Example: `(file/glob "src/**/*.sema") ; => ("src/a.sema" "src/b/c.sema")`},
		{Name: "file/mkdir", Arity: eval.Exactly(1), Fn: onPath("file/mkdir", func(p string) error { return os.MkdirAll(p, 0o777) }), Caps: eval.CapFSWrite, NoRun: "makes a directory",
			Doc: "(file/mkdir path) makes a directory and those above it that are missing.", Example: `(file/mkdir "logs/2026") ; => nil`},
	}
}

func isSymlink(m fs.FileMode) bool { return m&fs.ModeSymlink != 0 }

// pathTest makes a builtin of a question about what is at a path; there is
// nothing where it cannot be looked at.
func pathTest(stat func(path string) (os.FileInfo, error), holds func(m fs.FileMode) bool) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		path := a.String(0)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		ok, err := wait(t, func(context.Context) (bool, error) {
			info, err := stat(path)
			return err == nil && holds(info.Mode()), nil
		})
		return value.Bool(ok), err
	}
}

func fileInfo(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	path := pathArg(&a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	info, err := wait(t, func(context.Context) (os.FileInfo, error) { return os.Stat(path) })
	if err != nil {
		return value.Nil, ioError("file/info", path, err)
	}
	return value.Map(
		value.Keyword("size"), value.Int(info.Size()),
		value.Keyword("modified"), value.Int(info.ModTime().UnixMilli()),
		value.Keyword("is-file"), value.Bool(info.Mode().IsRegular()),
		value.Keyword("is-dir"), value.Bool(info.IsDir())), nil
}

func fileList(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	path := pathArg(&a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	entries, err := wait(t, func(context.Context) ([]os.DirEntry, error) { return os.ReadDir(path) })
	if err != nil {
		return value.Nil, ioError("file/list", path, err)
	}
	names := make([]Value, len(entries))
	for i, e := range entries {
		names[i] = value.String(e.Name())
	}
	return t.Heap().List(names), nil
}

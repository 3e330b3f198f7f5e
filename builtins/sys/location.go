package sys

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// These ask the file system where a path leads.
func locationBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "path/absolute", Arity: eval.Exactly(1), Fn: locate("path/absolute", filepath.Abs), Caps: eval.CapFSRead,
			Doc: "(path/absolute path) is the path from the root, without . and .. in it.", Example: `(path/absolute "/a/../b") ; => "/b"`},
		{Name: "path/canonicalize", Arity: eval.Exactly(1), Fn: locate("path/canonicalize", canonical), Caps: eval.CapFSRead,
			Doc: "(path/canonicalize path) is the path from the root with symbolic links followed; there must be something.", Example: `(path/canonicalize "/.") ; => "/"`},
		{Name: "path/relative-to", Arity: eval.Exactly(2), Fn: pathRelativeTo, Caps: eval.CapFSRead,
			Doc: "(path/relative-to base path) is the way from base to path.", Example: `(path/relative-to "/a/b" "/a/x") ; => "../x"`},
		{Name: "path/within?", Arity: eval.Exactly(2), Fn: isPathWithin, Caps: eval.CapFSRead,
			Doc:     "(path/within? base path) tells whether path leads to base or into it, when .. and symbolic links are followed.",
			Example: `(path/within? "/repo" "/repo/src/a") ; => #t` + "\n" + `(path/within? "/repo" "/repo/../etc") ; => #f`},
		{Name: "sys/cwd", Arity: eval.Exactly(0), Fn: sysCwd, NoRun: "depends on the machine",
			Doc: "(sys/cwd) is the current directory.", Example: `(sys/cwd) ; => "/home/ada"`},
	}
}

func locate(name string, f func(path string) (string, error)) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		path := pathArg(&a, 0)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		s, err := wait(t, func(context.Context) (string, error) { return f(path) })
		return value.String(s), ioError(name, path, err)
	}
}

// rooted is path from the root. Unlike filepath.Abs it leaves .. alone, which
// may follow a symbolic link.
func rooted(path string) (string, error) {
	if filepath.IsAbs(path) {
		return path, nil
	}
	dir, err := os.Getwd()
	return dir + "/" + path, err
}

func canonical(path string) (string, error) {
	path, err := rooted(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

func pathRelativeTo(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	base, path := pathArg(&a, 0), pathArg(&a, 1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	s, err := wait(t, func(context.Context) (string, error) {
		var err1, err2 error
		if filepath.IsAbs(base) != filepath.IsAbs(path) {
			base, err1 = filepath.Abs(base)
			path, err2 = filepath.Abs(path)
		}
		s, err3 := filepath.Rel(base, path)
		return s, errors.Join(err1, err2, err3)
	})
	return value.String(s), ioError("path/relative-to", path, err)
}

func isPathWithin(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	base, path := pathArg(&a, 0), pathArg(&a, 1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	ok, err := wait(t, func(context.Context) (bool, error) { return within(base, path) })
	return value.Bool(ok), ioError("path/within?", path, err)
}

func within(base, path string) (bool, error) {
	base, err := rooted(base)
	if err != nil {
		return false, err
	}
	if path, err = rooted(path); err != nil {
		return false, err
	}
	base, ok := destination(base, 0)
	if !ok {
		return false, nil
	}
	path, ok = destination(path, 0)
	return ok && (path == base || strings.HasPrefix(path, strings.TrimSuffix(base, "/")+"/")), nil
}

// destination is where a path leads, or would lead if what is missing were
// made: a symbolic link to nothing counts too. ok is false for links in a
// circle.
func destination(path string, links int) (where string, ok bool) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, true
	}
	if links > 40 {
		return "", false
	}
	trimmed := strings.TrimRight(path, "/")
	dir, name := filepath.Split(trimmed)
	if target, err := os.Readlink(trimmed); err == nil {
		if !filepath.IsAbs(target) {
			target = dir + target
		}
		return destination(target, links+1)
	}
	if dir == "" || dir == path {
		return filepath.Clean(path), true
	}
	above, ok := destination(dir, links)
	return filepath.Join(above, name), ok
}

func sysCwd(t *eval.Thread, args []Value) (Value, error) {
	dir, err := os.Getwd()
	return value.String(dir), ioError("sys/cwd", ".", err)
}

package sys

import (
	"path/filepath"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// These work on the text of a path alone.
func pathBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "path/join", Arity: eval.AtLeast(1), Fn: pathJoin,
			Doc: "(path/join part ...) joins the parts of a path; an absolute part starts anew.", Example: `(path/join "a" "b" "c.txt") ; => "a/b/c.txt"` + "\n" + `(path/join "a" "/b") ; => "/b"`},
		{Name: "path/dir", Aliases: []string{"path/dirname"}, Arity: eval.Exactly(1), Fn: pathPart(dirOf),
			Doc: "(path/dir path) is the path without its last part, \"\" if that is all.", Example: `(path/dir "/a/b/c.txt") ; => "/a/b"`},
		{Name: "path/filename", Aliases: []string{"path/basename"}, Arity: eval.Exactly(1), Fn: pathPart(nameOf),
			Doc: "(path/filename path) is the last part of a path.", Example: `(path/filename "/a/b/c.txt") ; => "c.txt"`},
		{Name: "path/extension", Aliases: []string{"path/ext"}, Arity: eval.Exactly(1), Fn: pathPart(extensionOf),
			Doc: "(path/extension path) is what follows the last point of the file name.", Example: `(path/extension "a/b.tar.gz") ; => "gz"` + "\n" + `(path/extension ".hidden") ; => ""`},
		{Name: "path/stem", Arity: eval.Exactly(1), Fn: pathPart(stemOf),
			Doc: "(path/stem path) is the file name without its extension.", Example: `(path/stem "a/b.tar.gz") ; => "b.tar"`},
		{Name: "path/absolute?", Arity: eval.Exactly(1), Fn: isPathAbsolute,
			Doc: "(path/absolute? path) tells whether a path starts at the root.", Example: `(path/absolute? "/usr") ; => #t`},
	}
}

func pathPart(f func(path string) string) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		return value.String(f(a.String(0))), a.Err()
	}
}

func pathJoin(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	var b strings.Builder
	for i := range args {
		part := a.String(i)
		if filepath.IsAbs(part) {
			b.Reset()
		} else if s := b.String(); part != "" && s != "" && !strings.HasSuffix(s, "/") {
			b.WriteByte('/')
		}
		b.WriteString(part)
	}
	return value.String(b.String()), a.Err()
}

// splitLast parts a path before its last part; slashes at the end do not count.
func splitLast(path string) (dir, name string) {
	path = strings.TrimRight(path, "/")
	i := strings.LastIndexByte(path, '/')
	dir, name = path[:i+1], path[i+1:]
	if dir = strings.TrimRight(dir, "/"); dir == "" && i >= 0 {
		dir = "/"
	}
	return dir, name
}

func dirOf(path string) string {
	dir, _ := splitLast(path)
	return dir
}

func nameOf(path string) string {
	_, name := splitLast(path)
	if name == ".." || name == "." {
		return ""
	}
	return name
}

// splitExtension parts a file name at its last point; a name that starts with
// its only point has no extension.
func splitExtension(name string) (stem, ext string) {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 {
		return name, ""
	}
	return name[:i], name[i+1:]
}

func extensionOf(path string) string {
	_, ext := splitExtension(nameOf(path))
	return ext
}

func stemOf(path string) string {
	stem, _ := splitExtension(nameOf(path))
	return stem
}

func isPathAbsolute(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return value.Bool(filepath.IsAbs(a.String(0))), a.Err()
}

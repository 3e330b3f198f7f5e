package sys

import (
	"context"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func fileGlob(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	pattern := pathArg(&a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	paths, err := wait(t, func(ctx context.Context) ([]string, error) { return glob(ctx, pattern) })
	if err != nil {
		return value.Nil, ioError("file/glob", pattern, err)
	}
	elems := make([]Value, len(paths))
	for i, p := range paths {
		elems[i] = value.String(p)
	}
	return t.Heap().List(elems), nil
}

// globber collects what matches a pattern.
type globber struct {
	ctx   context.Context
	found []string
}

const maxMatches = 1_000_000

// glob lists the paths that match, in order.
func glob(ctx context.Context, pattern string) ([]string, error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, eval.Errorf(eval.KindEval, "file/glob %s: the pattern is wrong: a [ must have its ]", pattern)
	}
	g := &globber{ctx: ctx}
	root := ""
	if strings.HasPrefix(pattern, "/") {
		root = "/"
	}
	parts := strings.FieldsFunc(pattern, func(r rune) bool { return r == '/' })
	parts = slices.CompactFunc(parts, func(a, b string) bool { return a == "**" && b == "**" })
	err := g.match(root, parts)
	slices.Sort(g.found)
	return slices.Compact(g.found), err
}

// match adds the paths below dir that match the parts of a pattern. What cannot
// be read does not match.
func (g *globber) match(dir string, parts []string) error {
	switch {
	case g.ctx.Err() != nil:
		return g.ctx.Err()
	case len(g.found) > maxMatches:
		return eval.Errorf(eval.KindIO, "file/glob: more than %d paths match", maxMatches)
	case len(parts) == 0:
		g.found = append(g.found, dir)
		return nil
	}
	part, rest := parts[0], parts[1:]
	if !strings.ContainsAny(part, `*?[\`) {
		if _, err := os.Lstat(dir + part); err != nil {
			return nil
		}
		return g.descend(dir+part, rest)
	}
	if part == "**" && len(rest) > 0 {
		if err := g.match(dir, rest); err != nil {
			return err
		}
	}
	entries, _ := os.ReadDir(orDot(dir))
	for _, e := range entries {
		if err := g.entry(dir+e.Name(), e.IsDir(), part, parts); err != nil {
			return err
		}
	}
	return nil
}

// entry follows one entry of a directory: ** goes on into directories with the
// same pattern, and matches everything if it is the last part.
func (g *globber) entry(p string, isDir bool, part string, parts []string) error {
	if part == "**" {
		if len(parts) == 1 {
			g.found = append(g.found, p)
		}
		if !isDir {
			return nil
		}
		return g.match(p+"/", parts)
	}
	if ok, _ := path.Match(part, path.Base(p)); !ok {
		return nil
	}
	return g.descend(p, parts[1:])
}

// descend goes on below p, which must be a directory if there are more parts.
func (g *globber) descend(p string, rest []string) error {
	if len(rest) > 0 {
		p += "/"
	}
	return g.match(p, rest)
}

func orDot(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

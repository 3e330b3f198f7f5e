package layout

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sourceFile is a file of ours that was parsed.
type sourceFile struct {
	pkg  string
	name string
	text []byte
	ast  *ast.File
}

// sources parses the Go files that are not tests.
func sources(t *testing.T) (fset *token.FileSet, files []sourceFile) {
	t.Helper()
	fset = token.NewFileSet()
	walk := func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && isForeign(path):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		tree, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		files = append(files, sourceFile{dirOf(name), name, text, tree})
		return nil
	}
	require.NoError(t, filepath.WalkDir(root, walk))
	require.NotEmpty(t, files)
	return fset, files
}

const root = "../.."

// isForeign is true of what is no part of the module: nested modules, and
// directories that Go does not look into.
func isForeign(dir string) bool {
	base := filepath.Base(dir)
	if strings.HasPrefix(base, ".") && base != ".." || base == "testdata" {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil && dir != root
}

func dirOf(name string) string { return filepath.ToSlash(filepath.Dir(name)) }

// variable is a variable of a package.
type variable struct{ pkg, name string }

// mutable are the package variables that may be assigned outside of their
// declaration, and why.
var mutable = map[variable]string{
	{"eval", "formTable"}: "set in init, as the forms refer to the analysis and that to the table; never changed later",
}

// TestNoMutableState: nothing assigns to a package variable, or to a part of
// one. (What a method changes through a pointer is not seen here.)
func TestNoMutableState(t *testing.T) {
	fset, files := sources(t)
	vars := map[variable]bool{}
	for _, f := range files {
		for _, name := range packageVars(f.ast) {
			vars[variable{f.pkg, name}] = true
		}
	}
	for _, f := range files {
		if strings.HasPrefix(f.pkg, "tests/") || strings.HasSuffix(f.pkg, "/gen") {
			continue
		}
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			for _, a := range assigned(fn) {
				v := variable{f.pkg, a.Name}
				if vars[v] && mutable[v] == "" {
					t.Errorf("%s: assigns to the package variable %s", fset.Position(a.Pos()), a.Name)
				}
			}
		}
	}
}

func packageVars(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, spec := range g.Specs {
			for _, n := range spec.(*ast.ValueSpec).Names {
				if n.Name != "_" {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

// assigned lists the variables that a function assigns to, and does not declare.
func assigned(fn *ast.FuncDecl) (found []*ast.Ident) {
	local := declared(fn)
	note := func(e ast.Expr) {
		if id := rootOf(e); id != nil && !local[id.Name] {
			found = append(found, id)
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, l := range n.Lhs {
					note(l)
				}
			}
		case *ast.IncDecStmt:
			note(n.X)
		}
		return true
	})
	return found
}

// rootOf is the variable that an expression which can be assigned to is part of.
func rootOf(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// declared are all names that a function declares anywhere.
func declared(fn *ast.FuncDecl) map[string]bool {
	names := map[string]bool{}
	fields := func(l *ast.FieldList) {
		if l == nil {
			return
		}
		for _, f := range l.List {
			for _, n := range f.Names {
				names[n.Name] = true
			}
		}
	}
	idents := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok {
				names[id.Name] = true
			}
		}
	}
	fields(fn.Recv)
	fields(fn.Type.Params)
	fields(fn.Type.Results)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				idents(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				idents(n.Key, n.Value)
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				names[id.Name] = true
			}
		case *ast.FuncLit:
			fields(n.Type.Params)
			fields(n.Type.Results)
		}
		return true
	})
	return names
}

// long are files that may be longer than 400 lines.
var long = map[string]string{
	"eval/vm/loop.go": "generated: the machine's loop",
}

// TestFiles: files are formatted, not too long, and know no place outside of the
// repository.
func TestFiles(t *testing.T) {
	_, files := sources(t)
	for _, f := range files {
		formatted, err := format.Source(f.text)
		require.NoError(t, err)
		if !bytes.Equal(formatted, f.text) {
			t.Errorf("%s is not formatted", f.name)
		}
		if n := bytes.Count(f.text, []byte("\n")); n > 450 && long[f.name] == "" {
			t.Errorf("%s has %d lines", f.name, n)
		}
		for _, bad := range []string{"/work" + "/", "/tmp" + "/sema"} {
			if bytes.Contains(f.text, []byte(bad)) {
				t.Errorf("%s mentions %s", f.name, bad)
			}
		}
	}
}

// longFunctions bounds how many functions may be longer than 40 lines.
const longFunctions = 0.10

func TestFunctionsAreShort(t *testing.T) {
	fset, files := sources(t)
	all, tooLong := 0, []string{}
	for _, f := range files {
		if strings.HasPrefix(f.pkg, "tests/") {
			continue
		}
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			all++
			from, to := fset.Position(fn.Pos()).Line, fset.Position(fn.End()).Line
			if to-from >= 40 {
				tooLong = append(tooLong, f.name+": "+fn.Name.Name)
			}
		}
	}
	if float64(len(tooLong)) > longFunctions*float64(all) {
		t.Errorf("%d of %d functions are longer than 40 lines: %s", len(tooLong), all, strings.Join(tooLong, ", "))
	}
}

// TestPackagesHaveDocs: every package says what it is.
func TestPackagesHaveDocs(t *testing.T) {
	_, files := sources(t)
	documented := map[string]bool{}
	for _, f := range files {
		documented[f.pkg] = documented[f.pkg] || f.ast.Doc != nil
	}
	for pkg, ok := range documented {
		if !ok {
			t.Errorf("%s has no package comment", pkg)
		}
	}
}

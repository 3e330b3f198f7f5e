package eval

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// findModule returns the canonical path of what an import names: a file, from
// the importing file's directory, or a package.
func findModule(spec, from string, findPackage func(string) (string, error)) (string, error) {
	path := spec
	if from != "" && !filepath.IsAbs(spec) {
		path = filepath.Join(filepath.Dir(from), spec)
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return canonical(path)
	}
	if isPath(spec) || findPackage == nil {
		return "", &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	found, err := findPackage(spec)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.New("there is no such file, and no package of that name")
	case err != nil:
		return "", err
	}
	return canonical(found)
}

// isPath is true of what is meant as a file and not as a package.
func isPath(spec string) bool {
	return filepath.IsAbs(spec) || strings.HasPrefix(spec, ".") || strings.HasSuffix(spec, ".sema")
}

// canonical is the one name of a file.
func canonical(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

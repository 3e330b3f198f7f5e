package eval

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// findModule returns the file that an import names, from the importing file's
// directory or a package, and its canonical path.
func findModule(spec, from string, findPackage func(string) (string, error)) (path, key string, err error) {
	path = spec
	if from != "" && !filepath.IsAbs(spec) {
		path = filepath.Join(filepath.Dir(from), spec)
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		key, err = canonical(path)
		return path, key, err
	}
	if isPath(spec) || findPackage == nil {
		return "", "", &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	path, err = findPackage(spec)
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("there is no such file, and no package of that name")
	}
	if err == nil {
		key, err = canonical(path)
	}
	return path, key, err
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

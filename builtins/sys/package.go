package sys

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/BurntSushi/toml"
)

// PackageFinder finds the files of packages in directories, as eval.Config wants
// it. The spec of a package is its path in one of them.
func PackageFinder(dirs ...string) func(spec string) (string, error) {
	return func(spec string) (string, error) {
		local := filepath.FromSlash(spec)
		if !filepath.IsLocal(local) {
			return "", fmt.Errorf("%q is no name of a package", spec)
		}
		for _, dir := range dirs {
			path, err := entrypoint(filepath.Join(dir, local))
			if err == nil || !errors.Is(err, fs.ErrNotExist) {
				return path, err
			}
		}
		return "", fs.ErrNotExist
	}
}

// entrypoint is the file of a package: path.sema, else what path/sema.toml names,
// else path/package.sema.
func entrypoint(path string) (string, error) {
	if isFile(path + ".sema") {
		return path + ".sema", nil
	}
	var manifest struct {
		Package struct{ Entrypoint string }
	}
	_, err := toml.DecodeFile(filepath.Join(path, "sema.toml"), &manifest)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	entry := manifest.Package.Entrypoint
	if entry == "" {
		entry = "package.sema"
	}
	if !filepath.IsLocal(filepath.FromSlash(entry)) {
		return "", fmt.Errorf("the entrypoint %q of the package leads out of it", entry)
	}
	file := filepath.Join(path, filepath.FromSlash(entry))
	if !isFile(file) {
		return "", fs.ErrNotExist
	}
	return file, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

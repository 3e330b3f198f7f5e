package sys_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/eval"
)

// item is an entry of an archive for tests: a file, unless link says where to.
type item struct{ name, text, link string }

func makeZip(t *testing.T, path string, items ...item) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, x := range items {
		h := &zip.FileHeader{Name: x.name, Method: zip.Deflate}
		h.SetMode(0o644)
		if x.link != "" {
			h.SetMode(fs.ModeSymlink | 0o777)
		}
		f, err := w.CreateHeader(h)
		require.NoError(t, err)
		_, err = f.Write([]byte(x.text + x.link))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
}

func makeTar(t *testing.T, path string, items ...item) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, x := range items {
		h := &tar.Header{Name: x.name, Mode: 0o4755, Size: int64(len(x.text)), Typeflag: tar.TypeReg}
		if x.link != "" {
			h.Typeflag, h.Linkname = tar.TypeSymlink, x.link
		}
		if strings.HasSuffix(x.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		require.NoError(t, w.WriteHeader(h))
		_, err := w.Write([]byte(x.text))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
}

func filesIn(t *testing.T, dir string) (names []string) {
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	}))
	return names
}

func TestExtractStaysInside(t *testing.T) {
	for kind, make_ := range map[string]func(t *testing.T, path string, items ...item){"zip": makeZip, "tar": makeTar} {
		dir := t.TempDir()
		items := []item{{name: "ok.txt", text: "1"}, {name: "../out.txt", text: "2"}, {name: "a/../../out.txt", text: "2"},
			{name: "/abs.txt", text: "3"}, {name: `..\out.txt`, text: "4"}, {name: "b/./c.txt", text: "5"},
			{name: "link", link: "../.."}, {name: "link/in.txt", text: "6"}, {name: "...", text: "7"}}
		make_(t, dir+"/evil", items...)
		checks(t, newInterp(nil), `(`+kind+`/extract "`+dir+`/evil" "`+dir+`/x/y") ; => 4`)
		require.Equal(t, []string{"y/...", "y/b/c.txt", "y/link/in.txt", "y/ok.txt"}, filesIn(t, dir+"/x"))
		info, err := os.Lstat(dir + "/x/y/link")
		require.NoError(t, err)
		require.True(t, info.IsDir())
	}
}

// A symbolic link that is there already leads nowhere outside.
func TestExtractFollowsNoLinkOut(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(dir+"/to", 0o700))
	require.NoError(t, os.Mkdir(dir+"/outside", 0o700))
	require.NoError(t, os.Symlink("../outside", dir+"/to/link"))
	makeZip(t, dir+"/a.zip", item{name: "link/x.txt", text: "x"})
	_, err := run(t.Context(), newInterp(nil), `(zip/extract "`+dir+`/a.zip" "`+dir+`/to")`)
	require.Equal(t, eval.KindIO, eval.AsError(err).Kind)
	require.Empty(t, filesIn(t, dir+"/outside"))
}

func TestExtractDropsSetuid(t *testing.T) {
	dir := t.TempDir()
	makeTar(t, dir+"/a.tar", item{name: "./x", text: "x"}, item{name: "./", text: ""})
	checks(t, newInterp(nil), `(tar/extract "`+dir+`/a.tar" "`+dir+`/to") ; => 2`)
	info, err := os.Stat(dir + "/to/x")
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o755), info.Mode()&^0o022)
}

func TestArchiveOfTwoFilesOfOneName(t *testing.T) {
	dir := t.TempDir()
	makeZip(t, dir+"/a.zip", item{name: "x", text: "1"}, item{name: "./x", text: "2"})
	checks(t, newInterp(nil), `(zip/extract "`+dir+`/a.zip" "`+dir+`/to") ; !! it has two files named x`)
}

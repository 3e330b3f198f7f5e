package sys_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/sys"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func applyFile(in *eval.Interp, path, patch string) (value.Value, error) {
	fn, _ := in.Global("patch/apply-file")
	return in.Call(context.Background(), fn, value.String(path), value.String(patch))
}

// TestPatchKeepsTheFile: its permissions, and that it is reached by a link; and
// nothing else is left in the directory.
func TestPatchKeepsTheFile(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "run.sh"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(file, []byte("a\n"), 0o750))
	require.NoError(t, os.Symlink("run.sh", link))
	n, err := applyFile(newInterp(&bytes.Buffer{}), link, "@@ -1 +1 @@\n-a\n+b\n")
	require.NoError(t, err)
	require.Equal(t, "1", value.Write(n))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "b\n", string(text))
	info, err := os.Lstat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o750), info.Mode())
	info, err = os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeSymlink)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2)
}

// TestPatchNeedsBoth: a sandbox that denies reading or writing denies patching.
func TestPatchNeedsBoth(t *testing.T) {
	for _, deny := range []eval.Caps{eval.CapFSRead, eval.CapFSWrite} {
		in := eval.New(eval.Config{Library: eval.NewLibrary(sys.Builtins()), Deny: deny})
		_, err := applyFile(in, "x", "")
		require.Error(t, err)
		require.Equal(t, eval.KindPermission, eval.AsError(err).Kind)
	}
}

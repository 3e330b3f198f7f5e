package sys

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func patchFileBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "patch/apply-file", Arity: eval.Exactly(2), Fn: patchApplyFile, Caps: eval.CapFSRead | eval.CapFSWrite, NoRun: "writes a file",
			Doc:     "(patch/apply-file path patch) changes a file as diff/apply does a text, and answers how many hunks it applied. The file changes at once and as a whole, or not at all.",
			Example: `(patch/apply-file "notes.txt" "@@ -1 +1 @@\n-old\n+new\n") ; => 1`},
	}
}

func patchApplyFile(t *eval.Thread, args []Value) (Value, error) {
	const name = "patch/apply-file"
	a := eval.ArgsOf(args)
	path := pathArg(&a, 0)
	files := patchArg(t, &a, 1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := refuseSpecial(t, name, path); err != nil {
		return value.Nil, err
	}
	content, err := readText(t, name, args)
	if err != nil {
		return value.Nil, err
	}
	if err := reserveLines(t, content, a.String(1)); err != nil {
		return value.Nil, err
	}
	patched, n, err := applyPatch(content, files, t.Tick)
	if err != nil || n == 0 {
		return value.Int(0), err
	}
	_, err = act(t, func(context.Context) error { return replaceText(path, patched) })
	return value.Int(int64(n)), ioError(name, path, err)
}

// refuseSpecial refuses what is no file whose text could be replaced.
func refuseSpecial(t *eval.Thread, name, path string) error {
	info, err := wait(t, func(context.Context) (os.FileInfo, error) { return os.Stat(path) })
	if err == nil && !info.Mode().IsRegular() {
		return eval.Errorf(eval.KindIO, "%s %s: it is no regular file", name, path)
	}
	return ioError(name, path, err)
}

// replaceText puts text in the place of what a file has, at once: whoever reads
// the file meanwhile sees the one or the other. A link goes on to be one, and a
// file that may not be written to is left alone.
func replaceText(path, text string) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	old, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	info, err := old.Stat()
	if err = errors.Join(err, old.Close()); err != nil {
		return err
	}
	return replaceFile(path, func(w io.Writer) error {
		if f, ok := w.(*os.File); ok {
			if err := f.Chmod(info.Mode().Perm()); err != nil {
				return err
			}
		}
		_, err := io.WriteString(w, text)
		return err
	})
}

package sys

import (
	"context"
	"os"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func directoryBuiltins() []eval.Builtin {
	const noRun = "touches files"
	return []eval.Builtin{
		{Name: "file/list", Arity: eval.Exactly(1), Fn: fileList, Caps: eval.CapFSRead, NoRun: noRun,
			Doc: "(file/list path) lists the names in a directory, in order."},
		{Name: "file/mkdir", Arity: eval.Exactly(1), Fn: fileMkdir, Caps: eval.CapFSWrite, NoRun: noRun,
			Doc: "(file/mkdir path) makes a directory and those that lead to it."},
	}
}

func fileList(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	path := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	entries, err := blocking(t, func(context.Context) ([]os.DirEntry, error) { return os.ReadDir(path) })
	if err != nil {
		return value.Nil, fileError("file/list", "list", path, err)
	}
	var names []Value
	for _, e := range entries {
		names = append(names, value.String(e.Name()))
	}
	return t.Heap().List(names), nil
}

func fileMkdir(t *eval.Thread, args []Value) (Value, error) {
	return pathAction(t, "file/mkdir", "make", args, func(path string) error { return os.MkdirAll(path, 0o777) })
}

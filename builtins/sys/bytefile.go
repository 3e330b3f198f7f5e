package sys

import (
	"os"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func byteFileBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "file/read-bytes", Arity: eval.Exactly(1), Fn: fileReadBytes, Caps: eval.CapFSRead, NoRun: needsFile,
			Doc: "(file/read-bytes path) is the bytevector of what is in a file.", Example: `(file/read-bytes "a.bin") ; => #u8(1 2 3)`},
		{Name: "file/write-bytes", Arity: eval.Exactly(2), Fn: fileWriteBytes, Caps: eval.CapFSWrite, NoRun: "writes a file",
			Doc: "(file/write-bytes path bytes) makes bytes what is in a file.", Example: `(file/write-bytes "a.bin" #u8(1 2 3)) ; => nil`},
	}
}

func fileReadBytes(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	path := pathArg(&a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	b, err := readAll(t, "file/read-bytes", path)
	if err != nil {
		return value.Nil, err
	}
	return value.Bytes(b), nil
}

func fileWriteBytes(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	path, b := pathArg(&a, 0), a.Bytes(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return putText(t, "file/write-bytes", path, string(b), os.O_TRUNC)
}

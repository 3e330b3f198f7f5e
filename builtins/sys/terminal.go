package sys

import (
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/term"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func terminalBuiltins() []eval.Builtin {
	const varies = "depends on the terminal"
	return []eval.Builtin{
		{Name: "sys/term-size", Arity: eval.Exactly(0), Fn: sysTermSize, NoRun: varies,
			Doc: "(sys/term-size) is {:rows :cols}, the size of the terminal; nil without one.", Example: "(sys/term-size) ; => {:cols 180 :rows 47}"},
		{Name: "sys/tty", Arity: eval.Exactly(0), Fn: sysTTY, NoRun: varies,
			Doc: "(sys/tty) is the path of the terminal that the input comes from, nil if it comes from none.", Example: `(sys/tty) ; => "/dev/pts/3"`},
	}
}

// isTerminal asks a stream whether a person may be at its other end.
func isTerminal(stream any) bool {
	if terminal, ok := stream.(interface{ IsTerminal() bool }); ok {
		return terminal.IsTerminal()
	}
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// fileOf is the file behind a stream, nil if there is none.
func fileOf(stream any) *os.File {
	switch s := stream.(type) {
	case *os.File:
		return s
	case interface{ File() *os.File }:
		return s.File()
	}
	return nil
}

// Columns is the width of the terminal that a stream writes to, 0 if it is none,
// or one that only types.
func Columns(stream any) int {
	f := fileOf(stream)
	if f == nil || os.Getenv("TERM") == "dumb" || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

func sysTermSize(t *eval.Thread, args []Value) (Value, error) {
	in := eval.InterpOf(t)
	for _, stream := range []any{in.Stdout(), in.Stderr(), in.Stdin()} {
		f := fileOf(stream)
		if f == nil {
			continue
		}
		if columns, rows, err := term.GetSize(int(f.Fd())); err == nil {
			return value.Map(value.Keyword("rows"), value.Int(int64(rows)), value.Keyword("cols"), value.Int(int64(columns))), nil
		}
	}
	return value.Nil, nil
}

func sysTTY(t *eval.Thread, args []Value) (Value, error) {
	f := fileOf(eval.InterpOf(t).Stdin())
	if f == nil || !term.IsTerminal(int(f.Fd())) {
		return value.Nil, nil
	}
	for _, dir := range []string{"/proc/self/fd", "/dev/fd"} {
		path, err := os.Readlink(filepath.Join(dir, strconv.Itoa(int(f.Fd()))))
		if err == nil && filepath.IsAbs(path) {
			return value.String(path), nil
		}
	}
	return value.String("/dev/tty"), nil // its name for whoever it belongs to
}

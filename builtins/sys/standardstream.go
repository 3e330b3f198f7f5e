package sys

import (
	"io"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// Constants are the names of this package that are bound to plain values.
func Constants() map[string]Value {
	constants := map[string]Value{}
	for _, s := range []standard{"stdin", "stdout", "stderr"} {
		constants["*"+string(s)+"*"] = value.NewOpaque(&value.Opaque{Type: "stream", Data: s, Text: "<stream:" + string(s) + ">"})
	}
	return constants
}

// standard is the name of a standard stream. All interpreters share the constants
// that hold it; the stream itself is found in the interpreter that uses it.
type standard string

func (s standard) of(t *eval.Thread) *stream {
	in := eval.InterpOf(t)
	if s == "stdin" { // before State, which cannot be entered twice
		source := inputOf(t)
		return in.State(s, func() any { return &stream{kind: "stdin", in: source, eager: true} }).(*stream)
	}
	return in.State(s, func() any {
		w := in.Stdout()
		if s == "stderr" {
			w = in.Stderr()
		}
		return &stream{kind: string(s), out: printed{w}}
	}).(*stream)
}

// printed is a sink that writes under the interpreter's lock, as println does.
type printed struct{ w io.Writer }

func (p printed) write(t *eval.Thread, b []byte) error {
	if _, err := p.w.Write(b); err != nil {
		return printError(err)
	}
	return nil
}

func (p printed) flush(*eval.Thread) error {
	if f, ok := p.w.(interface{ Flush() error }); ok {
		if err := f.Flush(); err != nil {
			return printError(err)
		}
	}
	return nil
}

func printError(err error) error {
	return &eval.Error{Kind: eval.KindIO, Message: "cannot print: " + err.Error(), Cause: err}
}

package sys

import (
	"bytes"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func stdinBuiltins() []eval.Builtin {
	const reads = "reads the input"
	return []eval.Builtin{
		{Name: "io/read-line", Aliases: []string{"read-line"}, Arity: eval.Exactly(0), Fn: ioReadLine, NoRun: reads,
			Doc: "(io/read-line) reads a line from the input; nil at its end.", Example: `(io/read-line) ; => "typed text"`},
		{Name: "io/read-stdin", Aliases: []string{"read-stdin"}, Arity: eval.Exactly(0), Fn: ioReadStdin, NoRun: reads,
			Doc: "(io/read-stdin) reads all that is left of the input.", Example: `(io/read-stdin) ; => "all\nof it\n"`},
		{Name: "io/eof?", Arity: eval.Exactly(0), Fn: isIoEOF,
			Doc: "(io/eof?) tells whether reading has met the end of the input.", Example: "(io/eof?) ; => #f"},
	}
}

func ioReadLine(t *eval.Thread, args []Value) (Value, error) {
	in := inputOf(t)
	for {
		if i := bytes.IndexByte(in.buf, '\n'); i >= 0 {
			line := in.buf[:i]
			in.skip(i + 1)
			return inputText(bytes.TrimSuffix(line, []byte("\r")))
		}
		if in.eof {
			break
		}
		if err := t.Reserve(int64(len(in.buf))); err != nil || len(in.buf) > maxBytes {
			return value.Nil, tooMuch(err)
		}
		if _, err := in.fill(t); err != nil {
			return value.Nil, err
		}
	}
	line := in.buf
	in.skip(len(line))
	if len(line) == 0 {
		in.met = true
		return value.Nil, nil
	}
	return inputText(line)
}

func ioReadStdin(t *eval.Thread, args []Value) (Value, error) {
	in := inputOf(t)
	for !in.eof {
		if err := t.Reserve(int64(len(in.buf))); err != nil || len(in.buf) > maxBytes {
			return value.Nil, tooMuch(err)
		}
		if _, err := in.fill(t); err != nil {
			return value.Nil, err
		}
	}
	all := in.buf
	in.skip(len(all))
	in.met = true
	return inputText(all)
}

// tooMuch is err, or else that the input is longer than what is ever read.
func tooMuch(err error) error {
	if err != nil {
		return err
	}
	return eval.Errorf(eval.KindIO, "refused: the input has more than %d bytes without an end", maxBytes)
}

func inputText(b []byte) (Value, error) {
	if !utf8.Valid(b) {
		return value.Nil, eval.Errorf(eval.KindIO, "the input is not UTF-8 text")
	}
	return value.String(string(b)), nil
}

func isIoEOF(t *eval.Thread, args []Value) (Value, error) {
	return value.Bool(inputOf(t).met), nil
}

package sys

import (
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func memoryStreamBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "stream/from-string", Arity: eval.Exactly(1), Fn: streamFromString,
			Doc: "(stream/from-string text) is a stream to read the bytes of a string from.", Example: `(stream/read-byte (stream/from-string "hi")) ; => 104`},
		{Name: "stream/from-bytes", Arity: eval.Exactly(1), Fn: streamFromBytes,
			Doc: "(stream/from-bytes bytes) is a byte buffer with a bytevector in it.", Example: `(stream/read-byte (stream/from-bytes #u8(7))) ; => 7`},
		{Name: "stream/byte-buffer", Arity: eval.Exactly(0), Fn: streamByteBuffer,
			Doc:     "(stream/byte-buffer) is a stream in memory: what is written to it can be read from it, or taken with stream/to-string.",
			Example: `(let ((b (stream/byte-buffer))) (stream/write-string b "hi") (stream/to-string b)) ; => "hi"`},
		{Name: "stream/to-bytes", Arity: eval.Exactly(1), Fn: streamToBytes,
			Doc:     "(stream/to-bytes b) is all that was written to a byte buffer, read or not, as a bytevector.",
			Example: `(stream/to-bytes (stream/from-bytes #u8(1 2))) ; => #u8(1 2)`},
		{Name: "stream/to-string", Arity: eval.Exactly(1), Fn: streamToString,
			Doc:     "(stream/to-string b) is all that was written to a byte buffer, read or not, as a string.",
			Example: `(stream/to-string (stream/from-bytes #u8(104 105))) ; => "hi"`},
	}
}

// memory is a source and a sink: reading goes through what was written.
type memory struct {
	all []byte
	at  int
}

func (m *memory) buffered() []byte                 { return m.all[m.at:] }
func (m *memory) skip(n int)                       { m.at += n }
func (m *memory) skipped() int64                   { return int64(m.at) }
func (m *memory) fill(*eval.Thread) (bool, error)  { return false, nil }
func (m *memory) ready(*eval.Thread) (bool, error) { return m.at < len(m.all), nil }
func (m *memory) flush(*eval.Thread) error         { return nil }
func (m *memory) write(t *eval.Thread, b []byte) error {
	if len(m.all)+len(b) > maxBytes {
		return eval.Errorf(eval.KindEval, "refused: a byte buffer of more than %d bytes", maxBytes)
	}
	if len(m.all)+len(b) > cap(m.all) {
		if err := t.Reserve(int64(2*len(m.all) + len(b))); err != nil {
			return err
		}
	}
	m.all = append(m.all, b...)
	return t.Tick(1 + len(b)/64)
}

func newMemory(t *eval.Thread, content string) (*memory, error) {
	if err := t.Reserve(int64(len(content))); err != nil {
		return nil, err
	}
	return &memory{all: []byte(content)}, nil
}

func streamFromString(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	text := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	m, err := newMemory(t, text)
	return newStream(&stream{kind: "string", in: m}), err
}

func byteBuffer(m *memory) Value {
	return newStream(&stream{kind: "byte-buffer", in: m, out: m, memory: m})
}

func streamFromBytes(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	b := a.Bytes(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	m, err := newMemory(t, string(b))
	return byteBuffer(m), err
}

func streamByteBuffer(t *eval.Thread, args []Value) (Value, error) {
	return byteBuffer(&memory{}), nil
}

// contents is all that was written to argument 0, a byte buffer.
func contents(t *eval.Thread, name string, args []Value) (string, error) {
	a := eval.ArgsOf(args)
	s := streamArg(t, &a, 0)
	if a.Err() == nil && s.memory == nil {
		a.Fail(eval.Errorf(eval.KindEval, "%s: expected a byte buffer, got a stream of type %s", name, s.kind))
	}
	if err := a.Err(); err != nil {
		return "", err
	}
	if err := t.Reserve(2 * int64(len(s.memory.all))); err != nil {
		return "", err
	}
	return string(s.memory.all), t.Tick(1 + len(s.memory.all)/64)
}

func streamToBytes(t *eval.Thread, args []Value) (Value, error) {
	all, err := contents(t, "stream/to-bytes", args)
	return value.Bytes([]byte(all)), err
}

func streamToString(t *eval.Thread, args []Value) (Value, error) {
	const name = "stream/to-string"
	all, err := contents(t, name, args)
	if err != nil {
		return value.Nil, err
	}
	if !utf8.ValidString(all) {
		e := eval.Errorf(eval.KindEval, "%s: the bytes are not UTF-8 text", name)
		e.Hint = "(stream/to-bytes b) takes any bytes"
		return value.Nil, e
	}
	return value.String(all), nil
}

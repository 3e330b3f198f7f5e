package core

import (
	"bytes"
	"compress/gzip"
	"io"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func gzipBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "gzip/compress", Arity: eval.Exactly(1), Fn: gzipCompress,
			Doc:     "(gzip/compress x) is a bytevector that gzip/decompress makes x of again; a string stands for its UTF-8 bytes.",
			Example: `(utf8->string (gzip/decompress (gzip/compress "hello"))) ; => "hello"`},
		{Name: "gzip/decompress", Arity: eval.Exactly(1), Fn: gzipDecompress,
			Doc:     "(gzip/decompress bytes) is the bytevector that was compressed. More than 1 GiB is refused.",
			Example: `(gzip/decompress (gzip/compress #u8(1 2 3))) ; => #u8(1 2 3)`},
	}
}

const gzipStep = 64 << 10

func gzipCompress(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	b, ok := args[0].AsBytes()
	if s, isString := args[0].AsString(); isString {
		b, ok = []byte(s), true
	}
	if !ok {
		a.Bad(0, "a bytevector or a string")
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	for len(b) > 0 {
		n := min(len(b), gzipStep)
		if err := t.Tick(n / 64); err != nil {
			return value.Nil, err
		}
		if err := t.Reserve(int64(out.Len() + n)); err != nil {
			return value.Nil, err
		}
		_, _ = w.Write(b[:n]) // to memory, which cannot fail
		b = b[n:]
	}
	_ = w.Close()
	return value.Bytes(out.Bytes()), nil
}

func gzipDecompress(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	b := a.Bytes(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return value.Nil, notGzip(err)
	}
	var out []byte
	for {
		if len(out) == cap(out) {
			size := max(2*len(out), 512)
			if err := reserve(t, int64(size), 1); err != nil {
				return value.Nil, err
			}
			out = append(make([]byte, 0, size), out...)
		}
		n, err := r.Read(out[len(out):min(cap(out), len(out)+gzipStep)])
		out = out[:len(out)+n]
		switch {
		case err == io.EOF:
			return value.Bytes(out), nil
		case err != nil:
			return value.Nil, notGzip(err)
		}
		if err := t.Tick(1 + n/64); err != nil {
			return value.Nil, err
		}
	}
}

func notGzip(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return eval.Errorf(eval.KindEval, "gzip/decompress: the data ends too early")
	}
	return eval.Errorf(eval.KindEval, "gzip/decompress: this is not what gzip makes: %v", err)
}

package sys

import (
	"bytes"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func streamBuiltins() []eval.Builtin {
	one := eval.Exactly(1)
	return []eval.Builtin{
		{Name: "stream?", Arity: one, Fn: isStream,
			Doc: "(stream? x) is true of streams.", Example: `(stream? (stream/byte-buffer)) ; => #t` + "\n" + `(stream? 42) ; => #f`},
		{Name: "stream/type", Arity: one, Fn: streamType,
			Doc:     `(stream/type s) says what is behind a stream: "string", "byte-buffer", "file-input", "file-output", "stdin", "stdout" or "stderr".`,
			Example: `(stream/type (stream/from-string "x")) ; => "string"`},
		{Name: "stream/readable?", Arity: one, Fn: streamTest(func(s *stream) bool { return s.in != nil }),
			Doc: "(stream/readable? s) tells whether a stream is open and can be read.", Example: `(stream/readable? (stream/from-string "x")) ; => #t`},
		{Name: "stream/writable?", Arity: one, Fn: streamTest(func(s *stream) bool { return s.out != nil }),
			Doc: "(stream/writable? s) tells whether a stream is open and can be written to.", Example: `(stream/writable? (stream/from-string "x")) ; => #f`},
		{Name: "stream/available?", Arity: one, Fn: isStreamAvailable,
			Doc: "(stream/available? s) tells whether a read would find bytes without waiting.", Example: `(stream/available? (stream/from-string "x")) ; => #t`},
		{Name: "stream/read", Arity: eval.Exactly(2), Fn: streamRead,
			Doc:     "(stream/read s n) reads a bytevector of n bytes; fewer at the end, none behind it. Of the standard input, what is there.",
			Example: `(stream/read (stream/from-string "hello") 2) ; => #u8(104 101)`},
		{Name: "stream/read-byte", Arity: one, Fn: streamReadByte,
			Doc: "(stream/read-byte s) reads a byte, nil at the end.", Example: `(stream/read-byte (stream/from-string "A")) ; => 65`},
		{Name: "stream/read-line", Arity: one, Fn: streamReadLine,
			Doc: "(stream/read-line s) reads a line as a string without its end, nil behind the last.", Example: `(stream/read-line (stream/from-string "one\ntwo")) ; => "one"`},
		{Name: "stream/read-all", Arity: eval.Between(1, 2), Fn: streamReadAll,
			Doc:     "(stream/read-all s [max]) reads all that is left as a bytevector; more than max (256 MiB) bytes are an error.",
			Example: `(stream/read-all (stream/from-string "abc")) ; => #u8(97 98 99)`},
		{Name: "stream/write", Arity: eval.Exactly(2), Fn: streamWrite,
			Doc: "(stream/write s bytes) writes a bytevector and is the number of its bytes.", Example: `(stream/write (stream/byte-buffer) #u8(1 2)) ; => 2`},
		{Name: "stream/write-byte", Arity: eval.Exactly(2), Fn: streamWriteByte,
			Doc: "(stream/write-byte s n) writes one byte.", Example: `(stream/write-byte (stream/byte-buffer) 10) ; => nil`},
		{Name: "stream/write-string", Arity: eval.Exactly(2), Fn: streamWriteString,
			Doc: "(stream/write-string s text) writes a string as UTF-8 and is the number of its bytes.", Example: `(stream/write-string (stream/byte-buffer) "hello") ; => 5`},
		{Name: "stream/flush", Arity: one, Fn: streamFlush,
			Doc: "(stream/flush s) passes on what was written so far.", Example: `(stream/flush (stream/byte-buffer)) ; => nil`},
		{Name: "stream/close", Arity: one, Fn: streamClose,
			Doc: "(stream/close s) ends a stream, after what was written to it is passed on. Closing it again does nothing.", Example: `(stream/close (stream/byte-buffer)) ; => nil`},
		{Name: "stream/copy", Arity: eval.Between(2, 3), Fn: streamCopy,
			Doc:     "(stream/copy from to [max]) writes all that is left of a stream to another and is the number of bytes; more than max (256 MiB) are an error.",
			Example: `(stream/copy (stream/from-string "hello") (stream/byte-buffer)) ; => 5`},
	}
}

// stream is what the program holds. It is guarded by the interpreter's lock.
type stream struct {
	kind    string
	in      source                     // nil: cannot be read
	out     sink                       // nil: cannot be written to
	memory  *memory                    // of a stream that is in memory
	eager   bool                       // a read gives what is there, rather than wait for all
	release func(t *eval.Thread) error // closes what is behind it; may be nil
	closed  bool
}

// source is what a stream reads from.
type source interface {
	// buffered is what is there, valid until the next call.
	buffered() []byte
	skip(n int)
	// skipped counts what was skipped: other threads may read meanwhile.
	skipped() int64
	// fill waits for more; at the end there is none.
	fill(t *eval.Thread) (more bool, err error)
	// ready is true if a read would not wait.
	ready(t *eval.Thread) (bool, error)
}

// sink is what a stream writes to. It does not keep b.
type sink interface {
	write(t *eval.Thread, b []byte) error
	flush(t *eval.Thread) error
}

func newStream(s *stream) Value {
	return value.NewOpaque(&value.Opaque{Type: "stream", Data: s, Text: "<stream:" + s.kind + ">"})
}

// asStream is the stream that v is: the constants for the standard ones stand
// for those of the thread's interpreter.
func asStream(t *eval.Thread, v Value) *stream {
	o, ok := v.AsOpaque()
	if !ok {
		return nil
	}
	switch s := o.Data.(type) {
	case *stream:
		return s
	case standard:
		return s.of(t)
	}
	return nil
}

func streamArg(t *eval.Thread, a *eval.Args, i int) *stream {
	s := asStream(t, a.Value(i))
	if s == nil {
		a.Bad(i, "a stream")
		return &stream{}
	}
	return s
}

// readArg and writeArg read argument i of the builtin name, a stream that is open
// and goes in the right direction.
func readArg(t *eval.Thread, name string, a *eval.Args, i int) *stream {
	s := streamArg(t, a, i)
	if a.Err() == nil {
		a.Fail(s.usable(name, s.in != nil, "read"))
	}
	return s
}

func writeArg(t *eval.Thread, name string, a *eval.Args, i int) *stream {
	s := streamArg(t, a, i)
	if a.Err() == nil {
		a.Fail(s.usable(name, s.out != nil, "written to"))
	}
	return s
}

func (s *stream) usable(name string, can bool, verb string) error {
	switch {
	case s.closed:
		return eval.Errorf(eval.KindEval, "%s: the stream is closed", name)
	case !can:
		return eval.Errorf(eval.KindEval, "%s: a stream of type %s cannot be %s", name, s.kind, verb)
	}
	return nil
}

func isStream(t *eval.Thread, args []Value) (Value, error) {
	return value.Bool(asStream(t, args[0]) != nil), nil
}

func streamType(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return value.String(streamArg(t, &a, 0).kind), a.Err()
}

func streamTest(f func(s *stream) bool) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		s := streamArg(t, &a, 0)
		return value.Bool(!s.closed && f(s)), a.Err()
	}
}

func isStreamAvailable(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := streamArg(t, &a, 0)
	if err := a.Err(); err != nil || s.in == nil || s.closed {
		return value.False, err
	}
	ok, err := s.in.ready(t)
	return value.Bool(ok), err
}

func streamRead(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s, n := readArg(t, "stream/read", &a, 0), a.Size(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	for len(s.in.buffered()) < min(n, maxBytes) {
		if s.eager && len(s.in.buffered()) > 0 {
			break
		}
		if more, err := s.more(t); err != nil || !more {
			if err != nil {
				return value.Nil, err
			}
			break
		}
	}
	n = min(n, len(s.in.buffered()), maxBytes)
	if err := t.Reserve(int64(n)); err != nil {
		return value.Nil, err
	}
	return value.Bytes(s.take(n)), t.Tick(1 + n/64)
}

// more waits for more, if there is memory for it.
func (s *stream) more(t *eval.Thread) (bool, error) {
	if err := t.Reserve(int64(len(s.in.buffered()))); err != nil {
		return false, err
	}
	return s.in.fill(t)
}

// take is a copy of the next n bytes, which are there.
func (s *stream) take(n int) []byte {
	b := bytes.Clone(s.in.buffered()[:n])
	s.in.skip(n)
	return b
}

func streamReadByte(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := readArg(t, "stream/read-byte", &a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	for len(s.in.buffered()) == 0 {
		if more, err := s.more(t); err != nil || !more {
			return value.Nil, err
		}
	}
	b := s.in.buffered()[0]
	s.in.skip(1)
	return value.Int(int64(b)), nil
}

func streamReadLine(t *eval.Thread, args []Value) (Value, error) {
	const name = "stream/read-line"
	a := eval.ArgsOf(args)
	s := readArg(t, name, &a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	n, end, err := s.lineLen(t)
	if err != nil || n+end == 0 {
		return value.Nil, err
	}
	if err := t.Reserve(int64(n)); err != nil {
		return value.Nil, err
	}
	line := s.take(n + end)
	if end > 0 {
		line = bytes.TrimSuffix(line[:n], []byte("\r"))
	}
	if !utf8.Valid(line) {
		e := eval.Errorf(eval.KindEval, "%s: the line is not UTF-8 text", name)
		e.Hint = "stream/read reads bytes"
		return value.Nil, e
	}
	return value.String(string(line)), t.Tick(1 + n/64)
}

// lineLen waits for a whole line and returns its length and that of its end,
// 0 at the end of the stream.
func (s *stream) lineLen(t *eval.Thread) (n, end int, err error) {
	scanned, at := 0, s.in.skipped()
	for {
		b := s.in.buffered()
		if s.in.skipped() != at { // another thread has read from it
			scanned, at = 0, s.in.skipped()
		}
		if i := bytes.IndexByte(b[scanned:], '\n'); i >= 0 {
			return scanned + i, 1, nil
		}
		scanned = len(b)
		if scanned > defaultMax {
			return 0, 0, eval.Errorf(eval.KindIO, "stream/read-line: a line has more than %d bytes", defaultMax)
		}
		if more, err := s.more(t); err != nil || !more {
			return len(s.in.buffered()), 0, err
		}
	}
}

// defaultMax is how many bytes stream/read-all and stream/copy take.
const defaultMax = 256 << 20

// maxArg reads argument i, how many bytes a whole stream may have.
func maxArg(a *eval.Args, i int) int {
	if !a.Has(i) {
		return defaultMax
	}
	return a.Size(i)
}

func tooLong(name string, n int) error {
	e := eval.Errorf(eval.KindEval, "%s: there are more than %d bytes", name, n)
	e.Hint = "read in steps with stream/read, or give a larger maximum as the last argument"
	return e
}

func streamReadAll(t *eval.Thread, args []Value) (Value, error) {
	const name = "stream/read-all"
	a := eval.ArgsOf(args)
	s, n := readArg(t, name, &a, 0), maxArg(&a, 1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	for len(s.in.buffered()) <= min(n, maxBytes) {
		if more, err := s.more(t); err != nil {
			return value.Nil, err
		} else if !more {
			n := len(s.in.buffered())
			if err := t.Reserve(int64(n)); err != nil {
				return value.Nil, err
			}
			return value.Bytes(s.take(n)), t.Tick(1 + n/64)
		}
	}
	return value.Nil, tooLong(name, min(n, maxBytes))
}

func streamWrite(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s, b := writeArg(t, "stream/write", &a, 0), a.Bytes(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.Int(int64(len(b))), s.out.write(t, b)
}

func streamWriteByte(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s, n := writeArg(t, "stream/write-byte", &a, 0), a.Int(1)
	if n < 0 || n > 255 {
		a.Bad(1, "a byte, an integer from 0 to 255")
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.Nil, s.out.write(t, []byte{byte(n)})
}

func streamWriteString(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s, text := writeArg(t, "stream/write-string", &a, 0), a.String(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := t.Reserve(int64(len(text))); err != nil {
		return value.Nil, err
	}
	return value.Int(int64(len(text))), s.out.write(t, []byte(text))
}

func streamFlush(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := streamArg(t, &a, 0)
	if err := a.Err(); err != nil || s.out == nil || s.closed {
		return value.Nil, err
	}
	return value.Nil, s.out.flush(t)
}

func streamClose(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := streamArg(t, &a, 0)
	if err := a.Err(); err != nil || s.closed {
		return value.Nil, err
	}
	s.closed = true
	if s.release == nil {
		return value.Nil, nil
	}
	return value.Nil, s.release(t)
}

const copyStep = 64 << 10

func streamCopy(t *eval.Thread, args []Value) (Value, error) {
	const name = "stream/copy"
	a := eval.ArgsOf(args)
	from, to, most := readArg(t, name, &a, 0), writeArg(t, name, &a, 1), maxArg(&a, 2)
	if a.Err() == nil && from == to {
		a.Fail(eval.Errorf(eval.KindEval, "%s: a stream cannot be copied to itself", name))
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	for total := 0; ; {
		n := min(len(from.in.buffered()), copyStep)
		if n == 0 {
			more, err := from.in.fill(t)
			if err != nil || !more {
				return value.Int(int64(total)), err
			}
			continue
		}
		if total+n > most {
			return value.Nil, tooLong(name, most)
		}
		if err := t.Tick(1 + n/64); err != nil {
			return value.Nil, err
		}
		if err := to.out.write(t, from.take(n)); err != nil {
			return value.Nil, err
		}
		total += n
	}
}

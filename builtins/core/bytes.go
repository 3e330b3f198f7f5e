package core

import (
	"bytes"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func byteBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "bytevector", Arity: eval.AtLeast(0), Fn: bytevector,
			Doc: "(bytevector byte ...) is the bytevector of its arguments, 0 to 255.", Example: "(bytevector 1 2 255) ; => #u8(1 2 255)"},
		{Name: "bytevector/new", Aliases: []string{"make-bytevector", "bytevector/make"}, Arity: eval.Between(1, 2), Fn: bytevectorNew,
			Doc: "(bytevector/new size [byte]) has size bytes, 0 if not given.", Example: "(bytevector/new 3 7) ; => #u8(7 7 7)"},
		{Name: "bytevector/length", Aliases: []string{"bytevector-length", "bytes/length"}, Arity: eval.Exactly(1), Fn: bytevectorLength,
			Doc: "(bytevector/length bytes) counts the bytes.", Example: "(bytevector/length #u8(1 2)) ; => 2"},
		{Name: "bytevector/ref", Aliases: []string{"bytevector-u8-ref", "bytevector/u8-ref", "bytes/ref"}, Arity: eval.Exactly(2), Fn: bytevectorRef,
			Doc: "(bytevector/ref bytes i) is byte i.", Example: "(bytevector/ref #u8(10 20) 1) ; => 20"},
		{Name: "bytevector/set!", Aliases: []string{"bytevector-u8-set!", "bytevector/u8-set!"}, Arity: eval.Exactly(3), Fn: bytevectorSet,
			Doc: "(bytevector/set! bytes i byte) is a copy with byte i changed; bytes stays as it is.", Example: "(bytevector/set! #u8(1 2) 0 9) ; => #u8(9 2)"},
		{Name: "bytevector/copy", Aliases: []string{"bytevector-copy", "bytes/slice"}, Arity: eval.Between(1, 3), Fn: bytevectorCopy,
			Doc: "(bytevector/copy bytes [start] [end]) has the bytes from start up to end.", Example: "(bytevector/copy #u8(1 2 3 4) 1 3) ; => #u8(2 3)"},
		{Name: "bytevector/append", Aliases: []string{"bytevector-append"}, Arity: eval.AtLeast(0), Fn: bytevectorAppend,
			Doc: "(bytevector/append bytes ...) joins bytevectors.", Example: "(bytevector/append #u8(1) #u8(2 3)) ; => #u8(1 2 3)"},
		{Name: "bytevector/to-list", Aliases: []string{"bytevector->list"}, Arity: eval.Exactly(1), Fn: bytevectorToList,
			Doc: "(bytevector/to-list bytes) lists the bytes.", Example: "(bytevector/to-list #u8(65 66)) ; => (65 66)"},
		{Name: "list/to-bytevector", Aliases: []string{"list->bytevector", "bytevector/from-list"}, Arity: eval.Exactly(1), Fn: listToBytevector,
			Doc: "(list/to-bytevector seq) is the bytevector of the elements.", Example: "(list/to-bytevector '(1 2)) ; => #u8(1 2)"},
		{Name: "utf8/to-string", Aliases: []string{"utf8->string", "bytevector->string", "bytes/->string"}, Arity: eval.Between(1, 3), Fn: utf8ToString,
			Doc: "(utf8/to-string bytes [start] [end]) decodes UTF-8.", Example: "(utf8/to-string #u8(104 105)) ; => \"hi\""},
		{Name: "string/to-utf8", Aliases: []string{"string->utf8", "string->bytevector"}, Arity: eval.Exactly(1), Fn: stringToUTF8,
			Doc: "(string/to-utf8 s) encodes s in UTF-8.", Example: "(string/to-utf8 \"h\u00e9\") ; => #u8(104 195 169)"},
		{Name: "bytes/find", Arity: eval.Between(2, 3), Fn: bytesFind,
			Doc:     "(bytes/find bytes part [start]) is the index of the first part, a byte, a bytevector or a string, from start on, or nil.",
			Example: "(bytes/find #u8(1 2 3) 2) ; => 1\n(bytes/find (string/to-utf8 \"hello\") \"llo\") ; => 2"},
		{Name: "bytes/parse-int10", Arity: eval.Between(1, 3), Fn: bytesParseInt10,
			Doc:     "(bytes/parse-int10 bytes [start] [end]) reads a decimal number of at most one place, times ten.",
			Example: "(bytes/parse-int10 (string/to-utf8 \"-12.3\")) ; => -123\n(bytes/parse-int10 (string/to-utf8 \"5\")) ; => 50"},
	}
}

// byteAt reads argument i, a byte.
func byteAt(a *eval.Args, i int) byte {
	n := a.Int(i)
	if n < 0 || n > 255 {
		a.Bad(i, "a byte, 0 to 255")
	}
	return byte(n)
}

// bytesOf is the bytevector of elements that are bytes.
func bytesOf(elems []Value) (Value, error) {
	a := eval.ArgsOf(elems)
	out := make([]byte, len(elems))
	for i := range elems {
		if out[i] = byteAt(&a, i); a.Err() != nil {
			return value.Nil, a.Err()
		}
	}
	return value.Bytes(out), nil
}

func bytevector(t *eval.Thread, args []Value) (Value, error) { return bytesOf(args) }

func bytevectorNew(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n, fill := a.Size(0), byte(0)
	if len(args) > 1 {
		fill = byteAt(&a, 1)
	}
	a.Fail(reserve(t, int64(n), 1))
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.Bytes(bytes.Repeat([]byte{fill}, n)), nil
}

func bytevectorLength(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return value.Int(int64(len(a.Bytes(0)))), a.Err()
}

// byteIndex reads (f bytes i).
func byteIndex(a *eval.Args) (b []byte, i int) {
	b = a.Bytes(0)
	n := a.Int(1)
	if a.Err() == nil && (n < 0 || n >= int64(len(b))) {
		a.Fail(outOfBounds(n, len(b)))
	}
	return b, int(n)
}

func bytevectorRef(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	b, i := byteIndex(&a)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.Int(int64(b[i])), nil
}

func bytevectorSet(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	b, i := byteIndex(&a)
	x := byteAt(&a, 2)
	a.Fail(reserve(t, int64(len(b)), 1))
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	b = bytes.Clone(b)
	b[i] = x
	return value.Bytes(b), t.Tick(1 + len(b)/64)
}

// byteRange reads (f bytes [start] [end]).
func byteRange(a *eval.Args) []byte {
	b := a.Bytes(0)
	start, end := rangeOf(a, 1, len(b))
	if a.Err() != nil {
		return nil
	}
	return b[start:end]
}

func bytevectorCopy(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	b := byteRange(&a)
	a.Fail(reserve(t, int64(len(b)), 1))
	return value.Bytes(bytes.Clone(b)), a.Err()
}

func bytevectorAppend(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	total := 0
	for i := range args {
		total += len(a.Bytes(i))
	}
	a.Fail(reserve(t, int64(total), 1))
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	out := make([]byte, 0, total)
	for i := range args {
		out = append(out, a.Bytes(i)...)
	}
	return value.Bytes(out), t.Tick(1 + total/64)
}

func bytevectorToList(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	b := a.Bytes(0)
	a.Fail(reserve(t, int64(len(b)), valueSize))
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	elems := make([]Value, len(b))
	for i, x := range b {
		elems[i] = value.Int(int64(x))
	}
	return t.Heap().List(elems), t.Tick(len(elems))
}

func listToBytevector(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	elems := a.Elems(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	v, err := bytesOf(elems)
	if err != nil {
		return value.Nil, err
	}
	return v, t.Tick(len(elems))
}

func utf8ToString(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	b := byteRange(&a)
	if !utf8.Valid(b) {
		a.Fail(eval.Errorf(eval.KindEval, "the bytes are not UTF-8"))
	}
	a.Fail(reserve(t, int64(len(b)), 1))
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.String(string(b)), t.Tick(1 + len(b)/64)
}

func stringToUTF8(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := a.String(0)
	a.Fail(reserve(t, int64(len(s)), 1))
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.Bytes([]byte(s)), t.Tick(1 + len(s)/64)
}

func bytesFind(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	b, part, start := a.Bytes(0), []byte(nil), 0
	if s, ok := args[1].AsString(); ok {
		part = []byte(s)
	} else if other, ok := args[1].AsBytes(); ok {
		part = other
	} else if args[1].IsInt() {
		part = []byte{byteAt(&a, 1)}
	} else {
		a.Bad(1, "a byte, a bytevector or a string")
	}
	if a.Has(2) {
		start = a.Size(2)
	}
	if err := a.Err(); err != nil || start > len(b) {
		return value.Nil, err
	}
	i := bytes.Index(b[start:], part)
	if i < 0 {
		return value.Nil, nil
	}
	return value.Int(int64(start + i)), t.Tick(1 + i/64)
}

func bytesParseInt10(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	b := byteRange(&a)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	n, ok := parseTenths(b)
	if !ok {
		return value.Nil, eval.Errorf(eval.KindEval, "bytes/parse-int10: expected a number like -12.3, got %s", eval.Brief(value.String(string(b[:min(len(b), 60)]))))
	}
	return value.Int(n), nil
}

// parseTenths reads [-]digits[.digit] in tenths.
func parseTenths(b []byte) (n int64, ok bool) {
	digits, negative := bytes.CutPrefix(b, []byte("-"))
	whole, tenth, hasTenth := bytes.Cut(digits, []byte("."))
	if !hasTenth {
		tenth = []byte("0")
	}
	if len(whole) == 0 || len(whole) > 17 || len(tenth) != 1 {
		return 0, false
	}
	for _, part := range [2][]byte{whole, tenth} {
		for _, c := range part {
			if c < '0' || c > '9' {
				return 0, false
			}
			n = n*10 + int64(c-'0')
		}
	}
	if negative {
		n = -n
	}
	return n, true
}

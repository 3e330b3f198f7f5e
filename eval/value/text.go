package value

import (
	"unicode/utf8"
	"unsafe"
)

// Strings are immutable UTF-8 and carry their length, so a string value is one
// pointer to its bytes and nothing else is allocated. Flags (bits 32-34):
//
//	ascii     every byte is below 0x80: length and index are O(1)
//	appended  made by an append: the next append makes a growable buffer
//	growable  {used, cap} stand in the 16 bytes before the data, and an append to
//	          a string that ends at used writes in place
const (
	textASCII    = 1 << 32
	textAppended = 1 << 33
	textGrowable = 1 << 34
	textFlags    = textASCII | textAppended | textGrowable
)

type growHeader struct{ used, cap uint64 }

const growHeaderSize = int(unsafe.Sizeof(growHeader{}))

// String returns a string. Bytes that are not UTF-8 are kept.
func String(s string) Value {
	if len(s) == 0 {
		return Value{unsafe.Pointer(&emptyTag), stringTag | textASCII}
	}
	checkTextLen(len(s))
	return Value{unsafe.Pointer(unsafe.StringData(s)), stringTag | asciiFlag(s) | uint64(len(s))}
}

func checkTextLen(n int) {
	if uint64(n) > lengthMax {
		panic(&LimitError{"a string of more than 4 GiB"})
	}
}

func asciiFlag(s string) uint64 {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if *(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), i))&0x8080808080808080 != 0 {
			return 0
		}
	}
	for ; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return 0
		}
	}
	return textASCII
}

func (v Value) text() string {
	return unsafe.String((*byte)(v.ref), int(uint32(v.bits)))
}

// AsString returns the string that v is, without copying.
func (v Value) AsString() (string, bool) {
	if !v.IsString() {
		return "", false
	}
	return v.text(), true
}

// ByteLen is the number of bytes of a string.
func (v Value) ByteLen() int64 { return int64(uint32(v.bits)) }

// IsASCII reports whether the string has no byte of 0x80 or more.
func (v Value) IsASCII() bool { return v.bits&textASCII != 0 }

func (v Value) runeLen() int {
	if v.IsASCII() {
		return int(uint32(v.bits))
	}
	return utf8.RuneCountInString(v.text())
}

// byteOffset returns where code point i starts, or the string's end.
func (v Value) byteOffset(i int) int {
	if v.IsASCII() {
		return min(i, int(uint32(v.bits)))
	}
	s := v.text()
	for at := range s {
		if i == 0 {
			return at
		}
		i--
	}
	return len(s)
}

// RuneAt returns code point i of a string; it must have one.
func (v Value) RuneAt(i int) rune {
	s := v.text()
	if v.IsASCII() {
		return rune(s[i])
	}
	r, _ := utf8.DecodeRuneInString(s[v.byteOffset(i):])
	return r
}

// Substring returns the code points from start up to end of a string, with
// 0 <= start <= end <= length. A short piece of a long string is copied, so
// that it does not keep the whole alive.
func (v Value) Substring(start, end int) Value {
	if v.IsASCII() {
		return v.slice(start, end)
	}
	from := v.byteOffset(start)
	to := from
	for rest := v.text()[from:]; start < end; start++ {
		_, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		to += size
	}
	return v.slice(from, to)
}

func (v Value) slice(from, to int) Value {
	s := v.text()[from:to]
	if len(s) < 32 || len(s) < int(uint32(v.bits))/8 {
		return String(string([]byte(s)))
	}
	flags := v.bits & textASCII
	if flags == 0 {
		flags = asciiFlag(s)
	}
	return Value{unsafe.Pointer(unsafe.StringData(s)), stringTag | flags | uint64(len(s))}
}

// Append joins strings. Appending to the result of an append is amortised
// O(1) a byte, so building a long string piece by piece is not quadratic.
func (h *Heap) Append(parts ...Value) Value {
	total, ascii := 0, uint64(textASCII)
	for _, p := range parts {
		total += int(uint32(p.bits))
		ascii &= p.bits
	}
	checkTextLen(total)
	if len(parts) == 0 || total == 0 {
		return String("")
	}
	first := parts[0]
	if first.bits&textGrowable != 0 {
		if v, ok := appendInPlace(first, parts[1:], total, ascii); ok {
			return v
		}
	}
	if first.bits&(textAppended|textGrowable) != 0 && total < lengthMax/2 {
		return growable(parts, total, ascii)
	}
	buf := make([]byte, 0, total)
	for _, p := range parts {
		buf = append(buf, p.text()...)
	}
	return Value{unsafe.Pointer(&buf[0]), stringTag | ascii | textAppended | uint64(total)}
}

func appendInPlace(first Value, rest []Value, total int, ascii uint64) (Value, bool) {
	hd := (*growHeader)(unsafe.Add(first.ref, -growHeaderSize))
	n := int(uint32(first.bits))
	if hd.used != uint64(n) || uint64(total) > hd.cap {
		return Value{}, false
	}
	buf := unsafe.Slice((*byte)(first.ref), int(hd.cap))[:n]
	for _, p := range rest {
		buf = append(buf, p.text()...)
	}
	hd.used = uint64(total)
	return Value{first.ref, stringTag | ascii | textGrowable | uint64(total)}, true
}

func growable(parts []Value, total int, ascii uint64) Value {
	room := total * 2
	words := make([]uint64, (growHeaderSize+room+7)/8) // uint64 for the header's alignment
	base := unsafe.Pointer(&words[0])
	*(*growHeader)(base) = growHeader{uint64(total), uint64(room)}
	data := unsafe.Add(base, growHeaderSize)
	buf := unsafe.Slice((*byte)(data), room)[:0]
	for _, p := range parts {
		buf = append(buf, p.text()...)
	}
	return Value{data, stringTag | ascii | textGrowable | uint64(total)}
}

// Bytes returns a bytevector that keeps b: do not change it.
func Bytes(b []byte) Value { return object(unsafe.Pointer(&b), KindBytes) }

// AsBytes returns the bytes of a bytevector; the caller must not change them.
func (v Value) AsBytes() ([]byte, bool) {
	if !v.IsBytes() {
		return nil, false
	}
	return *(*[]byte)(v.ref), true
}

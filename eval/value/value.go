package value

import (
	"math"
	"unsafe"
)

// Value is any datum of the language. The zero Value is the integer 0.
type Value struct {
	ref  unsafe.Pointer
	bits uint64
}

// Only the addresses of these words matter; nothing ever writes to them.
var (
	floatTag, miscTag, charTag uint64
	emptyTag                   [2]uint64 // the empty list and the empty string point here
)

const (
	objectTag = uint64(0xFFFC) << 48
	listTag   = uint64(0xFFFD) << 48
	stringTag = uint64(0xFFFE) << 48
	lengthMax = math.MaxUint32
)

// Kind says what a Value is.
type Kind uint8

// The kinds. Those from KindSymbol on are heap objects.
const (
	KindInvalid Kind = iota
	KindNil
	KindBool
	KindInt
	KindFloat
	KindChar
	KindList
	KindString
	KindSymbol
	KindKeyword
	KindBigInt
	KindRational
	KindComplex
	KindVector
	KindMap
	KindHashMap
	KindBytes
	KindRecord
	KindPromise
	KindClosure
	KindBuiltin
	KindMacro
	KindOpaque
	KindBox // a captured variable; never seen by programs
	kindCount
)

// typeNames are the keywords that (type x) answers.
var typeNames = [kindCount]string{
	KindInvalid: "undefined", KindNil: "nil", KindBool: "bool", KindInt: "int", KindFloat: "float", KindChar: "char",
	KindList: "list", KindString: "string", KindSymbol: "symbol", KindKeyword: "keyword",
	KindBigInt: "int", KindRational: "rational", KindComplex: "complex", KindVector: "vector",
	KindMap: "map", KindHashMap: "hashmap", KindBytes: "bytevector", KindRecord: "record",
	KindPromise: "promise", KindClosure: "lambda", KindBuiltin: "native-fn", KindMacro: "macro",
	KindOpaque: "opaque", KindBox: "box",
}

// String is the type's name as the language spells it, without the colon.
func (k Kind) String() string { return typeNames[k] }

// The constants of the language.
var (
	Nil   = Value{unsafe.Pointer(&miscTag), miscNil}
	False = Value{unsafe.Pointer(&miscTag), miscFalse}
	True  = Value{unsafe.Pointer(&miscTag), miscTrue}
	// Undefined marks a global or a letrec variable without a value. Programs
	// never see it.
	Undefined = Value{unsafe.Pointer(&miscTag), miscUndefined}
	// Empty is the empty list.
	Empty = Value{unsafe.Pointer(&emptyTag), listTag}
)

const (
	miscNil = iota
	miscFalse
	miscTrue
	miscUndefined
)

// Int returns an integer.
func Int(i int64) Value { return Value{nil, uint64(i)} }

// Float returns a floating-point number.
func Float(f float64) Value {
	if f != f {
		return Value{unsafe.Pointer(&floatTag), canonicalNaN}
	}
	return Value{unsafe.Pointer(&floatTag), math.Float64bits(f)}
}

const canonicalNaN = 0x7FF8000000000001

// Bool returns #t or #f.
func Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

// Char returns a character.
func Char(r rune) Value { return Value{unsafe.Pointer(&charTag), uint64(uint32(r))} }

func object(p unsafe.Pointer, k Kind) Value { return Value{p, objectTag | uint64(k)} }

func (v Value) isObject(k Kind) bool { return v.bits == objectTag|uint64(k) && v.ref != nil }

// Kind tells what v is.
func (v Value) Kind() Kind {
	switch v.ref {
	case nil:
		return KindInt
	case unsafe.Pointer(&floatTag):
		return KindFloat
	case unsafe.Pointer(&charTag):
		return KindChar
	case unsafe.Pointer(&miscTag):
		return miscKinds[v.bits&3]
	}
	switch v.bits >> 48 {
	case listTag >> 48:
		return KindList
	case stringTag >> 48:
		return KindString
	}
	return Kind(v.bits)
}

var miscKinds = [4]Kind{KindNil, KindBool, KindBool, KindInvalid}

// IsNil, IsInt and the like are cheap tests of one kind.
func (v Value) IsNil() bool       { return v == Nil }
func (v Value) IsUndefined() bool { return v == Undefined }
func (v Value) IsInt() bool       { return v.ref == nil }
func (v Value) IsFloat() bool     { return v.ref == unsafe.Pointer(&floatTag) }
func (v Value) IsChar() bool      { return v.ref == unsafe.Pointer(&charTag) }
func (v Value) IsString() bool    { return v.bits>>48 == stringTag>>48 && v.ref != nil }
func (v Value) IsList() bool      { return v.bits>>48 == listTag>>48 && v.ref != nil }
func (v Value) IsSymbol() bool    { return v.isObject(KindSymbol) }
func (v Value) IsKeyword() bool   { return v.isObject(KindKeyword) }
func (v Value) IsVector() bool    { return v.isObject(KindVector) }
func (v Value) IsBytes() bool     { return v.isObject(KindBytes) }
func (v Value) IsClosure() bool   { return v.isObject(KindClosure) }
func (v Value) IsBuiltin() bool   { return v.isObject(KindBuiltin) }

// IsMap is true of sorted maps and of hash maps.
func (v Value) IsMap() bool { return v.isObject(KindMap) || v.isObject(KindHashMap) }

// Truthy is false for #f and nil only.
func (v Value) Truthy() bool { return v.ref != unsafe.Pointer(&miscTag) || v.bits > miscFalse }

// AsInt returns the integer that v is, if it fits 64 bits.
func (v Value) AsInt() (int64, bool) { return int64(v.bits), v.ref == nil }

// AsFloat returns the float that v is; an integer is not one (see [ToFloat]).
func (v Value) AsFloat() (float64, bool) { return math.Float64frombits(v.bits), v.IsFloat() }

// AsBool returns the boolean that v is.
func (v Value) AsBool() (b, ok bool) { return v == True, v == True || v == False }

// AsChar returns the character that v is.
func (v Value) AsChar() (rune, bool) { return rune(v.bits), v.IsChar() }

// Same reports identity: the same object, or equal numbers of the same type,
// characters, symbols and keywords.
func Same(a, b Value) bool { return a == b }

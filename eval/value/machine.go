package value

import "unsafe"

// This file is the virtual machine's view of the representation. Nothing else
// should use it: see package eval/vm.

// Cell mirrors Value with its words in the open.
type Cell struct {
	Ref  unsafe.Pointer
	Bits uint64
}

// The tags that the machine compares with, as constants it can inline.
const (
	ClosureBits = objectTag | uint64(KindClosure)
	BuiltinBits = objectTag | uint64(KindBuiltin)
	BoxBits     = objectTag | uint64(KindBox)
	VectorBits  = objectTag | uint64(KindVector)
	ListTop     = listTag >> 48 // of Bits >> 48
	ListBits    = listTag       // of the empty list

	NilBits       = miscNil // with MiscRef; nil and #f are the falsy ones
	FalseBits     = miscFalse
	UndefinedBits = miscUndefined
)

// FloatRef and MiscRef are the tags' addresses.
func FloatRef() unsafe.Pointer { return unsafe.Pointer(&floatTag) }
func MiscRef() unsafe.Pointer  { return unsafe.Pointer(&miscTag) }

// Object makes a value of a machine object (closure, builtin, macro, box).
func Object(p unsafe.Pointer, k Kind) Value { return object(p, k) }

// Ref is the object of a value that [Object] made.
func (v Value) Ref() unsafe.Pointer { return v.ref }

// FuncInfo is the part of a function that printing needs. A closure's second
// word and a builtin's first point to one.
type FuncInfo struct {
	Name string // "" for an anonymous function
	Type string // what (type f) answers, "" for the kind's name
}

// ClosureHeader is how every closure starts; captured values follow it.
type ClosureHeader struct {
	Code  unsafe.Pointer
	Shape uint64
	Info  *FuncInfo
	_     uint64
}

// FuncName is the name of a closure, a builtin or a macro, "" if it has none.
func (v Value) FuncName() string {
	switch v.Kind() {
	case KindClosure:
		return (*ClosureHeader)(v.ref).Info.Name
	case KindBuiltin, KindMacro:
		return (*FuncInfo)(v.ref).Name
	}
	return ""
}

package value

import (
	"unsafe"
)

// RecordType is what define-record-type makes: a name and its fields in order.
type RecordType struct {
	Name   string
	Fields []string
}

// Record is an instance of a record type.
type Record struct {
	Type   *RecordType
	Fields []Value
}

// NewRecord returns a record that keeps fields.
func NewRecord(t *RecordType, fields []Value) Value {
	return object(unsafe.Pointer(&Record{t, fields}), KindRecord)
}

func (v Value) record() *Record { return (*Record)(v.ref) }

// AsRecord returns the record that v is.
func (v Value) AsRecord() (*Record, bool) {
	if !v.isObject(KindRecord) {
		return nil, false
	}
	return v.record(), true
}

// Promise is a delayed expression. Force runs Thunk once and keeps the result.
type Promise struct {
	Thunk  Value
	Result Value
	Forced bool
}

// NewPromise returns a promise.
func NewPromise(p *Promise) Value { return object(unsafe.Pointer(p), KindPromise) }

// AsPromise returns the promise that v is.
func (v Value) AsPromise() (*Promise, bool) {
	if !v.isObject(KindPromise) {
		return nil, false
	}
	return (*Promise)(v.ref), true
}

// Opaque is a Go value that programs hold but cannot look into: a client, a
// stream, a handle.
type Opaque struct {
	Type string // what (type x) answers, without the colon
	Data any
	Text string // how it prints; "" prints as <type>
}

// Shower lets opaque data, which must not change, say how they print: Show calls
// emit with one piece after another until it answers false.
type Shower interface {
	Show(emit func(part string) bool)
}

// Equaler lets opaque data define equality beyond identity. Its Hash must
// agree with it.
type Equaler interface {
	Equal(other any) bool
	Hash() uint32
}

// NewOpaque returns a value that holds o.
func NewOpaque(o *Opaque) Value { return object(unsafe.Pointer(o), KindOpaque) }

// AsOpaque returns the opaque object that v is.
func (v Value) AsOpaque() (*Opaque, bool) {
	if !v.isObject(KindOpaque) {
		return nil, false
	}
	return (*Opaque)(v.ref), true
}

func equalOpaque(a, b Value) bool {
	x, y := (*Opaque)(a.ref), (*Opaque)(b.ref)
	if x == y {
		return true
	}
	e, ok := x.Data.(Equaler)
	return ok && x.Type == y.Type && e.Equal(y.Data)
}

func hashOpaque(v Value) uint32 {
	if e, ok := (*Opaque)(v.ref).Data.(Equaler); ok {
		return e.Hash()
	}
	return hashWord(uint64(uintptr(v.ref)))
}

// TypeName is what (type v) answers, without the colon: a record answers its
// own type's name.
func (v Value) TypeName() string {
	switch k := v.Kind(); k {
	case KindRecord:
		return v.record().Type.Name
	case KindOpaque:
		return (*Opaque)(v.ref).Type
	case KindBuiltin:
		if t := (*FuncInfo)(v.ref).Type; t != "" {
			return t
		}
		return k.String()
	default:
		return k.String()
	}
}

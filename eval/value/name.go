package value

import (
	"encoding/binary"
	"unique"
	"unsafe"
)

// name is the interned text of a symbol or a keyword. Interning goes through
// package unique, so that names which nobody refers to are collected.
type name struct {
	text   string
	prefix uint64 // the first eight bytes, big-endian, to order names without a load
	hash   uint32
}

func intern(text string) unsafe.Pointer {
	n := name{text: text, hash: hashText(text)}
	var head [8]byte
	copy(head[:], text)
	n.prefix = binary.BigEndian.Uint64(head[:])
	h := unique.Make(n)
	return *(*unsafe.Pointer)(unsafe.Pointer(&h)) // a Handle is one pointer; TestNamesAreInterned watches that
}

// Symbol returns the symbol of that name.
func Symbol(text string) Value { return object(intern(text), KindSymbol) }

// Keyword returns the keyword of that name, which is written without its colon.
func Keyword(text string) Value { return object(intern(text), KindKeyword) }

func (v Value) name() *name { return (*name)(v.ref) }

// SymbolName returns the symbol's name.
func (v Value) SymbolName() (string, bool) {
	if !v.IsSymbol() {
		return "", false
	}
	return v.name().text, true
}

// KeywordName returns the keyword's name without the colon.
func (v Value) KeywordName() (string, bool) {
	if !v.IsKeyword() {
		return "", false
	}
	return v.name().text, true
}

// IsSymbolNamed reports whether v is the symbol with that name.
func (v Value) IsSymbolNamed(text string) bool { return v.IsSymbol() && v.name().text == text }

func (a *name) compare(b *name) int {
	switch {
	case a == b:
		return 0
	case a.prefix != b.prefix:
		if a.prefix < b.prefix {
			return -1
		}
		return 1
	case a.text < b.text:
		return -1
	}
	return 1
}

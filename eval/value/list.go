package value

import (
	"iter"
	"unsafe"
)

// Lists are VLists: elements stand in blocks of plain slots, in reverse order,
// and a list value points at its newest element, which is its first:
//
//	slot   0        1    2    3
//	block [header] [c]  [b]  [a]   (a b c): ref = &slot 3, index 3, length 3
//	                                  rest: ref = &slot 2, index 2, length 2
//
// first is a load, rest only arithmetic, length a mask. The header's ref is
// that of the tail (the list after slot 1); its word holds, in two halves that
// are read and written apart so that readers never race with the interpreter,
//
//	low  32: used (16) | class (8) | flags (8)   written under the interpreter's lock
//	high 32: the tail's index (16)               written once
//
// A block of class k >= 1 has room for 2^k-1 elements and grows in place while
// its newest element is also the list's first. Class 0 blocks are exact and
// never grow.

const (
	slotSize     = unsafe.Sizeof(Value{})
	maxExact     = 8190 // elements of an exact block
	maxClass     = 13
	arenaSlots   = 16
	arenaMax     = 8 // blocks of up to so many slots come from the arena
	flagExtended = 1 << 24
)

type blockHeader struct {
	tail    unsafe.Pointer
	state   uint32 // used, class, flags
	tailIdx uint32
}

// Heap allocates for one interpreter: small list blocks come from a common
// chunk, and cons writes in place where it can. It may be used only under that
// interpreter's lock. The zero Heap is ready.
type Heap struct {
	chunk []Value
}

func listValue(ref unsafe.Pointer, idx, length uint64) Value {
	return Value{ref, listTag | idx<<32 | length}
}

func (v Value) listLen() int { return int(uint32(v.bits)) }
func (v Value) listIdx() int { return int(v.bits >> 32 & 0xFFFF) }

func (v Value) header() *blockHeader {
	return (*blockHeader)(unsafe.Add(v.ref, -v.listIdx()*int(slotSize)))
}

func (h *Heap) block(slots int) []Value {
	if slots > arenaMax {
		return make([]Value, slots)
	}
	if len(h.chunk) < slots {
		h.chunk = make([]Value, arenaSlots)
	}
	b := h.chunk[:slots:slots]
	h.chunk = h.chunk[slots:]
	return b
}

func initBlock(b []Value, tail Value, state uint32) {
	hd := (*blockHeader)(unsafe.Pointer(&b[0]))
	hd.tail = tail.ref
	hd.state = state
	hd.tailIdx = uint32(tail.listIdx())
}

// Cons puts x before the list. The list must be one.
func (h *Heap) Cons(x, list Value) Value {
	n := uint64(uint32(list.bits)) + 1
	class := uint32(1)
	if n > 1 {
		idx := uint32(list.listIdx())
		hd := list.header()
		used, c := hd.state&0xFFFF, hd.state>>16&0xFF
		if used == idx && c > 0 {
			if used < 1<<c-1 {
				*(*Value)(unsafe.Add(list.ref, slotSize)) = x
				hd.state++
				return listValue(unsafe.Add(list.ref, slotSize), uint64(idx)+1, n)
			}
			if hd.state&flagExtended == 0 {
				hd.state |= flagExtended
				class = min(c+1, maxClass)
			}
		}
	}
	if n > lengthMax {
		panic(&LimitError{"a list of more than 4294967295 elements"})
	}
	b := h.block(1 << class)
	initBlock(b, list, 1|class<<16)
	b[1] = x
	return listValue(unsafe.Pointer(&b[1]), 1, n)
}

// Cons puts x before the list without touching the list's memory, so unlike
// [Heap.Cons] it may be called from any goroutine.
func Cons(x, list Value) Value { return prepend([]Value{x}, list, nil) }

// List returns a list of the elements.
func List(elems ...Value) Value { return prepend(elems, Empty, nil) }

// List returns a list of the elements.
func (h *Heap) List(elems []Value) Value { return prepend(elems, Empty, h) }

// Prepend returns a list of the elements followed by those of tail.
func (h *Heap) Prepend(elems []Value, tail Value) Value { return prepend(elems, tail, h) }

func prepend(elems []Value, tail Value, h *Heap) Value {
	for len(elems) > 0 {
		n := min(len(elems), maxExact)
		part := elems[len(elems)-n:]
		elems = elems[:len(elems)-n]
		var b []Value
		if h != nil {
			b = h.block(n + 1)
		} else {
			b = make([]Value, n+1)
		}
		initBlock(b, tail, uint32(n))
		for i, x := range part {
			b[n-i] = x
		}
		tail = listValue(unsafe.Pointer(&b[n]), uint64(n), uint64(tail.listLen()+n))
	}
	return tail
}

// First returns the first element of a list that is not empty.
func (v Value) First() Value { return *(*Value)(v.ref) }

// Rest returns the list without its first element; the list must not be empty.
func (v Value) Rest() Value {
	idx := v.bits >> 32 & 0xFFFF
	n := uint64(uint32(v.bits)) - 1
	if idx > 1 {
		return listValue(unsafe.Add(v.ref, -int(slotSize)), idx-1, n)
	}
	if n == 0 {
		return Empty
	}
	hd := (*blockHeader)(unsafe.Add(v.ref, -int(slotSize)))
	return listValue(hd.tail, uint64(hd.tailIdx), n)
}

// Len is the number of elements of a list, a vector or a map, of code points
// of a string, of bytes of a bytevector; -1 for anything else.
func (v Value) Len() int {
	switch v.Kind() {
	case KindList:
		return v.listLen()
	case KindVector:
		return len(v.vector())
	case KindString:
		return v.runeLen()
	case KindBytes:
		return len(*(*[]byte)(v.ref))
	case KindMap, KindHashMap:
		return v.mapLen()
	}
	return -1
}

// listDrop returns the list without its first n elements, n <= length.
func (v Value) listDrop(n int) Value {
	for n > 0 {
		if n == v.listLen() {
			return Empty
		}
		idx := v.listIdx()
		if n < idx {
			return listValue(unsafe.Add(v.ref, -n*int(slotSize)), uint64(idx-n), uint64(v.listLen()-n))
		}
		v = listValue(unsafe.Add(v.ref, -(idx-1)*int(slotSize)), 1, uint64(v.listLen()-idx+1)).Rest()
		n -= idx
	}
	return v
}

// Drop returns the list without its first n elements, or the empty list.
func (v Value) Drop(n int) Value { return v.listDrop(min(max(n, 0), v.listLen())) }

// Nth returns element i of a list, which must have one.
func (v Value) Nth(i int) Value { return v.listDrop(i).First() }

// Elems ranges over the elements of a list, or of a vector.
func (v Value) Elems() iter.Seq[Value] {
	if v.IsVector() {
		return func(yield func(Value) bool) {
			for _, x := range v.vector() {
				if !yield(x) {
					return
				}
			}
		}
	}
	return func(yield func(Value) bool) {
		for l := v; l.listLen() > 0; l = l.Rest() {
			if !yield(l.First()) {
				return
			}
		}
	}
}

// Iter walks the elements of a list or a vector:
//
//	it := v.Iter()
//	for it.Next() {
//		use(it.Value())
//	}
//
// It is faster than ranging over Elems where the body is long. Declared in the
// clause of the for it would be copied in every round.
type Iter struct {
	run  unsafe.Pointer // the first element of a run of neighbouring slots
	off  int            // bytes from there to the current one
	step int            // to the next: lists stand in reverse
	left int            // elements of the run that are still to come
	rest Value          // the list behind the run
}

// Iter starts before the first element.
func (v Value) Iter() Iter {
	if v.IsVector() {
		xs := v.vector()
		return Iter{run: unsafe.Pointer(unsafe.SliceData(xs)), off: -int(slotSize), step: int(slotSize), left: len(xs), rest: Empty}
	}
	return Iter{step: -int(slotSize), rest: v}
}

// Next goes to the next element; false if there is none.
func (it *Iter) Next() bool {
	if it.left == 0 {
		return it.hop()
	}
	it.left--
	it.off += it.step
	return true
}

// Value is the current element.
func (it *Iter) Value() Value { return *(*Value)(unsafe.Add(it.run, it.off)) }

// hop goes to the next block of a list.
func (it *Iter) hop() bool {
	l := it.rest
	if l.listLen() == 0 {
		return false
	}
	it.run, it.off, it.left = l.ref, 0, l.listIdx()-1
	it.rest = l.listDrop(l.listIdx())
	return true
}

// AppendTo appends the elements of a list or a vector to dst.
func (v Value) AppendTo(dst []Value) []Value {
	if v.IsVector() {
		return append(dst, v.vector()...)
	}
	if free := cap(dst) - len(dst); free < v.listLen() {
		dst = append(make([]Value, 0, len(dst)+v.listLen()), dst...)
	}
	for l := v; l.listLen() > 0; l = l.Rest() {
		dst = append(dst, l.First())
	}
	return dst
}

// Slice returns the elements of a list or a vector; the caller must not
// change them.
func (v Value) Slice() []Value {
	if v.IsVector() {
		return v.vector()
	}
	return v.AppendTo(nil)
}

// IsSeq is true of lists and vectors.
func (v Value) IsSeq() bool { return v.IsList() || v.IsVector() }

// Vector returns a vector of the elements, which it keeps: do not change them.
func Vector(elems []Value) Value { return object(unsafe.Pointer(&elems), KindVector) }

func (v Value) vector() []Value { return *(*[]Value)(v.ref) }

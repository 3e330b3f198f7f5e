package value

import (
	"encoding/binary"
	"math"
	"math/big"
)

// Hash agrees with [Equal]. It is fixed, not seeded, so that a hash map prints
// in the same order in every run.
func Hash(v Value) uint32 { return hash(v, start(new(int))) }

const mix = 0x9E3779B97F4A7C15

func hashWord(x uint64) uint32 { return uint32(x * mix >> 32) }

func hash(v Value, d depth) uint32 {
	if v.ref == nil { // neighbouring ints share an index line of a table
		return uint32(v.bits>>4*mix>>32)<<4 | uint32(v.bits&15)
	}
	switch k := v.Kind(); k {
	case KindFloat:
		f, _ := v.AsFloat()
		return hashWord(math.Float64bits(f+0) + 1) // +0: -0.0 equals 0.0
	case KindString:
		return hashText(v.text())
	case KindSymbol, KindKeyword:
		return v.name().hash + uint32(k)
	case KindBigInt:
		return hashText(string((*big.Int)(v.ref).Bytes()))
	case KindRational:
		return hashText((*big.Rat)(v.ref).String())
	case KindComplex:
		return hashSlice([]Value{v.complex().re, v.complex().im}, uint32(k), d)
	case KindList, KindVector:
		return hashSeq(v, uint32(k), d.deeper())
	case KindMap, KindHashMap:
		return hashMap(v, d.deeper())
	case KindBytes:
		return hashText(string(*(*[]byte)(v.ref)))
	case KindRecord:
		r := v.record()
		return hashSlice(r.Fields, hashText(r.Type.Name), d.deeper())
	case KindOpaque:
		return hashOpaque(v)
	case KindPromise, KindClosure, KindBuiltin, KindMacro:
		return hashWord(uint64(uintptr(v.ref)))
	}
	return hashWord(v.bits + 7)
}

func hashSeq(v Value, seed uint32, d depth) uint32 { return hashSlice(v.Slice(), seed, d) }

func hashSlice(xs []Value, seed uint32, d depth) uint32 {
	for _, x := range xs {
		seed = hashWord(uint64(seed)<<32 | uint64(hash(x, d)) + 1)
	}
	return seed
}

func hashMap(v Value, d depth) uint32 {
	sum := uint32(KindMap)
	for k, x := range v.Entries() {
		sum += hashWord(uint64(hash(k, d))<<32 | uint64(hash(x, d)))
	}
	return sum
}

func hashText(s string) uint32 {
	h := uint64(len(s)) + 14695981039346656037
	for len(s) >= 8 {
		var w [8]byte
		copy(w[:], s)
		h = (h ^ binary.LittleEndian.Uint64(w[:])) * mix
		h ^= h >> 32
		s = s[8:]
	}
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return uint32(h ^ h>>32)
}

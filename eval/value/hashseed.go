package value

import (
	"hash/maphash"
	"math"
	"math/big"
	"unsafe"
)

// hashSeed is a random hash function in agreement with [Equal], for tables that
// meet more collisions under [Hash] than chance would explain. It changes no
// visible order, since hash maps are ranged over in the order of insertion.
type hashSeed struct{ seed maphash.Seed }

func newHashSeed() *hashSeed { return &hashSeed{maphash.MakeSeed()} }

func (s *hashSeed) hash(v Value) uint32 { return uint32(s.walk(v, start(new(int))) >> 32) }

func (s *hashSeed) word(a, b uint64) uint64 { return maphash.Comparable(s.seed, [2]uint64{a, b}) }

func (s *hashSeed) walk(v Value, d depth) uint64 {
	k := v.Kind()
	switch k {
	case KindFloat:
		f, _ := v.AsFloat()
		return s.word(uint64(k), math.Float64bits(f+0)) // +0: -0.0 equals 0.0
	case KindString:
		return maphash.String(s.seed, v.text())
	case KindBigInt:
		return maphash.Bytes(s.seed, (*big.Int)(v.ref).Bytes())
	case KindRational:
		return maphash.String(s.seed, (*big.Rat)(v.ref).String())
	case KindComplex:
		return s.slice([]Value{v.complex().re, v.complex().im}, uint64(k), d)
	case KindBytes:
		return maphash.Bytes(s.seed, *(*[]byte)(v.ref))
	case KindList, KindVector:
		return s.slice(v.Slice(), uint64(k), d.deeper())
	case KindMap, KindHashMap:
		return s.entries(v, d.deeper())
	case KindRecord:
		r := v.record()
		return s.slice(r.Fields, uint64(uintptr(unsafe.Pointer(r.Type))), d.deeper())
	case KindOpaque:
		return s.word(uint64(k), uint64(hashOpaque(v)))
	}
	return s.word(v.bits, uint64(uintptr(v.ref)))
}

func (s *hashSeed) slice(xs []Value, sum uint64, d depth) uint64 {
	for _, x := range xs {
		sum = s.word(sum, s.walk(x, d))
	}
	return sum
}

func (s *hashSeed) entries(v Value, d depth) uint64 {
	sum := uint64(v.Kind())
	for k, x := range v.Entries() {
		sum += s.word(s.walk(k, d), s.walk(x, d))
	}
	return sum
}

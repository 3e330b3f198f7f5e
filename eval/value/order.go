package value

import (
	"bytes"
	"strings"
	"unsafe"
)

// ranks orders values of different types, which is the order of a sorted map's
// keys: the reference's, where all integers come before all floats and ratios
// come last.
var ranks = [kindCount]int8{
	KindNil: 1, KindBool: 2, KindInt: 3, KindBigInt: 3, KindFloat: 4, KindChar: 5, KindString: 6,
	KindSymbol: 7, KindKeyword: 8, KindList: 9, KindVector: 10, KindMap: 11, KindHashMap: 12,
	KindBytes: 13, KindRational: 14, KindComplex: 15, KindRecord: 16, KindOpaque: 17, KindPromise: 18,
	KindClosure: 19, KindBuiltin: 20, KindMacro: 21,
}

// Compare is a total order on all values, in agreement with [Equal]: values of
// one type by content, of different types by type. To order numbers of any
// type by value use [CompareNumbers].
func Compare(a, b Value) int { return compare(a, b, start(new(int))) }

func compare(a, b Value, d depth) int {
	if a == b {
		return 0
	}
	ka, kb := a.Kind(), b.Kind()
	if ranks[ka] != ranks[kb] {
		return cmpInt(int64(ranks[ka]), int64(ranks[kb]))
	}
	switch ka {
	case KindKeyword, KindSymbol:
		return a.name().compare(b.name())
	case KindInt, KindFloat, KindBigInt, KindRational:
		return orderNumbers(a, b)
	case KindComplex:
		x, y := a.complex(), b.complex()
		return compareSlices([]Value{x.re, x.im}, []Value{y.re, y.im}, d)
	case KindString:
		return strings.Compare(a.text(), b.text())
	case KindBool, KindChar:
		return cmpInt(int64(a.bits), int64(b.bits))
	case KindList, KindVector:
		return compareSeqs(a, b, d.deeper())
	case KindMap, KindHashMap:
		return compareMaps(a, b, d.deeper())
	case KindBytes:
		return bytes.Compare(*(*[]byte)(a.ref), *(*[]byte)(b.ref))
	case KindRecord:
		return compareRecords(a.record(), b.record(), d.deeper())
	}
	if ka == KindOpaque && equalOpaque(a, b) {
		return 0
	}
	return cmpPointers(a.ref, b.ref)
}

// cmpPointers orders objects that have identity only. Go's collector does not
// move heap objects, so the order is stable while they live.
func cmpPointers(a, b unsafe.Pointer) int { return cmpInt(int64(uintptr(a)), int64(uintptr(b))) }

// orderNumbers orders numbers of one rank; a NaN comes first and equals itself.
func orderNumbers(a, b Value) int {
	o, _ := CompareNumbers(a, b)
	if o == 2 {
		return cmpBool(!isNaN(a), !isNaN(b))
	}
	return o
}

func isNaN(v Value) bool {
	f, ok := v.AsFloat()
	return ok && f != f
}

func cmpBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func compareSeqs(a, b Value, d depth) int {
	x, y := a.Slice(), b.Slice()
	return compareSlices(x, y, d)
}

func compareSlices(x, y []Value, d depth) int {
	for i := 0; i < len(x) && i < len(y); i++ {
		if c := compare(x[i], y[i], d); c != 0 {
			return c
		}
	}
	return cmpInt(int64(len(x)), int64(len(y)))
}

func compareMaps(a, b Value, d depth) int {
	return compareSlices(sortedEntries(a), sortedEntries(b), d)
}

func compareRecords(a, b *Record, d depth) int {
	if a.Type != b.Type {
		if c := strings.Compare(a.Type.Name, b.Type.Name); c != 0 {
			return c
		}
		return cmpPointers(unsafe.Pointer(a.Type), unsafe.Pointer(b.Type))
	}
	return compareSlices(a.Fields, b.Fields, d)
}

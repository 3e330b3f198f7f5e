package value

import (
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// There are two kinds of map, both persistent: Assoc and Dissoc return a new
// map and leave the old one as it was. Sorted maps ({} literals) are ranged
// over in key order (sortedmap.go, btree.go), hash maps in the order of first
// insertion (hashmap.go, hashtable.go). The methods below take a map of either
// kind and must not be called on anything else.

const (
	mapBits     = objectTag | uint64(KindMap)
	hashMapBits = objectTag | uint64(KindHashMap)
)

// EmptyMap returns the sorted map without entries.
func EmptyMap() Value { return smallMap(nil, make([]Value, 1)) }

// EmptyHashMap returns the hash map without entries.
func EmptyHashMap() Value { return newVersion(0, nil).value() }

// Map returns a sorted map of alternating keys and values; the last binding of
// a key wins.
func Map(keysAndValues ...Value) Value {
	b := NewMapBuilder(KindMap, len(keysAndValues)/2)
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		b.Set(keysAndValues[i], keysAndValues[i+1])
	}
	return b.Map()
}

// Get returns the value at key of a map.
func (v Value) Get(key Value) (Value, bool) {
	if v.bits == hashMapBits {
		return (*version)(v.ref).get(key)
	}
	hd := (*sortedMap)(v.ref)
	if hd.word>>formShift != 0 {
		return v.getLarge(key)
	}
	keys := hd.smallKeys()
	for i := range keys { // identical keys are by far the commonest
		if keys[i] == key {
			return *hd.smallVal(i), true
		}
	}
	if key.isAtom() {
		return Nil, false
	}
	if i, ok := searchKeys(keys, key); ok {
		return *hd.smallVal(i), true
	}
	return Nil, false
}

// Assoc returns the map with key bound to x. An equal key that is already
// there stays; the map itself is returned when it binds key to x already.
func (v Value) Assoc(key, x Value) Value {
	if v.bits == hashMapBits {
		return (*version)(v.ref).assoc(key, x).value()
	}
	return v.force().assocSorted(key, x)
}

// Dissoc returns the map without key.
func (v Value) Dissoc(key Value) Value {
	if v.bits == hashMapBits {
		return (*version)(v.ref).dissoc(key).value()
	}
	return v.force().dissocSorted(key)
}

// Entries ranges over a map: a sorted map in key order, a hash map in the order
// in which its keys were first inserted.
func (v Value) Entries() iter.Seq2[Value, Value] {
	if v.bits == hashMapBits {
		return (*version)(v.ref).each
	}
	return v.eachSorted
}

func (v Value) mapLen() int {
	if v.bits == hashMapBits {
		return int((*version)(v.ref).count)
	}
	return int(uint32((*sortedMap)(v.force().ref).word))
}

type entry struct{ key, val Value }

// sortedEntries returns k, v, k, v, ... in key order, for either kind of map.
func sortedEntries(v Value) []Value {
	out := make([]Value, 0, 2*v.mapLen())
	if v.bits != hashMapBits {
		for k, x := range v.Entries() {
			out = append(out, k, x)
		}
		return out
	}
	es := make([]entry, 0, v.mapLen())
	for k, x := range v.Entries() {
		es = append(es, entry{k, x})
	}
	slices.SortFunc(es, func(a, b entry) int { return Compare(a.key, b.key) })
	for _, e := range es {
		out = append(out, e.key, e.val)
	}
	return out
}

// MapBuilder builds a map in place, which is several times cheaper than to
// Assoc one key after the other. It belongs to one goroutine.
type MapBuilder struct {
	sorted sortedBuilder
	hash   *version // not nil: the hash map that is being built
	done   bool     // m was given out: from now on m.Assoc
	m      Value
}

// NewMapBuilder starts a sorted map or a hash map of about n entries.
func NewMapBuilder(k Kind, n int) *MapBuilder {
	if k == KindHashMap {
		return &MapBuilder{hash: newVersion(n, nil)}
	}
	return &MapBuilder{sorted: newSortedBuilder(n)}
}

// EditMap starts a builder with the entries of m, which stays as it is.
func EditMap(m Value) *MapBuilder {
	if m.bits == hashMapBits {
		return &MapBuilder{done: true, m: m}
	}
	return &MapBuilder{sorted: editSorted(m.force())}
}

// Set binds key to x; the last binding of a key wins.
func (b *MapBuilder) Set(key, x Value) {
	switch {
	case b.done:
		b.m = b.m.Assoc(key, x)
	case b.hash != nil:
		b.hash.set(key, x)
	default:
		b.sorted.set(key, x)
	}
}

// Get returns what key is bound to so far.
func (b *MapBuilder) Get(key Value) (Value, bool) {
	switch {
	case b.done:
		return b.m.Get(key)
	case b.hash != nil:
		return b.hash.get(key)
	}
	return b.sorted.get(key)
}

// Map returns the map. A builder that is used further continues on a copy of
// it, at the price of Assoc.
func (b *MapBuilder) Map() Value {
	if b.done {
		return b.m
	}
	if b.hash != nil {
		b.m = b.hash.value()
	} else {
		b.m = b.sorted.finish()
	}
	*b = MapBuilder{done: true, m: b.m}
	return b.m
}

// LazyMap is a map whose entries are made when someone looks, such as a caught
// error. LazyGet may answer single keys without making the rest; LazyAll makes
// the whole sorted map. Both may be called from any goroutine, LazyAll by one at
// a time and not again once it has returned; so neither may run Lisp, wait for
// the interpreter's lock or look at the map itself.
type LazyMap interface {
	LazyGet(key Value) (v Value, known bool)
	LazyAll() Value
}

// LazyHead is the state behind a LazyMap's value. Embedding one in the type that
// implements LazyMap makes both one allocation.
type LazyHead struct {
	head   sortedMap // so that both are one allocation
	source LazyMap
	mu     sync.Mutex // held while LazyAll runs
	made   atomic.Pointer[Value]
}

// NewLazyMap returns a sorted map backed by l.
func NewLazyMap(l LazyMap) Value { return new(LazyHead).Map(l) }

// Map returns a sorted map backed by l. It may be called once.
func (z *LazyHead) Map(l LazyMap) Value {
	z.source = l
	z.head = sortedMap{unsafe.Pointer(z), formLazy}
	return object(unsafe.Pointer(z), KindMap)
}

// Lazy returns what a map was made from by [NewLazyMap], also after its entries
// were made.
func Lazy(v Value) (LazyMap, bool) {
	if v.bits != mapBits || !(*sortedMap)(v.ref).isLazy() {
		return nil, false
	}
	return (*LazyHead)((*sortedMap)(v.ref).ref).source, true
}

// force returns a sorted map with entries: v itself unless it is lazy.
func (v Value) force() Value {
	hd := (*sortedMap)(v.ref)
	if !hd.isLazy() {
		return v
	}
	return (*LazyHead)(hd.ref).all()
}

func (z *LazyHead) all() Value {
	if m := z.made.Load(); m != nil {
		return *m
	}
	z.mu.Lock()
	defer z.mu.Unlock() // LazyAll may panic; the next reader then tries again
	if m := z.made.Load(); m != nil {
		return *m
	}
	m := z.source.LazyAll().force()
	z.made.Store(&m)
	return m
}

func (z *LazyHead) get(key Value) (Value, bool) {
	if z.made.Load() == nil {
		if x, known := z.source.LazyGet(key); known {
			return x, true
		}
	}
	return z.all().Get(key)
}

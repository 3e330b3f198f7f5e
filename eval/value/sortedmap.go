package value

import (
	"slices"
	"strings"
	"unsafe"
)

// A sorted map of up to smallMax entries is one block of values behind keys in
// ascending order. Maps made by one literal, or from one another by binding
// keys anew, share the array of keys:
//
//	                 slot 0         1     2
//	map value --> [ keys | n=2 ] [ x ] [ y ]      {:a x :b y}
//	                 |
//	                 `--> [ :a ] [ :b ]
//
// A larger map is slot 0 alone, with the root of a B+tree (btree.go), and a lazy
// one slot 0 with its LazyHead.
type sortedMap struct { // slot 0; it has a Value's layout
	ref  unsafe.Pointer // first key, root node or *LazyHead
	word uint64         // form (8) | tree height (8) | number of entries (32)
}

const (
	smallMax    = 16
	heightShift = 32
	formShift   = 40
	formTree    = 1 << formShift
	formLazy    = 2 << formShift
)

// smallMap makes a map of keys in order and a block whose slots from 1 on hold
// their values. It keeps both.
func smallMap(keys, block []Value) Value {
	hd := (*sortedMap)(unsafe.Pointer(&block[0]))
	hd.ref = unsafe.Pointer(unsafe.SliceData(keys))
	hd.word = uint64(len(keys))
	return object(unsafe.Pointer(hd), KindMap)
}

func treeMap(root unsafe.Pointer, height, n int) Value {
	if n > lengthMax {
		panic(&LimitError{"a map of more than 4294967295 entries"})
	}
	hd := &sortedMap{root, formTree | uint64(height)<<heightShift | uint64(n)}
	return object(unsafe.Pointer(hd), KindMap)
}

func (hd *sortedMap) isSmall() bool { return hd.word>>formShift == 0 }
func (hd *sortedMap) isLazy() bool  { return hd.word == formLazy }
func (hd *sortedMap) len() int      { return int(uint32(hd.word)) }
func (hd *sortedMap) height() int   { return int(uint8(hd.word >> heightShift)) }

func (hd *sortedMap) smallKeys() []Value { return unsafe.Slice((*Value)(hd.ref), hd.len()) }

func (hd *sortedMap) smallVal(i int) *Value {
	return (*Value)(unsafe.Add(unsafe.Pointer(hd), (i+1)*int(slotSize)))
}

// block returns slot 0 and the values behind it.
func (hd *sortedMap) block() []Value { return unsafe.Slice((*Value)(unsafe.Pointer(hd)), hd.len()+1) }

// isAtom is true of values whose equality is identity. (Not of floats: 0.0
// equals -0.0.)
func (v Value) isAtom() bool {
	return v.ref == nil || v.bits == objectTag|uint64(KindKeyword) || v.bits == objectTag|uint64(KindSymbol) ||
		v.ref == unsafe.Pointer(&miscTag) || v.ref == unsafe.Pointer(&charTag)
}

// searchKeys returns the place of key among keys in ascending order.
func searchKeys(keys []Value, key Value) (i int, found bool) {
	lo, hi := 0, len(keys)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		c := compareKeys(keys[mid], key)
		if c == 0 {
			return mid, true
		}
		if c < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, false
}

// compareKeys is [Compare] with the common kinds first.
func compareKeys(a, b Value) int {
	switch {
	case a == b:
		return 0
	case a.ref == nil && b.ref == nil:
		return cmpInt(int64(a.bits), int64(b.bits))
	case a.bits == b.bits && (a.IsKeyword() || a.IsSymbol()):
		return a.name().compare(b.name())
	case a.IsString() && b.IsString():
		return strings.Compare(a.text(), b.text())
	}
	return Compare(a, b)
}

func (v Value) getLarge(key Value) (Value, bool) {
	hd := (*sortedMap)(v.ref)
	if hd.isLazy() {
		return (*LazyHead)(hd.ref).get(key)
	}
	return treeGet(hd.ref, hd.height(), key)
}

func (v Value) assocSorted(key, x Value) Value {
	hd := (*sortedMap)(v.ref)
	if !hd.isSmall() {
		p := put{key: key, val: x}
		root, height := p.tree(hd.ref, hd.height())
		if root == hd.ref {
			return v
		}
		return treeMap(root, height, hd.len()+p.added)
	}
	i, found := hd.smallIndex(key)
	switch {
	case found && *hd.smallVal(i) == x:
		return v
	case found:
		block := append([]Value(nil), hd.block()...)
		block[i+1] = x
		return object(unsafe.Pointer(&block[0]), KindMap)
	}
	keys := insertAt(hd.smallKeys(), i, key)
	block := insertAt(hd.block(), i+1, x)
	if len(keys) > smallMax {
		root, height := buildTree(keys, block[1:], nil)
		return treeMap(root, height, len(keys))
	}
	return smallMap(keys, block)
}

func (hd *sortedMap) smallIndex(key Value) (i int, found bool) {
	keys := hd.smallKeys()
	for i := range keys {
		if keys[i] == key {
			return i, true
		}
	}
	return searchKeys(keys, key)
}

func insertAt(xs []Value, i int, x Value) []Value {
	out := make([]Value, len(xs)+1)
	copy(out, xs[:i])
	out[i] = x
	copy(out[i+1:], xs[i:])
	return out
}

func removeAt(xs []Value, i int) []Value {
	return append(append(make([]Value, 0, len(xs)-1), xs[:i]...), xs[i+1:]...)
}

func (v Value) dissocSorted(key Value) Value {
	hd := (*sortedMap)(v.ref)
	if hd.isSmall() {
		i, found := hd.smallIndex(key)
		if !found {
			return v
		}
		return smallMap(removeAt(hd.smallKeys(), i), removeAt(hd.block(), i+1))
	}
	root, height := treeCut(hd.ref, hd.height(), key)
	switch n := hd.len() - 1; {
	case root == hd.ref:
		return v
	case n <= smallMax:
		return smallMap(flatten(root, height, n))
	default:
		return treeMap(root, height, n)
	}
}

func (v Value) eachSorted(yield func(k, x Value) bool) {
	hd := (*sortedMap)(v.force().ref)
	if !hd.isSmall() {
		walkTree(hd.ref, hd.height(), yield)
		return
	}
	for i, k := range hd.smallKeys() {
		if !yield(k, *hd.smallVal(i)) {
			return
		}
	}
}

// MapFromSorted returns the sorted map of keys, which must ascend strictly in
// the order of [Compare], and their values. It copies both.
func MapFromSorted(keys, vals []Value) Value {
	vals = vals[:len(keys)]
	if len(keys) <= smallMax {
		return smallMap(slices.Clone(keys), blockOf(vals))
	}
	root, height := buildTree(keys, vals, nil)
	return treeMap(root, height, len(keys))
}

func blockOf(vals []Value) []Value {
	block := make([]Value, len(vals)+1)
	copy(block[1:], vals)
	return block
}

// Shape is what the maps of one literal with constant keys have in common: the
// keys, in order. It is immutable.
type Shape struct {
	keys  []Value
	order []int
}

// NewShape returns the shape of maps with these keys, given in any order and
// perhaps more than once.
func NewShape(keys []Value) *Shape {
	s := &Shape{keys: slices.Clone(keys), order: make([]int, len(keys))}
	slices.SortFunc(s.keys, Compare)
	s.keys = slices.CompactFunc(s.keys, func(a, b Value) bool { return Compare(a, b) == 0 })
	for i, k := range keys {
		s.order[i], _ = searchKeys(s.keys, k)
	}
	return s
}

// Len is the number of different keys.
func (s *Shape) Len() int { return len(s.keys) }

// Order tells where the value of each key that [NewShape] was given belongs in
// the argument of Map. Equal keys have the same place, so that a literal's last
// value wins when values are stored in source order. Do not change it.
func (s *Shape) Order() []int { return s.order }

// Map returns the map of the shape's keys to vals, which it copies: Len of
// them, in the shape's order.
func (s *Shape) Map(vals []Value) Value {
	if len(s.keys) > smallMax {
		return MapFromSorted(s.keys, vals)
	}
	return smallMap(s.keys, blockOf(vals[:len(s.keys)]))
}

// KeyCache remembers where one constant key was found last, for a place in a
// program that looks up this key in one map after the other. The zero KeyCache
// is ready. It belongs to one interpreter.
type KeyCache struct {
	keys  unsafe.Pointer // also keeps the array alive, so that its address stays unique
	index int
}

// GetCached is v.Get(key) for the key that c belongs to: quicker when the map
// looked up last came from the same literal.
func (v Value) GetCached(key Value, c *KeyCache) (Value, bool) {
	if v.bits != mapBits {
		return v.Get(key)
	}
	hd := (*sortedMap)(v.ref)
	if hd.ref == c.keys && c.keys != nil && hd.isSmall() {
		return *hd.smallVal(c.index), true
	}
	return v.getAndCache(key, c)
}

func (v Value) getAndCache(key Value, c *KeyCache) (Value, bool) {
	hd := (*sortedMap)(v.ref)
	if !hd.isSmall() {
		return v.getLarge(key)
	}
	i, found := hd.smallIndex(key)
	if !found {
		return Nil, false
	}
	c.keys, c.index = hd.ref, i
	return *hd.smallVal(i), true
}

// sortedBuilder is the state of a MapBuilder for a sorted map: the arrays of a
// small map, or a tree whose nodes with its token it may change in place.
type sortedBuilder struct {
	keys, block []Value
	root        unsafe.Pointer
	height, n   int
	edit        *edit
}

func newSortedBuilder(n int) sortedBuilder {
	n = min(max(n, 0), smallMax)
	return sortedBuilder{keys: make([]Value, 0, n), block: make([]Value, 1, n+1)}
}

func editSorted(m Value) sortedBuilder {
	hd := (*sortedMap)(m.ref)
	if hd.isSmall() {
		return sortedBuilder{keys: slices.Clone(hd.smallKeys()), block: slices.Clone(hd.block())}
	}
	return sortedBuilder{root: hd.ref, height: hd.height(), n: hd.len(), edit: &edit{}}
}

func (b *sortedBuilder) get(key Value) (Value, bool) {
	if b.root != nil {
		return treeGet(b.root, b.height, key)
	}
	if i, found := searchKeys(b.keys, key); found {
		return b.block[i+1], true
	}
	return Nil, false
}

func (b *sortedBuilder) set(key, x Value) {
	if b.root != nil {
		p := put{key: key, val: x, edit: b.edit}
		b.root, b.height = p.tree(b.root, b.height)
		b.n += p.added
		return
	}
	i, found := searchKeys(b.keys, key)
	if found {
		b.block[i+1] = x
		return
	}
	b.keys = slices.Insert(b.keys, i, key)
	b.block = slices.Insert(b.block, i+1, x)
	if len(b.keys) > smallMax {
		b.edit, b.n = &edit{}, len(b.keys)
		b.root, b.height = buildTree(b.keys, b.block[1:], b.edit)
	}
}

func (b *sortedBuilder) finish() Value {
	if b.root != nil {
		return treeMap(b.root, b.height, b.n)
	}
	if cap(b.keys) > 2*len(b.keys)+2 { // far fewer than announced
		b.keys, b.block = slices.Clone(b.keys), slices.Clone(b.block)
	}
	return smallMap(b.keys, b.block)
}

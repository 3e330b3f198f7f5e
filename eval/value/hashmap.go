package value

import (
	"sync"
	"unsafe"
)

// A hash map is one version of a family of maps made from one another.
// The newest version owns a mutable table, and Assoc changes that table in place
// in a few nanoseconds; the version it came from turns into a note of how it
// differs from the newer one (Baker's trick):
//
//	m1 := {:a 1}            m1 = [ table ]
//	m2 := (assoc m1 :b 2)   m1 = [ without slot 1 ] --> m2 = [ table ]
//	m3 := (assoc m2 :a 9)   m1 = [ without slot 1 ] --> m2 = [ slot 0 is 1 ] --> m3 = [ table ]
//
// To use an older version, the notes on the way to the table are applied to it
// and turned round, so that the older version becomes the owner. Where programs
// go to and fro between distant versions they soon get a table each (ownSlow).
//
// Using any version may change the table, so every access holds the family's
// mutex. Nothing that may run long, panic or look at another map happens under
// it: keys are hashed before, and keys that are collections are compared outside
// (candidates). What a version holds, and in which slots, never changes, which
// is why results found outside stay valid and why a walk can go on slot by slot.
type version struct {
	fam    *family
	tab    *table   // not nil: this version is what the table holds
	next   *version // else: the version it differs from
	change uint32   // ... at slot change>>2, in the way change&3
	count  uint32   // number of entries, in either case
	note   Value    // what the change needs
}

const (
	changeVal    = iota // the slot's value is note
	changeAbsent        // the slot is empty, and the hash of the other's key is note
	changeEntry         // the slot holds *note.ref
)

type hashedEntry struct {
	entry
	hash uint32
}

func entryNote(e *hashedEntry) Value { return Value{ref: unsafe.Pointer(e)} }

// family is what versions that may share a table have in common.
type family struct {
	mu    sync.Mutex
	seed  *hashSeed // nil while plain Hash does
	first table
}

const (
	// maxChanges and chainFactor bound the notes that an old version can keep
	// alive: a version which is far more changes away from the table's beginning
	// than the table has entries starts a table, and a family, of its own.
	maxChanges  = 1024
	chainFactor = 8
	// maxHoles empty slots are always tolerated.
	maxHoles = 8
	// maxProbes collisions are bad luck; more of them are an attack, or a pattern
	// that Hash does not spread, and the table gets a random hash function.
	maxProbes = 256
	maxSlots  = 1 << 30
)

func newVersion(n int, seed *hashSeed) *version {
	f := &family{seed: seed}
	f.first.reserve(n)
	return &version{fam: f, tab: &f.first}
}

func (m *version) value() Value { return object(unsafe.Pointer(m), KindHashMap) }

// comparesDeep is true of keys that can only be compared outside of the lock.
func comparesDeep(key Value) bool {
	if key.isAtom() || key.IsString() {
		return false
	}
	switch key.Kind() {
	case KindList, KindVector, KindMap, KindHashMap, KindRecord, KindOpaque:
		return true
	}
	return false
}

func (m *version) get(key Value) (Value, bool) {
	h := m.fam.hash(key)
	if comparesDeep(key) {
		return m.getDeep(key, h)
	}
	m.fam.mu.Lock()
	t := m.tab
	if t == nil {
		t = m.ownSlow(false)
	}
	x := Nil
	slot := t.find(key, h)
	if slot >= 0 {
		x = t.entries[slot].val
	}
	m.fam.mu.Unlock()
	return x, slot >= 0
}

func (f *family) hash(key Value) uint32 {
	if f.seed == nil {
		return Hash(key)
	}
	return f.seed.hash(key)
}

func (m *version) getDeep(key Value, h uint32) (Value, bool) {
	for _, c := range m.candidates(h) {
		if Equal(c.key, key) {
			return c.val, true
		}
	}
	return Nil, false
}

type candidate struct {
	entry
	slot int
}

// candidates returns the entries that may have the key with that hash.
func (m *version) candidates(h uint32) []candidate {
	m.fam.mu.Lock()
	defer m.fam.mu.Unlock()
	return m.own(false).candidates(h)
}

// findDeep returns the slot of key, -1 if it has none.
func (m *version) findDeep(key Value, h uint32) int {
	for _, c := range m.candidates(h) {
		if Equal(c.key, key) {
			return c.slot
		}
	}
	return -1
}

// assoc and dissoc return m itself when there is nothing to do.
func (m *version) assoc(key, x Value) *version {
	h := m.fam.hash(key)
	deep, slot := comparesDeep(key), -1
	if deep {
		slot = m.findDeep(key, h)
	}
	n, reason := m.tryAssoc(hashedEntry{entry{key, x}, h}, slot, deep)
	if reason == stay {
		return n
	}
	return m.fork(reason).assoc(key, x)
}

// leave says why a version cannot go on with its table.
type leave int

const (
	stay     leave = iota
	outgrown       // too many changes, or too many empty slots
	attacked       // too many collisions
)

// tryAssoc makes the next version; slot is where the key is, if known.
func (m *version) tryAssoc(e hashedEntry, slot int, known bool) (*version, leave) {
	m.fam.mu.Lock()
	defer m.fam.mu.Unlock()
	t := m.own(true)
	if !known {
		slot = t.find(e.key, e.hash)
	}
	if slot >= 0 && t.entries[slot].val == e.val {
		return m, stay
	}
	if t.outgrown(int(m.count)) {
		return nil, outgrown
	}
	t.changes++
	if slot >= 0 {
		old := t.entries[slot].val
		t.entries[slot].val = e.val
		return m.succeed(t, slot, changeVal, old, m.count), stay
	}
	if m.fam.seed == nil && t.collides(e.hash) && t.changes > int(m.count)/2 {
		return nil, attacked
	}
	t.checkRoom()
	slot = len(t.entries)
	t.put(slot, e)
	return m.succeed(t, slot, changeAbsent, Int(int64(e.hash)), m.count+1), stay
}

// succeed makes the version that owns the table from now on, and m a note.
func (m *version) succeed(t *table, slot int, change uint32, note Value, count uint32) *version {
	n := &version{fam: m.fam, tab: t, count: count}
	m.differ(n, slot, change, note)
	return n
}

func (m *version) differ(n *version, slot int, change uint32, note Value) {
	m.tab, m.next = nil, n
	m.change = uint32(slot)<<2 | change
	m.note = note
}

func (m *version) dissoc(key Value) *version {
	h := m.fam.hash(key)
	deep, slot := comparesDeep(key), -1
	if deep {
		slot = m.findDeep(key, h)
	}
	n, reason := m.tryDissoc(key, h, slot, deep)
	if reason == stay {
		return n
	}
	return m.fork(reason).dissoc(key)
}

func (m *version) tryDissoc(key Value, h uint32, slot int, known bool) (*version, leave) {
	m.fam.mu.Lock()
	defer m.fam.mu.Unlock()
	t := m.own(true)
	if !known {
		slot = t.find(key, h)
	}
	if slot < 0 {
		return m, stay
	}
	if t.outgrown(int(m.count)) {
		return nil, outgrown
	}
	t.changes++
	e := &hashedEntry{t.entries[slot], h}
	t.take(slot, h)
	return m.succeed(t, slot, changeEntry, entryNote(e), m.count-1), stay
}

// fork returns a version like m with a table, and a family, of its own, and
// without empty slots.
func (m *version) fork(reason leave) *version {
	es, hashes := m.snapshot()
	seed := m.fam.seed
	if reason == attacked {
		seed = newHashSeed()
		for i, e := range es {
			hashes[i] = seed.hash(e.key)
		}
	}
	n := newVersion(len(es), seed)
	for i, e := range es {
		n.tab.put(i, hashedEntry{e, hashes[i]})
	}
	n.count = uint32(len(es))
	return n
}

func (m *version) snapshot() ([]entry, []uint32) {
	m.fam.mu.Lock()
	defer m.fam.mu.Unlock()
	t := m.own(false)
	t.changes = 0 // so that versions which fork from one place do not pay each time
	hashes := t.hashes()
	es := make([]entry, 0, m.count)
	for i, e := range t.entries {
		if e.key != Undefined {
			hashes[len(es)] = hashes[i]
			es = append(es, e)
		}
	}
	return es, hashes[:len(es)]
}

// own makes m the owner of a table. The caller holds the lock; branch says that
// a new version is about to follow m.
func (m *version) own(branch bool) *table {
	if m.tab != nil {
		return m.tab
	}
	return m.ownSlow(branch)
}

// ownSlow moves the table to m, or, when that has cost more than a copy would
// and when two lines of versions part far from the table, gives m a copy.
func (m *version) ownSlow(branch bool) *table {
	var room [32]*version
	path := append(room[:0], m)
	top := m.next
	for ; top.tab == nil; top = top.next {
		path = append(path, top)
	}
	t := top.tab
	size := len(t.entries)
	if t.moved > 4*size+64 || branch && len(path) > 64+size/8 {
		t.moved = 0
		return m.copyTable(t, path)
	}
	t.moved += len(path)
	for i := len(path) - 1; i >= 0; i-- {
		v := path[i]
		slot, change, note := t.apply(v)
		top.differ(v, slot, change, note)
		v.tab, v.next, v.note = t, nil, Nil
		top = v
	}
	return t
}

// copyTable gives m a table of its own: slots stay the same, since older
// versions say how they differ from m in terms of slots.
func (m *version) copyTable(t *table, path []*version) *table {
	c := t.clone()
	for i := len(path) - 1; i >= 0; i-- {
		c.apply(path[i])
	}
	m.tab, m.next, m.note = c, nil, Nil
	return c
}

// set binds key in place, which needs no lock as long as nobody else has seen m.
func (m *version) set(key, x Value) {
	h := m.fam.hash(key)
	t := m.tab
	slot := -1
	if comparesDeep(key) {
		slot = m.findDeep(key, h)
	} else {
		slot = t.find(key, h)
	}
	if slot >= 0 {
		t.entries[slot].val = x
		return
	}
	if m.fam.seed == nil && t.collides(h) {
		*m = *m.fork(attacked)
		h, t = m.fam.hash(key), m.tab
	}
	t.checkRoom()
	t.put(len(t.entries), hashedEntry{entry{key, x}, h})
	m.count++
}

const walkChunk = 256

// each copies entries out in chunks, because what yield does may move the table
// to another version, and must not run under the lock.
func (m *version) each(yield func(k, x Value) bool) {
	buf := make([]entry, 0, min(int(m.count), walkChunk))
	for at := 0; at >= 0; {
		buf, at = m.chunk(buf[:0], at)
		for _, e := range buf {
			if !yield(e.key, e.val) {
				return
			}
		}
	}
}

// chunk appends entries from slot at on to buf, which it does not grow, and
// returns the slot to go on with, -1 at the end.
func (m *version) chunk(buf []entry, at int) ([]entry, int) {
	m.fam.mu.Lock()
	defer m.fam.mu.Unlock()
	t := m.own(false)
	for ; at < len(t.entries); at++ {
		if t.entries[at].key == Undefined {
			continue
		}
		if len(buf) == cap(buf) {
			return buf, at
		}
		buf = append(buf, t.entries[at])
	}
	return buf, -1
}

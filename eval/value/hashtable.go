package value

import "slices"

// table is an open-addressing hash table that remembers the order of insertion:
//
//	index    [ 0 | h,2 | 0 | h,1 | ... ]     hash (32 bits) and slot+1 (32), by hash
//	entries  [ k v ][ k v ][ empty ]         by slot; an empty one has the key Undefined
//
// The index is probed linearly and closes the gap when something is taken out,
// so it needs no tombstones. It doubles at three quarters.
type table struct {
	index   []uint64
	entries []entry
	changes int // since the table's birth, or since a version left it
	moved   int // notes applied to bring the table to other versions
}

func (t *table) reserve(n int) {
	if n <= 0 {
		return
	}
	size := 8
	for size*3/4 < n {
		size *= 2
	}
	t.index = make([]uint64, size)
	t.entries = make([]entry, 0, n)
}

func (t *table) clone() *table {
	return &table{
		index:   slices.Clone(t.index),
		entries: append(make([]entry, 0, cap(t.entries)), t.entries...),
		changes: len(t.entries), // it may have that many empty slots
	}
}

func packIndex(h uint32, slot int) uint64 { return uint64(h)<<32 | uint64(slot+1) }

// find returns the slot of key, which is not a collection, or -1.
func (t *table) find(key Value, h uint32) int {
	index := t.index
	if len(index) == 0 {
		return -1
	}
	mask := uint32(len(index) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		w := index[i]
		if w == 0 {
			return -1
		}
		if uint32(w>>32) != h {
			continue
		}
		slot := int(uint32(w)) - 1
		if k := t.entries[slot].key; k == key || Equal(k, key) {
			return slot
		}
	}
}

func (t *table) candidates(h uint32) (found []candidate) {
	if len(t.index) == 0 {
		return nil
	}
	mask := uint32(len(t.index) - 1)
	for i := h & mask; t.index[i] != 0; i = (i + 1) & mask {
		if w := t.index[i]; uint32(w>>32) == h {
			slot := int(uint32(w)) - 1
			found = append(found, candidate{t.entries[slot], slot})
		}
	}
	return found
}

// collides reports whether a new key with that hash would stand far from where
// it belongs.
func (t *table) collides(h uint32) bool {
	if len(t.index) < maxProbes {
		return false
	}
	mask := uint32(len(t.index) - 1)
	for i := uint32(0); i < maxProbes; i++ {
		if t.index[(h+i)&mask] == 0 {
			return false
		}
	}
	return true
}

// outgrown reports whether it is time to leave the table behind. The work of
// that is proportional to the changes before it.
func (t *table) outgrown(count int) bool {
	size := len(t.entries)
	return t.changes > chainFactor*size+maxChanges || size > 2*count+maxHoles && 2*t.changes >= size
}

func (t *table) checkRoom() {
	if len(t.entries) >= maxSlots {
		panic(&LimitError{"a hashmap of more than 1073741824 entries"})
	}
}

// put fills an empty slot, or the next one.
func (t *table) put(slot int, e hashedEntry) {
	if slot == len(t.entries) {
		if (slot+1)*4 > len(t.index)*3 {
			t.grow()
		}
		t.entries = append(t.entries, e.entry)
	} else {
		t.entries[slot] = e.entry
	}
	t.link(packIndex(e.hash, slot))
}

func (t *table) link(w uint64) {
	mask := uint32(len(t.index) - 1)
	i := uint32(w>>32) & mask
	for t.index[i] != 0 {
		i = (i + 1) & mask
	}
	t.index[i] = w
}

func (t *table) grow() {
	old := t.index
	size := max(8, len(old)*2)
	t.index = make([]uint64, size)
	for _, w := range old {
		if w != 0 {
			t.link(w)
		}
	}
	if room := size * 3 / 4; cap(t.entries) < room {
		t.entries = append(make([]entry, 0, room), t.entries...)
	}
}

// take empties a slot; the last one is given back.
func (t *table) take(slot int, h uint32) {
	t.unlink(packIndex(h, slot))
	t.entries[slot] = entry{Undefined, Undefined}
	if slot == len(t.entries)-1 {
		t.entries = t.entries[:slot]
	}
}

// unlink removes w and moves entries behind it up, as long as that brings them
// nearer to where they belong.
func (t *table) unlink(w uint64) {
	mask := uint32(len(t.index) - 1)
	gap := uint32(w>>32) & mask
	for t.index[gap] != w {
		gap = (gap + 1) & mask
	}
	for i := (gap + 1) & mask; t.index[i] != 0; i = (i + 1) & mask {
		home := uint32(t.index[i]>>32) & mask
		if (i-home)&mask >= (i-gap)&mask {
			t.index[gap] = t.index[i]
			gap = i
		}
	}
	t.index[gap] = 0
}

// hashes returns the hash of each slot's key.
func (t *table) hashes() []uint32 {
	hs := make([]uint32, len(t.entries))
	for _, w := range t.index {
		if w != 0 {
			hs[uint32(w)-1] = uint32(w >> 32)
		}
	}
	return hs
}

// apply brings the table from v.next's state to v's and returns the change that
// leads back.
func (t *table) apply(v *version) (slot int, change uint32, note Value) {
	slot = int(v.change >> 2)
	switch v.change & 3 {
	case changeVal:
		old := t.entries[slot].val
		t.entries[slot].val = v.note
		return slot, changeVal, old
	case changeAbsent:
		h := uint32(v.note.bits)
		e := &hashedEntry{t.entries[slot], h}
		t.take(slot, h)
		return slot, changeEntry, entryNote(e)
	default:
		e := (*hashedEntry)(v.note.ref)
		t.put(slot, *e)
		return slot, changeAbsent, Int(int64(e.hash))
	}
}

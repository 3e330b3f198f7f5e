package core

import (
	"github.com/gosema/gosema/eval/value"
)

// table numbers distinct values in the order they come, by structural
// equality: the set behind list/unique, frequencies and the like.
type table struct {
	heads map[uint32]int32 // by hash: the key that came last with it, plus one
	next  []int32          // by key: the one before it with that hash, likewise
	keys  []Value
}

func newTable() *table { return &table{heads: map[uint32]int32{}} }

// find returns the number of key, -1 if it was not added.
func (s *table) find(key Value) int { return s.lookup(key, value.Hash(key)) }

func (s *table) lookup(key Value, hash uint32) int {
	for i := s.heads[hash]; i > 0; i = s.next[i-1] {
		if value.Equal(s.keys[i-1], key) {
			return int(i - 1)
		}
	}
	return -1
}

// add returns the number of key and whether it is new.
func (s *table) add(key Value) (i int, isNew bool) {
	hash := value.Hash(key)
	if i = s.lookup(key, hash); i >= 0 {
		return i, false
	}
	s.keys = append(s.keys, key)
	s.next = append(s.next, s.heads[hash])
	s.heads[hash] = int32(len(s.keys))
	return len(s.keys) - 1, true
}

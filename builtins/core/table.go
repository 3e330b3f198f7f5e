package core

import (
	"github.com/gosema/gosema/eval/value"
)

// table numbers distinct values in the order they come, by structural
// equality: the set behind list/unique, frequencies and the like.
type table struct {
	buckets map[uint32][]int32
	keys    []Value
}

func newTable() *table { return &table{buckets: map[uint32][]int32{}} }

// find returns the number of key, -1 if it was not added.
func (s *table) find(key Value) int {
	for _, i := range s.buckets[value.Hash(key)] {
		if value.Equal(s.keys[i], key) {
			return int(i)
		}
	}
	return -1
}

// add returns the number of key and whether it is new.
func (s *table) add(key Value) (i int, isNew bool) {
	h := value.Hash(key)
	for _, i := range s.buckets[h] {
		if value.Equal(s.keys[i], key) {
			return int(i), false
		}
	}
	i = len(s.keys)
	s.keys = append(s.keys, key)
	s.buckets[h] = append(s.buckets[h], int32(i))
	return i, true
}

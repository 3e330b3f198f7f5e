package value

import (
	"fmt"
	"math/rand"
	"testing"
)

// benchKeys makes n keys in random order.
func benchKeys(kind string, n int) []Value {
	keys := make([]Value, n)
	for i, j := range rand.New(rand.NewSource(1)).Perm(n) {
		switch kind {
		case "int":
			keys[i] = Int(int64(j))
		case "keyword":
			keys[i] = Keyword(fmt.Sprintf("key-%d", j))
		default:
			keys[i] = String(fmt.Sprintf("key-%d", j))
		}
	}
	return keys
}

var benchMaps = map[string]Kind{"sorted": KindMap, "hash": KindHashMap}

func forMaps(b *testing.B, f func(b *testing.B, kind Kind, keys []Value)) {
	for _, n := range []int{5, 100, 1e5, 1e6} {
		for _, name := range []string{"sorted", "hash"} {
			for _, key := range []string{"keyword", "int", "string"} {
				b.Run(fmt.Sprintf("%s/%s/%d", name, key, n), func(b *testing.B) {
					f(b, benchMaps[name], benchKeys(key, n))
				})
			}
		}
	}
}

func buildMap(kind Kind, keys []Value) Value {
	b := NewMapBuilder(kind, 0)
	for i, k := range keys {
		b.Set(k, Int(int64(i)))
	}
	return b.Map()
}

func BenchmarkMapGet(b *testing.B) {
	forMaps(b, func(b *testing.B, kind Kind, keys []Value) {
		m := buildMap(kind, keys)
		b.ReportAllocs()
		b.ResetTimer()
		for i := 0; i < b.N; {
			for j := 0; j < len(keys) && i < b.N; i, j = i+1, j+1 {
				sink, _ = m.Get(keys[j])
			}
		}
	})
}

// BenchmarkMapUpdate binds existing keys anew, one version after the other.
func BenchmarkMapUpdate(b *testing.B) {
	forMaps(b, func(b *testing.B, kind Kind, keys []Value) {
		m := buildMap(kind, keys)
		b.ReportAllocs()
		b.ResetTimer()
		for i := 0; i < b.N; {
			for j := 0; j < len(keys) && i < b.N; i, j = i+1, j+1 {
				m = m.Assoc(keys[j], Int(int64(-1-i)))
			}
		}
		sink = m
	})
}

// BenchmarkMapGrow is the time an Assoc of a new key takes, averaged from the
// empty map on.
func BenchmarkMapGrow(b *testing.B) {
	forMaps(b, func(b *testing.B, kind Kind, keys []Value) {
		b.ReportAllocs()
		b.ResetTimer()
		for i := 0; i < b.N; {
			m := EmptyMap()
			if kind == KindHashMap {
				m = EmptyHashMap()
			}
			for j := 0; j < len(keys) && i < b.N; i, j = i+1, j+1 {
				m = m.Assoc(keys[j], Int(1))
			}
			sink = m
		}
	})
}

// BenchmarkMapBuild is the time a MapBuilder takes for one entry.
func BenchmarkMapBuild(b *testing.B) {
	forMaps(b, func(b *testing.B, kind Kind, keys []Value) {
		b.ReportAllocs()
		b.ResetTimer()
		for i := 0; i < b.N; i += len(keys) {
			sink = buildMap(kind, keys[:min(len(keys), b.N-i)])
		}
	})
}

// BenchmarkMapDissoc removes keys until few are left.
func BenchmarkMapDissoc(b *testing.B) {
	forMaps(b, func(b *testing.B, kind Kind, keys []Value) {
		full := buildMap(kind, keys)
		m := full
		b.ReportAllocs()
		b.ResetTimer()
		for i := 0; i < b.N; m = full {
			for j := 0; j < len(keys) && i < b.N; i, j = i+1, j+1 {
				m = m.Dissoc(keys[j])
			}
		}
		sink = m
	})
}

func BenchmarkMapWalk(b *testing.B) {
	forMaps(b, func(b *testing.B, kind Kind, keys []Value) {
		m := buildMap(kind, keys)
		b.ReportAllocs()
		b.ResetTimer()
		for i := 0; i < b.N; i += len(keys) {
			for _, x := range m.Entries() {
				sink = x
			}
		}
	})
}

// BenchmarkMapInts is the prototype's program: 1e6 inserts of ascending ints,
// then as many updates that read the old value.
func BenchmarkMapInts(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		m := EmptyHashMap()
		for i := int64(0); i < 1e6; i++ {
			m = m.Assoc(Int(i), Int(i))
		}
		for i := int64(0); i < 1e6; i++ {
			x, _ := m.Get(Int(i))
			x, _ = Add(x, Int(1))
			m = m.Assoc(Int(i), x)
		}
		sink = m
	}
}

// BenchmarkHashVersions measures programs that go back to old versions.
func BenchmarkHashVersions(b *testing.B) {
	const n = 100000
	base := buildMap(KindHashMap, benchKeys("int", n))
	b.Run("what-if", func(b *testing.B) { // change, look, drop the change
		for i := range b.N {
			k := Int(int64(i % n))
			sink, _ = base.Assoc(k, Nil).Get(k)
			sink, _ = base.Get(k)
		}
	})
	b.Run("history", func(b *testing.B) { // keep every version, then read them all
		versions := []Value{base}
		for i := range b.N {
			versions = append(versions, versions[i].Assoc(Int(int64(i%n)), Nil))
		}
		for i, m := range versions {
			sink, _ = m.Get(Int(int64(i % n)))
		}
	})
	b.Run("fork", func(b *testing.B) { // many maps from one, ten changes each, used in turn
		forks := make([]Value, 100)
		for i := range forks {
			forks[i] = base
		}
		for i := range b.N {
			f := &forks[i%100]
			*f = f.Assoc(Int(int64(i*7919%n)), Int(int64(i)))
		}
	})
}

var sink Value

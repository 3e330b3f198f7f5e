package value

import (
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHashMapAsItsOwnKey(t *testing.T) {
	m := EmptyHashMap()
	var all []Value
	for i := range 10 {
		all = append(all, m)
		m = m.Assoc(m, Int(int64(i)))
	}
	for i, k := range all {
		x, ok := m.Get(k)
		require.True(t, ok)
		require.Equal(t, Int(int64(i)), x)
	}
	require.True(t, Equal(m, m.Assoc(Int(1), Int(1)).Dissoc(Int(1))))
}

func TestEntriesSurviveCallbacks(t *testing.T) {
	m := EmptyHashMap()
	for i := range 2000 {
		m = m.Assoc(Int(int64(i)), Int(int64(i)))
	}
	newer, seen := m, 0
	for k, x := range m.Entries() {
		require.Equal(t, k, x)
		newer = newer.Dissoc(k).Assoc(List(k), Nil)
		old, _ := m.Get(k)
		require.Equal(t, x, old)
		seen++
	}
	require.Equal(t, 2000, seen)
	require.Equal(t, 2000, newer.Len())
	for range m.Entries() {
		break
	}
}

func TestHashMapGivesEmptySlotsBack(t *testing.T) {
	m := buildMap(KindHashMap, benchKeys("int", 10000))
	for i := range 9990 {
		m = m.Dissoc(Int(int64(i)))
	}
	require.Less(t, len((*version)(m.ref).own(false).entries), 40)
	for i := range 100000 { // a queue
		m = m.Assoc(Int(int64(i+10000)), Nil).Dissoc(Int(int64(i + 9990)))
	}
	require.Equal(t, 10, m.Len())
	tab := (*version)(m.ref).own(false)
	require.Less(t, len(tab.entries), 100)
	require.Less(t, len(tab.index), 1024)
}

func TestHashMapChainsAreBounded(t *testing.T) {
	old := EmptyHashMap().Assoc(Int(1), Int(0))
	m := old
	for i := range 100000 {
		m = m.Assoc(Int(1), Int(int64(i)))
	}
	steps := 0
	for v := (*version)(old.ref); v.next != nil; v = v.next {
		steps++
	}
	require.LessOrEqual(t, steps, maxChanges+2*chainFactor)
	x, _ := old.Get(Int(1))
	require.Equal(t, Int(0), x)
}

func TestDistantVersionsPart(t *testing.T) {
	base := buildMap(KindHashMap, benchKeys("int", 1000))
	far := base
	for i := range 500 {
		far = far.Assoc(Int(int64(i)), Nil)
	}
	for range 20 {
		x, _ := base.Get(Int(7))
		require.NotEqual(t, Nil, x)
		x, _ = far.Get(Int(7))
		require.Equal(t, Nil, x)
	}
	require.NotNil(t, (*version)(base.ref).tab)
	require.NotNil(t, (*version)(far.ref).tab)
}

func colliding(n int) []Value {
	keys := make([]Value, n)
	for i := range keys {
		keys[i] = Int(int64(i) << 44)
	}
	return keys
}

func TestCollidingKeys(t *testing.T) {
	keys := colliding(20000)
	m := EmptyHashMap()
	for i, k := range keys {
		m = m.Assoc(k, Int(int64(i)))
	}
	b := buildMap(KindHashMap, keys)
	for _, m := range []Value{m, b} {
		require.NotNil(t, (*version)(m.ref).fam.seed, "a random hash is in use")
		for i, k := range keys {
			x, ok := m.Get(k)
			require.True(t, ok && x == Int(int64(i)))
		}
		i := 0
		for k := range m.Entries() {
			require.Equal(t, keys[i], k)
			i++
		}
		for i := range 100 {
			m = m.Assoc(testKey(i), Int(-1))
			x, ok := m.Get(testKey(i))
			require.True(t, ok && x == Int(-1))
		}
		x, _ := m.Assoc(Float(0), Int(5)).Get(Float(math.Copysign(0, -1)))
		require.Equal(t, Int(5), x)
	}
}

func TestHashMapReadersBesideWriter(t *testing.T) {
	const n = 300
	newest := atomic.Pointer[Value]{}
	first := buildMap(KindHashMap, benchKeys("int", n))
	newest.Store(&first)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() { readUntil(t, stop, first, &newest, g) })
	}
	m := first
	for i := range 3000 {
		m = m.Assoc(Int(int64(i%n)), Int(-1)).Assoc(List(Int(int64(i%50))), Int(int64(i)))
		if i%3 == 0 {
			m = m.Dissoc(List(Int(int64(i % 50))))
		}
		published := m
		newest.Store(&published)
	}
	close(stop)
	wg.Wait()
}

func readUntil(t *testing.T, stop chan struct{}, first Value, newest *atomic.Pointer[Value], g int) {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		k := Int(int64((i + g*70) % 300))
		if x, ok := first.Get(k); !ok || x == Int(-1) {
			t.Error("an old version has changed")
		}
		m := *newest.Load()
		if _, ok := m.Get(k); !ok {
			t.Error("a key is missing")
		}
		if i%20 == 0 {
			count := 0
			for range m.Entries() {
				count++
			}
			if count != m.Len() {
				t.Error("a walk missed something")
			}
		}
	}
}

package value

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// mapModel is a map as plainly as can be: entries in the order of insertion, and
// where each key is. Keys of the tests are told apart by kind and text.
type mapModel struct {
	entries []entry
	where   map[string]int
}

func modelKey(k Value) string { return k.Kind().String() + " " + Write(k) }

func (m mapModel) clone() mapModel {
	c := mapModel{slices.Clone(m.entries), map[string]int{}}
	for k, i := range m.where {
		c.where[k] = i
	}
	return c
}

func (m mapModel) assoc(k, x Value) mapModel {
	m = m.clone()
	if i, ok := m.where[modelKey(k)]; ok {
		m.entries[i].val = x
		return m
	}
	m.where[modelKey(k)] = len(m.entries)
	m.entries = append(m.entries, entry{k, x})
	return m
}

func (m mapModel) dissoc(k Value) mapModel {
	c := mapModel{where: map[string]int{}}
	for _, e := range m.entries {
		if modelKey(e.key) != modelKey(k) {
			c.where[modelKey(e.key)] = len(c.entries)
			c.entries = append(c.entries, e)
		}
	}
	return c
}

func (m mapModel) inOrder(kind Kind) []entry {
	es := slices.Clone(m.entries)
	if kind == KindMap {
		slices.SortFunc(es, func(a, b entry) int { return Compare(a.key, b.key) })
	}
	return es
}

// testKey makes one of n keys of mixed kinds, each time a new object.
func testKey(i int) Value {
	n := Int(int64(i / 10))
	switch i % 10 {
	case 0:
		return n
	case 1:
		return Float(float64(i / 10))
	case 2:
		return String(fmt.Sprintf("s%d", i/10))
	case 3:
		return Keyword(fmt.Sprintf("long-keyword-%d", i/10))
	case 4:
		return Symbol(fmt.Sprintf("s%d", i/10))
	case 5:
		return List(n, List(Float(1), String("x")))
	case 6:
		return Vector([]Value{n, Nil})
	case 7:
		return EmptyHashMap().Assoc(n, List(n))
	case 8:
		return Big(new(big.Int).Lsh(big.NewInt(int64(i+1)), 70))
	}
	return Map(Keyword("a"), n)
}

func requireModel(t *testing.T, kind Kind, want mapModel, got Value) {
	t.Helper()
	require.Equal(t, kind, got.Kind())
	require.Equal(t, len(want.entries), got.Len())
	var es []entry
	for k, x := range got.Entries() {
		es = append(es, entry{k, x})
	}
	for i, e := range want.inOrder(kind) {
		require.True(t, i < len(es) && Equal(e.key, es[i].key), "entry %d: %s in %s", i, e.key, got)
		require.Equal(t, e.val, es[i].val)
	}
	require.Len(t, es, len(want.entries))
	if kind == KindMap {
		checkTree(t, got)
	}
}

// checkTree checks the invariants of a large sorted map.
func checkTree(t *testing.T, v Value) {
	hd := (*sortedMap)(v.force().ref)
	require.Equal(t, hd.len() <= smallMax, hd.isSmall())
	if !hd.isSmall() {
		checkNode(t, hd.ref, hd.height(), Undefined, Undefined, true)
	}
}

func checkNode(t *testing.T, p unsafe.Pointer, height int, low, high Value, last bool) {
	require.True(t, last || fill(p, height) >= minFill, "only the last node of a level may be thin")
	require.Positive(t, fill(p, height))
	if height == 0 {
		l := (*leaf)(p)
		for _, k := range l.keys[:l.n] {
			require.True(t, low == Undefined || Compare(low, k) <= 0)
			require.True(t, high == Undefined || Compare(k, high) < 0)
		}
		for i := l.n; i < fanout; i++ {
			require.Equal(t, entry{}, entry{l.keys[i], l.items[i]}, "what is cut off must be cleared")
		}
		return
	}
	in := (*inner)(p)
	for i, kid := range in.items[:in.n] {
		kidLow, kidHigh := low, high
		if i > 0 {
			kidLow = in.keys[i]
		}
		if i+1 < in.n {
			kidHigh = in.keys[i+1]
		}
		checkNode(t, kid, height-1, kidLow, kidHigh, last && i+1 == in.n)
	}
}

func emptyOf(kind Kind) Value {
	if kind == KindHashMap {
		return EmptyHashMap()
	}
	return EmptyMap()
}

// Random operations on random versions, most of them on the newest one, must
// leave every version as its model says.
func TestMapsAgreeWithModel(t *testing.T) {
	for _, kind := range []Kind{KindMap, KindHashMap} {
		for _, keys := range []int{12, 40, 400} {
			t.Run(fmt.Sprint(kind, keys), func(t *testing.T) {
				rnd := rand.New(rand.NewSource(int64(keys)))
				maps, models := []Value{emptyOf(kind)}, []mapModel{{}}
				for i := 0; i < 3000; i++ {
					at := len(maps) - 1
					if rnd.Intn(4) == 0 {
						at = rnd.Intn(len(maps))
					}
					m, want, k, x := maps[at], models[at], testKey(rnd.Intn(keys)), Int(int64(rnd.Intn(1000)))
					switch grow := i/500%2 == 0; {
					case rnd.Intn(10) == 0:
						got, ok := m.Get(k)
						j, has := want.where[modelKey(k)]
						require.Equal(t, has, ok)
						require.True(t, !has || want.entries[j].val == got)
						continue
					case grow == (rnd.Intn(5) > 0):
						m, want = m.Assoc(k, x), want.assoc(k, x)
					default:
						m, want = m.Dissoc(k), want.dissoc(k)
					}
					maps, models = append(maps, m), append(models, want)
				}
				for _, i := range rnd.Perm(len(maps))[:600] {
					requireModel(t, kind, models[i], maps[i])
				}
			})
		}
	}
}

// Growing and shrinking through the sizes where nodes, levels and tables change.
func TestMapSizes(t *testing.T) {
	for _, kind := range []Kind{KindMap, KindHashMap} {
		for _, order := range []string{"up", "down", "random"} {
			for _, n := range []int{0, 1, 15, 16, 17, 224, 225, 226, 255, 256, 257, 4000} {
				keys := rand.New(rand.NewSource(int64(n))).Perm(n)
				if order != "random" {
					slices.Sort(keys)
				}
				if order == "down" {
					slices.Reverse(keys)
				}
				requireSize(t, kind, keys)
			}
		}
	}
}

func requireSize(t *testing.T, kind Kind, keys []int) {
	m, b, edited := emptyOf(kind), NewMapBuilder(kind, len(keys)/2), EditMap(emptyOf(kind))
	for i, k := range keys {
		key, x := Int(int64(k)), Int(int64(i))
		m = m.Assoc(key, x)
		b.Set(key, Nil)
		b.Set(key, x)
		edited.Set(key, x)
		got, ok := b.Get(key)
		require.True(t, ok && got == x)
	}
	want := mapModel{}
	for i, k := range keys {
		want.entries = append(want.entries, entry{Int(int64(k)), Int(int64(i))})
	}
	for _, m := range []Value{m, b.Map(), edited.Map()} {
		requireModel(t, kind, want, m)
	}
	for i, k := range keys {
		_, ok := m.Get(Int(int64(k)))
		require.True(t, ok)
		m = m.Dissoc(Int(int64(k)))
		require.Equal(t, len(keys)-i-1, m.Len())
		if i%37 == 0 {
			requireModel(t, kind, mapModel{entries: want.entries[i+1:]}, m)
		}
	}
}

func TestAssocOfTheSameIsTheSame(t *testing.T) {
	for _, kind := range []Kind{KindMap, KindHashMap} {
		m := emptyOf(kind)
		for i := range 300 {
			m = m.Assoc(testKey(i), Int(1))
			require.Equal(t, m, m.Assoc(testKey(i), Int(1)))
			require.Equal(t, m, m.Dissoc(String("absent")))
			require.Equal(t, m, m.Dissoc(List(String("absent"))))
		}
	}
}

func TestZeroKeysAreOne(t *testing.T) {
	for _, kind := range []Kind{KindMap, KindHashMap} {
		m := emptyOf(kind).Assoc(Float(0), Int(1)).Assoc(Float(math.Copysign(0, -1)), Int(2)).Assoc(Float(math.NaN()), Int(3))
		require.Equal(t, 2, m.Len())
		x, _ := m.Get(Float(math.NaN()))
		require.Equal(t, Int(3), x)
		x, _ = m.Get(Float(0))
		require.Equal(t, Int(2), x)
	}
}

func TestBuilderGoesOnAfterMap(t *testing.T) {
	for _, kind := range []Kind{KindMap, KindHashMap} {
		for _, n := range []int{3, 40} {
			b := NewMapBuilder(kind, 0)
			for i := range n {
				b.Set(Int(int64(i)), Nil)
			}
			first := b.Map()
			text := first.String()
			b.Set(Int(0), True)
			b.Set(Int(-1), True)
			require.Equal(t, text, first.String())
			require.Equal(t, n+1, b.Map().Len())

			edit := EditMap(first)
			edit.Set(Int(0), False)
			edit.Set(Int(99), False)
			require.Equal(t, text, first.String())
			require.Equal(t, n+1, edit.Map().Len())
		}
	}
}

func TestShape(t *testing.T) {
	a, b := Keyword("a"), Keyword("b")
	s := NewShape([]Value{b, a, b})
	require.Equal(t, 2, s.Len())
	require.Equal(t, []int{1, 0, 1}, s.Order())
	m, m2 := s.Map([]Value{Int(1), Int(2)}), s.Map([]Value{Int(3), Int(4)})
	require.Equal(t, "{:a 1 :b 2}", m.String())
	var c KeyCache
	for _, want := range []struct{ m, x Value }{{m, Int(2)}, {m2, Int(4)}, {Map(b, Int(5)), Int(5)}, {m, Int(2)}} {
		x, ok := want.m.GetCached(b, &c)
		require.True(t, ok)
		require.Equal(t, want.x, x)
	}
	_, ok := EmptyMap().GetCached(b, &c)
	require.False(t, ok)
	_, ok = EmptyHashMap().GetCached(b, &c)
	require.False(t, ok)
	require.Equal(t, "{:a 1 :b 9}", m.Assoc(b, Int(9)).String())
	require.Equal(t, "{:a 1 :b 2}", m.String())

	var keys, vals []Value
	for i := range 40 {
		keys, vals = append(keys, Int(int64(40-i))), append(vals, Int(int64(i)))
	}
	x, _ := NewShape(keys).Map(vals).Get(Int(1))
	require.Equal(t, Int(0), x)
}

func nest(depth int) Value {
	v := Empty
	for range depth {
		v = List(v)
	}
	return v
}

// A key that is too deep panics, and the map is as good as before.
func TestDeepKeysDoNoHarm(t *testing.T) {
	for _, kind := range []Kind{KindMap, KindHashMap} {
		for _, size := range []int{3, 100} {
			m, b := emptyOf(kind), NewMapBuilder(kind, 0)
			m = m.Assoc(nest(MaxDepth-2), Int(0))
			for i := range size {
				m = m.Assoc(nest(i), Int(int64(i)))
				b.Set(nest(i), Int(int64(i)))
			}
			deep := nest(MaxDepth + 10)
			if kind == KindMap { // Compare only descends as far as both do
				m = m.Assoc(deep, Int(0))
			}
			for _, f := range []func(){
				func() { m.Get(nest(MaxDepth + 10)) }, func() { m.Assoc(nest(MaxDepth+10), Nil) }, func() { m.Dissoc(nest(MaxDepth + 10)) },
			} {
				require.PanicsWithError(t, (&DepthError{}).Error(), f)
			}
			if kind == KindHashMap {
				require.Panics(t, func() { b.Set(deep, Nil) })
			}
			b.Set(Int(1), Int(1))
			require.Equal(t, size+1, b.Map().Len())
			x, ok := m.Assoc(Int(7), Int(8)).Get(Int(7))
			require.True(t, ok && x == Int(8))
			x, ok = m.Get(nest(2))
			require.True(t, ok && x == Int(2))
		}
	}
}

// A hash map may be a key of its own newer version.
// After much has been removed a walk must not step over what was there.
// An old version that is kept must not keep every later one alive.
// Versions that lie far apart and are used in turn get a table each.
// colliding returns n ints that only differ in their upper bits, and so share
// the lower bits of their hashes.
// testLazy counts how often its entries are made, and fails before that.
type testLazy struct {
	made atomic.Int32
	fail bool
}

func (l *testLazy) LazyGet(k Value) (Value, bool) { return Int(1), k == Keyword("a") }

func (l *testLazy) LazyAll() Value {
	if l.fail {
		panic("later")
	}
	l.made.Add(1)
	return Map(Keyword("a"), Int(1), Keyword("b"), Int(2))
}

func TestLazyMap(t *testing.T) {
	src := &testLazy{fail: true}
	l, b := NewLazyMap(src), Keyword("b")
	x, ok := l.Get(Keyword("a"))
	require.True(t, ok && x == Int(1))
	require.Panics(t, func() { l.Len() })
	src.fail = false
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			x, ok := l.Get(b)
			if !ok || x != Int(2) || l.Len() != 2 || l.String() != "{:a 1 :b 2}" {
				t.Error("lazy map differs")
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, src.made.Load())
	require.Equal(t, "{:a 1}", l.Dissoc(b).String())
	require.Equal(t, "{:a 1 :b 2}", EditMap(l).Map().String())
	_, ok = l.Get(Keyword("c"))
	require.False(t, ok)
	got, ok := Lazy(l)
	require.True(t, ok && got == src)
	_, ok = Lazy(EmptyMap())
	require.False(t, ok)
}

// Readers of old and new versions run beside one writer.

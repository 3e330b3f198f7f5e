package value

import (
	"math"
	"math/big"
	"math/rand"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestSizeIsTwoWords(t *testing.T) {
	require.EqualValues(t, 16, unsafe.Sizeof(Value{}))
	require.EqualValues(t, 32, unsafe.Sizeof(ClosureHeader{}))
}

func TestNamesAreInterned(t *testing.T) {
	a, b := Symbol("abc"), Symbol(string([]byte{'a', 'b', 'c'}))
	require.True(t, Same(a, b))
	require.False(t, Same(a, Keyword("abc")))
	n, ok := a.SymbolName()
	require.True(t, ok)
	require.Equal(t, "abc", n)
	require.Equal(t, -1, Compare(Symbol("abcdefghi"), Symbol("abcdefghj")))
	require.Equal(t, 1, Compare(Symbol("abcdefghj"), Symbol("abcdefghi")))
}

// The model of a list is a Go slice: every operation on lists of random
// shapes, sharing tails, must agree with it.
func TestListsAgreeWithSlices(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	var h Heap
	lists := []Value{Empty}
	models := [][]int64{nil}
	for i := 0; i < 20000; i++ {
		k := rnd.Intn(len(lists))
		if rnd.Intn(3) > 0 {
			k = len(lists) - 1
		}
		l, m := lists[k], models[k]
		x := int64(i)
		switch rnd.Intn(8) {
		case 0:
			if len(m) > 0 {
				n := rnd.Intn(len(m) + 1)
				l, m = l.Drop(n), m[n:]
			}
		case 1:
			l, m = h.Prepend([]Value{Int(x), Int(x + 1)}, l), append([]int64{x, x + 1}, m...)
		case 2:
			l, m = Cons(Int(x), l), append([]int64{x}, m...)
		default:
			l, m = h.Cons(Int(x), l), append([]int64{x}, m...)
		}
		lists, models = append(lists, l), append(models, m)
	}
	for i, l := range lists {
		if rnd.Intn(20) > 0 {
			continue
		}
		m := models[i]
		require.Equal(t, len(m), l.Len())
		j := 0
		for x := range l.Elems() {
			require.Equal(t, Int(m[j]), x)
			j++
		}
		require.Equal(t, len(m), j)
		for k := 0; k < 10 && len(m) > 0; k++ {
			n := rnd.Intn(len(m))
			require.Equal(t, Int(m[n]), l.Nth(n))
		}
	}
}

func TestLongLists(t *testing.T) {
	xs := make([]Value, 20000)
	for i := range xs {
		xs[i] = Int(int64(i))
	}
	l := List(xs...)
	require.Equal(t, 20000, l.Len())
	require.Equal(t, Int(19999), l.Nth(19999))
	require.Equal(t, xs, l.Slice())
	require.Equal(t, Empty, l.Drop(20000))
	require.Equal(t, Empty, l.Drop(99999))
}

func TestAppendKeepsOldStrings(t *testing.T) {
	var h Heap
	s, want := String(""), ""
	var olds []Value
	var wants []string
	for i := 0; i < 500; i++ {
		piece := string(rune('a' + i%26))
		if i%50 == 7 {
			piece = "é"
		}
		s, want = h.Append(s, String(piece)), want+piece
		olds, wants = append(olds, s), append(wants, want)
		if i%10 == 3 { // a sibling of a growable string must not overwrite it
			_ = h.Append(olds[i/2], String("XXXXXXXX"))
		}
	}
	for i := range olds {
		got, _ := olds[i].AsString()
		require.Equal(t, wants[i], got)
		require.Equal(t, len([]rune(wants[i])), olds[i].Len())
	}
}

func TestSubstring(t *testing.T) {
	s := String("héllo wörld, and a tail that is longer than thirty-two bytes")
	for _, c := range []struct {
		from, to int
		want     string
	}{{0, 0, ""}, {0, 5, "héllo"}, {1, 2, "é"}, {6, 11, "wörld"}, {s.Len(), s.Len(), ""}, {2, 50, string([]rune("héllo wörld, and a tail that is longer than thirty-two bytes")[2:50])}} {
		got, _ := s.Substring(c.from, c.to).AsString()
		require.Equal(t, c.want, got)
	}
	require.Equal(t, 'é', s.RuneAt(1))
	require.Equal(t, 'w', s.RuneAt(6))
}

func TestArithmeticPromotes(t *testing.T) {
	max, min := Int(math.MaxInt64), Int(math.MinInt64)
	for _, c := range []struct {
		f    func(a, b Value) (Value, bool)
		a, b Value
		want string
	}{
		{Add, max, Int(1), "9223372036854775808"}, {Sub, min, Int(1), "-9223372036854775809"},
		{Mul, min, Int(-1), "9223372036854775808"}, {Mul, max, max, "85070591730234615847396907784232501249"},
		{Add, Int(1), Float(0.5), "1.5"}, {Sub, Big(new(big.Int).Lsh(big.NewInt(1), 64)), Big(new(big.Int).Lsh(big.NewInt(1), 64)), "0"},
		{Add, Rational(big.NewRat(1, 3)), Rational(big.NewRat(2, 3)), "1"},
	} {
		got, ok := c.f(c.a, c.b)
		require.True(t, ok)
		require.Equal(t, c.want, got.String())
	}
	_, ok := Add(Int(1), String("a"))
	require.False(t, ok)
	q, _, _ := Div(Int(6), Int(4))
	require.Equal(t, "3/2", q.String())
	_, _, err := Div(Int(1), Int(0))
	require.ErrorIs(t, err, ErrDivisionByZero)
}

func TestCompareNumbersIsExact(t *testing.T) {
	big53 := Int(1<<53 + 1)
	o, _ := CompareNumbers(big53, Float(1<<53))
	require.Equal(t, 1, o)
	o, _ = CompareNumbers(Float(1<<53), big53)
	require.Equal(t, -1, o)
	o, _ = CompareNumbers(Float(math.NaN()), Int(1))
	require.Equal(t, 2, o)
	o, _ = CompareNumbers(Float(math.Inf(-1)), Int(math.MinInt64))
	require.Equal(t, -1, o)
}

func TestEqualAndHashAgree(t *testing.T) {
	pairs := [][2]Value{
		{String("a"), String(string([]byte("a")))},
		{List(Int(1), Vector([]Value{Int(2)})), List(Int(1), Vector([]Value{Int(2)}))},
		{Map(Keyword("a"), Int(1)), Map(Keyword("a"), Int(1))},
		{Float(0), Float(math.Copysign(0, -1))},
		{Bytes([]byte{1}), Bytes([]byte{1})},
	}
	for _, p := range pairs {
		require.True(t, Equal(p[0], p[1]), "%s", p[0])
		require.Equal(t, Hash(p[0]), Hash(p[1]), "%s", p[0])
	}
	require.False(t, Equal(Int(1), Float(1)))
	require.False(t, Equal(List(Int(1)), Vector([]Value{Int(1)})))
	require.False(t, Equal(Nil, Empty))
}

func TestDeepDataPanicsWithDepthError(t *testing.T) {
	deep := Empty
	for i := 0; i < 1_000_000; i++ {
		deep = List(deep)
	}
	other := List(deep.First())
	for name, f := range map[string]func(){
		"write": func() { Write(deep) }, "equal": func() { Equal(deep, List(other)) },
		"hash": func() { Hash(deep) }, "compare": func() { Compare(deep, List(other)) },
	} {
		require.PanicsWithError(t, (&DepthError{}).Error(), f, name)
	}
	require.Contains(t, deep.String(), "((((")
}

func TestWrite(t *testing.T) {
	for want, v := range map[string]Value{
		`"a\n\"\\\x1b;é"`: String("a\n\"\\\x1bé"), "1.0": Float(1), "inf": Float(math.Inf(1)), "NaN": Float(math.NaN()),
		`(1 #\a #\space)`: List(Int(1), Char('a'), Char(' ')), "{:a nil}": Map(Keyword("a"), Nil),
		"#u8(1 255)": Bytes([]byte{1, 255}), "0.0000001": Float(1e-7), "1/3": Rational(big.NewRat(1, 3)),
	} {
		require.Equal(t, want, Write(v))
	}
}

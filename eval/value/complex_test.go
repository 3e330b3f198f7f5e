package value

import (
	"encoding/json"
	"math"
	"math/big"
	"math/cmplx"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

func ratio(a, b int64) Value { return Rational(big.NewRat(a, b)) }

// randomExact makes an exact number, complex or not, with small parts.
func randomExact(rnd *rand.Rand) Value {
	part := func() Value { return ratio(int64(rnd.Intn(9)-4), int64(rnd.Intn(3)+1)) }
	if rnd.Intn(3) == 0 {
		return part()
	}
	return Complex(part(), part())
}

// applied is for operands that are numbers.
func applied(t *testing.T, op func(a, b Value) (Value, bool), a, b Value) Value {
	v, ok := op(a, b)
	require.True(t, ok)
	return v
}

// TestExactNumbersAreAField: the laws hold of exact numbers of all types.
func TestExactNumbersAreAField(t *testing.T) {
	rnd := rand.New(rand.NewSource(3))
	for range 5000 {
		a, b, c := randomExact(rnd), randomExact(rnd), randomExact(rnd)
		sum, product := applied(t, Add, a, b), applied(t, Mul, a, b)
		require.True(t, sum.IsExact() && product.IsExact())
		require.True(t, Equal(sum, applied(t, Add, b, a)))
		require.True(t, Equal(product, applied(t, Mul, b, a)))
		require.True(t, Equal(a, applied(t, Sub, sum, b)))
		require.True(t, Equal(applied(t, Mul, applied(t, Add, a, b), c), applied(t, Add, applied(t, Mul, a, c), applied(t, Mul, b, c))))
		minus, _ := Neg(a)
		require.Equal(t, Int(0), applied(t, Add, a, minus))
		quotient, ok, err := Div(product, b)
		require.True(t, ok)
		if b == Int(0) {
			require.ErrorIs(t, err, ErrDivisionByZero)
			continue
		}
		require.True(t, Equal(a, quotient), "%v * %v / %v is %v", a, b, b, quotient)
	}
}

func TestInexactArithmeticAgreesWithGo(t *testing.T) {
	rnd := rand.New(rand.NewSource(4))
	for range 2000 {
		x, y := complex(rnd.NormFloat64(), rnd.NormFloat64()), complex(rnd.NormFloat64(), rnd.NormFloat64())
		a, b := fromComplex(x), fromComplex(y)
		quotient, _, _ := Div(a, b)
		for _, c := range []struct {
			want complex128
			got  Value
		}{{x + y, applied(t, Add, a, b)}, {x - y, applied(t, Sub, a, b)}, {x * y, applied(t, Mul, a, b)}, {x / y, quotient}} {
			got, _ := c.got.ToComplex()
			require.InDelta(t, 0, cmplx.Abs(got-c.want), 1e-14*cmplx.Abs(c.want)+1e-15)
			require.False(t, c.got.IsExact())
		}
	}
}

func TestPartsOfComplexNumbers(t *testing.T) {
	require.Equal(t, Int(3), Complex(Int(3), Int(0)), "an exact zero makes it real")
	z := Complex(Int(3), Float(0))
	require.Equal(t, KindComplex, z.Kind())
	require.True(t, z.IsNumber() && z.IsComplex() && !z.IsReal() && !z.IsExact() && !z.IsRational() && !z.IsInteger())
	re, im, ok := Int(5).AsComplex()
	require.True(t, ok && re == Int(5) && im == Int(0))
	_, _, ok = Nil.AsComplex()
	require.False(t, ok)
	require.Panics(t, func() { Complex(z, Int(1)) })
	require.Panics(t, func() { Complex(Int(1), Nil) })
	_, ok = z.ToFloat()
	require.False(t, ok)
	_, ok = CompareNumbers(z, Int(1))
	require.False(t, ok)
	for _, op := range []func(a, b Value) (Value, bool){Add, Sub, Mul} {
		_, ok = op(z, Nil)
		require.False(t, ok)
		_, ok = op(String("a"), z)
		require.False(t, ok)
	}
	_, ok, err := Div(z, Nil)
	require.False(t, ok)
	require.NoError(t, err)
	_, ok = Neg(Nil)
	require.False(t, ok)
}

func TestExactness(t *testing.T) {
	for _, c := range []struct{ in, exact, inexact string }{
		{"3+4i", "3+4i", "3.0+4.0i"},
		{"1/2-0.25i", "1/2-1/4i", "0.5-0.25i"},
		{"3+0.0i", "3", "3.0+0.0i"},
		{"0.5", "1/2", "0.5"},
		{"7", "7", "7.0"},
	} {
		v := map[string]Value{
			"3+4i": Complex(Int(3), Int(4)), "1/2-0.25i": Complex(ratio(1, 2), Float(-0.25)), "3+0.0i": Complex(Int(3), Float(0)),
			"0.5": Float(0.5), "7": Int(7),
		}[c.in]
		require.Equal(t, c.in, Write(v))
		exact, ok := v.AsExact()
		require.True(t, ok)
		require.Equal(t, c.exact, Write(exact))
		inexact, ok := v.Inexact()
		require.True(t, ok)
		require.Equal(t, c.inexact, Write(inexact))
	}
	for _, v := range []Value{Float(math.NaN()), Float(math.Inf(1)), Complex(Int(1), Float(math.Inf(-1))), Nil} {
		_, ok := v.AsExact()
		require.False(t, ok, "%v", v)
	}
	_, ok := Nil.Inexact()
	require.False(t, ok)
}

// TestComplexNumbersAreKeys: equality, hash and order agree.
func TestComplexNumbersAreKeys(t *testing.T) {
	zero := math.Copysign(0, -1)
	numbers := []Value{
		Int(3), Float(3), Complex(Int(3), Float(0)), Complex(Int(3), Int(4)), Complex(Float(3), Int(4)), Complex(Int(3), Float(4)),
		Complex(Float(3), Float(4)), Complex(Int(4), Int(3)), Complex(ratio(1, 2), Int(4)), Complex(Int(3), Big(new(big.Int).Lsh(big.NewInt(1), 70))),
		Complex(Float(0), Float(math.NaN())),
	}
	table := EmptyHashMap()
	for i, a := range numbers {
		table = table.Assoc(a, Int(int64(i)))
		for j, b := range numbers {
			require.Equal(t, i == j, Equal(a, b), "%v %v", a, b)
			require.Equal(t, i == j, Compare(a, b) == 0, "%v %v", a, b)
			require.Equal(t, Compare(a, b), -Compare(b, a), "%v %v", a, b)
		}
	}
	for i, a := range numbers {
		got, ok := table.Get(a)
		require.True(t, ok && got == Int(int64(i)), "%v", a)
	}
	a, b := Complex(Float(0), Float(1)), Complex(Float(zero), Float(1))
	require.True(t, Equal(a, b))
	require.Equal(t, Hash(a), Hash(b))
	seed := newHashSeed()
	require.Equal(t, seed.hash(a), seed.hash(b))
}

func TestNumbersEqual(t *testing.T) {
	for _, c := range []struct {
		a, b  Value
		equal bool
	}{
		{Complex(Int(3), Int(4)), Complex(Float(3), Float(4)), true},
		{Complex(Int(3), Float(0)), Int(3), true},
		{Complex(Int(3), Int(4)), Int(3), false},
		{Complex(ratio(1, 2), Int(1)), Complex(Float(0.5), Int(1)), true},
		{Complex(Float(math.NaN()), Int(1)), Complex(Float(math.NaN()), Int(1)), false},
	} {
		for range 2 {
			equal, ok := NumbersEqual(c.a, c.b)
			require.True(t, ok)
			require.Equal(t, c.equal, equal, "%v %v", c.a, c.b)
			c.a, c.b = c.b, c.a
		}
	}
	_, ok := NumbersEqual(Complex(Int(1), Int(1)), String("1+1i"))
	require.False(t, ok)
}

func TestComplexNumbersAndGo(t *testing.T) {
	for _, x := range []any{complex(1.5, -2), complex64(complex(1.5, -2))} {
		v, err := From(x)
		require.NoError(t, err)
		require.Equal(t, "1.5-2.0i", Write(v))
		back, err := ToGo(v)
		require.NoError(t, err)
		require.Equal(t, complex(1.5, -2), back)
	}
	exact := Complex(ratio(1, 2), Int(4))
	plain, err := ToGo(List(exact))
	require.NoError(t, err)
	require.Equal(t, []any{0.5 + 4i}, plain)
	_, err = json.Marshal(plain)
	require.ErrorContains(t, err, "complex128", "JSON has no such numbers")

	var z complex128
	var narrow complex64
	for _, v := range []Value{exact, Float(0.5), Int(7), ratio(1, 4)} {
		want, _ := v.ToComplex()
		require.NoError(t, Into(v, &z))
		require.Equal(t, want, z)
		require.NoError(t, Into(v, &narrow))
		require.Equal(t, complex64(want), narrow)
	}
	huge := Big(new(big.Int).Lsh(big.NewInt(1), 2000))
	for _, v := range []Value{String("1+i"), Nil, Complex(Int(1), huge), huge} {
		require.ErrorContains(t, Into(v, &z), "expected complex128, got ")
	}
	require.ErrorContains(t, Into(Complex(Int(1), Float(1e300)), &narrow), "expected complex64")
	require.NoError(t, Into(Complex(Int(1), Float(math.Inf(1))), &narrow))
	var f float64
	require.ErrorContains(t, Into(exact, &f), "expected float64, got 1/2+4i")
	var n json.Number
	require.ErrorContains(t, Into(exact, &n), "expected json.Number, got 1/2+4i")
	var i int
	require.ErrorContains(t, Into(exact, &i), "expected int, got 1/2+4i")
}

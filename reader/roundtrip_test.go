package reader

import (
	"math"
	"math/big"
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

// randomValue makes what [value.Write] prints so that it can be read back:
// everything but inf, NaN, hash maps (which print as maps) and opaque things.
func randomValue(rnd *rand.Rand, depth int) value.Value {
	n := 17
	if depth == 0 {
		n = 13
	}
	switch rnd.Intn(n) {
	case 0:
		return value.Nil
	case 1:
		return value.Bool(rnd.Intn(2) == 0)
	case 2:
		return value.Int(int64(rnd.Uint64() >> rnd.Intn(64)))
	case 3:
		return value.Big(randomBig(rnd))
	case 4:
		return randomRatio(rnd)
	case 5, 6:
		return randomFloat(rnd)
	case 7:
		return value.Char(randomRune(rnd))
	case 8:
		return value.String(randomText(rnd))
	case 9:
		return value.Symbol(randomName(rnd, true))
	case 10:
		return value.Keyword(randomName(rnd, false))
	case 11:
		b := make([]byte, rnd.Intn(4))
		rnd.Read(b)
		return value.Bytes(b)
	case 12:
		return value.Complex(randomReal(rnd), randomReal(rnd))
	case 13:
		return value.Vector(randomValues(rnd, depth-1))
	case 14:
		return value.Map(append(randomValues(rnd, depth-1), randomValues(rnd, depth-1)...)...)
	}
	return value.List(randomValues(rnd, depth-1)...)
}

func randomValues(rnd *rand.Rand, depth int) []value.Value {
	vs := make([]value.Value, rnd.Intn(6))
	for i := range vs {
		vs[i] = randomValue(rnd, depth)
	}
	return vs
}

func randomBig(rnd *rand.Rand) *big.Int {
	i := new(big.Int).Rand(rnd, new(big.Int).Lsh(big.NewInt(1), uint(rnd.Intn(200)+1)))
	if rnd.Intn(2) == 0 {
		i.Neg(i)
	}
	return i
}

func randomRatio(rnd *rand.Rand) value.Value {
	return value.Rational(new(big.Rat).SetFrac(randomBig(rnd), new(big.Int).Add(new(big.Int).Abs(randomBig(rnd)), big.NewInt(1))))
}

func randomReal(rnd *rand.Rand) value.Value {
	switch rnd.Intn(4) {
	case 0:
		return value.Int(int64(rnd.Intn(5) - 2))
	case 1:
		return value.Big(randomBig(rnd))
	case 2:
		return randomRatio(rnd)
	}
	return randomFloat(rnd)
}

func randomFloat(rnd *rand.Rand) value.Value {
	f := math.Float64frombits(rnd.Uint64())
	if math.IsNaN(f) || math.IsInf(f, 0) || rnd.Intn(3) == 0 {
		f = math.Floor(rnd.NormFloat64() * 1000)
	}
	return value.Float(f)
}

func randomRune(rnd *rand.Rand) rune {
	c := rune(rnd.Intn(0x100))
	if rnd.Intn(3) == 0 {
		c = rune(rnd.Intn(utf8.MaxRune + 1))
	}
	if !utf8.ValidRune(c) {
		return '$'
	}
	return c
}

func randomText(rnd *rand.Rand) string {
	var s []rune
	for range rnd.Intn(8) {
		s = append(s, randomRune(rnd))
	}
	return string(s)
}

// randomName makes a name that is no number and no constant.
func randomName(rnd *rand.Rand, symbol bool) string {
	const first, more = "az*!?<>=_&^~λ日", "09+-./%#"
	chars := []rune(first + more)
	s := []rune{[]rune(first)[rnd.Intn(len([]rune(first)))]}
	if !symbol && rnd.Intn(3) == 0 {
		s[0] = '7'
	}
	for range rnd.Intn(6) {
		s = append(s, chars[rnd.Intn(len(chars))])
	}
	return string(s)
}

func TestPrintedValuesReadBack(t *testing.T) {
	rnd := rand.New(rand.NewSource(7))
	for range 20000 {
		v := randomValue(rnd, 4)
		text := value.Write(v)
		u, err := ReadAll(source(text))
		require.NoError(t, err, "%s", text)
		require.Len(t, u.Forms, 1, "%s", text)
		require.True(t, value.Equal(v, u.Forms[0].Value), "%s was read as %s", text, value.Write(u.Forms[0].Value))
	}
}

func TestEveryCharacterReadsBack(t *testing.T) {
	var chars []value.Value
	var all strings.Builder
	for c := rune(0); c <= utf8.MaxRune; c++ {
		if utf8.ValidRune(c) {
			chars = append(chars, value.Char(c))
			all.WriteRune(c)
		}
	}
	want := value.Vector(append(chars, value.String(all.String())))
	u, err := ReadAll(source(value.Write(want)))
	require.NoError(t, err)
	require.True(t, value.Equal(want, u.Forms[0].Value))
}

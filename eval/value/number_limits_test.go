package value

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNumbersTooLargeAreRefused: no operation makes a number beyond the limits.
func TestNumbersTooLargeAreRefused(t *testing.T) {
	huge := Big(new(big.Int).Lsh(big.NewInt(1), maxBits-1))
	z := Complex(Int(1), huge)
	for _, f := range []func(){
		func() { Mul(huge, huge) },
		func() { Mul(z, z) },
		func() { Mul(z, huge) },
		func() { Add(huge, huge) },
		func() { Add(z, z) },
		func() { Div(Int(1), z) },
		func() { Div(Int(1), huge) },
	} {
		require.NotNil(t, limitOf(f))
	}
}

// limitOf is the panic of f that refuses a number.
func limitOf(f func()) (e *LimitError) {
	defer func() { e, _ = recover().(*LimitError) }()
	f()
	return nil
}

func TestNegation(t *testing.T) {
	minus, ok := Neg(Float(0))
	require.True(t, ok)
	f, _ := minus.AsFloat()
	require.True(t, math.Signbit(f))
	n, _ := Neg(Int(math.MinInt64))
	require.Equal(t, "9223372036854775808", Write(n))
}

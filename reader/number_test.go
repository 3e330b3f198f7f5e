package reader

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

func TestNumbers(t *testing.T) {
	checkPrinted(t, [][2]string{
		{"0 -0 007 -007 42", "0 0 7 -7 42"},
		{"9223372036854775807 -9223372036854775808", "9223372036854775807 -9223372036854775808"},
		{"9223372036854775808 -9223372036854775809", "9223372036854775808 -9223372036854775809"},
		{"1.5 -0.0 0.1 6.022e23 1e-9 -2.5E6 1e+3", "1.5 -0.0 0.1 602200000000000000000000.0 0.000000001 -2500000.0 1000.0"},
		{"1e400 -1e400 1e-400", "inf -inf 0.0"},
		{"1/3 3/6 -3/6 4/2 0/5", "1/3 1/2 -1/2 2 0"},
		{"1/2/3 1/a 1/ 1/-2", "1/2 /3 1 /a 1 / 1 /-2"},
		{"12abc 12-3 1+2 1e 1e+ 1->2 1_0 0x10", "12 abc 12 -3 1 +2 1 e 1 e+ 1 ->2 1 _0 0 x10"},
		{"3ix 3i:a 1+2ix 1+2i3 1+-2i +ia +i+1 --i i", "3 ix 3 i :a 1 +2ix 1 +2i3 1 +-2i +ia +i+1 --i i"},
		{"1(a)1[b]1\"c\"", `1 (a) 1 [b] 1 "c"`},
		{"1e3x 1.5x 1@a 1'a", "1000.0 x 1.5 x 1 (deref a) 1 (quote a)"},
	})
}

func TestComplexNumbers(t *testing.T) {
	checkPrinted(t, [][2]string{
		{"3+4i 3-4i -3+4i -3-4i 03+04i", "3+4i 3-4i -3+4i -3-4i 3+4i"},
		{"+i -i 2i -2i +2i 1+i 1-i", "0+1i 0-1i 0+2i 0-2i 0+2i 1+1i 1-1i"},
		{"1/2-3i 1+6/4i 1/2i -1/2i +1/2i 2/4-2/4i", "1/2-3i 1+3/2i 0+1/2i 0-1/2i 0+1/2i 1/2-1/2i"},
		{"1.5+2.5i 1.5e2+2i 1-1e-1i 1e3i 2-0.0i", "1.5+2.5i 150.0+2i 1-0.1i 0+1000.0i 2-0.0i"},
		{"3+0i 3-0i 0i 1.5+0i 3+0.0i", "3 3 0 1.5 3+0.0i"},
		{"1e400+1e400i", "inf+infi"},
		{"9223372036854775808-9223372036854775809i", "9223372036854775808-9223372036854775809i"},
		{"(3+4i) [+i] 3+4i#(a) -i'a 2i;", "(3+4i) [0+1i] 3+4i (lambda () (a)) 0-1i (quote a) 0+2i"},
		{"#e1.5-0.5i #i3+4i #i1/2i #e3+0.0i #d-i #d+2i #i+i", "3/2-1/2i 3.0+4.0i 0.0+0.5i 3 0-1i 0+2i 0.0+1.0i"},
		{"3+4 i 3 +4i 3+4ii 3+4i5", "3 +4 i 3 0+4i 3 +4ii 3 +4i5"},
	})
}

func TestNumberPrefixes(t *testing.T) {
	checkPrinted(t, [][2]string{
		{"#xFF #xff #XfF #x-FF #x+FF #o17 #b1010 #b-101 #d42 #d-5 #d+5", "255 255 255 -255 255 15 10 -5 42 -5 5"},
		{"#xFFFFFFFFFFFFFFFFFFFF", "1208925819614629174706175"},
		{"#e1.5 #e-1.5 #e1e3 #e1/2 #e5 #e.5 #E1.5 #e-.5 #d.5", "3/2 -3/2 1000 1/2 5 1/2 3/2 -1/2 0.5"},
		{"#e0.1", "3602879701896397/36028797018963968"},
		{"#i1/2 #i5 #i-5 #i1e400 #I5", "0.5 5.0 -5.0 inf 5.0"},
		{"#e#xFF #x#eFF #i#b11 #e#d1.5", "255 255 3.0 3/2"},
		{"#xF/A #x1/2 #xFF(a) #b101#b1", "15 /A 1 /2 255 (a) 5 1"},
	})
}

func TestLongNumbersAreExact(t *testing.T) {
	for _, n := range []int{18, 19, 20, 4999, 5000, 5001, 9999, 10001, 40000, 100003} {
		digits := strings.Repeat("9081726354", n/10+1)[:n]
		want, _ := new(big.Int).SetString(digits, 10)
		u, err := ReadAll(source(digits + " -" + digits))
		require.NoError(t, err)
		require.True(t, value.Equal(value.Big(want), u.Forms[0].Value))
		require.True(t, value.Equal(value.Big(new(big.Int).Neg(want)), u.Forms[1].Value))
	}
}

func TestGiantNumbersAreReadOrRefusedQuickly(t *testing.T) {
	accepted := map[string]string{
		"integer": strings.Repeat("7", maxDigits),
		"ratio":   strings.Repeat("713", maxDigits/6) + "/" + strings.Repeat("97", maxDigits/4-10),
		"float":   "1." + strings.Repeat("7", maxDigits-2),
		"hex":     "#x" + strings.Repeat("f", maxDigits*4/5),
	}
	for name, text := range accepted {
		start := time.Now()
		_, err := ReadAll(source(text))
		require.NoError(t, err, name)
		require.Less(t, time.Since(start), 10*time.Second, name)
	}
	for _, text := range []string{strings.Repeat("7", maxDigits+1), "#d." + strings.Repeat("7", maxDigits), "#x" + strings.Repeat("f", maxDigits)} {
		_, err := ReadAll(source(text))
		require.ErrorContains(t, err, "is too long: at most")
	}
}

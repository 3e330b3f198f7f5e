package core

import "math"

// The functions below reduce their argument by multiples of pi/2 that are known
// to twice the precision of a float. Package math's do not, so that its
// sin(pi) has 13 wrong digits of 17.

// pi/2 in three parts, each as precise as a float.
const (
	halfPi1 = 0x1.921fb54442d18p+0
	halfPi2 = 0x1.1a62633145c07p-54
	halfPi3 = -0x1.f1976b7ed8fbcp-110
)

// quadrant writes x as n*pi/2 + r + rest, with r of at most pi/4 and a rest that
// is lost in the precision of r; ok is false of what is too large for that.
func quadrant(x float64) (n int, r, rest float64, ok bool) {
	if !(math.Abs(x) < 1<<20) {
		return 0, 0, 0, false
	}
	k := math.RoundToEven(x / halfPi1)
	high := math.FMA(-k, halfPi1, x) // exact: both are close
	low := k * halfPi2
	r = high - low
	rest = (high - r) - low - math.FMA(k, halfPi2, -low) - k*halfPi3
	return int(k) & 3, r, rest, true
}

func sin(x float64) float64 {
	n, r, rest, ok := quadrant(x)
	switch {
	case !ok || x == 0:
		return math.Sin(x)
	case n&1 == 1:
		return signed(n, math.Cos(r)-rest*math.Sin(r))
	}
	return signed(n, math.Sin(r)+rest*math.Cos(r))
}

func cos(x float64) float64 {
	n, r, rest, ok := quadrant(x)
	switch {
	case !ok:
		return math.Cos(x)
	case n&1 == 1:
		return -signed(n, math.Sin(r)+rest*math.Cos(r))
	}
	return signed(n, math.Cos(r)-rest*math.Sin(r))
}

func tan(x float64) float64 {
	n, r, rest, ok := quadrant(x)
	if !ok || x == 0 {
		return math.Tan(x)
	}
	y := math.Tan(r)
	y += rest * (1 + y*y)
	if n&1 == 1 {
		return -1 / y
	}
	return y
}

// signed is y in the first half of a turn and -y in the second.
func signed(quadrant int, y float64) float64 {
	if quadrant >= 2 {
		return -y
	}
	return y
}

package value

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
	"unsafe"
)

// ErrDivisionByZero is what exact division by zero answers.
var ErrDivisionByZero = errors.New("division by zero")

// maxBits bounds the integers that arithmetic makes (2 MiB each): beyond it
// an operation is refused rather than left to eat the machine.
const maxBits = 1 << 24

// maxRatioBits bounds ratios, which are reduced in quadratic time.
const maxRatioBits = 1 << 22

// Big returns an integer, in the small representation when it fits. It keeps i.
func Big(i *big.Int) Value {
	if i.IsInt64() {
		return Int(i.Int64())
	}
	if i.BitLen() > maxBits {
		panic(&LimitError{"an integer of more than 16777216 bits"})
	}
	return object(unsafe.Pointer(i), KindBigInt)
}

// Rational returns an exact ratio, an integer when the denominator is one. It keeps r.
func Rational(r *big.Rat) Value {
	if r.IsInt() {
		return Big(new(big.Int).Set(r.Num()))
	}
	if r.Num().BitLen() > maxRatioBits || r.Denom().BitLen() > maxRatioBits {
		panic(&LimitError{"a ratio of more than 4194304 bits"})
	}
	return object(unsafe.Pointer(r), KindRational)
}

// AsBig returns the integer that v is, whatever its size. Do not change it.
func (v Value) AsBig() (*big.Int, bool) {
	switch {
	case v.IsInt():
		return big.NewInt(int64(v.bits)), true
	case v.isObject(KindBigInt):
		return (*big.Int)(v.ref), true
	}
	return nil, false
}

// AsRational returns the exact number that v is. Do not change it.
func (v Value) AsRational() (*big.Rat, bool) {
	if v.isObject(KindRational) {
		return (*big.Rat)(v.ref), true
	}
	if i, ok := v.AsBig(); ok {
		return new(big.Rat).SetInt(i), true
	}
	return nil, false
}

// IsInteger is true of integers of any size.
func (v Value) IsInteger() bool { return v.IsInt() || v.isObject(KindBigInt) }

// IsNumber is true of every number.
func (v Value) IsNumber() bool { return v.IsReal() || v.IsComplex() }

// IsRational is true of integers and ratios: exact real numbers.
func (v Value) IsRational() bool { return v.IsInteger() || v.isObject(KindRational) }

// IsExact is true of numbers without a part that is a float.
func (v Value) IsExact() bool {
	if v.IsComplex() {
		return v.complex().re.IsRational() && v.complex().im.IsRational()
	}
	return v.IsRational()
}

// ToFloat converts a real number to the nearest float.
func (v Value) ToFloat() (float64, bool) {
	switch v.Kind() {
	case KindInt:
		return float64(int64(v.bits)), true
	case KindFloat:
		return math.Float64frombits(v.bits), true
	case KindBigInt:
		f, _ := new(big.Float).SetInt((*big.Int)(v.ref)).Float64()
		return f, true
	case KindRational:
		f, _ := (*big.Rat)(v.ref).Float64()
		return f, true
	}
	return 0, false
}

// The arithmetic below takes two numbers; ok is false when one is not.

// Add returns a + b.
func Add(a, b Value) (sum Value, ok bool) {
	if a.IsInt() && b.IsInt() {
		x, y := int64(a.bits), int64(b.bits)
		if s := x + y; (x^s)&(y^s) >= 0 {
			return Int(s), true
		}
	}
	if v, ok := numeric(a, b, addOp); ok {
		return v, true
	}
	return addComplex(a, b)
}

// Sub returns a - b.
func Sub(a, b Value) (Value, bool) {
	if a.IsInt() && b.IsInt() {
		x, y := int64(a.bits), int64(b.bits)
		if s := x - y; (x^y)&(x^s) >= 0 {
			return Int(s), true
		}
	}
	if v, ok := numeric(a, b, subOp); ok {
		return v, true
	}
	return subComplex(a, b)
}

// Mul returns a * b.
func Mul(a, b Value) (Value, bool) {
	if a.IsInt() && b.IsInt() {
		if p, fits := mul64(int64(a.bits), int64(b.bits)); fits {
			return Int(p), true
		}
	}
	if v, ok := numeric(a, b, mulOp); ok {
		return v, true
	}
	return mulComplex(a, b)
}

func mul64(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	hi -= uint64(a>>63)&uint64(b) + uint64(b>>63)&uint64(a)
	return int64(lo), int64(hi) == int64(lo)>>63
}

// operation is one arithmetic operation on each level of the tower.
type operation struct {
	ints   func(z, x, y *big.Int) *big.Int
	rats   func(z, x, y *big.Rat) *big.Rat
	floats func(x, y float64) float64
}

var (
	addOp = &operation{(*big.Int).Add, (*big.Rat).Add, func(x, y float64) float64 { return x + y }}
	subOp = &operation{(*big.Int).Sub, (*big.Rat).Sub, func(x, y float64) float64 { return x - y }}
	mulOp = &operation{mulBig, (*big.Rat).Mul, func(x, y float64) float64 { return x * y }}
)

func mulBig(z, x, y *big.Int) *big.Int {
	if x.BitLen()+y.BitLen() > maxBits+1 {
		panic(&LimitError{"an integer of more than 16777216 bits"})
	}
	return z.Mul(x, y)
}

// numeric is for real numbers.
func numeric(a, b Value, op *operation) (Value, bool) {
	if a.IsFloat() || b.IsFloat() {
		x, ok1 := a.ToFloat()
		y, ok2 := b.ToFloat()
		return Float(op.floats(x, y)), ok1 && ok2
	}
	if a.IsInteger() && b.IsInteger() {
		x, _ := a.AsBig()
		y, _ := b.AsBig()
		return Big(op.ints(new(big.Int), x, y)), true
	}
	x, ok1 := a.AsRational()
	y, ok2 := b.AsRational()
	if !ok1 || !ok2 {
		return Nil, false
	}
	return Rational(op.rats(new(big.Rat), x, y)), true
}

// Div returns a / b: exact operands give an exact quotient, a ratio if need
// be, and an exact zero divisor of an exact number is [ErrDivisionByZero].
func Div(a, b Value) (q Value, ok bool, err error) {
	if a.IsFloat() || b.IsFloat() {
		x, ok1 := a.ToFloat()
		y, ok2 := b.ToFloat()
		if ok1 && ok2 {
			return Float(x / y), true, nil
		}
	}
	x, ok1 := a.AsRational()
	y, ok2 := b.AsRational()
	if !ok1 || !ok2 {
		return divComplex(a, b)
	}
	if y.Sign() == 0 {
		return Nil, true, ErrDivisionByZero
	}
	return Rational(new(big.Rat).Quo(x, y)), true, nil
}

// Rounding says how an integer division treats its remainder.
type Rounding int

const (
	Truncated Rounding = iota // quotient, remainder: toward zero
	Floored                   // modulo: the result has the divisor's sign
)

// QuoRem divides integers. Modulo takes floats too, and gives them the sign of
// the dividend, as floats do everywhere.
func QuoRem(a, b Value, r Rounding) (quo, rem Value, ok bool, err error) {
	if r == Floored && (a.IsFloat() || b.IsFloat()) {
		return moduloFloat(a, b)
	}
	x, ok1 := a.AsBig()
	y, ok2 := b.AsBig()
	if !ok1 || !ok2 {
		return Nil, Nil, false, nil
	}
	if y.Sign() == 0 {
		return Nil, Nil, true, ErrDivisionByZero
	}
	q, m := new(big.Int).QuoRem(x, y, new(big.Int))
	if r == Floored && m.Sign() != 0 && m.Sign() != y.Sign() {
		m.Add(m, y)
		q.Sub(q, big.NewInt(1))
	}
	return Big(q), Big(m), true, nil
}

func moduloFloat(a, b Value) (quo, rem Value, ok bool, err error) {
	x, ok1 := a.ToFloat()
	y, ok2 := b.ToFloat()
	return Float(math.Trunc(x / y)), Float(math.Mod(x, y)), ok1 && ok2, nil
}

// CompareNumbers orders two real numbers by value, whatever their types: -1, 0,
// 1, or 2 when one is NaN. Floats are compared exactly with exact numbers. There
// is no such order of complex numbers, for which ok is false.
func CompareNumbers(a, b Value) (order int, ok bool) {
	if a.IsInt() && b.IsInt() {
		return cmpInt(int64(a.bits), int64(b.bits)), true
	}
	if a.IsFloat() && b.IsFloat() {
		return cmpFloat(math.Float64frombits(a.bits), math.Float64frombits(b.bits)), true
	}
	if !a.IsReal() || !b.IsReal() {
		return 0, false
	}
	if a.IsFloat() {
		return reverse(compareExactFloat(b, math.Float64frombits(a.bits))), true
	}
	if b.IsFloat() {
		return compareExactFloat(a, math.Float64frombits(b.bits)), true
	}
	x, _ := a.AsRational()
	y, _ := b.AsRational()
	return x.Cmp(y), true
}

// reverse is the order of the operands swapped; unordered stays so.
func reverse(order int) int {
	if order == 2 {
		return 2
	}
	return -order
}

func compareExactFloat(a Value, f float64) int {
	switch {
	case f != f:
		return 2
	case math.IsInf(f, 1):
		return -1
	case math.IsInf(f, -1):
		return 1
	}
	x, _ := a.AsRational()
	return x.Cmp(new(big.Rat).SetFloat64(f))
}

func cmpInt(x, y int64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

func cmpFloat(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	case x == y:
		return 0
	}
	return 2
}

// exactFloat returns the exact number that a finite float is.
func exactFloat(f float64) (Value, bool) {
	r := new(big.Rat).SetFloat64(f)
	if r == nil {
		return Nil, false
	}
	return Rational(r), true
}

// FloatToInteger returns the integer that a whole float stands for.
func FloatToInteger(f float64) (Value, bool) {
	if f != math.Trunc(f) || math.IsInf(f, 0) || f != f {
		return Nil, false
	}
	if math.Abs(f) < 1<<62 {
		return Int(int64(f)), true
	}
	i, _ := new(big.Float).SetFloat64(f).Int(nil)
	return Big(i), true
}

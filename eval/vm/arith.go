package vm

import (
	"unsafe"

	"github.com/gosema/gosema/eval/value"
)

func reg(base unsafe.Pointer, operand uint16) *Value {
	return (*Value)(unsafe.Add(base, uintptr(operand)))
}

// arith finishes an arithmetic instruction whose operands are not both ints or
// both floats, or overflow.
//
//go:noinline
func (t *Thread) arith(i *Ins, base unsafe.Pointer) bool {
	v, err := t.arithmetic(i.op, *reg(base, i.b), *reg(base, i.c))
	return t.finish(base, i.a, v, err)
}

//go:noinline
func (t *Thread) arithImmediate(i *Ins, base unsafe.Pointer) bool {
	op, k := uint8(opcodeADD), int64(int16(i.c))
	if i.n == 1 {
		op, k = opcodeSUB, -k
	}
	v, err := t.arithmetic(op, *reg(base, i.b), value.Int(k))
	return t.finish(base, i.a, v, err)
}

func (t *Thread) finish(base unsafe.Pointer, dest uint16, v Value, err error) bool {
	if err != nil {
		t.err = AsError(err)
		return false
	}
	*reg(base, dest) = v
	return true
}

func (t *Thread) arithmetic(op Op, x, y Value) (Value, error) {
	switch op {
	case opcodeADD, opcodeADDF, opcodeADD_RET:
		return t.Add(x, y)
	case opcodeSUB, opcodeSUBF:
		return Sub(x, y)
	case opcodeMUL, opcodeMULF:
		return Mul(x, y)
	case opcodeDIV:
		return Div(x, y)
	case opcodeQUO:
		return Quotient(x, y)
	case opcodeREM:
		return Remainder(x, y)
	}
	return Modulo(x, y)
}

// The operations below are those of the language that the machine inlines:
// the builtins of the same names call them too.

// Add is + of two numbers, or joins two strings.
func (t *Thread) Add(x, y Value) (Value, error) {
	if v, ok := value.Add(x, y); ok {
		return v, nil
	}
	if x.IsString() && y.IsString() {
		if err := t.Reserve(x.ByteLen() + y.ByteLen()); err != nil {
			return value.Nil, err
		}
		return t.m.heap.Append(x, y), nil
	}
	if x.IsString() || y.IsString() {
		e := operandError("+", "two numbers or two strings", x, y)
		e.Hint = "(str a b) joins values of any type to a string"
		return value.Nil, e
	}
	return value.Nil, operandError("+", "a number", x, y)
}

// Sub is - of two numbers.
func Sub(x, y Value) (Value, error) {
	if v, ok := value.Sub(x, y); ok {
		return v, nil
	}
	return value.Nil, operandError("-", "a number", x, y)
}

// Mul is * of two numbers.
func Mul(x, y Value) (Value, error) {
	if v, ok := value.Mul(x, y); ok {
		return v, nil
	}
	return value.Nil, operandError("*", "a number", x, y)
}

// Div is / of two numbers.
func Div(x, y Value) (Value, error) {
	v, ok, err := value.Div(x, y)
	if !ok {
		return value.Nil, operandError("/", "a number", x, y)
	}
	return v, err
}

// Quotient and Remainder divide toward zero, Modulo toward the divisor's sign.
func Quotient(x, y Value) (Value, error) {
	q, _, err := divide("quotient", x, y, value.Truncated)
	return q, err
}

func Remainder(x, y Value) (Value, error) {
	_, r, err := divide("remainder", x, y, value.Truncated)
	return r, err
}

func Modulo(x, y Value) (Value, error) {
	_, r, err := divide("modulo", x, y, value.Floored)
	return r, err
}

func divide(name string, x, y Value, r value.Rounding) (quo, rem Value, err error) {
	quo, rem, ok, err := value.QuoRem(x, y, r)
	if !ok {
		return quo, rem, divisionError(name, x, y, r)
	}
	return quo, rem, err
}

func divisionError(name string, x, y Value, r value.Rounding) *Error {
	e := TypeError("an exact integer", x)
	if x.IsInteger() || x.IsFloat() && r == value.Floored {
		e = TypeError("an exact integer", y)
	}
	e.Builtin = name
	return e
}

// operandError blames the operand that is no number; for strings, both.
func operandError(op, expected string, x, y Value) *Error {
	bad := x
	if x.IsNumber() || x.IsString() && !y.IsString() && !y.IsNumber() {
		bad = y
	}
	e := TypeError(expected, bad)
	e.Builtin = op
	return e
}

// NumEqual is = : equal by value for numbers of any types, structurally equal
// otherwise.
func NumEqual(x, y Value) bool {
	if equal, ok := value.NumbersEqual(x, y); ok {
		return equal
	}
	return value.Equal(x, y)
}

// Order compares two numbers (2 if one is NaN) or two strings for < and its
// kin.
func Order(op string, x, y Value) (int, error) {
	if o, ok := value.CompareNumbers(x, y); ok {
		return o, nil
	}
	if x.IsString() && y.IsString() {
		return value.Compare(x, y), nil
	}
	if x.IsNumber() && y.IsNumber() { // one is complex
		return 0, orderError(op, x, y)
	}
	if x.IsString() || y.IsString() {
		return 0, operandError(op, "two numbers or two strings", x, y)
	}
	return 0, operandError(op, "a number", x, y)
}

// orderError blames the operand that is not real.
func orderError(op string, x, y Value) *Error {
	if x.IsReal() {
		x = y
	}
	e := TypeError("a real number", x)
	e.Builtin = op
	e.Hint = "complex numbers have no order: compare their (magnitude z)"
	return e
}

var orderNames = [...]string{"<", "<=", ">", ">=", "="}

// compareJump decides a compare-and-jump that the loop could not.
//
//go:noinline
func (t *Thread) compareJump(i *Ins, base unsafe.Pointer) bool {
	op := i.op
	if op >= opcodeLLT && op <= opcodeLNEQQ {
		op = op - opcodeLLT + opcodeJLT
	}
	holds, err := compareOp(op, i, base)
	if err != nil {
		t.err = AsError(err)
		return false
	}
	if holds {
		t.pc = unsafe.Add(t.pc, int(int16(i.c))*8)
	}
	return true
}

func compareOp(op Op, i *Ins, base unsafe.Pointer) (bool, error) {
	x := *reg(base, i.a)
	negated := op&1 == 1
	if op >= opcodeJEQQ {
		return value.Equal(x, *reg(base, i.b)) != negated, nil
	}
	k := op - opcodeJLT
	var y Value
	if k >= 10 {
		k -= 10
		y = value.Int(int64(int16(i.b)))
	} else {
		y = *reg(base, i.b)
	}
	if i.n == zeroTest && !x.IsNumber() {
		return false, TypeError("a number", x)
	}
	holds, err := Holds(int(k>>1), x, y)
	return holds != negated, err
}

// Holds evaluates comparison 0 to 4: < <= > >= =.
func Holds(comparison int, x, y Value) (bool, error) {
	if comparison == 4 {
		return NumEqual(x, y), nil
	}
	o, err := Order(orderNames[comparison], x, y)
	if err != nil {
		return false, err
	}
	switch comparison {
	case 0:
		return o == -1, nil
	case 1:
		return o == -1 || o == 0, nil
	case 2:
		return o == 1, nil
	}
	return o == 1 || o == 0, nil
}

//go:noinline
func (t *Thread) cons(i *Ins, base unsafe.Pointer) bool {
	x, list := *reg(base, i.b), *reg(base, i.c)
	if !list.IsList() {
		list = ConsTail(list)
	}
	*reg(base, i.a) = t.m.heap.Cons(x, list)
	return true
}

// ConsTail is the list that cons prepends to: there are no improper lists, so
// nil is empty and anything else a list of itself.
func ConsTail(v Value) Value {
	switch {
	case v.IsList():
		return v
	case v.IsNil():
		return value.Empty
	}
	return value.List(v)
}

// access finishes CAR, CDR and NTH.
//
//go:noinline
func (t *Thread) access(i *Ins, base unsafe.Pointer) bool {
	var v Value
	var err error
	switch i.op {
	case opcodeCAR:
		v, err = Car(*reg(base, i.b))
	case opcodeCDR:
		v, err = Cdr(*reg(base, i.b))
	default:
		v, err = Nth(*reg(base, i.b), *reg(base, i.c))
	}
	return t.finish(base, i.a, v, err)
}

// Car is the first element of a list or a vector, nil if it is empty.
func Car(v Value) (Value, error) {
	switch {
	case v.IsSeq() && v.Len() == 0:
		return value.Nil, nil
	case v.IsList():
		return v.First(), nil
	case v.IsVector():
		return v.Slice()[0], nil
	}
	e := TypeError("a list or a vector", v)
	e.Builtin = "car"
	return value.Nil, e
}

// Cdr is a list or a vector without its first element.
func Cdr(v Value) (Value, error) {
	switch {
	case v.IsSeq() && v.Len() == 0:
		return v, nil
	case v.IsList():
		return v.Rest(), nil
	case v.IsVector():
		return value.Vector(v.Slice()[1:]), nil
	}
	e := TypeError("a list or a vector", v)
	e.Builtin = "cdr"
	return value.Nil, e
}

// Nth is element i of a list or a vector.
func Nth(v, index Value) (Value, error) {
	i, ok := index.AsInt()
	switch {
	case !v.IsSeq():
		return value.Nil, TypeError("a list or a vector", v)
	case !ok:
		return value.Nil, TypeError("an integer index", index)
	case i < 0 || i >= int64(v.Len()):
		return value.Nil, Errorf(KindEval, "index %d is out of bounds: the length is %d", i, v.Len())
	case v.IsVector():
		return v.Slice()[i], nil
	}
	return v.Nth(int(i)), nil
}

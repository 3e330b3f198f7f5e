package core

import (
	"math"
	"slices"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// Value is short for the type all builtins deal in.
type Value = value.Value

// Builtins is the table of all builtins of this package.
func Builtins() []eval.Builtin {
	return slices.Concat(
		listBuiltins(), vectorBuiltins(), accessorBuiltins(), sublistBuiltins(), searchBuiltins(), higherOrderBuiltins(), sortBuiltins(),
		setBuiltins(), aggregateBuiltins(), randomBuiltins(),
		stringBuiltins(), partBuiltins(), replaceBuiltins(), caseBuiltins(), widthBuiltins(), charBuiltins(),
		formatBuiltins(), outputBuiltins(), contextBuiltins(), logBuiltins(), styleBuiltins(), controlBuiltins(), mapBuiltins(), mapFuncBuiltins(), nestedBuiltins(),
		predicateBuiltins(), numberPredicateBuiltins(),
		regexBuiltins(), csvBuiltins(), jsonBuiltins(), encodingBuiltins(), mutableBuiltins(), typedArrayBuiltins(), normalizeBuiltins(),
		chunkBuiltins(), cleanTextBuiltins(), documentBuiltins(), secretBuiltins(), checkBuiltins(), htmlBuiltins(), markdownBuiltins(),
		mathBuiltins(), powerBuiltins(), divisionBuiltins(), complexBuiltins(), roundingBuiltins(), floatBuiltins(), exactBuiltins(), bitBuiltins(),
		convertBuiltins(), readBuiltins(), errorBuiltins(), byteBuiltins(), gzipBuiltins(), embeddingBuiltins(),
	)
}

// Constants are the names of this package that are bound to plain values.
func Constants() map[string]Value {
	return map[string]Value{
		"pi":            value.Float(math.Pi),
		"e":             value.Float(math.E),
		"math/infinity": value.Float(math.Inf(1)),
		"math/nan":      value.Float(math.NaN()),
	}
}

type builtinFunc = func(t *eval.Thread, args []Value) (Value, error)

const (
	maxBytes  = 1 << 30 // of one result; more is refused, whatever the limits
	valueSize = 16
	maxBits   = 1 << 24 // of an integer, as in package value
	// slowBits bounds the operands of what takes quadratic time.
	slowBits = 1 << 20
)

// reserve asks for the memory of a result of n parts of size bytes.
func reserve(t *eval.Thread, n, size int64) error {
	if size > 0 && n > maxBytes/size {
		return eval.Errorf(eval.KindEval, "refused: a result of %d elements does not fit in memory", n)
	}
	return t.Reserve(n * size)
}

// outOfBounds is the error of an index that a sequence of n elements lacks.
func outOfBounds(i int64, n int) error {
	return eval.Errorf(eval.KindEval, "index %d is out of bounds: the length is %d", i, n)
}

// badRange is the error of a range that a sequence of n elements lacks.
func badRange(start, end int64, n int) error {
	return eval.Errorf(eval.KindEval, "range %d to %d is out of bounds: the length is %d", start, end, n)
}

// rangeOf reads an optional start and end from argument i on, for n elements.
func rangeOf(a *eval.Args, i, n int) (start, end int) {
	from, to := int64(0), int64(n)
	if a.Has(i) {
		from = a.Int(i)
	}
	if a.Has(i + 1) {
		to = a.Int(i + 1)
	}
	if from < 0 || to > int64(n) || from > to {
		a.Fail(badRange(from, to, n))
		return 0, 0
	}
	return int(from), int(to)
}

// test makes a builtin of a question about one value.
func test(f func(v Value) bool) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) { return value.Bool(f(args[0])), nil }
}

// emptyOf is the error of a builtin that needs at least one element.
func emptyOf(name string) error {
	return eval.Errorf(eval.KindEval, "%s: the list is empty", name)
}

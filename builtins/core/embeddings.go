package core

import (
	"encoding/binary"
	"math"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// Embeddings are bytevectors of little-endian 64-bit floats.
func embeddingBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "vector/dot-product", Arity: eval.Exactly(2), Fn: compareEmbeddings(dot),
			Doc: "(vector/dot-product a b) is the dot product of two embeddings.", Example: "(vector/dot-product #u8(0 0 0 0 0 0 0 64) #u8(0 0 0 0 0 0 8 64)) ; => 6.0"},
		{Name: "vector/cosine-similarity", Arity: eval.Exactly(2), Fn: compareEmbeddings(cosine),
			Doc: "(vector/cosine-similarity a b) is the cosine of the angle between two embeddings, 0.0 if one has no length.", Example: "(vector/cosine-similarity #u8(0 0 0 0 0 0 0 64) #u8(0 0 0 0 0 0 8 64)) ; => 1.0"},
		{Name: "vector/distance", Arity: eval.Exactly(2), Fn: compareEmbeddings(distance),
			Doc: "(vector/distance a b) is the Euclidean distance of two embeddings.", Example: "(vector/distance #u8(0 0 0 0 0 0 0 64) #u8(0 0 0 0 0 0 8 64)) ; => 1.0"},
		{Name: "vector/normalize", Arity: eval.Exactly(1), Fn: vectorNormalize,
			Doc: "(vector/normalize a) is the embedding scaled to length 1.", Example: "(vector/normalize #u8(0 0 0 0 0 0 8 64)) ; => #u8(0 0 0 0 0 0 240 63)"},
	}
}

// floats reads argument i, an embedding.
func floats(a *eval.Args, i int) []float64 {
	b := a.Bytes(i)
	if a.Err() == nil && (len(b) == 0 || len(b)%8 != 0) {
		a.Bad(i, "an embedding, a bytevector of 8 bytes for each number")
		return nil
	}
	xs := make([]float64, len(b)/8)
	for k := range xs {
		xs[k] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*k:]))
	}
	return xs
}

func compareEmbeddings(f func(x, y []float64) float64) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		x, y := floats(&a, 0), floats(&a, 1)
		if len(x) != len(y) {
			a.Fail(eval.Errorf(eval.KindEval, "the embeddings have different lengths: %d and %d", len(x), len(y)))
		}
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		return value.Float(f(x, y)), t.Tick(1 + len(x)/16)
	}
}

func dot(x, y []float64) (sum float64) {
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

func cosine(x, y []float64) float64 {
	lengths := math.Sqrt(dot(x, x)) * math.Sqrt(dot(y, y))
	if lengths == 0 {
		return 0
	}
	return dot(x, y) / lengths
}

func distance(x, y []float64) (sum float64) {
	for i := range x {
		sum += (x[i] - y[i]) * (x[i] - y[i])
	}
	return math.Sqrt(sum)
}

func vectorNormalize(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	xs := floats(&a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	length := math.Sqrt(dot(xs, xs))
	if length == 0 {
		return args[0], nil
	}
	out := make([]byte, 0, 8*len(xs))
	for _, x := range xs {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x/length))
	}
	return value.Bytes(out), nil
}

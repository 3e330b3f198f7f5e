package core

import (
	"math/rand/v2"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func randomBuiltins() []eval.Builtin {
	const varies = "the result varies"
	return []eval.Builtin{
		{Name: "math/random", Arity: eval.Exactly(0), Fn: mathRandom, NoRun: varies,
			Doc: "(math/random) is a random float from 0.0 up to, but not, 1.0.", Example: "(math/random) ; => 0.7291"},
		{Name: "math/random-int", Arity: eval.Exactly(2), Fn: mathRandomInt,
			Doc: "(math/random-int lo hi) is a random integer from lo to hi, both included.", Example: "(<= 1 (math/random-int 1 6) 6) ; => #t"},
		{Name: "list/shuffle", Arity: eval.Exactly(1), Fn: listShuffle,
			Doc: "(list/shuffle seq) lists the elements in a random order.", Example: "(sort (list/shuffle '(3 1 2))) ; => (1 2 3)"},
		{Name: "list/pick", Arity: eval.Exactly(1), Fn: listPick, NoRun: varies,
			Doc: "(list/pick seq) is a random element.", Example: "(list/pick '(1 2 3)) ; => 3"},
	}
}

func mathRandom(t *eval.Thread, args []Value) (Value, error) {
	return value.Float(rand.Float64()), nil
}

func mathRandomInt(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	lo, hi := a.Int(0), a.Int(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if lo > hi {
		return value.Nil, eval.Errorf(eval.KindEval, "math/random-int: lo (%d) must not be greater than hi (%d)", lo, hi)
	}
	span := uint64(hi) - uint64(lo) + 1 // 0 means all 2^64
	if span == 0 {
		return value.Int(int64(rand.Uint64())), nil
	}
	return value.Int(lo + int64(rand.Uint64N(span))), nil
}

func listShuffle(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	elems := a.Seq(0).AppendTo(nil)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	rand.Shuffle(len(elems), func(i, j int) { elems[i], elems[j] = elems[j], elems[i] })
	return t.Heap().List(elems), t.Tick(len(elems))
}

func listPick(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	elems := a.Elems(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if len(elems) == 0 {
		return value.Nil, emptyOf("list/pick")
	}
	return elems[rand.IntN(len(elems))], nil
}

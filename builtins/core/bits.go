package core

import (
	"math/big"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func bitBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "bit/and", Arity: eval.AtLeast(2), Fn: bitwise((*big.Int).And, func(x, y int64) int64 { return x & y }),
			Doc: "(bit/and n ...) has the bits that all have.", Example: "(bit/and 15 9) ; => 9"},
		{Name: "bit/or", Arity: eval.AtLeast(2), Fn: bitwise((*big.Int).Or, func(x, y int64) int64 { return x | y }),
			Doc: "(bit/or n ...) has the bits that any has.", Example: "(bit/or 8 4) ; => 12"},
		{Name: "bit/xor", Arity: eval.AtLeast(2), Fn: bitwise((*big.Int).Xor, func(x, y int64) int64 { return x ^ y }),
			Doc: "(bit/xor n ...) has the bits that an odd number of them have.", Example: "(bit/xor 5 3) ; => 6"},
		{Name: "bit/not", Arity: eval.Exactly(1), Fn: bitNot,
			Doc: "(bit/not n) has the other bits: -n - 1.", Example: "(bit/not 5) ; => -6"},
		{Name: "bit/shift-left", Arity: eval.Exactly(2), Fn: bitShiftLeft,
			Doc: "(bit/shift-left n count) is n times 2 to the power of count.", Example: "(bit/shift-left 1 4) ; => 16"},
		{Name: "bit/shift-right", Arity: eval.Exactly(2), Fn: bitShiftRight,
			Doc: "(bit/shift-right n count) divides n by 2 count times, rounding down.", Example: "(bit/shift-right 7 1) ; => 3"},
	}
}

func bitwise(bigs func(z, x, y *big.Int) *big.Int, ints func(x, y int64) int64) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		if x, ok := args[0].AsInt(); ok && len(args) == 2 {
			if y, ok := args[1].AsInt(); ok {
				return value.Int(ints(x, y)), nil
			}
		}
		a := eval.ArgsOf(args)
		acc := new(big.Int).Set(integer(&a, 0))
		for i := 1; i < len(args); i++ {
			bigs(acc, acc, integer(&a, i))
		}
		return value.Big(acc), a.Err()
	}
}

func bitNot(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return value.Big(new(big.Int).Not(integer(&a, 0))), a.Err()
}

func bitShiftLeft(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n, count := integer(&a, 0), a.Size(1)
	if n.Sign() != 0 && count > maxBits-n.BitLen() {
		a.Fail(eval.Errorf(eval.KindEval, "refused: the result would have more than %d bits", maxBits))
	}
	if err := a.Err(); err != nil || n.Sign() == 0 {
		return value.Int(0), err
	}
	if err := t.Reserve(int64(n.BitLen()+count) / 8); err != nil {
		return value.Nil, err
	}
	return value.Big(new(big.Int).Lsh(n, uint(count))), nil
}

func bitShiftRight(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n, count := integer(&a, 0), a.Size(1)
	return value.Big(new(big.Int).Rsh(n, uint(count))), a.Err()
}

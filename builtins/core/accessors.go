package core

import (
	"fmt"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// accessorBuiltins are last and the compositions of car and cdr, cadr to cdddr.
func accessorBuiltins() []eval.Builtin {
	table := []eval.Builtin{
		{Name: "last", Arity: eval.Exactly(1), Fn: last,
			Doc: "(last seq) is the last element, nil if there is none.", Example: "(last '(1 2 3)) ; => 3"},
	}
	examples := map[string]string{
		"aa": "'((1 2) 3)) ; => 1", "ad": "'(1 2 3)) ; => 2", "da": "'((1 2) 3)) ; => (2)", "dd": "'(1 2 3)) ; => (3)",
		"aaa": "'(((1) 2) 3)) ; => 1", "aad": "'(1 (2 3) 4)) ; => 2", "ada": "'((1 2) 3)) ; => 2", "add": "'(1 2 3)) ; => 3",
		"daa": "'(((1 2) 3) 4)) ; => (2)", "dad": "'(1 (2 3) 4)) ; => (3)", "dda": "'((1 2 3) 4)) ; => (3)", "ddd": "'(1 2 3 4)) ; => (4)",
	}
	for _, path := range []string{"aa", "ad", "da", "dd", "aaa", "aad", "ada", "add", "daa", "dad", "dda", "ddd"} {
		name := "c" + path + "r"
		table = append(table, eval.Builtin{Name: name, Arity: eval.Exactly(1), Fn: accessor(path),
			Doc: fmt.Sprintf("(%s x) is %s.", name, spelledOut(path)), Example: "(" + name + " " + examples[path]})
	}
	return table
}

// spelledOut writes path "ad" as (car (cdr x)).
func spelledOut(path string) string {
	var b strings.Builder
	for _, c := range path {
		fmt.Fprintf(&b, "(c%cr ", c)
	}
	return b.String() + "x" + strings.Repeat(")", len(path))
}

func accessor(path string) builtinFunc {
	return func(t *eval.Thread, args []Value) (v Value, err error) {
		v = args[0]
		for i := len(path) - 1; i >= 0 && err == nil; i-- {
			if path[i] == 'a' {
				v, err = eval.Car(v)
			} else {
				v, err = eval.Cdr(v)
			}
		}
		return v, err
	}
}

func last(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(0)
	switch n := seq.Len(); {
	case a.Err() != nil:
		return value.Nil, a.Err()
	case n == 0:
		return value.Nil, nil
	case seq.IsVector():
		return seq.Slice()[n-1], nil
	default:
		return seq.Nth(n - 1), nil
	}
}

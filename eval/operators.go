package eval

import (
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
)

// operators are the builtins that the compiler inlines: their table entries
// serve calls that are not inlined, such as (map + xs ys). What they do stands
// in package vm, once for both.
func operators() []Builtin {
	return []Builtin{
		{Name: "+", Arity: AtLeast(0), Fn: add,
			Doc: "(+ x ...) adds numbers, or joins strings.", Example: "(+ 1 2 3) ; => 6\n(+ \"a\" \"b\") ; => \"ab\""},
		{Name: "-", Arity: AtLeast(1), Fn: subtract,
			Doc: "(- x y ...) subtracts from x, or negates a single x.", Example: "(- 10 3 2) ; => 5\n(- 5) ; => -5"},
		{Name: "*", Arity: AtLeast(0), Fn: fold(value.Int(1), pure(vm.Mul)),
			Doc: "(* x ...) multiplies numbers.", Example: "(* 2 3 4) ; => 24"},
		{Name: "/", Arity: AtLeast(1), Fn: divide,
			Doc: "(/ x y ...) divides x; exact numbers give an exact quotient.", Example: "(/ 10 4) ; => 5/2\n(/ 10.0 4) ; => 2.5"},
		{Name: "quotient", Aliases: []string{"math/quotient"}, Arity: Exactly(2), Fn: binary(vm.Quotient),
			Doc: "(quotient a b) divides integers toward zero.", Example: "(quotient -7 2) ; => -3"},
		{Name: "remainder", Aliases: []string{"math/remainder"}, Arity: Exactly(2), Fn: binary(vm.Remainder),
			Doc: "(remainder a b) is what quotient leaves: it has the sign of a.", Example: "(remainder -7 2) ; => -1"},
		{Name: "modulo", Aliases: []string{"mod"}, Arity: Exactly(2), Fn: binary(vm.Modulo),
			Doc: "(modulo a b) is the remainder with the sign of b.", Example: "(modulo -7 2) ; => 1"},
		comparison("<", 0, "(< 1 2 3) ; => #t"), comparison("<=", 1, "(<= 2 2) ; => #t"),
		comparison(">", 2, "(> 3 2 2) ; => #f"), comparison(">=", 3, "(>= 2 2) ; => #t"),
		{Name: "=", Arity: AtLeast(1), Fn: compareChain(4),
			Doc: "(= a b ...) is true if all are equal: numbers by value, anything else by structure.", Example: "(= 1 1.0) ; => #t"},
		{Name: "eq?", Aliases: []string{"equal?", "eqv?"}, Arity: Exactly(2), Fn: isEqual,
			Doc: "(eq? a b) is structural equality: numbers of different types differ.", Example: "(eq? '(1 2) '(1 2)) ; => #t\n(eq? 1 1.0) ; => #f"},
		{Name: "not", Arity: Exactly(1), Fn: predicate(func(v Value) bool { return !v.Truthy() }),
			Doc: "(not x) is #t for #f and nil, #f for everything else.", Example: "(not nil) ; => #t"},
		{Name: "null?", Arity: Exactly(1), Fn: predicate(isNull),
			Doc: "(null? x) is true of nil and of the empty list.", Example: "(null? '()) ; => #t"},
		{Name: "pair?", Arity: Exactly(1), Fn: predicate(func(v Value) bool { return v.IsList() && v.Len() > 0 }),
			Doc: "(pair? x) is true of a list with elements.", Example: "(pair? '(1)) ; => #t"},
		{Name: "zero?", Arity: Exactly(1), Fn: isZero,
			Doc: "(zero? n) is true of a number equal to zero.", Example: "(zero? 0.0) ; => #t"},
		{Name: "cons", Arity: Exactly(2), Fn: cons,
			Doc: "(cons x list) is the list with x before it.", Example: "(cons 0 '(1 2)) ; => (0 1 2)"},
		{Name: "car", Aliases: []string{"first"}, Arity: Exactly(1), Fn: unary(vm.Car),
			Doc: "(car seq) is the first element of a list or vector, nil if it is empty.", Example: "(car '(1 2)) ; => 1\n(first []) ; => nil"},
		{Name: "cdr", Aliases: []string{"rest"}, Arity: Exactly(1), Fn: unary(vm.Cdr),
			Doc: "(cdr seq) is the list or vector without its first element.", Example: "(cdr '(1 2 3)) ; => (2 3)"},
		{Name: "nth", Arity: Exactly(2), Fn: binary(vm.Nth),
			Doc: "(nth seq i) is element i of a list or vector, counted from 0.", Example: "(nth '(a b c) 1) ; => b"},
		{Name: "throw", Aliases: []string{"raise"}, Arity: Exactly(1), Fn: throw,
			Doc: "(throw x) raises x, which may be any value.", Example: "(try (throw 42) (catch e (:value e))) ; => 42"},
		{Name: "apply", Arity: AtLeast(2), redirect: vm.Apply,
			Doc: "(apply f x ... list) calls f with the x and then the elements of list.", Example: "(apply + 1 2 '(3 4)) ; => 10"},
	}
}

type builtinFunc = func(t *Thread, args []Value) (Value, error)

// operation is a binary operation of the language.
type operation = func(t *Thread, x, y Value) (Value, error)

func pure(f func(x, y Value) (Value, error)) operation {
	return func(_ *Thread, x, y Value) (Value, error) { return f(x, y) }
}

func fold(unit Value, op operation) builtinFunc {
	return func(t *Thread, args []Value) (Value, error) {
		if len(args) == 0 {
			return unit, nil
		}
		if len(args) == 1 { // checks that it is an operand at all
			return op(t, unit, args[0])
		}
		return reduce(t, args[0], args[1:], op)
	}
}

var addNumbers = fold(value.Int(0), (*vm.Thread).Add)

// add is +, for which a string alone is an operand too.
func add(t *Thread, args []Value) (Value, error) {
	if len(args) == 1 && args[0].IsString() {
		return args[0], nil
	}
	return addNumbers(t, args)
}

func subtract(t *Thread, args []Value) (Value, error) {
	if len(args) > 1 {
		return reduce(t, args[0], args[1:], pure(vm.Sub))
	}
	if v, ok := value.Neg(args[0]); ok {
		return v, nil
	}
	return vm.Sub(value.Int(0), args[0]) // says what is wrong
}

func divide(t *Thread, args []Value) (Value, error) {
	if len(args) > 1 {
		return reduce(t, args[0], args[1:], pure(vm.Div))
	}
	return vm.Div(value.Int(1), args[0])
}

func reduce(t *Thread, acc Value, args []Value, op operation) (Value, error) {
	for _, x := range args {
		var err error
		if acc, err = op(t, acc, x); err != nil {
			return value.Nil, err
		}
	}
	return acc, nil
}

func unary(f func(x Value) (Value, error)) builtinFunc {
	return func(t *Thread, args []Value) (Value, error) { return f(args[0]) }
}

func binary(f func(x, y Value) (Value, error)) builtinFunc {
	return func(t *Thread, args []Value) (Value, error) { return f(args[0], args[1]) }
}

func predicate(f func(v Value) bool) builtinFunc {
	return func(t *Thread, args []Value) (Value, error) { return value.Bool(f(args[0])), nil }
}

func comparison(name string, which int, example string) Builtin {
	return Builtin{Name: name, Arity: AtLeast(1), Fn: compareChain(which), Example: example,
		Doc: "(" + name + " a b ...) is true if it holds of all neighbours, numbers or strings."}
}

func compareChain(which int) builtinFunc {
	return func(t *Thread, args []Value) (Value, error) {
		all := true
		if len(args) == 1 && which < 4 { // a single operand is still checked
			_, err := vm.Holds(which, args[0], args[0])
			return value.True, err
		}
		for i := 0; i+1 < len(args); i++ {
			holds, err := vm.Holds(which, args[i], args[i+1])
			if err != nil {
				return value.Nil, err
			}
			all = all && holds
		}
		return value.Bool(all), nil
	}
}

func isEqual(t *Thread, args []Value) (Value, error) {
	return value.Bool(value.Equal(args[0], args[1])), nil
}

func isNull(v Value) bool { return v.IsNil() || v == value.Empty }

func isZero(t *Thread, args []Value) (Value, error) {
	equal, ok := value.NumbersEqual(args[0], value.Int(0))
	if !ok {
		return value.Nil, TypeError("a number", args[0])
	}
	return value.Bool(equal), nil
}

func cons(t *Thread, args []Value) (Value, error) {
	return t.Heap().Cons(args[0], vm.ConsTail(args[1])), nil
}

func throw(t *Thread, args []Value) (Value, error) { return value.Nil, Throw(args[0]) }

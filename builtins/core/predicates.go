package core

import (
	"math"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func predicateBuiltins() []eval.Builtin {
	one := eval.Exactly(1)
	return []eval.Builtin{
		{Name: "type", Aliases: []string{"type-of"}, Arity: one, Fn: type_,
			Doc: "(type x) is the type of x as a keyword; of a record, the name of its record type.", Example: "(type 42) ; => :int\n(type \"a\") ; => :string\n(type '(1)) ; => :list"},
		{Name: "nil?", Arity: one, Fn: test(value.Value.IsNil),
			Doc: "(nil? x) is true of nil only.", Example: "(nil? nil) ; => #t\n(nil? '()) ; => #f"},
		{Name: "empty?", Arity: one, Fn: isEmpty,
			Doc: "(empty? coll) is true of nil, of \"\" and of collections without elements.", Example: "(empty? \"\") ; => #t\n(empty? [1]) ; => #f"},
		{Name: "list?", Arity: one, Fn: test(value.Value.IsList),
			Doc: "(list? x) is true of lists, also of the empty one.", Example: "(list? '()) ; => #t\n(list? [1]) ; => #f"},
		{Name: "vector?", Arity: one, Fn: test(value.Value.IsVector),
			Doc: "(vector? x) is true of vectors.", Example: "(vector? [1]) ; => #t"},
		{Name: "map?", Aliases: []string{"hash-map?"}, Arity: one, Fn: ofKind(value.KindMap),
			Doc: "(map? x) is true of ordered maps, not of those of hashmap/new.", Example: "(map? {:a 1}) ; => #t\n(map? (hashmap/new)) ; => #f"},
		{Name: "string?", Arity: one, Fn: test(value.Value.IsString),
			Doc: "(string? x) is true of strings.", Example: "(string? \"a\") ; => #t"},
		{Name: "symbol?", Arity: one, Fn: test(value.Value.IsSymbol),
			Doc: "(symbol? x) is true of symbols.", Example: "(symbol? 'a) ; => #t"},
		{Name: "keyword?", Arity: one, Fn: test(value.Value.IsKeyword),
			Doc: "(keyword? x) is true of keywords.", Example: "(keyword? :a) ; => #t"},
		{Name: "char?", Arity: one, Fn: test(value.Value.IsChar),
			Doc: "(char? x) is true of characters.", Example: `(char? #\a) ; => #t`},
		{Name: "bool?", Aliases: []string{"boolean?"}, Arity: one, Fn: ofKind(value.KindBool),
			Doc: "(bool? x) is true of #t and #f.", Example: "(bool? #f) ; => #t\n(bool? nil) ; => #f"},
		{Name: "fn?", Aliases: []string{"procedure?"}, Arity: one, Fn: test(isFn),
			Doc: "(fn? x) is true of functions.", Example: "(fn? car) ; => #t\n(fn? :a) ; => #f"},
		{Name: "record?", Arity: one, Fn: ofKind(value.KindRecord),
			Doc: "(record? x) is true of records.", Example: "(record? 42) ; => #f"},
		{Name: "bytevector?", Arity: one, Fn: test(value.Value.IsBytes),
			Doc: "(bytevector? x) is true of bytevectors.", Example: "(bytevector? #u8(1)) ; => #t"},
		{Name: "promise?", Arity: one, Fn: ofKind(value.KindPromise),
			Doc: "(promise? x) is true of what delay makes.", Example: "(promise? (delay 1)) ; => #t"},
		{Name: "promise-forced?", Arity: one, Fn: isPromiseForced,
			Doc: "(promise-forced? p) tells whether the promise was evaluated.", Example: "(promise-forced? (delay 1)) ; => #f"},
	}
}

func ofKind(k value.Kind) builtinFunc { return test(func(v Value) bool { return v.Kind() == k }) }

func isFn(v Value) bool { return v.IsClosure() || v.IsBuiltin() }

func type_(t *eval.Thread, args []Value) (Value, error) {
	return value.Keyword(args[0].TypeName()), nil
}

func isEmpty(t *eval.Thread, args []Value) (Value, error) {
	n, err := count(t, args)
	return value.Bool(n == value.Int(0)), err
}

func isPromiseForced(t *eval.Thread, args []Value) (Value, error) {
	p, ok := args[0].AsPromise()
	if !ok {
		return value.Nil, eval.TypeError("a promise", args[0])
	}
	return value.Bool(p.Forced), nil
}

func numberPredicateBuiltins() []eval.Builtin {
	one := eval.Exactly(1)
	return []eval.Builtin{
		{Name: "number?", Aliases: []string{"complex?"}, Arity: one, Fn: test(value.Value.IsNumber),
			Doc: "(number? x) is true of numbers: all of them are complex, most are real.", Example: "(number? 1/2) ; => #t\n(complex? 3+4i) ; => #t\n(number? \"1\") ; => #f"},
		{Name: "real?", Arity: one, Fn: test(value.Value.IsReal),
			Doc: "(real? x) is true of numbers without an imaginary part.", Example: "(real? 1.5) ; => #t\n(real? 3+4i) ; => #f\n(real? 3+0i) ; => #t"},
		{Name: "integer?", Arity: one, Fn: test(isInteger),
			Doc: "(integer? x) is true of integers and of floats without a fraction.", Example: "(integer? 3.0) ; => #t\n(integer? 3.5) ; => #f"},
		{Name: "rational?", Arity: one, Fn: test(value.Value.IsRational),
			Doc: "(rational? x) is true of exact real numbers: integers and ratios.", Example: "(rational? 1/2) ; => #t\n(rational? 0.5) ; => #f"},
		{Name: "float?", Arity: one, Fn: test(value.Value.IsFloat),
			Doc: "(float? x) is true of floats.", Example: "(float? 1.0) ; => #t"},
		{Name: "exact?", Arity: one, Fn: test(value.Value.IsExact),
			Doc: "(exact? x) is true of exact numbers, those without a float.", Example: "(exact? 1/3) ; => #t\n(exact? 3+4i) ; => #t"},
		{Name: "inexact?", Arity: one, Fn: test(isInexact),
			Doc: "(inexact? x) is true of floats, and of complex numbers with a part that is one.", Example: "(inexact? 0.5) ; => #t\n(inexact? 3+4.0i) ; => #t"},
		{Name: "exact-integer?", Arity: one, Fn: test(value.Value.IsInteger),
			Doc: "(exact-integer? x) is true of exact integers of any size.", Example: "(exact-integer? 2.0) ; => #f"},
		{Name: "even?", Arity: one, Fn: parity(0),
			Doc: "(even? n) is true of an integer that 2 divides.", Example: "(even? 4) ; => #t"},
		{Name: "odd?", Arity: one, Fn: parity(1),
			Doc: "(odd? n) is true of an integer that 2 does not divide.", Example: "(odd? -3) ; => #t"},
		{Name: "positive?", Arity: one, Fn: sign(1),
			Doc: "(positive? n) is true of numbers greater than 0.", Example: "(positive? 0.5) ; => #t"},
		{Name: "negative?", Arity: one, Fn: sign(-1),
			Doc: "(negative? n) is true of numbers less than 0.", Example: "(negative? -1/2) ; => #t"},
		{Name: "math/nan?", Aliases: []string{"nan?"}, Arity: one, Fn: test(isNaN),
			Doc: "(math/nan? x) is true of NaN, which equals no number.", Example: "(math/nan? (/ 0.0 0.0)) ; => #t"},
		{Name: "math/infinite?", Aliases: []string{"infinite?"}, Arity: one, Fn: test(isInfinite),
			Doc: "(math/infinite? x) is true of the two infinite floats.", Example: "(math/infinite? (/ 1.0 0.0)) ; => #t"},
		{Name: "finite?", Arity: one, Fn: test(isFinite),
			Doc: "(finite? x) is true of numbers that are neither infinite nor NaN.", Example: "(finite? 1e308) ; => #t\n(finite? (/ 1.0 0.0)) ; => #f"},
		{Name: "exact-rational?", Arity: one, Fn: test(value.Value.IsRational),
			Doc: "(exact-rational? x) is true of integers and ratios.", Example: "(exact-rational? 1/2) ; => #t"},
	}
}

func isInexact(v Value) bool { return v.IsNumber() && !v.IsExact() }

func isInteger(v Value) bool {
	if f, ok := v.AsFloat(); ok {
		_, whole := value.FloatToInteger(f)
		return whole
	}
	return v.IsInteger()
}

// anyPart asks about the parts of a number; a real one has itself and 0.
func anyPart(v Value, f func(part float64) bool) bool {
	z, ok := v.ToComplex()
	return ok && !v.IsExact() && (f(real(z)) || f(imag(z)))
}

func isNaN(v Value) bool { return anyPart(v, math.IsNaN) }

func isInfinite(v Value) bool {
	return anyPart(v, func(f float64) bool { return math.IsInf(f, 0) })
}

func isFinite(v Value) bool { return v.IsNumber() && !isNaN(v) && !isInfinite(v) }

func parity(bit uint) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		if i, ok := args[0].AsInt(); ok {
			return value.Bool(uint(i)&1 == bit), nil
		}
		a := eval.ArgsOf(args)
		n := integer(&a, 0)
		return value.Bool(n.Bit(0) == bit), a.Err()
	}
}

func sign(wanted int) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		o, _ := value.CompareNumbers(realNumber(&a, 0), value.Int(0))
		return value.Bool(o == wanted), a.Err()
	}
}

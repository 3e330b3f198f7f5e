package core

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/reader"
)

func convertBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "string/to-number", Aliases: []string{"string->number"}, Arity: eval.Between(1, 2), Fn: stringToNumber,
			Doc:     "(string/to-number s [radix]) is the number that s spells, #f if it spells none. In radix 2, 8 or 16 it is an integer.",
			Example: "(string/to-number \"42\") ; => 42\n(string/to-number \"1/3\") ; => 1/3\n(string/to-number \"ff\" 16) ; => 255\n(string/to-number \"no\") ; => #f"},
		{Name: "string/number?", Arity: eval.Exactly(1), Fn: isStringNumber,
			Doc: "(string/number? s) tells whether s spells a number.", Example: "(string/number? \"1e3\") ; => #t\n(string/number? \" 42\") ; => #f"},
		{Name: "number/to-string", Aliases: []string{"number->string"}, Arity: eval.Between(1, 2), Fn: numberToString,
			Doc: "(number/to-string n [radix]) spells a number; in radix 2, 8 or 16, an exact integer.", Example: "(number/to-string 3.5) ; => \"3.5\"\n(number/to-string 255 16) ; => \"ff\""},
		{Name: "string/to-float", Aliases: []string{"string->float", "float"}, Arity: eval.Exactly(1), Fn: stringToFloat,
			Doc: "(string/to-float x) is the float of a string or a number.", Example: "(string/to-float \"42\") ; => 42.0\n(float 1/2) ; => 0.5"},
		{Name: "int", Arity: eval.Exactly(1), Fn: int_,
			Doc: "(int x) is the integer of a string, or a number without its fraction.", Example: "(int \"42\") ; => 42\n(int -3.9) ; => -3"},
		{Name: "string/to-symbol", Aliases: []string{"string->symbol"}, Arity: eval.Exactly(1), Fn: textTo(value.Symbol),
			Doc: "(string/to-symbol s) is the symbol of that name.", Example: "(string/to-symbol \"foo\") ; => foo"},
		{Name: "string/to-keyword", Aliases: []string{"string->keyword"}, Arity: eval.Exactly(1), Fn: textTo(value.Keyword),
			Doc: "(string/to-keyword s) is the keyword of that name.", Example: "(string/to-keyword \"a\") ; => :a"},
		{Name: "symbol/to-string", Aliases: []string{"symbol->string"}, Arity: eval.Exactly(1), Fn: nameOf((*eval.Args).Symbol),
			Doc: "(symbol/to-string x) is the symbol's name.", Example: "(symbol/to-string 'foo) ; => \"foo\""},
		{Name: "keyword/to-string", Aliases: []string{"keyword->string"}, Arity: eval.Exactly(1), Fn: nameOf((*eval.Args).Keyword),
			Doc: "(keyword/to-string x) is the keyword's name, without the colon.", Example: "(keyword/to-string :a) ; => \"a\""},
	}
}

func textTo(make_ func(text string) Value) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		s := a.String(0)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		return make_(strings.Clone(s)), nil // names live on their own
	}
}

func nameOf(get func(a *eval.Args, i int) string) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		return value.String(get(&a, 0)), a.Err()
	}
}

// radix reads argument i, 10 if it is not given.
func radix(a *eval.Args, i int) int {
	if !a.Has(i) {
		return 10
	}
	switch n := a.Int(i); n {
	case 2, 8, 10, 16:
		return int(n)
	}
	a.Bad(i, "a radix of 2, 8, 10 or 16")
	return 10
}

func stringToNumber(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s, base := a.String(0), radix(&a, 1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	n, ok := parseInBase(s, base)
	if base == 10 {
		n, ok = parseNumber(s)
	}
	if !ok {
		return value.False, nil
	}
	return n, nil
}

func isStringNumber(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	_, ok := parseNumber(a.String(0))
	return value.Bool(ok), a.Err()
}

// parseInBase reads an integer in base 2, 8 or 16.
func parseInBase(s string, base int) (Value, bool) {
	digits := strings.TrimLeft(s, "+-")
	if digits == "" || len(s)-len(digits) > 1 || len(digits) > slowBits/4 || strings.Contains(digits, "_") {
		return value.Nil, false
	}
	n, ok := new(big.Int).SetString(s, base)
	if !ok {
		return value.Nil, false
	}
	return value.Big(n), true
}

// parseNumber reads a number in any spelling of the language, and in those
// that strings have besides: +5, .5, 5. and the names of the floats that are
// no numbers.
func parseNumber(s string) (Value, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return value.Int(n), true
	}
	if f, ok := parseFloat(s); ok {
		return value.Float(f), true
	}
	if !strings.HasSuffix(s, "i") {
		s = strings.TrimPrefix(s, "+")
	}
	if s == "" || !strings.ContainsAny(s[:1], "0123456789+-#") {
		return value.Nil, false
	}
	form, _, err := reader.ReadOne(&value.Source{Name: "<string>", Text: s})
	end := value.Pos{Line: 1, Col: int32(utf8.RuneCountInString(s)) + 1}
	whole := form.Span == value.Span{Start: value.Pos{Line: 1, Col: 1}, End: end}
	return form.Value, err == nil && whole && form.Value.IsNumber()
}

// parseFloat reads a decimal fraction or one of the names that floats print.
func parseFloat(s string) (float64, bool) {
	switch strings.ToLower(strings.TrimLeft(s, "+-")) {
	case "inf", "nan", "infinity":
	default:
		if strings.Trim(s, "+-.0123456789eE") != "" || !strings.ContainsAny(s, ".eE") {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) { // out of range is an infinite float
		return 0, false
	}
	return f, true
}

func numberToString(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n, base := a.Number(0), radix(&a, 1)
	if a.Err() == nil && base != 10 {
		return value.String(inBase(&a, 0, base)), a.Err()
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.String(value.Write(n)), nil
}

// asNumberOrText reads argument 0, a number or a string that spells one.
func asNumberOrText(args []Value) (Value, error) {
	s, isString := args[0].AsString()
	if isString {
		n, ok := parseNumber(s)
		if !ok {
			return value.Nil, eval.Errorf(eval.KindEval, "%s does not spell a number", eval.Brief(args[0]))
		}
		return n, nil
	}
	if !args[0].IsNumber() {
		return value.Nil, eval.TypeError("a number or a string", args[0])
	}
	return args[0], nil
}

func stringToFloat(t *eval.Thread, args []Value) (Value, error) {
	n, err := asNumberOrText(args)
	if err != nil {
		return value.Nil, err
	}
	if n.IsComplex() {
		return value.Nil, eval.TypeError(notReal, n)
	}
	return inexact(n), nil
}

func int_(t *eval.Thread, args []Value) (Value, error) {
	n, err := asNumberOrText(args)
	switch {
	case err != nil:
		return value.Nil, err
	case args[0].IsString() && !n.IsInteger():
		return value.Nil, eval.Errorf(eval.KindEval, "%s does not spell an integer", eval.Brief(args[0]))
	case n.IsComplex():
		return value.Nil, eval.TypeError(notReal, n)
	case n.IsInteger():
		return n, nil
	}
	if f, ok := n.AsFloat(); ok {
		i, whole := value.FloatToInteger(math.Trunc(f))
		if !whole {
			return value.Nil, eval.TypeError("a finite number", n)
		}
		return i, nil
	}
	r, _ := n.AsRational()
	return value.Big(truncRat(r)), nil
}

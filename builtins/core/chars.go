package core

import (
	"unicode"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func charBuiltins() []eval.Builtin {
	table := []eval.Builtin{
		{Name: "string/chars", Aliases: []string{"string/to-list", "string->list"}, Arity: eval.Exactly(1), Fn: stringChars,
			Doc: "(string/chars s) lists the characters.", Example: `(string/chars "ab") ; => (#\a #\b)`},
		{Name: "list->string", Arity: eval.Exactly(1), Fn: listToString,
			Doc: "(list->string chars) is the string of the characters.", Example: `(list->string '(#\h #\i)) ; => "hi"`},
		{Name: "string/codepoints", Arity: eval.Exactly(1), Fn: stringCodepoints,
			Doc: "(string/codepoints s) lists the Unicode code points.", Example: `(string/codepoints "A\u00e9") ; => (65 233)`},
		{Name: "string/from-codepoints", Arity: eval.Exactly(1), Fn: stringFromCodepoints,
			Doc: "(string/from-codepoints ints) is the string of the code points.", Example: `(string/from-codepoints '(72 105)) ; => "Hi"`},
		{Name: "char/to-integer", Aliases: []string{"char->integer"}, Arity: eval.Exactly(1), Fn: charToInteger,
			Doc: "(char/to-integer c) is the Unicode code point.", Example: `(char/to-integer #\A) ; => 65`},
		{Name: "integer/to-char", Aliases: []string{"integer->char"}, Arity: eval.Exactly(1), Fn: integerToChar,
			Doc: "(integer/to-char n) is the character with that Unicode code point.", Example: `(integer/to-char 65) ; => #\A`},
		{Name: "char/to-string", Aliases: []string{"char->string"}, Arity: eval.Exactly(1), Fn: charToString,
			Doc: "(char/to-string c) is the string of one character.", Example: `(char/to-string #\a) ; => "a"`},
		{Name: "string/to-char", Aliases: []string{"string->char"}, Arity: eval.Exactly(1), Fn: stringToChar,
			Doc: "(string/to-char s) is the character of a string that has only one.", Example: `(string/to-char "a") ; => #\a`},
		{Name: "char/upcase", Aliases: []string{"char-upcase"}, Arity: eval.Exactly(1), Fn: charBy(unicode.ToUpper),
			Doc: "(char/upcase c) is the capital.", Example: `(char/upcase #\a) ; => #\A`},
		{Name: "char/downcase", Aliases: []string{"char-downcase"}, Arity: eval.Exactly(1), Fn: charBy(unicode.ToLower),
			Doc: "(char/downcase c) is the small letter.", Example: `(char/downcase #\A) ; => #\a`},
		charTest("alphabetic", "a letter", func(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) }, 'a'),
		charTest("numeric", "a digit or another number", unicode.IsNumber, '5'),
		charTest("whitespace", "white space", unicode.IsSpace, ' '),
		charTest("upper-case", "a capital", unicode.IsUpper, 'A'),
		charTest("lower-case", "a small letter", unicode.IsLower, 'a'),
	}
	for _, c := range []struct {
		op      string
		holds   func(order int) bool
		example string
	}{
		{"=", func(o int) bool { return o == 0 }, `#\a #\a`}, {"<", func(o int) bool { return o < 0 }, `#\a #\b`},
		{">", func(o int) bool { return o > 0 }, `#\b #\a`}, {"<=", func(o int) bool { return o <= 0 }, `#\a #\b`},
		{">=", func(o int) bool { return o >= 0 }, `#\b #\a`},
	} {
		table = append(table, charCompare("char"+c.op+"?", "by code point", c.example, func(r rune) rune { return r }, c.holds),
			charCompare("char-ci"+c.op+"?", "without regard to case", c.example, foldRune, c.holds))
	}
	return table
}

func charTest(name, what string, f func(r rune) bool, of rune) eval.Builtin {
	return eval.Builtin{Name: "char/" + name + "?", Aliases: []string{"char-" + name + "?"}, Arity: eval.Exactly(1),
		Doc:     "(char/" + name + "? c) tells whether c is " + what + ".",
		Example: "(char/" + name + "? " + value.Char(of).String() + ") ; => #t",
		Fn: func(t *eval.Thread, args []Value) (Value, error) {
			a := eval.ArgsOf(args)
			return value.Bool(f(a.Char(0))), a.Err()
		}}
}

func charCompare(name, how, example string, key func(r rune) rune, holds func(order int) bool) eval.Builtin {
	return eval.Builtin{Name: name, Arity: eval.AtLeast(2),
		Doc:     "(" + name + " c d ...) compares neighbouring characters " + how + ".",
		Example: "(" + name + " " + example + ") ; => #t",
		Fn: func(t *eval.Thread, args []Value) (Value, error) {
			a := eval.ArgsOf(args)
			all := true
			for i := range len(args) - 1 {
				all = all && holds(int(key(a.Char(i))-key(a.Char(i+1))))
			}
			a.Char(len(args) - 1)
			return value.Bool(all), a.Err()
		}}
}

func charBy(f func(r rune) rune) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		return value.Char(f(a.Char(0))), a.Err()
	}
}

// characters lists what make returns for each character of args[0].
func characters(t *eval.Thread, args []Value, make_ func(r rune) Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	n := args[0].Len()
	if err := reserve(t, int64(n), valueSize); err != nil {
		return value.Nil, err
	}
	elems := make([]Value, 0, n)
	for _, r := range s {
		elems = append(elems, make_(r))
	}
	return t.Heap().List(elems), t.Tick(n)
}

func stringChars(t *eval.Thread, args []Value) (Value, error) { return characters(t, args, value.Char) }

func stringCodepoints(t *eval.Thread, args []Value) (Value, error) {
	return characters(t, args, func(r rune) Value { return value.Int(int64(r)) })
}

// fromChars is the string of what get finds in the elements of args[0].
func fromChars(t *eval.Thread, args []Value, get func(a *eval.Args, i int) rune) (Value, error) {
	a := eval.ArgsOf(args)
	elems := a.Elems(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	each := eval.ArgsOf(elems)
	out := make([]byte, 0, len(elems))
	for i := range elems {
		if out = utf8.AppendRune(out, get(&each, i)); each.Err() != nil {
			return value.Nil, each.Err()
		}
	}
	return value.String(string(out)), t.Tick(len(elems))
}

func listToString(t *eval.Thread, args []Value) (Value, error) {
	return fromChars(t, args, (*eval.Args).Char)
}

func stringFromCodepoints(t *eval.Thread, args []Value) (Value, error) {
	return fromChars(t, args, codepoint)
}

// codepoint reads an integer that is the code point of a character.
func codepoint(a *eval.Args, i int) rune {
	n := a.Int(i)
	if n < 0 || n > unicode.MaxRune || !utf8.ValidRune(rune(n)) {
		a.Bad(i, "a Unicode code point")
		return 0
	}
	return rune(n)
}

func charToInteger(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return value.Int(int64(a.Char(0))), a.Err()
}

func integerToChar(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return value.Char(codepoint(&a, 0)), a.Err()
}

func charToString(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return value.String(string(a.Char(0))), a.Err()
}

func stringToChar(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := a.String(0)
	r, size := utf8.DecodeRuneInString(s)
	if size != len(s) || size == 0 {
		a.Bad(0, "a string of one character")
	}
	return value.Char(r), a.Err()
}

package core

import (
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func stringBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "str", Aliases: []string{"string/append", "string-append"}, Arity: eval.AtLeast(0), Fn: str,
			Doc:     "(str x ...) joins the texts that display prints; strings stand for themselves.",
			Example: `(str "id-" 42 :a) ; => "id-42:a"` + "\n" + `(str '(1 "a")) ; => "(1 \"a\")"` + "\n" + `(string-append "a" "b") ; => "ab"`},
		{Name: "string/length", Aliases: []string{"string-length"}, Arity: eval.Exactly(1), Fn: stringLength,
			Doc: "(string/length s) counts the characters.", Example: `(string/length "h\u00e9llo") ; => 5`},
		{Name: "string/byte-length", Arity: eval.Exactly(1), Fn: stringByteLength,
			Doc: "(string/byte-length s) counts the bytes of the UTF-8 text.", Example: `(string/byte-length "h\u00e9llo") ; => 6`},
		{Name: "string/empty?", Arity: eval.Exactly(1), Fn: stringIsEmpty,
			Doc: "(string/empty? s) tells whether s is \"\".", Example: `(string/empty? "") ; => #t`},
		{Name: "string/ref", Aliases: []string{"string-ref"}, Arity: eval.Exactly(2), Fn: stringRef,
			Doc: "(string/ref s i) is character i, counted from 0.", Example: `(string/ref "abc" 1) ; => #\b`},
		{Name: "string/slice", Aliases: []string{"substring"}, Arity: eval.Between(2, 3), Fn: stringSlice,
			Doc:     "(string/slice s start [end]) is the text from character start up to end, or to the end of s.",
			Example: `(string/slice "hello" 1 3) ; => "el"` + "\n" + `(string/slice "hello" 2) ; => "llo"`},
		{Name: "string/take", Arity: eval.Exactly(2), Fn: stringTake,
			Doc:     "(string/take s n) is the first n characters, or the last ones for a negative n; at most all.",
			Example: `(string/take "hello" 3) ; => "hel"` + "\n" + `(string/take "hello" -2) ; => "lo"`},
		{Name: "string/contains?", Arity: eval.Exactly(2), Fn: textTest(strings.Contains),
			Doc: "(string/contains? s part) tells whether part occurs in s.", Example: `(string/contains? "hello" "ell") ; => #t`},
		{Name: "string/starts-with?", Arity: eval.Exactly(2), Fn: textTest(strings.HasPrefix),
			Doc: "(string/starts-with? s prefix) tells whether s begins with prefix.", Example: `(string/starts-with? "hello" "he") ; => #t`},
		{Name: "string/ends-with?", Arity: eval.Exactly(2), Fn: textTest(strings.HasSuffix),
			Doc: "(string/ends-with? s suffix) tells whether s ends with suffix.", Example: `(string/ends-with? "hello" "lo") ; => #t`},
		{Name: "string/index-of", Arity: eval.Exactly(2), Fn: indexBy(strings.Index),
			Doc:     "(string/index-of s part) is the index of the character where part first occurs, or nil.",
			Example: `(string/index-of "hello" "l") ; => 2` + "\n" + `(string/index-of "hello" "z") ; => nil`},
		{Name: "string/last-index-of", Arity: eval.Exactly(2), Fn: indexBy(strings.LastIndex),
			Doc: "(string/last-index-of s part) is the index of the character where part last occurs, or nil.", Example: `(string/last-index-of "abcab" "ab") ; => 3`},
		{Name: "string/repeat", Aliases: []string{"make-string"}, Arity: eval.Exactly(2), Fn: stringRepeat,
			Doc: "(string/repeat s n) is s n times.", Example: `(string/repeat "ab" 3) ; => "ababab"`},
		{Name: "string/reverse", Arity: eval.Exactly(1), Fn: stringReverse,
			Doc: "(string/reverse s) has the characters in reverse order.", Example: `(string/reverse "abc") ; => "cba"`},
		{Name: "string/pad-left", Arity: eval.Between(2, 3), Fn: stringPadLeft,
			Doc:     "(string/pad-left s width [pad]) puts the first character of pad, a space, before s until it is so many columns wide.",
			Example: `(string/pad-left "42" 5 "0") ; => "00042"`},
		{Name: "string/pad-right", Arity: eval.Between(2, 3), Fn: stringPadRight,
			Doc:     "(string/pad-right s width [pad]) puts the first character of pad, a space, behind s until it is so many columns wide.",
			Example: `(string/pad-right "hi" 4 ".") ; => "hi.."`},
		{Name: "string/map", Arity: eval.Exactly(2), Fn: stringMap,
			Doc: "(string/map f s) joins what f returns for each character, a character or a string.", Example: `(string/map char/upcase "abc") ; => "ABC"`},
		{Name: "string/intern", Arity: eval.Exactly(1), Fn: stringIntern,
			Doc: "(string/intern s) is s; it exists for programs that shared equal strings to save memory.", Example: `(string/intern "a") ; => "a"`},
	}
}

// str appends to its first argument where that is a string, so that building a
// text piece by piece stays linear.
func str(t *eval.Thread, args []Value) (Value, error) {
	total := int64(0)
	var few [8]Value
	parts := few[:0]
	for _, x := range args {
		if !x.IsString() {
			x = value.String(value.Write(x))
		}
		s, _ := x.AsString()
		total += int64(len(s))
		parts = append(parts, x)
	}
	if err := reserve(t, total, 1); err != nil {
		return value.Nil, err
	}
	return t.Heap().Append(parts...), nil
}

func stringLength(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return value.Int(int64(charCount(t, args[0]))), nil
}

func stringByteLength(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return value.Int(int64(len(a.String(0)))), a.Err()
}

func stringIsEmpty(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	return value.Bool(a.String(0) == ""), a.Err()
}

func stringRef(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	a.String(0)
	i := a.Int(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if n := charCount(t, args[0]); i < 0 || i >= int64(n) {
		return value.Nil, outOfBounds(i, n)
	}
	return value.Char(charAt(t, args[0], int(i))), nil
}

func stringSlice(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	start, end := rangeOf(&a, 1, charCount(t, args[0]))
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return substringOf(t, args[0], start, end), nil
}

func stringTake(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	a.String(0)
	n := a.Int(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	length := int64(charCount(t, args[0]))
	if n >= 0 {
		return substringOf(t, args[0], 0, int(min(n, length))), nil
	}
	return substringOf(t, args[0], int(max(length+n, 0)), int(length)), nil // n is negative: no overflow
}

// textTest makes a builtin of a question about two strings.
func textTest(f func(s, part string) bool) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		s, part := a.String(0), a.String(1)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		return value.Bool(f(s, part)), t.Tick(1 + len(s)/64)
	}
}

// indexBy makes a builtin of a search for bytes.
func indexBy(f func(s, part string) int) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		s, part := a.String(0), a.String(1)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		at := f(s, part)
		if at < 0 {
			return value.Nil, nil
		}
		if !args[0].IsASCII() {
			at = utf8.RuneCountInString(s[:at])
		}
		return value.Int(int64(at)), nil
	}
}

func stringRepeat(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s, n := a.String(0), a.Size(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := reserve(t, int64(n), int64(len(s))); err != nil {
		return value.Nil, err
	}
	if s == "" {
		n = 0
	}
	return value.String(strings.Repeat(s, n)), t.Tick(1 + n*len(s)/64)
}

func stringReverse(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	out := make([]byte, 0, len(s))
	for len(s) > 0 {
		_, size := utf8.DecodeLastRuneInString(s)
		out = append(out, s[len(s)-size:]...)
		s = s[:len(s)-size]
	}
	return value.String(string(out)), t.Tick(1 + len(out)/64)
}

// padding is what brings argument 0 to the columns in argument 1.
func padding(t *eval.Thread, args []Value) (s, pad string, err error) {
	a := eval.ArgsOf(args)
	s = a.String(0)
	columns, fill := a.Size(1), " "
	if a.Has(2) {
		fill = a.String(2)
	}
	if err := a.Err(); err != nil {
		return "", "", err
	}
	_, size := utf8.DecodeRuneInString(fill)
	if fill = fill[:size]; width(fill) == 0 {
		fill = " "
	}
	n := max(columns-width(s), 0) / width(fill)
	if err := reserve(t, int64(n), int64(len(fill))); err != nil {
		return "", "", err
	}
	return s, strings.Repeat(fill, n), t.Tick(1 + (n+len(s))/16)
}

func stringPadLeft(t *eval.Thread, args []Value) (Value, error) {
	s, pad, err := padding(t, args)
	return value.String(pad + s), err
}

func stringPadRight(t *eval.Thread, args []Value) (Value, error) {
	s, pad, err := padding(t, args)
	return value.String(s + pad), err
}

func stringMap(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	fn, s := a.Func(0), a.String(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	c := t.Caller(fn, 1)
	defer c.Done()
	b := text{t: t}
	for _, r := range s {
		x, err := c.Call1(value.Char(r))
		if err != nil {
			return value.Nil, err
		}
		part, isString := x.AsString()
		if char, isChar := x.AsChar(); isChar {
			part = string(char)
		} else if !isString {
			return value.Nil, eval.TypeError("a character or a string from the function", x)
		}
		if err := b.add(part); err != nil {
			return value.Nil, err
		}
	}
	return b.value()
}

func stringIntern(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	a.String(0)
	return args[0], a.Err()
}

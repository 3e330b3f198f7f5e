package core

import (
	"strings"
	"unicode"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func partBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "string/split", Aliases: []string{"string-split"}, Arity: eval.Between(2, 3), Fn: stringSplit,
			Doc:     "(string/split s sep [limit]) lists the parts of s between each sep, of which a limit makes at most so many.",
			Example: `(string/split "a,b,,c" ",") ; => ("a" "b" "" "c")` + "\n" + `(string/split "a,b,c" "," 2) ; => ("a" "b,c")`},
		{Name: "string/lines", Arity: eval.Exactly(1), Fn: stringLines,
			Doc: "(string/lines s) lists the lines, which end with \\n or \\r\\n.", Example: `(string/lines "a\nb\r\n") ; => ("a" "b")`},
		{Name: "string/join", Aliases: []string{"string-join"}, Arity: eval.Between(1, 2), Fn: stringJoin,
			Doc:     "(string/join seq [sep]) joins the texts of the elements, with sep between them.",
			Example: `(string/join '("a" "b" 3) ", ") ; => "a, b, 3"`},
		{Name: "string/trim", Aliases: []string{"string-trim"}, Arity: eval.Exactly(1), Fn: partBy(strings.TrimSpace),
			Doc: "(string/trim s) drops white space from both ends.", Example: `(string/trim "  a b \n") ; => "a b"`},
		{Name: "string/trim-left", Arity: eval.Exactly(1), Fn: partBy(trimLeft),
			Doc: "(string/trim-left s) drops white space from the start.", Example: `(string/trim-left "  a ") ; => "a "`},
		{Name: "string/trim-right", Arity: eval.Exactly(1), Fn: partBy(trimRight),
			Doc: "(string/trim-right s) drops white space from the end.", Example: `(string/trim-right " a  ") ; => " a"`},
		{Name: "string/after", Arity: eval.Exactly(2), Fn: partBy2(after),
			Doc: "(string/after s mark) is what follows the first mark; s if there is none.", Example: `(string/after "a@b@c" "@") ; => "b@c"`},
		{Name: "string/after-last", Arity: eval.Exactly(2), Fn: partBy2(afterLast),
			Doc: "(string/after-last s mark) is what follows the last mark; s if there is none.", Example: `(string/after-last "a.b.c" ".") ; => "c"`},
		{Name: "string/before", Arity: eval.Exactly(2), Fn: partBy2(before),
			Doc: "(string/before s mark) is what precedes the first mark; s if there is none.", Example: `(string/before "a@b@c" "@") ; => "a"`},
		{Name: "string/before-last", Arity: eval.Exactly(2), Fn: partBy2(beforeLast),
			Doc: "(string/before-last s mark) is what precedes the last mark; s if there is none.", Example: `(string/before-last "a.b.c" ".") ; => "a.b"`},
		{Name: "string/between", Arity: eval.Exactly(3), Fn: stringBetween,
			Doc:     "(string/between s open close) is what stands between open and the close after it; \"\" without open.",
			Example: `(string/between "a[x]b[y]" "[" "]") ; => "x"`},
		{Name: "string/chop-start", Arity: eval.Exactly(2), Fn: partBy2(strings.TrimPrefix),
			Doc: "(string/chop-start s prefix) is s without prefix, if it starts with it.", Example: `(string/chop-start "foobar" "foo") ; => "bar"`},
		{Name: "string/chop-end", Arity: eval.Exactly(2), Fn: partBy2(strings.TrimSuffix),
			Doc: "(string/chop-end s suffix) is s without suffix, if it ends with it.", Example: `(string/chop-end "a.txt" ".txt") ; => "a"`},
		{Name: "string/unwrap", Arity: eval.Between(2, 3), Fn: stringUnwrap,
			Doc:     "(string/unwrap s left [right]) drops the marks around s if both are there; right is left if not given.",
			Example: `(string/unwrap "(a)" "(" ")") ; => "a"`},
	}
}

func stringSplit(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s, sep, limit := a.String(0), a.String(1), -1
	if a.Has(2) {
		limit = positive(&a, 2)
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := reserve(t, int64(strings.Count(s, sep)), 2*valueSize); err != nil {
		return value.Nil, err
	}
	return pieces(t, s, splitAll(s, sep, limit))
}

// splitAll splits at each sep; an empty one stands between all characters and
// at both ends.
func splitAll(s, sep string, limit int) []string {
	if sep != "" {
		return strings.SplitN(s, sep, limit)
	}
	parts := append([]string{""}, strings.SplitN(s, "", -1)...)
	parts = append(parts, "")
	if limit > 0 && limit < len(parts) {
		parts = append(parts[:limit-1], strings.Join(parts[limit-1:], ""))
	}
	return parts
}

// pieces lists parts of whole.
func pieces(t *eval.Thread, whole string, parts []string) (Value, error) {
	elems := make([]Value, len(parts))
	for i, p := range parts {
		elems[i] = piece(whole, p)
	}
	return t.Heap().List(elems), t.Tick(len(elems) + len(whole)/64)
}

func stringLines(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := reserve(t, int64(strings.Count(s, "\n")), 2*valueSize); err != nil {
		return value.Nil, err
	}
	var lines []string
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		lines = append(lines, strings.TrimSuffix(line, "\r"))
	}
	return pieces(t, s, lines)
}

func stringJoin(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq, sep := a.Seq(0), ""
	if a.Has(1) {
		sep = a.String(1)
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return joinTexts(t, seq, sep, sep)
}

// partBy makes a builtin of a function that returns a part of its argument.
func partBy(f func(s string) string) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		s := a.String(0)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		return partOf(args[0], f(s)), nil
	}
}

// partBy2 is partBy with a mark to look for.
func partBy2(f func(s, mark string) string) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		s, mark := a.String(0), a.String(1)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		return partOf(args[0], f(s, mark)), t.Tick(1 + len(s)/64)
	}
}

// partOf is whole itself where part is all of it.
func partOf(whole Value, part string) Value {
	s, _ := whole.AsString()
	if len(s) == len(part) {
		return whole
	}
	return piece(s, part)
}

func trimLeft(s string) string  { return strings.TrimLeftFunc(s, unicode.IsSpace) }
func trimRight(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }

func after(s, mark string) string {
	if i := strings.Index(s, mark); i >= 0 {
		return s[i+len(mark):]
	}
	return s
}

func afterLast(s, mark string) string {
	if i := strings.LastIndex(s, mark); i >= 0 {
		return s[i+len(mark):]
	}
	return s
}

func before(s, mark string) string {
	if i := strings.Index(s, mark); i >= 0 {
		return s[:i]
	}
	return s
}

func beforeLast(s, mark string) string {
	if i := strings.LastIndex(s, mark); i >= 0 {
		return s[:i]
	}
	return s
}

func stringBetween(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s, left, right := a.String(0), a.String(1), a.String(2)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	_, inner, found := strings.Cut(s, left)
	if !found {
		return value.String(""), nil
	}
	return piece(s, before(inner, right)), t.Tick(1 + len(s)/64)
}

func stringUnwrap(t *eval.Thread, args []Value) (Value, error) {
	s, left, right, err := wrapArgs(args)
	if err != nil {
		return value.Nil, err
	}
	if len(s) < len(left)+len(right) || !strings.HasPrefix(s, left) || !strings.HasSuffix(s, right) {
		return args[0], nil
	}
	return partOf(args[0], s[len(left):len(s)-len(right)]), nil
}

// wrapArgs reads a string and marks around it; one mark is for both sides.
func wrapArgs(args []Value) (s, left, right string, err error) {
	a := eval.ArgsOf(args)
	s, left = a.String(0), a.String(1)
	right = left
	if a.Has(2) {
		right = a.String(2)
	}
	return s, left, right, a.Err()
}

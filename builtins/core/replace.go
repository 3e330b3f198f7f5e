package core

import (
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func replaceBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "string/replace", Arity: eval.Exactly(3), Fn: stringReplace,
			Doc: "(string/replace s part new) puts new in the place of each part; it is no pattern.", Example: `(string/replace "a.b.c" "." "-") ; => "a-b-c"`},
		{Name: "string/replace-first", Arity: eval.Exactly(3), Fn: replaceAt(strings.Index),
			Doc: "(string/replace-first s part new) puts new in the place of the first part.", Example: `(string/replace-first "aaa" "a" "b") ; => "baa"`},
		{Name: "string/replace-last", Arity: eval.Exactly(3), Fn: replaceAt(strings.LastIndex),
			Doc: "(string/replace-last s part new) puts new in the place of the last part.", Example: `(string/replace-last "aaa" "a" "b") ; => "aab"`},
		{Name: "string/remove", Arity: eval.Exactly(2), Fn: stringRemove,
			Doc: "(string/remove s part) drops each part.", Example: `(string/remove "a-b-c" "-") ; => "abc"`},
		{Name: "string/ensure-start", Arity: eval.Exactly(2), Fn: stringEnsureStart,
			Doc: "(string/ensure-start s prefix) is s with prefix before it, unless it starts so.", Example: `(string/ensure-start "path" "/") ; => "/path"`},
		{Name: "string/ensure-end", Arity: eval.Exactly(2), Fn: stringEnsureEnd,
			Doc: "(string/ensure-end s suffix) is s with suffix behind it, unless it ends so.", Example: `(string/ensure-end "path" "/") ; => "path/"`},
		{Name: "string/wrap", Arity: eval.Between(2, 3), Fn: stringWrap,
			Doc: "(string/wrap s left [right]) puts marks around s; right is left if not given.", Example: `(string/wrap "a" "(" ")") ; => "(a)"` + "\n" + `(string/wrap "a" "**") ; => "**a**"`},
	}
}

func stringReplace(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s, part, with := a.String(0), a.String(1), a.String(2)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return replaceAll(t, s, part, with)
}

func stringRemove(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s, part := a.String(0), a.String(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return replaceAll(t, s, part, "")
}

func replaceAll(t *eval.Thread, s, part, with string) (Value, error) {
	n := strings.Count(s, part)
	if err := reserve(t, int64(n), int64(len(with))); err != nil {
		return value.Nil, err
	}
	if err := reserve(t, int64(len(s)+n*len(with)), 1); err != nil {
		return value.Nil, err
	}
	return value.String(strings.ReplaceAll(s, part, with)), t.Tick(1 + (len(s)+n*len(with))/64)
}

// replaceAt makes a builtin that replaces one occurrence.
func replaceAt(find func(s, part string) int) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		s, part, with := a.String(0), a.String(1), a.String(2)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		i := find(s, part)
		if i < 0 {
			return args[0], nil
		}
		return value.String(s[:i] + with + s[i+len(part):]), t.Tick(1 + len(s)/64)
	}
}

func stringEnsureStart(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s, prefix := a.String(0), a.String(1)
	if a.Err() != nil || strings.HasPrefix(s, prefix) {
		return args[0], a.Err()
	}
	return value.String(prefix + s), nil
}

func stringEnsureEnd(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s, suffix := a.String(0), a.String(1)
	if a.Err() != nil || strings.HasSuffix(s, suffix) {
		return args[0], a.Err()
	}
	return value.String(s + suffix), nil
}

func stringWrap(t *eval.Thread, args []Value) (Value, error) {
	s, left, right, err := wrapArgs(args)
	if err != nil {
		return value.Nil, err
	}
	return value.String(left + s + right), nil
}

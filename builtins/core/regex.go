package core

import (
	"context"
	"regexp"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func regexBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "regex/match?", Arity: eval.Exactly(2), Fn: regexIsMatch,
			Doc: "(regex/match? pattern text) is true if the pattern fits somewhere in the text.", Example: `(regex/match? #"\d+" "a12") ; => #t`},
		{Name: "regex/match", Arity: eval.Exactly(2), Fn: regexMatch,
			Doc:     "(regex/match pattern text) is the first match as a map {:match :groups :start :end}, nil if there is none; start and end count bytes.",
			Example: `(regex/match #"(\d+)-(\w+)" "item-42-foo") ; => {:end 11 :groups ("42" "foo") :match "42-foo" :start 5}`},
		{Name: "regex/find-all", Arity: eval.Exactly(2), Fn: regexFindAll,
			Doc: "(regex/find-all pattern text) lists all that the pattern fits, without overlaps.", Example: `(regex/find-all #"\d+" "a1b22") ; => ("1" "22")`},
		{Name: "regex/replace", Arity: eval.Exactly(3), Fn: regexReplace,
			Doc: "(regex/replace pattern replacement text) replaces the first match; $1 and ${name} stand for groups.", Example: `(regex/replace #"(\w)(\d)" "$2$1" "a1b2") ; => "1ab2"`},
		{Name: "regex/replace-all", Arity: eval.Exactly(3), Fn: regexReplaceAll,
			Doc: "(regex/replace-all pattern replacement text) replaces all matches; $1 and ${name} stand for groups.", Example: `(regex/replace-all #"\s+" " " "a  b   c") ; => "a b c"`},
		{Name: "regex/split", Arity: eval.Exactly(2), Fn: regexSplit,
			Doc: "(regex/split pattern text) lists what is between the matches.", Example: `(regex/split #",\s*" "a, b,c") ; => ("a" "b" "c")`},
	}
}

// maxPatterns is how many compiled patterns an interpreter keeps.
const maxPatterns = 256

type patternsKey struct{}

// patterns are the compiled patterns of an interpreter, used under its lock.
type patterns map[string]*regexp.Regexp

func (ps patterns) compile(pattern string) (*regexp.Regexp, error) {
	if re := ps[pattern]; re != nil {
		return re, nil
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	if len(ps) >= maxPatterns { // rare: a program that makes patterns up
		clear(ps)
	}
	ps[pattern] = re
	return re, nil
}

// maxPattern bounds patterns, in bytes: matching takes time by the product of the
// lengths of pattern and text.
const maxPattern = 4096

// longMatch is the product of the lengths from which matching is long enough to let
// others run, and to be cancelled.
const longMatch = 1 << 24

// regexCall reads a pattern and the texts behind it, and has f look at the last.
func regexCall[T any](t *eval.Thread, args []Value, f func(re *regexp.Regexp, texts []string) T) (out T, err error) {
	a := eval.ArgsOf(args)
	pattern := a.String(0)
	var texts []string
	for i := 1; i < len(args); i++ {
		texts = append(texts, a.String(i))
	}
	if err := a.Err(); err != nil {
		return out, err
	}
	if len(pattern) > maxPattern {
		return out, eval.Errorf(eval.KindEval, "refused: a pattern of %d bytes; the most is %d", len(pattern), maxPattern)
	}
	ps := eval.InterpOf(t).State(patternsKey{}, func() any { return patterns{} }).(patterns)
	re, err := ps.compile(pattern)
	if err != nil {
		e := eval.Errorf(eval.KindEval, "the pattern %s cannot be read: %v", eval.Brief(args[0]), err)
		e.Hint = "patterns have no lookaround and no backreferences; \\\\ in a string is one backslash, #\"\\d\" needs only one"
		return out, e
	}
	text := texts[len(texts)-1]
	return matching(t, len(pattern)*len(text), len(text), func() T { return f(re, texts) })
}

// matching runs f, which looks for patterns in a text of so many bytes; from
// longMatch on others run meanwhile.
func matching[T any](t *eval.Thread, work, size int, f func() T) (out T, err error) {
	if work < longMatch {
		return f(), t.Tick(size / 64)
	}
	result := make(chan T, 1)
	err = t.Blocking(func(ctx context.Context) error {
		go func() { result <- f() }() // it cannot be stopped: a cancelled call lets it end alone
		select {
		case out = <-result:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	return out, err
}

func regexIsMatch(t *eval.Thread, args []Value) (Value, error) {
	ok, err := regexCall(t, args, func(re *regexp.Regexp, texts []string) bool { return re.MatchString(texts[0]) })
	return value.Bool(ok), err
}

func regexMatch(t *eval.Thread, args []Value) (Value, error) {
	at, err := regexCall(t, args, func(re *regexp.Regexp, texts []string) []int { return re.FindStringSubmatchIndex(texts[0]) })
	if err != nil || at == nil {
		return value.Nil, err
	}
	text, _ := args[1].AsString()
	groups := make([]Value, len(at)/2-1)
	for i := range groups {
		groups[i] = value.Nil
		if from, to := at[2*i+2], at[2*i+3]; from >= 0 {
			groups[i] = value.String(text[from:to])
		}
	}
	return value.Map(value.Keyword("match"), value.String(text[at[0]:at[1]]), value.Keyword("groups"), t.Heap().List(groups),
		value.Keyword("start"), value.Int(int64(at[0])), value.Keyword("end"), value.Int(int64(at[1]))), nil
}

func regexFindAll(t *eval.Thread, args []Value) (Value, error) {
	found, err := regexCall(t, args, func(re *regexp.Regexp, texts []string) []string { return re.FindAllString(texts[0], -1) })
	if err != nil {
		return value.Nil, err
	}
	return stringList(t, found)
}

// stringList is a list of strings.
func stringList(t *eval.Thread, parts []string) (Value, error) {
	if err := reserve(t, int64(len(parts)), 64); err != nil {
		return value.Nil, err
	}
	out := make([]Value, len(parts))
	for i, s := range parts {
		out[i] = value.String(s)
	}
	return t.Heap().List(out), nil
}

func regexReplace(t *eval.Thread, args []Value) (Value, error) {
	s, err := regexCall(t, args, func(re *regexp.Regexp, texts []string) string {
		replacement, text := texts[0], texts[1]
		at := re.FindStringSubmatchIndex(text)
		if at == nil {
			return text
		}
		out := re.ExpandString([]byte(text[:at[0]]), replacement, text, at)
		return string(append(out, text[at[1]:]...))
	})
	return value.String(s), err
}

func regexReplaceAll(t *eval.Thread, args []Value) (Value, error) {
	type result struct {
		text string
		err  error
	}
	r, err := regexCall(t, args, func(re *regexp.Regexp, texts []string) result {
		s, err := expandAll(re, texts[0], texts[1])
		return result{s, err}
	})
	if err == nil {
		err = r.err
	}
	if err == nil {
		err = reserve(t, int64(len(r.text)), 1)
	}
	return value.String(r.text), err
}

// expandAll is ReplaceAllString of package regexp with a bound on the result.
func expandAll(re *regexp.Regexp, replacement, text string) (string, error) {
	var out []byte
	from := 0
	for _, at := range re.FindAllStringSubmatchIndex(text, -1) {
		out = append(out, text[from:at[0]]...)
		out = re.ExpandString(out, replacement, text, at)
		from = at[1]
		if len(out) > maxBytes {
			return "", eval.Errorf(eval.KindEval, "refused: the result would have more than %d bytes", maxBytes)
		}
	}
	return string(append(out, text[from:]...)), nil
}

func regexSplit(t *eval.Thread, args []Value) (Value, error) {
	parts, err := regexCall(t, args, func(re *regexp.Regexp, texts []string) []string { return re.Split(texts[0], -1) })
	if err != nil {
		return value.Nil, err
	}
	return stringList(t, parts)
}

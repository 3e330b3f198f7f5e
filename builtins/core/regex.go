package core

import (
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

// regexArgs reads a pattern and texts after it.
func regexArgs(t *eval.Thread, args []Value) (re *regexp.Regexp, texts []string, err error) {
	a := eval.ArgsOf(args)
	pattern := a.String(0)
	for i := 1; i < len(args); i++ {
		texts = append(texts, a.String(i))
	}
	if err := a.Err(); err != nil {
		return nil, nil, err
	}
	ps := eval.InterpOf(t).State(patternsKey{}, func() any { return patterns{} }).(patterns)
	re, err = ps.compile(pattern)
	if err != nil {
		e := eval.Errorf(eval.KindEval, "the pattern %s cannot be read: %v", eval.Brief(args[0]), err)
		e.Hint = "patterns have no lookaround and no backreferences; \\\\ in a string is one backslash, #\"\\d\" needs only one"
		return nil, nil, e
	}
	return re, texts, t.Tick(len(texts[len(texts)-1]) / 64)
}

func regexIsMatch(t *eval.Thread, args []Value) (Value, error) {
	re, texts, err := regexArgs(t, args)
	if err != nil {
		return value.Nil, err
	}
	return value.Bool(re.MatchString(texts[0])), nil
}

func regexMatch(t *eval.Thread, args []Value) (Value, error) {
	re, texts, err := regexArgs(t, args)
	if err != nil {
		return value.Nil, err
	}
	at := re.FindStringSubmatchIndex(texts[0])
	if at == nil {
		return value.Nil, nil
	}
	groups := make([]Value, len(at)/2-1)
	for i := range groups {
		if from, to := at[2*i+2], at[2*i+3]; from >= 0 {
			groups[i] = value.String(texts[0][from:to])
		} else {
			groups[i] = value.Nil
		}
	}
	return value.Map(value.Keyword("match"), value.String(texts[0][at[0]:at[1]]), value.Keyword("groups"), t.Heap().List(groups),
		value.Keyword("start"), value.Int(int64(at[0])), value.Keyword("end"), value.Int(int64(at[1]))), nil
}

func regexFindAll(t *eval.Thread, args []Value) (Value, error) {
	re, texts, err := regexArgs(t, args)
	if err != nil {
		return value.Nil, err
	}
	return stringList(t, re.FindAllString(texts[0], -1))
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
	re, texts, err := regexArgs(t, args)
	if err != nil {
		return value.Nil, err
	}
	replacement, text := texts[0], texts[1]
	at := re.FindStringSubmatchIndex(text)
	if at == nil {
		return args[2], nil
	}
	out := append([]byte(nil), text[:at[0]]...)
	out = re.ExpandString(out, replacement, text, at)
	return value.String(string(append(out, text[at[1]:]...))), nil
}

func regexReplaceAll(t *eval.Thread, args []Value) (Value, error) {
	re, texts, err := regexArgs(t, args)
	if err != nil {
		return value.Nil, err
	}
	replacement, text := texts[0], texts[1]
	if err := reserve(t, int64(len(text))+1, int64(len(replacement))+1); err != nil { // at most a match a byte
		return value.Nil, err
	}
	return value.String(re.ReplaceAllString(text, replacement)), nil
}

func regexSplit(t *eval.Thread, args []Value) (Value, error) {
	re, texts, err := regexArgs(t, args)
	if err != nil {
		return value.Nil, err
	}
	return stringList(t, re.Split(texts[0], -1))
}

package core

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func secretBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "secret/detect", Arity: eval.Exactly(1), Fn: finder(secretKinds()),
			Doc: "(secret/detect text) lists what looks like keys and tokens as maps {:type :match :start :end}, in bytes: AWS, Slack and GitHub keys, JSON web tokens, private keys, values of names such as api_key or password, and long random texts. " +
				"It finds the usual shapes, not all secrets.",
			Example: "(secret/detect \"key AKIAIOSFODNN7EXAMPLE\") ; => ({:end 24 :match \"AKIAIOSFODNN7EXAMPLE\" :start 4 :type \"aws-access-key\"})"},
		{Name: "secret/redact", Arity: eval.Exactly(1), Fn: secretRedact,
			Doc: "(secret/redact text) has a mark in the place of all that secret/detect finds.", Example: "(secret/redact \"key AKIAIOSFODNN7EXAMPLE\") ; => \"key \u00abredacted:aws-access-key\u00bb\""},
		{Name: "pii/detect", Arity: eval.Exactly(1), Fn: finder(personalKinds()),
			Doc:     "(pii/detect text) lists e-mail addresses, IPv4 addresses and US telephone numbers as maps {:type :match :start :end}, in bytes.",
			Example: "(pii/detect \"ask me@example.com\") ; => ({:end 18 :match \"me@example.com\" :start 4 :type \"email\"})"},
		{Name: "redact/spans", Arity: eval.Exactly(2), Fn: redactSpans,
			Doc:     "(redact/spans text spans) has marks in the place of parts, each a map {:start :end :label}, in bytes; the label may be missing. Parts that overlap become one, parts that cut a character take all of it, and what says no part is passed over.",
			Example: "(redact/spans \"hello world\" '({:start 6 :end 11 :label \"name\"})) ; => \"hello \u00abredacted:name\u00bb\""},
	}
}

// kind is one sort of thing to look for.
type kind struct {
	name    string
	pattern string
	random  bool // only where the last group has much entropy
	block   bool // goes on to the line that ends it, if there is one
}

// minEntropy is in bits a character: names and prose have less.
const minEntropy = 3.5

// secretKinds are in the order in which they claim text.
func secretKinds() []kind {
	return []kind{
		{name: "aws-access-key", pattern: `AKIA[0-9A-Z]{16}`},
		{name: "jwt", pattern: `eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+`},
		{name: "slack-token", pattern: `xox[baprs]-[A-Za-z0-9-]+`},
		{name: "github-token", pattern: `gh[pousr]_[A-Za-z0-9]{36,}`},
		{name: "private-key", pattern: `-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(?:\s*[A-Za-z0-9+/=]{16,})*`, block: true},
		{name: "api-key", pattern: `(?i:api[_-]?key|secret|token|password)["']?\s*[:=]\s*["']?([A-Za-z0-9_-]{16,})`, random: true},
		{name: "high-entropy", pattern: `([A-Za-z0-9+/=_-]{32,})`, random: true},
	}
}

func personalKinds() []kind {
	const octet = `(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
	return []kind{
		{name: "email", pattern: `[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}`},
		{name: "ipv4", pattern: `\b(?:` + octet + `\.){3}` + octet + `\b`},
		{name: "phone", pattern: `(?:\+?1[\s.-]?)?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}`},
	}
}

// finding is a part of a text, in bytes.
type finding struct {
	from, to int
	label    string
}

// findings look for all kinds at once; a part belongs to the first kind that
// claims it.
func findings(t *eval.Thread, text string, kinds []kind) ([]finding, error) {
	ps := eval.InterpOf(t).State(patternsKey{}, func() any { return patterns{} }).(patterns)
	compiled := make([]*regexp.Regexp, len(kinds))
	work := 0
	for i, k := range kinds {
		re, err := ps.compile(k.pattern)
		if err != nil {
			return nil, err
		}
		compiled[i] = re
		work += len(k.pattern) * len(text)
	}
	return matching(t, work, len(text), func() (all []finding) {
		for i, k := range kinds {
			all = claim(all, k.find(compiled[i], text))
		}
		return all
	})
}

func (k kind) find(re *regexp.Regexp, text string) (found []finding) {
	for _, at := range re.FindAllStringSubmatchIndex(text, -1) {
		if !k.random || entropy(text[at[2]:at[3]]) >= minEntropy {
			to := at[1]
			if k.block {
				to = blockEnd(text, at[1])
			}
			found = append(found, finding{at[0], to, k.name})
		}
	}
	return found
}

// blockEnd is behind the next -----END ...-----, or at if something else comes
// first.
func blockEnd(text string, at int) int {
	const dashes = "-----"
	_, rest, ok := strings.Cut(text[at:], dashes)
	if !ok || !strings.HasPrefix(rest, "END ") {
		return at
	}
	if _, rest, ok = strings.Cut(rest, dashes); !ok {
		return at
	}
	return len(text) - len(rest)
}

// claim adds findings that overlap none of those known, both in order.
func claim(known, found []finding) (all []finding) {
	for _, f := range found {
		for len(known) > 0 && known[0].to <= f.from {
			all, known = append(all, known[0]), known[1:]
		}
		if len(known) == 0 || f.to <= known[0].from {
			all = append(all, f)
		}
	}
	return append(all, known...)
}

// entropy is Shannon's, in bits a byte.
func entropy(s string) (bits float64) {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

func finder(kinds []kind) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		text := a.String(0)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		found, err := findings(t, text, kinds)
		if err == nil {
			err = reserve(t, int64(len(found)), 16*valueSize)
		}
		if err != nil {
			return value.Nil, err
		}
		maps := make([]Value, len(found))
		for i, f := range found {
			maps[i] = value.Map(value.Keyword("type"), value.String(f.label), value.Keyword("match"), piece(text, text[f.from:f.to]),
				value.Keyword("start"), value.Int(int64(f.from)), value.Keyword("end"), value.Int(int64(f.to)))
			if err := t.Tick(4); err != nil {
				return value.Nil, err
			}
		}
		return t.Heap().List(maps), nil
	}
}

func secretRedact(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	text := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	found, err := findings(t, text, secretKinds())
	if err != nil {
		return value.Nil, err
	}
	return redacted(t, text, found)
}

// redacted puts marks in the place of findings in order.
func redacted(t *eval.Thread, whole string, found []finding) (Value, error) {
	b := text{t: t}
	from := 0
	for _, f := range found {
		b.add(whole[from:f.from])
		if f.label != "" {
			b.add("\u00abredacted:" + f.label + "\u00bb")
		} else {
			b.add("\u00abredacted\u00bb")
		}
		if from = f.to; b.err != nil {
			break
		}
	}
	b.add(whole[from:])
	return b.value()
}

// spanOf reads a part of a text, widened to whole characters.
func spanOf(v Value, text string) (f finding, ok bool) {
	if !v.IsMap() {
		return f, false
	}
	bound := func(name string) int64 {
		v, _ := v.Get(value.Keyword(name))
		n, isInt := v.AsInt()
		ok = ok && isInt
		return min(max(n, 0), int64(len(text)))
	}
	ok = true
	f.from, f.to = int(bound("start")), int(bound("end"))
	if !ok || f.from >= f.to {
		return f, false
	}
	for f.from > 0 && f.from < len(text) && !utf8.RuneStart(text[f.from]) {
		f.from--
	}
	for f.to < len(text) && !utf8.RuneStart(text[f.to]) {
		f.to++
	}
	label, _ := v.Get(value.Keyword("label"))
	f.label, _ = label.AsString()
	return f, true
}

func redactSpans(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	text, spans := a.String(0), a.Elems(1)
	a.Fail(reserve(t, int64(len(spans)), 2*valueSize))
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	var found []finding
	for _, v := range spans {
		if f, ok := spanOf(v, text); ok {
			found = append(found, f)
		}
		if err := t.Tick(1); err != nil {
			return value.Nil, err
		}
	}
	slices.SortStableFunc(found, func(a, b finding) int { return a.from - b.from })
	return redacted(t, text, united(found))
}

// united makes one of findings that overlap, so that nothing of either shows;
// the first label stays.
func united(found []finding) (all []finding) {
	for _, f := range found {
		last := len(all) - 1
		if last < 0 || all[last].to <= f.from {
			all = append(all, f)
			continue
		}
		all[last].to = max(all[last].to, f.to)
		if all[last].label == "" {
			all[last].label = f.label
		}
	}
	return all
}

package core

import (
	"strings"
	"unicode"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func caseBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "string/upper", Aliases: []string{"string-upcase"}, Arity: eval.Exactly(1), Fn: textBy(upper),
			Doc: "(string/upper s) is s in capitals.", Example: `(string/upper "stra\u00dfe") ; => "STRASSE"`},
		{Name: "string/lower", Aliases: []string{"string-downcase"}, Arity: eval.Exactly(1), Fn: textBy(lower),
			Doc: "(string/lower s) is s in small letters.", Example: `(string/lower "HELLO") ; => "hello"`},
		{Name: "string/foldcase", Arity: eval.Exactly(1), Fn: textBy(foldcase),
			Doc:     "(string/foldcase s) is equal for texts that differ in case only.",
			Example: `(string/foldcase "Stra\u00dfe") ; => "strasse"`},
		{Name: "string-ci=?", Arity: eval.Exactly(2), Fn: textTest(func(a, b string) bool { return foldcase(a) == foldcase(b) }),
			Doc: "(string-ci=? a b) compares strings without regard to case.", Example: `(string-ci=? "Hello" "hELLO") ; => #t`},
		{Name: "string/capitalize", Arity: eval.Exactly(1), Fn: textBy(capitalize),
			Doc: "(string/capitalize s) has the first letter large and the others small.", Example: `(string/capitalize "hELLO") ; => "Hello"`},
		{Name: "string/title-case", Arity: eval.Exactly(1), Fn: textBy(titleCase),
			Doc: "(string/title-case s) capitalizes the words between white space and puts one space between them.", Example: `(string/title-case "hello wORLD") ; => "Hello World"`},
		{Name: "string/words", Arity: eval.Exactly(1), Fn: stringWords,
			Doc:     "(string/words s) lists the words of a name or text: they end at white space, _ - and . and where the case changes.",
			Example: `(string/words "helloWorld HTTPServer") ; => ("hello" "World" "HTTP" "Server")`},
		{Name: "string/snake-case", Arity: eval.Exactly(1), Fn: textBy(func(s string) string { return recase(s, lower, lower, "_") }),
			Doc: "(string/snake-case s) joins the words in small letters with _.", Example: `(string/snake-case "helloWorld") ; => "hello_world"`},
		{Name: "string/kebab-case", Arity: eval.Exactly(1), Fn: textBy(func(s string) string { return recase(s, lower, lower, "-") }),
			Doc: "(string/kebab-case s) joins the words in small letters with -.", Example: `(string/kebab-case "HTTPServer") ; => "http-server"`},
		{Name: "string/camel-case", Arity: eval.Exactly(1), Fn: textBy(func(s string) string { return recase(s, lower, capitalize, "") }),
			Doc: "(string/camel-case s) joins the words, capitalized but for the first.", Example: `(string/camel-case "user-id") ; => "userId"`},
		{Name: "string/pascal-case", Arity: eval.Exactly(1), Fn: textBy(func(s string) string { return recase(s, capitalize, capitalize, "") }),
			Doc: "(string/pascal-case s) joins the capitalized words.", Example: `(string/pascal-case "user-id") ; => "UserId"`},
		{Name: "string/headline", Arity: eval.Exactly(1), Fn: textBy(func(s string) string { return recase(s, capitalize, capitalize, " ") }),
			Doc: "(string/headline s) joins the capitalized words with spaces.", Example: `(string/headline "user_idValue") ; => "User Id Value"`},
	}
}

// textBy makes a builtin of a function of one string.
func textBy(f func(s string) string) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		a := eval.ArgsOf(args)
		s := a.String(0)
		if err := a.Err(); err != nil {
			return value.Nil, err
		}
		if err := reserve(t, int64(len(s)), 3); err != nil { // case mappings grow a text at most threefold
			return value.Nil, err
		}
		return value.String(f(s)), t.Tick(1 + len(s)/16)
	}
}

// fullUpper and fullFold replace letters whose mapping is more than one
// letter; package unicode has the others.
var (
	fullUpper = strings.NewReplacer("\u00df", "SS", "\u0149", "\u02bcN", "\u01f0", "J\u030c", "\u0390", "\u0399\u0308\u0301",
		"\u03b0", "\u03a5\u0308\u0301", "\u0587", "\u0535\u0552", "\u1e96", "H\u0331", "\u1e97", "T\u0308", "\u1e98", "W\u030a", "\u1e99", "Y\u030a",
		"\ufb00", "FF", "\ufb01", "FI", "\ufb02", "FL", "\ufb03", "FFI", "\ufb04", "FFL", "\ufb05", "ST", "\ufb06", "ST")
	fullFold = strings.NewReplacer("\u00df", "ss", "\u1e9e", "ss", "\u0130", "i\u0307", "\u0149", "\u02bcn", "\u01f0", "j\u030c",
		"\ufb00", "ff", "\ufb01", "fi", "\ufb02", "fl", "\ufb03", "ffi", "\ufb04", "ffl", "\ufb05", "st", "\ufb06", "st")
)

func upper(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	return strings.ToUpper(fullUpper.Replace(s))
}

// lower writes a sigma that ends a word in its final form, and keeps the dot of
// a capital that has one.
func lower(s string) string {
	s = strings.ReplaceAll(s, "\u0130", "i\u0307")
	out := strings.ToLower(s)
	if !strings.ContainsRune(s, '\u03a3') {
		return out
	}
	runes := []rune(s)
	for i, r := range runes {
		final := r == '\u03a3' && i > 0 && unicode.IsLetter(runes[i-1]) && (i+1 == len(runes) || !unicode.IsLetter(runes[i+1]))
		if runes[i] = unicode.ToLower(r); final {
			runes[i] = '\u03c2'
		}
	}
	return string(runes)
}

func foldcase(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return strings.Map(foldRune, fullFold.Replace(s))
}

// foldRune goes by way of the capital, which letters like the two small sigmas
// have in common.
func foldRune(r rune) rune {
	if r == '\u0131' { // the dotless i is no i
		return r
	}
	return unicode.ToLower(unicode.ToUpper(r))
}

func isASCII(s string) bool { return value.String(s).IsASCII() }

func capitalize(s string) string {
	for i := range s {
		if i > 0 {
			return upper(s[:i]) + lower(s[i:])
		}
	}
	return upper(s)
}

func titleCase(s string) string { return joinWords(strings.Fields(s), capitalize, capitalize, " ") }

// recase rewrites the words of s.
func recase(s string, first, other func(string) string, sep string) string {
	return joinWords(words(s), first, other, sep)
}

func joinWords(parts []string, first, other func(string) string, sep string) string {
	for i, w := range parts {
		if i == 0 {
			parts[i] = first(w)
		} else {
			parts[i] = other(w)
		}
	}
	return strings.Join(parts, sep)
}

func stringWords(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := reserve(t, int64(len(s)), 2*valueSize); err != nil {
		return value.Nil, err
	}
	return pieces(t, s, words(s))
}

// words splits at separators, before a capital that follows anything else, and
// before the last of several capitals if a small letter follows it: HTTPServer
// is HTTP and Server.
func words(s string) []string {
	var out []string
	start, prev := 0, rune(' ')
	cut := func(end int) {
		if end > start {
			out = append(out, s[start:end])
		}
	}
	for i, r := range s {
		switch {
		case unicode.IsSpace(r) || r == '_' || r == '-' || r == '.':
			cut(i)
			start = i + len(string(r))
		case unicode.IsUpper(r) && i > start && (!unicode.IsUpper(prev) || smallFollows(s[i:])):
			cut(i)
			start = i
		}
		prev = r
	}
	cut(len(s))
	return out
}

// smallFollows reports whether the second character of s is a small letter.
func smallFollows(s string) bool {
	for i, r := range s {
		if i > 0 {
			return unicode.IsLower(r)
		}
	}
	return false
}

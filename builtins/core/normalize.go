package core

import (
	"golang.org/x/text/unicode/norm"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func normalizeBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "string/normalize", Arity: eval.Exactly(2), Fn: stringNormalize,
			Doc:     "(string/normalize s form) writes s in a normal form of Unicode: :nfc, :nfd, :nfkc or :nfkd.",
			Example: "(string-length (string/normalize \"\\u00e9\" :nfd)) ; => 2"},
	}
}

func stringNormalize(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	s := a.String(0)
	name, isKeyword := args[1].KeywordName()
	if text, ok := args[1].AsString(); ok && !isKeyword {
		name = text
	}
	form, ok := map[string]norm.Form{"nfc": norm.NFC, "nfd": norm.NFD, "nfkc": norm.NFKC, "nfkd": norm.NFKD,
		"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}[name]
	if !ok {
		a.Bad(1, "one of :nfc :nfd :nfkc :nfkd")
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := reserve(t, int64(len(s)), 20); err != nil { // a compatibility form may be 18 times as long
		return value.Nil, err
	}
	return value.String(form.String(s)), t.Tick(len(s) / 16)
}

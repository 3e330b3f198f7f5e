package core

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func formatBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "format", Arity: eval.AtLeast(1), Fn: format,
			Doc: "(format template x ...) puts the x in the places marked in the template: ~a as display prints them, " +
				"~s as they are read, ~d as a number, ~x ~o ~b as an integer in base 16, 8 or 2. " +
				"~% is a line break and ~~ is ~; any other mark stands for itself.",
			Example: `(format "~a is ~s" "x" "y") ; => "x is \"y\""` + "\n" + `(format "~d = #x~x~%" 255 255) ; => "255 = #xff\n"`},
	}
}

func format(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	template := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	out := text{t: t}
	next := 1
	for {
		plain, rest, found := strings.Cut(template, "~")
		if err := out.add(plain); err != nil || !found {
			if err == nil {
				return out.value()
			}
			return value.Nil, err
		}
		mark, size := utf8.DecodeRuneInString(rest)
		template = rest[size:]
		s, takes, err := directive(&a, mark, next, rest[:size])
		if err != nil {
			return value.Nil, err
		}
		if takes {
			next++
		}
		if err := out.add(s); err != nil {
			return value.Nil, err
		}
	}
}

// directive is the text for one mark, and whether it takes argument i.
func directive(a *eval.Args, mark rune, i int, literal string) (s string, takes bool, err error) {
	switch mark {
	case '%':
		return "\n", false, nil
	case '~':
		return "~", false, nil
	case 'a', 'A', 's', 'S', 'd', 'D', 'x', 'X', 'o', 'O', 'b', 'B':
	default:
		return "~" + literal, false, nil
	}
	if i >= a.Len() {
		e := eval.Errorf(eval.KindEval, "format: there is no argument for ~%c", mark)
		e.Note = "the template has more marks than there are arguments: a ~ itself is written ~~"
		return "", false, e
	}
	switch mark {
	case 'a', 'A':
		s = value.Display(a.Value(i))
	case 's', 'S':
		s = value.Write(a.Value(i))
	case 'd', 'D':
		s = value.Write(a.Number(i))
	case 'x', 'X':
		s = inBase(a, i, 16)
	case 'o', 'O':
		s = inBase(a, i, 8)
	case 'b', 'B':
		s = inBase(a, i, 2)
	}
	return s, true, a.Err()
}

// integer returns argument i, an exact integer of any size.
func integer(a *eval.Args, i int) *big.Int {
	n, ok := a.Value(i).AsBig()
	if !ok {
		a.Bad(i, "an exact integer")
		return new(big.Int)
	}
	return n
}

func inBase(a *eval.Args, i, base int) string { return integer(a, i).Text(base) }

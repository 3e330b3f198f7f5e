package core

import (
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func formatForm(t *eval.Thread, args []Value) (Value, error) {
	l := formLayout{b: text{t: t}}
	l.form(args[0], 0, 0)
	return l.b.value()
}

// formLayout writes forms as source text:
//
//	(define (area shape)
//	  (let ((w (:w shape))
//	        (h (:h shape)))
//	    (* w h)))
type formLayout struct{ b text }

// leading is how many parts stand on the line of a form's head when the form
// takes several lines; the others are its body, two columns further in. A
// body of more than one form takes a line for each.
func leading(head string, args []Value) (n int, hasBody bool) {
	switch head {
	case "begin", "do", "async":
		return 0, true
	case "cond", "try":
		return 0, false
	case "fn", "lambda", "when", "unless", "dotimes", "while", "for", "guard", "module", "deftool":
		return 1, true
	case "define":
		return 1, args[0].IsSeq()
	case "defun", "defmacro":
		return 2, true
	case "define-record-type":
		return 3, true
	}
	if n := bindingsOf(head, args); n >= 0 {
		return n + 1, false
	}
	return 1, false
}

// bindingsOf is the index of the bindings in the arguments of let and its like,
// -1 in others.
func bindingsOf(head string, args []Value) int {
	switch head {
	case "let", "let*", "letrec", "letrec*":
		for i, x := range args[:min(2, len(args))] {
			if x.IsSeq() {
				return i
			}
		}
	}
	return -1
}

// several reports whether v, which is short, takes more than one line
// nevertheless: for its own or its parts' sake.
func several(v Value) bool {
	if v.IsMap() {
		for _, x := range v.Entries() {
			if several(x) {
				return true
			}
		}
		return false
	}
	if !v.IsSeq() || v.Len() == 0 {
		return false
	}
	elems := v.Slice()
	if head, ok := elems[0].SymbolName(); ok && v.IsList() && len(elems) > 1 {
		args := elems[1:]
		if i := bindingsOf(head, args); i >= 0 && args[i].Len() > 1 {
			return true
		}
		if n, hasBody := leading(head, args); hasBody && len(args) > n+1 {
			return true
		}
	}
	for _, x := range elems {
		if several(x) {
			return true
		}
	}
	return false
}

// oneLine reports whether v goes on one line of so many columns.
func oneLine(v Value, columns int) bool { return fits(v, columns) >= 0 && !several(v) }

// form writes v at a column, with so many brackets to follow it.
func (l *formLayout) form(v Value, column, closing int) {
	if column > maxIndent || oneLine(v, pageWidth-column-closing) {
		l.b.add(value.Write(v))
		return
	}
	switch {
	case v.IsMap():
		l.entries(v, column, closing)
	case v.IsVector():
		l.rows("[", v.Slice(), "]", column, closing)
	case v.IsList() && v.Len() > 0:
		l.list(v.Slice(), column, closing)
	default:
		l.b.add(value.Write(v))
	}
}

func (l *formLayout) newLine(column int) { l.b.add("\n" + strings.Repeat(" ", column)) }

// rows writes each of vs on a line of its own.
func (l *formLayout) rows(open string, vs []Value, end string, column, closing int) {
	l.b.add(open)
	for i, x := range vs {
		if i > 0 {
			l.newLine(column + 1)
		}
		l.form(x, column+1, (closing+1)*boolInt(i == len(vs)-1))
	}
	l.b.add(end)
}

func (l *formLayout) entries(m Value, column, closing int) {
	l.b.add("{")
	i, last := 0, m.Len()-1
	for k, x := range m.Entries() {
		if i > 0 {
			l.newLine(column + 1)
		}
		key := value.Write(k)
		l.b.add(key + " ")
		l.form(x, column+2+utf8.RuneCountInString(key), (closing+1)*boolInt(i == last))
		i++
	}
	l.b.add("}")
}

// list writes the head and what leads on one line, the body below.
func (l *formLayout) list(elems []Value, column, closing int) {
	l.b.add("(")
	l.form(elems[0], column+1, boolInt(len(elems) == 1)*(closing+1))
	name, isName := elems[0].SymbolName()
	at := column + 1 + utf8.RuneCountInString(name)
	rest := elems[1:]
	if isName && len(rest) > 0 {
		lead, _ := leading(name, rest)
		bindings := bindingsOf(name, rest)
		for i := 0; i < lead && len(rest) > 0; i++ {
			x := rest[0]
			room := pageWidth - at - 1 - boolInt(len(rest) == 1)*(closing+1)
			switch {
			case oneLine(x, room):
				s := value.Write(x)
				l.b.add(" " + s)
				at += 1 + utf8.RuneCountInString(s)
			case i == bindings && x.Len() > 0:
				l.b.add(" ")
				l.rows("(", x.Slice(), ")", at+1, 0)
			default:
				lead = 0
				continue
			}
			rest = rest[1:]
		}
	}
	for i, x := range rest {
		l.newLine(column + 2)
		l.form(x, column+2, (closing+1)*boolInt(i == len(rest)-1))
	}
	l.b.add(")")
}

package core

import (
	"io"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// Output keeps the interpreter's lock: a task that prints does not make room
// for another, so that what it prints between two waits stays together.
func outputBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "display", Arity: eval.AtLeast(0), Fn: printer(stdout, value.Display, ""),
			Doc: "(display x ...) prints the x for people, with spaces between them.", Example: `(display "a" 1) ; => nil`},
		{Name: "println", Arity: eval.AtLeast(0), Fn: printer(stdout, value.Display, "\n"),
			Doc: "(println x ...) is display and a line break.", Example: `(println "a" 1) ; => nil`},
		{Name: "print", Arity: eval.AtLeast(0), Fn: printer(stdout, value.Write, ""),
			Doc: "(print x ...) prints the x as they would be read, strings in quotes.", Example: `(print "a") ; => nil`},
		{Name: "newline", Arity: eval.Exactly(0), Fn: printer(stdout, value.Display, "\n"),
			Doc: "(newline) prints a line break.", Example: "(newline) ; => nil"},
		{Name: "pprint", Arity: eval.Exactly(1), Fn: printer(stdout, pretty, "\n"),
			Doc: "(pprint x) prints x over several lines if it does not fit 80 columns.", Example: "(pprint {:a 1}) ; => nil"},
		{Name: "io/print-error", Aliases: []string{"print-error"}, Arity: eval.AtLeast(0), Fn: printer(stderr, value.Display, ""),
			Doc: "(io/print-error x ...) is display to the error stream.", Example: `(io/print-error "oh") ; => nil`},
		{Name: "io/println-error", Aliases: []string{"println-error"}, Arity: eval.AtLeast(0), Fn: printer(stderr, value.Display, "\n"),
			Doc: "(io/println-error x ...) is println to the error stream.", Example: `(io/println-error "oh") ; => nil`},
		{Name: "io/flush", Arity: eval.Exactly(0), Fn: ioFlush,
			Doc: "(io/flush) writes out what was printed so far.", Example: "(io/flush) ; => nil"},
		{Name: "spy", Arity: eval.Exactly(2), Fn: spy,
			Doc: "(spy label x) prints [label] x to the error stream and is x.", Example: `(+ 1 (spy "x" 2)) ; => 3`},
	}
}

func stdout(t *eval.Thread) io.Writer { return eval.InterpOf(t).Stdout() }
func stderr(t *eval.Thread) io.Writer { return eval.InterpOf(t).Stderr() }

func printer(to func(t *eval.Thread) io.Writer, show func(Value) string, end string) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		var b strings.Builder
		for i, x := range args {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(show(x))
		}
		b.WriteString(end)
		return value.Nil, write(to(t), b.String())
	}
}

func write(w io.Writer, s string) error {
	if _, err := io.WriteString(w, s); err != nil {
		return &eval.Error{Kind: eval.KindIO, Message: "cannot print: " + err.Error(), Cause: err}
	}
	return nil
}

func ioFlush(t *eval.Thread, args []Value) (Value, error) {
	f, ok := stdout(t).(interface{ Flush() error })
	if !ok {
		return value.Nil, nil
	}
	if err := f.Flush(); err != nil {
		return value.Nil, &eval.Error{Kind: eval.KindIO, Message: "cannot print: " + err.Error(), Cause: err}
	}
	return value.Nil, nil
}

func spy(t *eval.Thread, args []Value) (Value, error) {
	return args[1], write(stderr(t), "["+value.Display(args[0])+"] "+value.Display(args[1])+"\n")
}

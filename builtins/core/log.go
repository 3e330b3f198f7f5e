package core

import (
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func logBuiltins() []eval.Builtin {
	level := func(name, label, use string) eval.Builtin {
		return eval.Builtin{Name: "log/" + name, Arity: eval.AtLeast(1), Fn: logger(label),
			Doc:     "(log/" + name + " x ...) writes a line that starts with [" + label + "] to the error stream, with the context behind the x if there is one: " + use + ".",
			Example: "(log/" + name + ` "port" 8080) ; => nil`}
	}
	return []eval.Builtin{
		level("debug", "DEBUG", "details for who looks for a fault"),
		level("info", "INFO", "what normally happens"),
		level("warn", "WARN", "what may need attention"),
		level("error", "ERROR", "what failed"),
	}
}

func logger(label string) builtinFunc {
	return func(t *eval.Thread, args []Value) (Value, error) {
		context, err := mergedContext(t)
		if err != nil {
			return value.Nil, err
		}
		var b strings.Builder
		b.WriteString("[" + label + "]")
		for _, x := range args {
			b.WriteString(" " + value.Display(x))
		}
		if context.Len() > 0 {
			b.WriteString(" " + value.Write(context))
		}
		b.WriteByte('\n')
		return value.Nil, write(stderr(t), b.String())
	}
}

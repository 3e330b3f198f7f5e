package core

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func errorBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "error", Arity: eval.AtLeast(0), Fn: error_,
			Doc: "(error message x ...) raises an error; the message may be any value. A handler finds it at :message, and the x, if there are any, at :irritants.",
			Example: "(try (error \"boom\") (catch e (:message e))) ; => \"boom\"\n" +
				"(try (error 404) (catch e (:type e))) ; => :eval\n" +
				"(try (error \"bad\" 1 2) (catch e (:irritants e))) ; => (1 2)"},
		{Name: "assert", Arity: eval.Between(1, 2), Fn: assert,
			Doc: "(assert x [message]) is #t if x is true, and raises an error otherwise.", Example: "(assert (> 2 1)) ; => #t\n(try (assert #f \"no\") (catch e (:message e))) ; => \"no\""},
		{Name: "assert=", Arity: eval.Exactly(2), Fn: assertEqual,
			Doc: "(assert= expected actual) is #t if both are equal, and raises an error that shows them otherwise.", Example: "(assert= 4 (+ 2 2)) ; => #t"},
	}
}

func error_(t *eval.Thread, args []Value) (Value, error) {
	if len(args) == 0 {
		return value.Nil, eval.Errorf(eval.KindEval, "error called with no message")
	}
	e := eval.Errorf(eval.KindEval, "%s", value.Display(args[0]))
	if len(args) > 1 {
		e.Fields = []Value{value.Keyword("irritants"), t.Heap().List(args[1:])}
	}
	return value.Nil, e
}

func assert(t *eval.Thread, args []Value) (Value, error) {
	if args[0].Truthy() {
		return value.True, nil
	}
	if len(args) > 1 {
		return value.Nil, eval.Errorf(eval.KindEval, "%s", value.Display(args[1]))
	}
	return value.Nil, eval.Errorf(eval.KindEval, "assertion failed")
}

func assertEqual(t *eval.Thread, args []Value) (Value, error) {
	if value.Equal(args[0], args[1]) {
		return value.True, nil
	}
	return value.Nil, eval.Errorf(eval.KindEval, "assertion failed: expected %s, got %s", eval.Brief(args[0]), eval.Brief(args[1]))
}

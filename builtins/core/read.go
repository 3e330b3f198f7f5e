package core

import (
	"errors"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/reader"
)

func readBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "read", Aliases: []string{"read/string"}, Arity: eval.Exactly(1), Fn: read,
			Doc: "(read s) is the first form of a text as data, nil if there is none.", Example: "(read \"(+ 1 2) 3\") ; => (+ 1 2)"},
		{Name: "io/read-many", Aliases: []string{"read-many", "read/all"}, Arity: eval.Exactly(1), Fn: readMany,
			Doc: "(io/read-many s) lists all forms of a text as data.", Example: "(io/read-many \"1 (a b)\") ; => (1 (a b))"},
	}
}

func source(args []Value) (*value.Source, error) {
	a := eval.ArgsOf(args)
	return &value.Source{Name: "<string>", Text: a.String(0)}, a.Err()
}

func read(t *eval.Thread, args []Value) (Value, error) {
	src, err := source(args)
	if err != nil {
		return value.Nil, err
	}
	unit, _, err := reader.ReadOne(src)
	if err == nil {
		return unit.Value, nil
	}
	if all, allErr := reader.ReadAll(src); allErr == nil && len(all.Forms) == 0 {
		return value.Nil, nil
	}
	return value.Nil, readError(err)
}

func readMany(t *eval.Thread, args []Value) (Value, error) {
	src, err := source(args)
	if err != nil {
		return value.Nil, err
	}
	unit, err := reader.ReadAll(src)
	if err != nil {
		return value.Nil, readError(err)
	}
	forms := make([]Value, len(unit.Forms))
	for i, f := range unit.Forms {
		forms[i] = f.Value
	}
	return t.Heap().List(forms), t.Tick(len(src.Text) / 16)
}

// readError says in the message where the text is wrong: the place of the
// error itself is that of the call.
func readError(err error) error {
	var e *reader.Error
	if !errors.As(err, &e) {
		return err
	}
	return &eval.Error{Kind: eval.KindReader, Message: "at " + e.Span.Start.String() + " of the text: " + e.Message, Hint: e.Hint, Cause: e}
}

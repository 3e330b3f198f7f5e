package sys

import (
	"context"
	"slices"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// Value is short for the type all builtins deal in.
type Value = value.Value

// Builtins is the table of all builtins of this package.
func Builtins() []eval.Builtin {
	return slices.Concat(fileBuiltins(), directoryBuiltins(), processBuiltins(), timeBuiltins())
}

// blocking runs f without the interpreter's lock and returns its result.
func blocking[T any](t *eval.Thread, f func(ctx context.Context) (T, error)) (T, error) {
	var result T
	err := t.Blocking(func(ctx context.Context) (err error) {
		result, err = f(ctx)
		return err
	})
	return result, err
}

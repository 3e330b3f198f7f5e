package sys

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// Value is short for the type all builtins deal in.
type Value = value.Value

// Builtins is the table of all builtins of this package.
func Builtins() []eval.Builtin {
	return slices.Concat(fileBuiltins(), byteFileBuiltins(), lineBuiltins(), directoryBuiltins(), pathBuiltins(), locationBuiltins(),
		envBuiltins(), systemBuiltins(), stdinBuiltins(), tomlBuiltins(), timeBuiltins(), clockBuiltins(), dateBuiltins(),
		streamBuiltins(), memoryStreamBuiltins(), fileStreamBuiltins(), terminalBuiltins(), collectorBuiltins(), archiveBuiltins(), spinnerBuiltins(), keyBuiltins(), timeFormatBuiltins(), shellBuiltins(), diffBuiltins(), patchFileBuiltins())
}

// maxBytes bounds what is read at once, whatever the limits.
const maxBytes = 1 << 30

// wait runs f, which may block, without the interpreter's lock. When the
// evaluation is cancelled it does not wait for f, whose result is dropped.
func wait[T any](t *eval.Thread, f func(ctx context.Context) (T, error)) (T, error) {
	type result struct {
		v   T
		err error
	}
	var r result
	err := t.Blocking(func(ctx context.Context) error {
		done := make(chan result, 1)
		go func() {
			v, err := f(ctx)
			done <- result{v, err}
		}()
		select {
		case r = <-done:
			return r.err
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if t.Context().Err() != nil { // say so in the words of the machine
		if stopped := t.Blocking(func(context.Context) error { return nil }); stopped != nil {
			return r.v, stopped
		}
	}
	return r.v, err
}

// act is wait for what has no result.
func act(t *eval.Thread, f func(ctx context.Context) error) (Value, error) {
	_, err := wait(t, func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) })
	return value.Nil, err
}

// ioError is err as an error of the language: name is the builtin, and the
// path and the system's own words say the rest.
func ioError(name, path string, err error) error {
	if err == nil {
		return nil
	}
	var known *eval.Error
	if errors.As(err, &known) {
		return err
	}
	e := eval.Errorf(eval.KindIO, "%s %s: %s", name, path, reason(err))
	e.Fields = []Value{value.Keyword("path"), value.String(path)}
	e.Cause = err
	return e
}

// reason is what the system answered, without what Go adds.
func reason(err error) string {
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	var callErr *os.SyscallError
	switch {
	case errors.As(err, &pathErr):
		return reason(pathErr.Err)
	case errors.As(err, &linkErr):
		return reason(linkErr.Err)
	case errors.As(err, &callErr):
		return reason(callErr.Err)
	case errors.Is(err, fs.ErrClosed):
		return "it was closed"
	}
	return err.Error()
}

// pathArg reads argument i, a path.
func pathArg(a *eval.Args, i int) string {
	s := a.String(i)
	if a.Err() == nil && s == "" {
		a.Bad(i, "a path")
	}
	return s
}

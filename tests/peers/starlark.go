package main

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func starlarkEngine() engine {
	return engine{
		name:       "starlark-go",
		ext:        "star",
		run:        runStarlark,
		start:      startStarlark,
		intoScript: starlarkIntoScript,
		intoGo:     starlarkIntoGo,
	}
}

// The language is allowed what the programs need and hosts can switch on.
var starlarkOptions = &syntax.FileOptions{While: true, Recursion: true, TopLevelControl: true}

func execStarlark(program, text string) (starlark.StringDict, error) {
	globals := starlark.StringDict{
		"foldl": starlark.NewBuiltin("foldl", starlarkFoldl),
		"same":  starlark.NewBuiltin("same", starlarkSame),
	}
	return starlark.ExecFileOptions(starlarkOptions, &starlark.Thread{Name: program}, program, text, globals)
}

func runStarlark(program, text string) (string, error) {
	globals, err := execStarlark(program, text)
	if err != nil {
		return "", err
	}
	return globals["result"].String(), nil
}

func starlarkSame(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return args[0], nil
}

// starlarkFoldl is (function, accumulator, list).
func starlarkFoldl(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var fn starlark.Callable
	var acc starlark.Value
	var items *starlark.List
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 3, &fn, &acc, &items); err != nil {
		return nil, err
	}
	pair := make(starlark.Tuple, 2)
	for i := range items.Len() {
		pair[0], pair[1] = acc, items.Index(i)
		var err error
		if acc, err = starlark.Call(t, fn, pair, nil); err != nil {
			return nil, err
		}
	}
	return acc, nil
}

func startStarlark() error {
	_, err := starlark.ExecFileOptions(starlarkOptions, &starlark.Thread{}, "start", "result = 1 + 2", nil)
	return err
}

// starlarkCall returns a call of the function that text binds to name.
func starlarkCall(text, name string) (func(n int) error, error) {
	globals, err := execStarlark(name, text)
	if err != nil {
		return nil, err
	}
	fn, t, args := globals[name], &starlark.Thread{}, make(starlark.Tuple, 1)
	return func(n int) error {
		args[0] = starlark.MakeInt(n)
		_, err := starlark.Call(t, fn, args, nil)
		return err
	}, nil
}

func starlarkIntoScript() (func() error, error) {
	call, err := starlarkCall("def inc(x):\n  return x + 1\n", "inc")
	return func() error { return call(41) }, err
}

func starlarkIntoGo() (calling, empty func(n int) error, err error) {
	if calling, err = starlarkCall("def calling(n):\n  for i in range(n):\n    same(i)\n  return n\n", "calling"); err != nil {
		return nil, nil, err
	}
	empty, err = starlarkCall("def empty(n):\n  for i in range(n):\n    pass\n  return n\n", "empty")
	return calling, empty, err
}

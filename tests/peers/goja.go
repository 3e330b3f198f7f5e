package main

import (
	"errors"

	"github.com/dop251/goja"
)

func gojaEngine() engine {
	return engine{
		name:       "goja",
		ext:        "js",
		run:        runGoja,
		start:      startGoja,
		intoScript: gojaIntoScript,
		intoGo:     gojaIntoGo,
	}
}

func runGoja(program, text string) (string, error) {
	v, err := goja.New().RunScript(program, text)
	if err != nil {
		return "", err
	}
	return v.String(), nil
}

func startGoja() error {
	_, err := goja.New().RunString("1 + 2")
	return err
}

var errNoFunction = errors.New("the script did not give a function")

func gojaIntoScript() (func() error, error) {
	vm := goja.New()
	v, err := vm.RunString("(x) => x + 1")
	if err != nil {
		return nil, err
	}
	fn, ok := goja.AssertFunction(v)
	if !ok {
		return nil, errNoFunction
	}
	arg := vm.ToValue(41)
	return func() error {
		_, err := fn(goja.Undefined(), arg)
		return err
	}, nil
}

func gojaIntoGo() (calling, empty func(n int) error, err error) {
	vm := goja.New()
	if err := vm.Set("same", func(call goja.FunctionCall) goja.Value { return call.Argument(0) }); err != nil {
		return nil, nil, err
	}
	if calling, err = gojaLoop(vm, "(n) => { for (let i = 0; i < n; i++) same(i); return n; }"); err != nil {
		return nil, nil, err
	}
	empty, err = gojaLoop(vm, "(n) => { for (let i = 0; i < n; i++); return n; }")
	return calling, empty, err
}

func gojaLoop(vm *goja.Runtime, text string) (func(n int) error, error) {
	v, err := vm.RunString(text)
	if err != nil {
		return nil, err
	}
	fn, ok := goja.AssertFunction(v)
	if !ok {
		return nil, errNoFunction
	}
	return func(n int) error {
		_, err := fn(goja.Undefined(), vm.ToValue(n))
		return err
	}, nil
}

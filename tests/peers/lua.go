package main

import (
	"strconv"

	lua "github.com/yuin/gopher-lua"
)

func luaEngine() engine {
	return engine{
		name:       "gopher-lua",
		ext:        "lua",
		run:        runLua,
		start:      startLua,
		intoScript: luaIntoScript,
		intoGo:     luaIntoGo,
	}
}

// luaOptions let the registry grow, which joining a million strings needs, in
// large steps, as each of them copies it. Recursion a million calls deep needs
// a stack of that many frames (the kind that grows ends at half of it).
func luaOptions(program string) lua.Options {
	o := lua.Options{RegistrySize: lua.RegistrySize, RegistryGrowStep: 1 << 20, RegistryMaxSize: 1 << 23}
	if program == "deep" {
		o.CallStackSize = 1 << 20
	}
	return o
}

func runLua(program, text string) (string, error) {
	l := lua.NewState(luaOptions(program))
	defer l.Close()
	l.SetGlobal("foldl", l.NewFunction(luaFoldl))
	if err := l.DoString(text); err != nil {
		return "", err
	}
	v := l.Get(-1)
	if n, ok := v.(lua.LNumber); ok {
		return strconv.FormatFloat(float64(n), 'f', -1, 64), nil
	}
	return v.String(), nil
}

// luaFoldl is (function, accumulator, table).
func luaFoldl(l *lua.LState) int {
	fn, acc, items := l.CheckFunction(1), l.Get(2), l.CheckTable(3)
	for i := 1; i <= items.Len(); i++ {
		l.Push(fn)
		l.Push(acc)
		l.Push(items.RawGetInt(i))
		l.Call(2, 1)
		acc = l.Get(-1)
		l.Pop(1)
	}
	l.Push(acc)
	return 1
}

func startLua() error {
	l := lua.NewState()
	defer l.Close()
	return l.DoString("return 1 + 2")
}

// callLua calls a function with a number and drops its result.
func callLua(l *lua.LState, fn lua.LValue, n int) error {
	err := l.CallByParam(lua.P{Fn: fn, NRet: 1, Protect: true}, lua.LNumber(n))
	if err == nil {
		l.Pop(1)
	}
	return err
}

func luaIntoScript() (func() error, error) {
	l := lua.NewState()
	if err := l.DoString("return function(x) return x + 1 end"); err != nil {
		return nil, err
	}
	fn := l.Get(-1)
	l.Pop(1)
	return func() error { return callLua(l, fn, 41) }, nil
}

func luaIntoGo() (calling, empty func(n int) error, err error) {
	l := lua.NewState()
	l.SetGlobal("same", l.NewFunction(func(l *lua.LState) int {
		l.Push(l.Get(1))
		return 1
	}))
	err = l.DoString(`
		function calling(n) for i = 1, n do same(i) end return n end
		function empty(n) for i = 1, n do end return n end`)
	loop := func(name string) func(n int) error {
		fn := l.GetGlobal(name)
		return func(n int) error { return callLua(l, fn, n) }
	}
	return loop("calling"), loop("empty"), err
}

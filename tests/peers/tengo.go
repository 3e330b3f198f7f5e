package main

import (
	"strconv"

	"github.com/d5/tengo/v2"
	"github.com/d5/tengo/v2/stdlib"
)

// tengoEngine has no intoScript: Go cannot call a function of a script, only
// run a whole script again.
func tengoEngine() engine {
	return engine{
		name:   "tengo",
		ext:    "tengo",
		run:    runTengo,
		start:  startTengo,
		intoGo: tengoIntoGo,
	}
}

func runTengo(_, text string) (string, error) {
	s := tengo.NewScript([]byte(text))
	s.SetImports(stdlib.GetModuleMap("text"))
	c, err := s.Run()
	if err != nil {
		return "", err
	}
	return strconv.FormatInt(c.Get("result").Int64(), 10), nil
}

func startTengo() error {
	_, err := tengo.NewScript([]byte("result := 1 + 2")).Run()
	return err
}

func tengoIntoGo() (calling, empty func(n int) error, err error) {
	if calling, err = tengoLoop("(func() { for i := 0; i < n; i++ { same(i) } })()"); err != nil {
		return nil, nil, err
	}
	empty, err = tengoLoop("(func() { for i := 0; i < n; i++ { } })()")
	return calling, empty, err
}

func tengoLoop(text string) (func(n int) error, error) {
	s := tengo.NewScript([]byte(text))
	same := &tengo.UserFunction{Name: "same", Value: func(args ...tengo.Object) (tengo.Object, error) { return args[0], nil }}
	if err := s.Add("same", same); err != nil {
		return nil, err
	}
	if err := s.Add("n", 0); err != nil {
		return nil, err
	}
	c, err := s.Compile()
	if err != nil {
		return nil, err
	}
	return func(n int) error {
		if err := c.Set("n", n); err != nil {
			return err
		}
		return c.Run()
	}, nil
}

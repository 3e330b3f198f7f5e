package main

// engine is one interpreter. Functions that it cannot offer are nil.
type engine struct {
	name string
	ext  string // of its programs

	// run evaluates a program in a fresh interpreter and returns its value.
	run func(program, text string) (string, error)
	// start makes a new interpreter and adds 1 and 2 in it.
	start func() error
	// intoScript prepares a script's function that adds 1 to its argument, and
	// returns a call of it from Go.
	intoScript func() (func() error, error)
	// intoGo prepares two functions of a script with a loop of n turns: the first
	// calls a function in Go each turn, the second does nothing.
	intoGo func() (calling, empty func(n int) error, err error)
}

// engines are gosema, then its peers.
func engines() []engine {
	return []engine{gosemaEngine(), luaEngine(), gojaEngine(), starlarkEngine(), tengoEngine()}
}

func engineNames() []string {
	var names []string
	for _, e := range engines() {
		names = append(names, e.name)
	}
	return names
}

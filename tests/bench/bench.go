// Package bench holds the benchmark programs, for this package's Go benchmarks
// and for the comparison with other interpreters in tests/peers. Each *.sema
// file is one program; the comment behind its last form is the value it gives.
package bench

import (
	"embed"
	"fmt"
	"strings"
)

// Program is one benchmark program.
type Program struct {
	Name string
	Text string
	Want string // its value, as the language prints it
}

//go:embed *.sema
var files embed.FS

// Programs returns all programs, by name.
func Programs() []Program {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // embedded: cannot happen
	}
	var ps []Program
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		ps = append(ps, newProgram(strings.TrimSuffix(e.Name(), ".sema"), string(text)))
	}
	return ps
}

// Lookup returns the program of that name.
func Lookup(name string) (Program, error) {
	for _, p := range Programs() {
		if p.Name == name {
			return p, nil
		}
	}
	return Program{}, fmt.Errorf("no benchmark program %q", name)
}

func newProgram(name, text string) Program {
	_, want, ok := strings.Cut(text, "; => ")
	if !ok {
		panic("bench: " + name + ".sema does not say what its value is")
	}
	want, _, _ = strings.Cut(want, "\n")
	return Program{Name: name, Text: text, Want: strings.TrimSpace(want)}
}

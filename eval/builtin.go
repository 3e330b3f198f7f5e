package eval

import (
	"fmt"
	"strings"

	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
)

// Builtin is one entry of the builtin table: all there is to know of a function
// written in Go.
type Builtin struct {
	Name    string
	Aliases []string // other names for the same function
	Arity   Arity
	// Fn is the function. args is valid until it returns and must not be
	// changed. A plain error gets its place from the machine.
	Fn       func(t *Thread, args []Value) (Value, error)
	Doc      string      // "(name args) does ...": first the shape, then what it does
	Example  string      // "(expr) ; => value", one or more lines; run as tests
	NoRun    string      // why the example is not run; "" runs it
	Caps     Caps        // what a sandbox must allow for it
	redirect vm.Redirect // instead of Fn
}

// Arity is how many arguments a builtin takes; Max < 0 means any number.
type Arity struct{ Min, Max int }

// Exactly n arguments.
func Exactly(n int) Arity { return Arity{n, n} }

// AtLeast n arguments.
func AtLeast(n int) Arity { return Arity{n, -1} }

// Between min and max arguments.
func Between(minArgs, maxArgs int) Arity { return Arity{minArgs, maxArgs} }

// Caps are capabilities: what a builtin can do to the world.
type Caps uint16

// The capabilities. A sandbox denies a set of them.
const (
	CapFSRead Caps = 1 << iota
	CapFSWrite
	CapNetwork
	CapShell
	CapEnvRead
	CapEnvWrite
	CapProcess
	CapLLM
	CapAll Caps = 1<<iota - 1
)

var capNames = []string{"fs-read", "fs-write", "network", "shell", "env-read", "env-write", "process", "llm"}

func (c Caps) String() string {
	var names []string
	for i, n := range capNames {
		if c&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}

// ParseCap returns the capability of that name.
func ParseCap(name string) (Caps, error) {
	for i, n := range capNames {
		if n == name {
			return 1 << i, nil
		}
	}
	return 0, fmt.Errorf("unknown capability %q: the capabilities are %s", name, strings.Join(capNames, ", "))
}

func (b *Builtin) value() Value {
	if b.redirect != nil {
		return vm.NewRedirect(b.Name, b.Arity.Min, b.Arity.Max, b.redirect).Value()
	}
	return vm.NewBuiltin(b.Name, b.Arity.Min, b.Arity.Max, b.Fn).Value()
}

// NewFunction makes a function value of b, bound to no name.
func NewFunction(b Builtin) Value { return b.value() }

// denied is what a sandbox puts in the place of b.
func (b *Builtin) denied(caps Caps) Value {
	return vm.NewBuiltin(b.Name, 0, -1, func(*Thread, []Value) (Value, error) {
		return value.Nil, deniedError(b.Name, caps)
	}).Value()
}

func deniedError(name string, caps Caps) *Error {
	e := Errorf(KindPermission, "%s is not allowed here: it needs the capability %s", name, caps)
	e.Fields = []Value{value.Keyword("function"), value.String(name), value.Keyword("capability"), value.String(caps.String())}
	return e
}

package eval

import (
	"fmt"
	"slices"
	"sync"

	"github.com/gosema/gosema/eval/vm"
)

// Library is a set of builtins, ready to start interpreters from. It never
// changes, and interpreters share it.
type Library struct {
	image   func() *vm.Image // made once, when the first interpreter starts
	byName  map[string]*Builtin
	bound   []string // the names, in the order of vals
	vals    []Value
	capable []capable
	prelude *prelude
}

type capable struct {
	global int
	b      *Builtin
}

// NewLibrary makes a library of tables of builtins, to which it adds the
// operators that the compiler inlines. Two entries of one name are an error of
// the program, and panic.
func NewLibrary(tables ...[]Builtin) *Library {
	l := &Library{byName: map[string]*Builtin{}}
	var names []string
	var vals []Value
	for _, table := range append([][]Builtin{operators(), languageBuiltins(), valuesBuiltins(), parameterBuiltins()}, tables...) {
		for i := range table {
			b := &table[i]
			v := b.value()
			for _, n := range append([]string{b.Name}, b.Aliases...) {
				if l.byName[n] != nil {
					panic(fmt.Sprintf("eval: builtin %s is defined twice", n))
				}
				l.byName[n] = b
				if b.Caps != 0 {
					l.capable = append(l.capable, capable{len(names), b})
				}
				names, vals = append(names, n), append(vals, v)
			}
		}
	}
	l.bind(names, vals)
	return l
}

func (l *Library) bind(names []string, vals []Value) {
	l.bound, l.vals = names, vals
	l.image = sync.OnceValue(func() *vm.Image { return vm.NewImage(names, vals, inlinedNames()) })
}

// WithConstants returns the library with names for plain values, such as pi.
func (l *Library) WithConstants(constants map[string]Value) *Library {
	own := *l
	names, vals := append([]string(nil), l.bound...), append([]Value(nil), l.vals...)
	for n, v := range constants {
		names, vals = append(names, n), append(vals, v)
	}
	own.bind(names, vals)
	return &own
}

// Lookup returns the builtin of that name or alias.
func (l *Library) Lookup(name string) (*Builtin, bool) {
	b, ok := l.byName[name]
	return b, ok
}

// Names lists all names and aliases, in order.
func (l *Library) Names() []string { return slices.Sorted(slices.Values(l.bound)) }

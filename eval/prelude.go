package eval

import (
	"fmt"

	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/reader"
)

// prelude is the part of the library that is written in the language. Its
// definitions are read once and shared; an interpreter evaluates one when a
// program first names it, so starting an interpreter costs nothing however
// long the prelude is.
type prelude struct {
	places *value.Places
	forms  map[Value]reader.Form // by the name that each defines
}

// WithPrelude returns the library with definitions written in the language: src
// holds define, defun and defmacro forms. It panics if src is not that, as it
// is part of the program.
func (l *Library) WithPrelude(src *value.Source) *Library {
	unit, err := reader.ReadAll(src)
	if err != nil {
		panic(fmt.Sprintf("eval: the prelude %s cannot be read: %v", src.Name, err))
	}
	p := &prelude{places: unit.Places, forms: map[Value]reader.Form{}}
	for _, f := range unit.Forms {
		name, ok := preludeName(f.Value)
		if !ok {
			panic(fmt.Sprintf("eval: the prelude %s has a form that defines nothing: %s", src.Name, Brief(f.Value)))
		}
		p.forms[name] = f
	}
	own := *l
	own.prelude = p
	return &own
}

func preludeName(form Value) (Value, bool) {
	if form.IsList() && form.Len() > 2 && form.First().IsSymbolNamed("defmacro") {
		return form.Nth(1), form.Nth(1).IsSymbol()
	}
	if names := definedNames(form); len(names) == 1 {
		return names[0], true
	}
	return value.Nil, false
}

// ownsPlaces is true of the places of the prelude.
func (in *Interp) ownsPlaces(p *value.Places) bool {
	prelude := in.config.Library.prelude
	return p != nil && prelude != nil && prelude.places == p
}

// require evaluates the prelude's definition of a name that has no value yet.
func (in *Interp) require(t *Thread, sym Value) *Error {
	p := in.config.Library.prelude
	if p == nil {
		return nil
	}
	f, ok := p.forms[sym]
	if !ok || in.required[sym] {
		return nil
	}
	if in.required == nil {
		in.required = map[Value]bool{}
	}
	in.required[sym] = true
	if _, bound := in.machine.Lookup(sym); bound {
		return nil // the program has its own
	}
	if _, err := in.evalTop(t, f.Value, &origin{places: p.places, source: p.places.Source, span: f.Span}); err != nil {
		return AsError(err)
	}
	return nil
}

// require is that of the interpreter, during compilation.
func (c *compiler) require(x syntax) {
	if err := c.in.require(c.t, x.v); err != nil {
		c.failWith(x.span, err)
	}
}

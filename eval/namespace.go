package eval

import "github.com/gosema/gosema/eval/value"

// namespace holds the global names of one module. What a module does not define
// is looked up in the program around it: the builtins, the prelude, and what the
// program has defined. A nil namespace is that program's own.
type namespace struct {
	names    map[Value]int // global slots
	defined  []Value       // in order, what is exported unless export says otherwise
	exports  []Value
	explicit bool // export was used
}

func newNamespace() *namespace { return &namespace{names: map[Value]int{}} }

// slot returns the global that a name means in ns.
func (in *Interp) slot(ns *namespace, name Value) int {
	if ns == nil {
		return in.machine.Global(name)
	}
	if g, ok := ns.names[name]; ok {
		return g
	}
	if g, ok := in.machine.Lookup(name); ok && !in.machine.GlobalValue(g).IsUndefined() {
		return g
	}
	return in.private(ns, name)
}

// private makes a global of ns. Until it is defined it has the value of the name
// in the program around, so that (define (map f l) ...) may use the map before it.
func (in *Interp) private(ns *namespace, name Value) int {
	v := value.Undefined
	if g, ok := in.machine.Lookup(name); ok {
		v = in.machine.GlobalValue(g)
	}
	g := in.machine.NewGlobal(name)
	in.machine.SetGlobal(g, v)
	ns.names[name] = g
	return g
}

// lookup is slot for a name that may have none.
func (in *Interp) lookup(ns *namespace, name Value) (g int, ok bool) {
	if ns != nil {
		if g, ok := ns.names[name]; ok {
			return g, true
		}
	}
	return in.machine.Lookup(name)
}

// own returns the global that a definition of name in ns sets.
func (in *Interp) own(ns *namespace, name Value) int {
	if ns == nil {
		return in.machine.Global(name)
	}
	g, ok := ns.names[name]
	if !ok {
		g = in.private(ns, name)
	}
	for _, n := range ns.defined {
		if n == name {
			return g
		}
	}
	ns.defined = append(ns.defined, name)
	return g
}

// foresee makes the globals that top-level forms are going to define, so that the
// forms before them mean those, and not what the program around calls so.
func (in *Interp) foresee(ns *namespace, forms []Value, depth int) {
	for _, f := range forms {
		if depth < 100 && f.IsList() && f.Len() > 0 && (isBegin(f) || f.First().IsSymbolNamed("module")) {
			in.foresee(ns, f.Rest().Slice(), depth+1)
			continue
		}
		for _, name := range definedNames(f) {
			if _, ok := ns.names[name]; !ok {
				in.private(ns, name)
			}
		}
	}
}

// callerNamespace is that of the code which is calling a builtin.
func callerNamespace(t *Thread) *namespace {
	ns, _ := t.CallerEnv().(*namespace)
	return ns
}

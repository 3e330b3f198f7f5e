package eval

// scope is one level of local names.
type scope struct {
	names map[Value]binding
	outer *scope
	body  *bodyNode // the body whose definitions land here, if it is one
}

type binding struct {
	v    *variable
	loop *loop
}

func newScope(outer *scope) *scope { return &scope{names: map[Value]binding{}, outer: outer} }

func (s *scope) lookup(sym Value) (binding, bool) {
	for ; s != nil; s = s.outer {
		if b, ok := s.names[sym]; ok {
			return b, true
		}
	}
	return binding{}, false
}

func (s *scope) bind(sym Value) *variable {
	name, _ := sym.SymbolName()
	v := &variable{name: name}
	s.names[sym] = binding{v: v}
	return v
}

// predefine binds the names that a form of the body defines, before anything in
// the body is analysed. Defining a parameter assigns to it.
func (s *scope) predefine(form Value) {
	for _, name := range definedNames(form) {
		if _, bound := s.names[name]; !bound {
			s.body.vars = append(s.body.vars, s.bind(name))
		}
	}
}

// tail is the loops that a form is in tail position of.
type tail []*loop

func (t tail) in(l *loop) bool {
	for _, x := range t {
		if x == l {
			return true
		}
	}
	return false
}

// inside returns the loops of t that are inside l.
func (t tail) inside(l *loop) []*loop {
	for i, x := range t {
		if x == l {
			return t[i+1:]
		}
	}
	return nil
}

func (t tail) with(l *loop) tail { return append(append(tail(nil), t...), l) }

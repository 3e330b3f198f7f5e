package vm

// Scope is an immutable record of a dynamic extent: what (llm/with-... thunk)
// and parameters set for the calls inside them. A nil *Scope is the outermost.
// Keys are compared like map keys; use an unexported type of your package.
type Scope struct {
	outer      *Scope
	key, value any
}

// With returns the scope with one more setting.
func (s *Scope) With(key, value any) *Scope { return &Scope{s, key, value} }

// Get returns the innermost setting of key, nil if there is none.
func (s *Scope) Get(key any) any {
	for ; s != nil; s = s.outer {
		if s.key == key {
			return s.value
		}
	}
	return nil
}

// All calls f with every setting of key, innermost first, until it returns
// false.
func (s *Scope) All(key any, f func(value any) bool) {
	for ; s != nil; s = s.outer {
		if s.key == key && !f(s.value) {
			return
		}
	}
}

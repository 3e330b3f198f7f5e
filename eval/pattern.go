package eval

import "github.com/gosema/gosema/eval/value"

// A pattern stands where a variable could: in a binding it takes a value apart,
// in a clause of match it also says which values fit.
type (
	pattern any

	anyPattern struct{} // _

	namePattern struct{ at syntax }

	literalPattern struct{ at syntax }

	// seqPattern is [a b & rest], for a list or a vector.
	seqPattern struct {
		items []pattern
		rest  pattern // nil: none
		at    syntax
	}

	// mapPattern is {:keys [a b] :key pattern}. A key of :keys may be missing.
	mapPattern struct {
		parts []fieldPattern
		at    syntax
	}

	fieldPattern struct {
		key  Value
		item pattern
		must bool // the map must have it, in match
	}
)

// matching says that a pattern is one of match, where data stand for themselves.
type matching bool

// pattern reads a pattern. names collects what it binds: no name twice.
func (c *compiler) pattern(u *use, x syntax, m matching, names map[Value]bool) pattern {
	c.enter(x)
	defer c.leave()
	switch {
	case x.v.IsSymbolNamed("_"):
		return anyPattern{}
	case x.v.IsSymbol():
		if names[x.v] {
			c.duplicate(u, x, x.v)
		}
		names[x.v] = true
		return &namePattern{x}
	case x.v.IsVector():
		return c.seqPattern(u, x, m, names)
	case x.v.IsMap():
		return c.mapPattern(u, x, m, names)
	case !bool(m):
		c.misshapen(u, x, "a variable name, or a pattern such as [a b & rest] or {:keys [a b]}")
	case isQuote(x.v):
		return &literalPattern{syntax{v: x.v.Nth(1), span: x.span}}
	case x.v.IsList() && x.v.Len() > 0:
		c.misshapen(u, x, "a pattern: a literal, a name, [a b & rest] or {:key pattern}")
	}
	return &literalPattern{x}
}

func isQuote(v Value) bool {
	return v.IsList() && v.Len() == 2 && v.First().IsSymbolNamed("quote")
}

func (c *compiler) seqPattern(u *use, x syntax, m matching, names map[Value]bool) pattern {
	p := &seqPattern{at: x}
	elems := c.elements(x)
	for i, e := range elems {
		if !isRestMark(e.v) {
			p.items = append(p.items, c.pattern(u, e, m, names))
			continue
		}
		if i != len(elems)-2 {
			c.misshapen(u, e, "exactly one name or pattern after "+e.v.String())
		}
		p.rest = c.pattern(u, elems[i+1], m, names)
		break
	}
	if len(p.items) > maxParams {
		c.misshapen(u, x, "a pattern of at most 200 elements")
	}
	return p
}

func isRestMark(v Value) bool { return v.IsSymbolNamed("&") || v.IsSymbolNamed(".") }

func (c *compiler) mapPattern(u *use, x syntax, m matching, names map[Value]bool) pattern {
	p := &mapPattern{at: x}
	elems := c.mapElements(x)
	for i := 0; i+1 < len(elems); i += 2 {
		key, part := elems[i], elems[i+1]
		if k, ok := key.v.KeywordName(); ok && k == "keys" && part.v.IsSeq() {
			for _, name := range c.elements(part) {
				text, _ := c.symbol(u, name, "a name in {:keys [name ...]}").SymbolName()
				p.parts = append(p.parts, fieldPattern{value.Keyword(text), c.pattern(u, name, m, names), false})
			}
			continue
		}
		if isQuote(key.v) {
			key.v = key.v.Nth(1)
		} else if key.v.IsSymbol() || key.v.IsList() && key.v.Len() > 0 {
			c.misshapen(u, key, "a literal key, as in {:key pattern}")
		}
		p.parts = append(p.parts, fieldPattern{key.v, c.pattern(u, part, m, names), true})
	}
	return p
}

// isPattern is true of what stands for a pattern that is more than a name.
func isPattern(v Value) bool { return v.IsVector() || v.IsMap() }

// patternNames lists the names that a pattern binds, before it is checked.
func patternNames(x Value, out []Value, depth int) []Value {
	if depth > maxFormDepth {
		return out
	}
	switch {
	case x.IsSymbol() && !isRestMark(x) && !x.IsSymbolNamed("_"):
		return append(out, x)
	case x.IsVector():
		for e := range x.Elems() {
			out = patternNames(e, out, depth+1)
		}
	case x.IsMap():
		for _, e := range x.Entries() {
			out = patternNames(e, out, depth+1)
		}
	}
	return out
}

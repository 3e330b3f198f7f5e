package eval

import (
	"slices"

	"github.com/gosema/gosema/eval/value"
)

// analyzeDefineSyntax defines the macro at once, so that the forms behind it can
// use it.
func analyzeDefineSyntax(c *compiler, u *use) node {
	name := c.symbol(u, u.args[0], "the name of the macro")
	text, _ := name.SymbolName()
	rules := c.syntaxRules(u, u.args[1])
	c.in.machine.SetGlobal(c.in.own(c.origin.ns, name), macroValue(&macro{info: value.FuncInfo{Name: text}, rules: rules}))
	return nilNode
}

// syntaxRules reads (syntax-rules [ellipsis] (literal ...) (pattern template) ...).
func (c *compiler) syntaxRules(u *use, x syntax) *syntaxRules {
	parts := c.elements(x)
	if !x.v.IsList() || len(parts) < 2 || !parts[0].v.IsSymbolNamed("syntax-rules") {
		c.misshapen(u, x, "(syntax-rules (literal ...) (pattern template) ...)")
	}
	m := &syntaxRules{ellipsis: symbolEllipsis, literals: map[Value]bool{}}
	parts = parts[1:]
	if parts[0].v.IsSymbol() && len(parts) > 1 {
		m.ellipsis = parts[0].v
		parts = parts[1:]
	}
	if !parts[0].v.IsList() && !parts[0].v.IsNil() {
		c.misshapen(u, parts[0], "a list of literals before the rules")
	}
	for _, l := range c.elements(parts[0]) {
		m.literals[c.symbol(u, l, "a literal name")] = true
	}
	for _, r := range parts[1:] {
		m.rules = append(m.rules, c.syntaxRule(u, m, r))
	}
	return m
}

func (c *compiler) syntaxRule(u *use, m *syntaxRules, x syntax) rule {
	parts := c.elements(x)
	if !x.v.IsList() || len(parts) != 2 {
		c.misshapen(u, x, "a rule (pattern template)")
	}
	if !parts[0].v.IsList() || parts[0].v.Len() == 0 {
		c.misshapen(u, parts[0], "a pattern (_ part ...)")
	}
	head := c.elements(parts[0])[1:]
	names := map[Value]bool{}
	for _, p := range head {
		c.checkPattern(u, m, p, names)
	}
	c.checkEllipses(u, m, parts[0], head)
	r := rule{pattern: parts[0].v, template: parts[1].v}
	depths := m.variables(value.List(parts[0].v.Slice()[1:]...), 0, map[Value]int{})
	c.checkTemplate(u, m, parts[1], depths, 0)
	c.templateBinders(parts[1], func(name Value) {
		if _, isVar := depths[name]; !isVar && name != m.ellipsis && name != symbolUnderscore && !slices.Contains(r.binders, name) {
			r.binders = append(r.binders, name)
		}
	})
	return r
}

// checkPattern bounds the depth of a pattern and sees that no name is there
// twice.
func (c *compiler) checkPattern(u *use, m *syntaxRules, x syntax, names map[Value]bool) {
	c.enter(x)
	defer c.leave()
	if x.v.IsSymbol() && !m.literals[x.v] && x.v != m.ellipsis && x.v != symbolUnderscore && x.v != symbolDot {
		if names[x.v] {
			c.duplicate(u, x, x.v)
		}
		names[x.v] = true
	}
	elems := c.elements(x)
	for _, e := range elems {
		c.checkPattern(u, m, e, names)
	}
	c.checkEllipses(u, m, x, elems)
}

func (c *compiler) checkEllipses(u *use, m *syntaxRules, at syntax, elems []syntax) {
	seen := 0
	for i, e := range elems {
		if e.v == m.ellipsis {
			seen++
			if i == 0 || seen > 1 {
				c.misshapen(u, at, "one "+m.ellipsis.String()+" behind what it repeats")
			}
		}
		if e.v == symbolDot && (i != len(elems)-2 || elems[i+1].v == m.ellipsis) {
			c.misshapen(u, at, "exactly one pattern after .")
		}
	}
}

// checkTemplate sees that every variable stands under as many ellipses as in
// the pattern; depths says under how many those are.
func (c *compiler) checkTemplate(u *use, m *syntaxRules, x syntax, depths map[Value]int, depth int) {
	c.enter(x)
	defer c.leave()
	if d, ok := depths[x.v]; ok && d > depth {
		c.misshapen(u, x, "as many "+m.ellipsis.String()+" behind the variable as in the pattern")
	}
	elems := c.elements(x)
	if x.v.IsMap() {
		elems = c.mapElements(x)
	}
	if len(elems) == 2 && elems[0].v == m.ellipsis {
		return
	}
	for i, e := range elems {
		d := depth
		for k := i + 1; k < len(elems) && elems[k].v == m.ellipsis; k++ {
			d++
		}
		if e.v == m.ellipsis {
			if i == 0 {
				c.misshapen(u, x, "something before "+m.ellipsis.String())
			}
			continue
		}
		if d > depth && !c.repeats(m, e, depths) {
			c.misshapen(u, e, "a variable that stands under "+m.ellipsis.String()+" in the pattern")
		}
		c.checkTemplate(u, m, e, depths, d)
	}
}

// repeats reports whether a part of a template has a variable to repeat it by.
func (c *compiler) repeats(m *syntaxRules, x syntax, depths map[Value]int) bool {
	for name := range m.variables(x.v, 0, map[Value]int{}) {
		if depths[name] > 0 {
			return true
		}
	}
	return false
}

// templateBinders finds the names that a template binds, by the forms in it.
func (c *compiler) templateBinders(x syntax, bind func(name Value)) {
	c.enter(x)
	defer c.leave()
	elems := c.elements(x)
	if len(elems) > 1 && x.v.IsList() && !isQuote(x.v) {
		name, _ := elems[0].v.SymbolName()
		if f := formTable[name]; f != nil && f.binds != nil {
			for _, b := range f.binds(x.v.Slice()[1:]) {
				bind(b)
			}
		}
	}
	for _, e := range elems {
		c.templateBinders(e, bind)
	}
}

// The functions below find the names that a form binds, given its parts: for
// templates, whose parts may be anything.

// partOf is element i of a list or vector, nil if there is none.
func partOf(v Value, i int) Value {
	if !v.IsSeq() || i >= v.Len() {
		return value.Nil
	}
	return v.Slice()[i]
}

// bindsLet is for (let [name] ((target init) ...) ...).
func bindsLet(parts []Value) (names []Value) {
	list := parts[0]
	if list.IsSymbol() && len(parts) > 1 {
		names = append(names, list)
		list = parts[1]
	}
	for _, b := range partsOf(list) {
		names = patternNames(partOf(b, 0), names, 0)
	}
	return names
}

func partsOf(v Value) []Value {
	if !v.IsSeq() {
		return nil
	}
	return v.Slice()
}

// bindsFormals is for ((formals init) ...), where formals may be (a . rest).
func bindsFormals(parts []Value) (names []Value) {
	for _, b := range partsOf(parts[0]) {
		names = append(names, bindsParams([]Value{partOf(b, 0)})...)
	}
	return names
}

// bindsParams is for a list of parameters, or a single name.
func bindsParams(parts []Value) []Value {
	if parts[0].IsSymbol() {
		return []Value{parts[0]}
	}
	return patternNames(value.Vector(partsOf(parts[0])), nil, 0)
}

// bindsDefinition is for (define target ...): target may be (name param ...).
func bindsDefinition(parts []Value) []Value {
	if parts[0].IsMap() {
		return patternNames(parts[0], nil, 0)
	}
	return bindsParams(parts)
}

func bindsFunction(parts []Value) []Value {
	names := []Value{parts[0]}
	if len(parts) > 1 {
		names = append(names, bindsParams(parts[1:])...)
	}
	return names
}

// bindsHeader is for (form (name ...) ...).
func bindsHeader(parts []Value) []Value { return patternNames(partOf(parts[0], 0), nil, 0) }

// bindsTry is for (try ... (catch name ...)).
func bindsTry(parts []Value) []Value {
	return patternNames(partOf(parts[len(parts)-1], 1), nil, 0)
}

func bindsFold(parts []Value) []Value {
	names := bindsLet(parts[:1])
	if len(parts) > 1 {
		names = append(names, bindsLet(parts[1:2])...)
	}
	return names
}

// bindsClauses is for (match expr (pattern ...) ...).
func bindsClauses(parts []Value) (names []Value) {
	for _, clause := range parts[1:] {
		names = patternNames(partOf(clause, 0), names, 0)
	}
	return names
}

package eval

import (
	"slices"

	"github.com/gosema/gosema/eval/value"
)

// syntaxRules is a macro made of rules: the first whose pattern fits a use says
// what replaces it.
type syntaxRules struct {
	ellipsis Value // the symbol ...
	literals map[Value]bool
	rules    []rule
}

type rule struct {
	pattern  Value
	template Value
	binders  []Value // names that the template binds, made fresh in every use
}

// captured is what a variable of a pattern stands for: a form, or the forms of
// each turn of an ellipsis.
type captured struct {
	form  Value
	turns []captures
}

type captures map[Value]captured

var (
	symbolEllipsis   = value.Symbol("...")
	symbolUnderscore = value.Symbol("_")
	symbolDot        = value.Symbol(".")
)

// expand replaces a use of the macro. The first element of a pattern stands for
// the macro's name, whatever it is.
func (m *syntaxRules) expand(t *Thread, name string, form Value) (Value, *Error) {
	for i := range m.rules {
		r := &m.rules[i]
		found := captures{}
		if !m.matchSeq(r.pattern.Slice()[1:], form.Slice()[1:], found) {
			continue
		}
		e := &expander{t: t, m: m, fresh: map[Value]Value{}}
		for _, b := range r.binders {
			text, _ := b.SymbolName()
			e.fresh[b] = InterpOf(t).Gensym(text)
		}
		v := e.template(r.template, found)
		return v, e.err
	}
	err := Errorf(KindEval, "%s: no rule of this macro fits %s", name, Brief(form))
	err.Hint = "its rules are for"
	for i, r := range m.rules {
		if i == 3 {
			err.Hint += " ..."
			break
		}
		err.Hint += " " + Brief(r.pattern)
	}
	return value.Nil, err
}

func (m *syntaxRules) match(pat, form Value, found captures) bool {
	switch {
	case pat.IsSymbol():
		if m.literals[pat] {
			return form == pat
		}
		if pat != symbolUnderscore {
			found[pat] = captured{form: form}
		}
		return true
	case pat.IsList():
		return form.IsList() && m.matchSeq(pat.Slice(), form.Slice(), found)
	case pat.IsVector():
		return form.IsVector() && m.matchSeq(pat.Slice(), form.Slice(), found)
	}
	return value.Equal(pat, form)
}

// matchSeq matches the elements of a list or vector: before ... after . rest.
func (m *syntaxRules) matchSeq(pats, forms []Value, found captures) bool {
	if n := len(pats); n >= 2 && pats[n-2] == symbolDot {
		rest := pats[n-1]
		pats = pats[:n-2]
		if fixed := len(pats); !slices.Contains(pats, m.ellipsis) {
			if len(forms) < fixed || !m.match(rest, value.List(forms[fixed:]...), found) {
				return false
			}
			forms = forms[:fixed]
		} else if !m.match(rest, value.Empty, found) { // an ellipsis takes all there is
			return false
		}
	}
	at := slices.Index(pats, m.ellipsis)
	if at < 1 {
		return len(pats) == len(forms) && m.matchEach(pats, forms, found)
	}
	before, each, after := pats[:at-1], pats[at-1], pats[at+1:]
	many := len(forms) - len(before) - len(after)
	if many < 0 || !m.matchEach(before, forms[:len(before)], found) || !m.matchEach(after, forms[len(forms)-len(after):], found) {
		return false
	}
	turns := make([]captures, 0, many)
	for _, f := range forms[len(before) : len(before)+many] {
		one := captures{}
		if !m.match(each, f, one) {
			return false
		}
		turns = append(turns, one)
	}
	for name := range m.variables(each, 0, map[Value]int{}) {
		found[name] = captured{turns: turns}
	}
	return true
}

func (m *syntaxRules) matchEach(pats, forms []Value, found captures) bool {
	for i, p := range pats {
		if !m.match(p, forms[i], found) {
			return false
		}
	}
	return true
}

// variables collects the variables of a pattern, and under how many ellipses each
// stands.
func (m *syntaxRules) variables(pat Value, depth int, out map[Value]int) map[Value]int {
	if pat.IsSymbol() && !m.literals[pat] && pat != symbolUnderscore && pat != m.ellipsis && pat != symbolDot {
		out[pat] = depth
		return out
	}
	if !pat.IsSeq() {
		return out
	}
	elems := pat.Slice()
	for i, e := range elems {
		d := depth
		if i+1 < len(elems) && elems[i+1] == m.ellipsis {
			d++
		}
		m.variables(e, d, out)
	}
	return out
}

// expander fills in the template of one use.
type expander struct {
	t      *Thread
	m      *syntaxRules
	fresh  map[Value]Value
	err    *Error
	quoted int  // inside so many quotes: names there are data
	plain  bool // inside (... template), where ... is a name
}

func (e *expander) template(x Value, found captures) Value {
	switch {
	case e.err != nil:
		return value.Nil
	case x.IsSymbol():
		return e.symbol(x, found)
	case x.IsVector():
		return value.Vector(e.sequence(x.Slice(), found))
	case x.IsMap():
		var kvs []Value
		for k, v := range x.Entries() {
			kvs = append(kvs, e.template(k, found), e.template(v, found))
		}
		return value.Map(kvs...)
	case !x.IsList() || x.Len() == 0:
		return x
	}
	elems := x.Slice()
	if len(elems) == 2 && elems[0] == e.m.ellipsis && !e.plain {
		e.plain = true
		defer func() { e.plain = false }()
		return e.template(elems[1], found)
	}
	if isQuote(x) {
		e.quoted++
		defer func() { e.quoted-- }()
	}
	return e.t.Heap().List(e.sequence(elems, found))
}

func (e *expander) symbol(x Value, found captures) Value {
	if c, ok := found[x]; ok {
		return c.form
	}
	if name, ok := e.fresh[x]; ok && e.quoted == 0 {
		return name
	}
	return x
}

// sequence fills in the elements of a list or vector.
func (e *expander) sequence(elems []Value, found captures) []Value {
	var out []Value
	for i := 0; i < len(elems); i++ {
		x, ellipses := elems[i], 0
		for ; !e.plain && i+1 < len(elems) && elems[i+1] == e.m.ellipsis; i++ {
			ellipses++
		}
		if x == symbolDot && i == len(elems)-2 {
			if rest := e.template(elems[i+1], found); rest.IsList() { // (a . (b c)) is (a b c)
				return e.claimed(rest.AppendTo(out))
			}
		}
		if ellipses == 0 {
			out = append(out, e.template(x, found))
		} else {
			out = e.repeated(x, ellipses, found, out)
		}
		if e.claimed(out); e.err != nil {
			return nil
		}
	}
	return out
}

// claimed counts the memory of an expansion: a small program can make a huge one.
func (e *expander) claimed(out []Value) []Value {
	if err := claim(e.t, len(out)); err != nil && e.err == nil {
		e.err = AsError(err)
	}
	return out
}

// repeated fills in a template once for each turn of the ellipsis that its
// variables stand under.
func (e *expander) repeated(x Value, ellipses int, found captures, out []Value) []Value {
	turns := -1
	var names []Value
	for name := range e.m.variables(x, 0, map[Value]int{}) {
		c, ok := found[name]
		if !ok || c.turns == nil {
			continue
		}
		names = append(names, name)
		if turns >= 0 && turns != len(c.turns) {
			e.fail("%s ... joins sequences of different lengths: %d and %d", Brief(x), turns, len(c.turns))
			return out
		}
		turns = len(c.turns)
	}
	for k := range max(turns, 0) {
		one := captures{}
		for name, c := range found {
			one[name] = c
		}
		for _, name := range names {
			one[name] = found[name].turns[k][name]
		}
		if ellipses > 1 {
			out = e.repeated(x, ellipses-1, one, out)
		} else {
			out = append(out, e.template(x, one))
		}
		if e.claimed(out); e.err != nil {
			return nil
		}
	}
	return out
}

func (e *expander) fail(format string, args ...any) {
	if e.err == nil {
		e.err = Errorf(KindEval, format, args...)
	}
}

package robust_test

import (
	"fmt"
	"math/big"
	"strings"
)

// A pat is a pattern: a literal, a name, _ or a list of patterns with an optional
// name for the rest.
type pat struct {
	name  string // "_" for none
	data  program
	items []pat
	rest  string
}

func (p pat) String() string {
	switch {
	case p.data != nil:
		return text(p.data)
	case p.items == nil:
		return p.name
	}
	var parts []string
	for _, i := range p.items {
		parts = append(parts, i.String())
	}
	if p.rest != "" {
		parts = append(parts, "&", p.rest)
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// fit binds what p takes from v; false if v does not fit. strict patterns fail
// instead, as in let.
func (p pat) fit(v any, env *scope, strict bool) bool {
	env.step()
	switch {
	case p.data != nil:
		return show(p.data.eval(env)) == show(v) && show(v) != "<fn>"
	case p.items == nil:
		if p.name != "_" {
			env.bind(p.name, v)
		}
		return true
	}
	list, ok := v.([]any)
	fits := ok && (len(list) == len(p.items) || len(list) > len(p.items) && p.rest != "")
	switch {
	case !fits && !strict:
		return false
	case !ok:
		fail("type-error")
	case !fits:
		fail("eval")
	}
	for i, item := range p.items {
		if !item.fit(list[i], env, strict) {
			return false
		}
	}
	if p.rest != "" && p.rest != "_" {
		env.bind(p.rest, append([]any{}, list[len(p.items):]...))
	}
	return true
}

// pattern makes a pattern and the names that it binds.
func (g *generator) pattern(k known, depth int, data bool) (pat, []string) {
	switch n := g.pick(6); {
	case n == 0:
		return pat{name: "_"}, nil
	case n == 1 && data:
		return pat{data: literal{integers[g.pick(len(integers))]}}, nil
	case n == 2 && data:
		return pat{data: literal{[]any{true, false, nothing{}}[g.pick(3)]}}, nil
	case n < 5 && depth > 0:
		p := pat{items: []pat{}}
		var names []string
		for range g.pick(3) {
			item, more := g.pattern(known{}, depth-1, data)
			p.items, names = append(p.items, item), append(names, more...)
		}
		if g.pick(3) == 0 {
			p.rest = g.fresh()
			names = append(names, p.rest)
		}
		return p, names
	}
	name := g.variable(k, nil)
	return pat{name: name}, []string{name}
}

// subject makes an expression that often fits p.
func (g *generator) subject(p pat, k known, d int) program {
	if p.items == nil || g.pick(8) == 0 {
		if p.data != nil && g.pick(2) == 0 {
			return p.data
		}
		return g.expr(k, d)
	}
	var parts []program
	for _, i := range p.items {
		parts = append(parts, g.subject(i, k, d))
	}
	if p.rest != "" {
		parts = append(parts, g.exprs(g.pick(3), k, d)...)
	}
	return operation{"list", parts}
}

type (
	// taking is let, let* or a call of a lambda, with patterns.
	taking struct {
		kind  string
		pats  []pat
		inits []program
		body  []program
	}
	matching struct {
		lenient bool // match*
		key     program
		list    []matchClause
	}
	matchClause struct {
		p    pat
		when program // nil: none
		body []program
	}
	// collecting is for/list over nested sequences.
	collecting struct {
		list []sequence
		body []program
	}
	sequence struct {
		p    pat
		seq  program
		when program // nil: none
	}
	// handing is for/fold.
	handing struct {
		accs  []string
		inits []program
		seq   sequence
		body  []program // one for each acc
	}
	times struct { // dotimes; the body cannot assign to the counter
		name string
		n    program
		body []program
	}
	// several is let-values.
	several struct {
		names []string
		vals  []program
		body  []program
	}
)

func (p taking) write(b *strings.Builder) {
	if p.kind == "lambda" {
		var params []string
		for _, x := range p.pats {
			params = append(params, x.String())
		}
		fn := "(lambda (" + strings.Join(params, " ") + ") " + text(logic{"begin", p.body}) + ")"
		form(b, append([]any{fn}, anys(p.inits)...)...)
		return
	}
	var parts []string
	for i, x := range p.pats {
		parts = append(parts, "("+x.String()+" "+text(p.inits[i])+")")
	}
	form(b, p.kind, "("+strings.Join(parts, " ")+")", p.body)
}

func (p taking) eval(env *scope) any {
	env.step()
	inner := env.inner()
	if p.kind == "let*" {
		for i, x := range p.pats {
			v := p.inits[i].eval(inner)
			inner = inner.inner()
			x.fit(v, inner, true)
		}
		return all(p.body, inner)
	}
	var vals []any
	for _, e := range p.inits {
		vals = append(vals, e.eval(env))
	}
	for i, x := range p.pats {
		x.fit(vals[i], inner, true)
	}
	return all(p.body, inner)
}

func (g *generator) taking(k known, d int) program {
	p := taking{kind: []string{"let", "let*", "lambda"}[g.pick(3)]}
	var names []string
	for range 1 + g.pick(2) {
		x, more := g.pattern(known{}, 2, false)
		if x.items == nil {
			x = pat{name: g.fresh()}
			more = []string{x.name}
		}
		outer := k
		if p.kind == "let*" {
			outer = k.with(names...)
		}
		p.pats, p.inits = append(p.pats, x), append(p.inits, g.subject(x, outer, d))
		names = append(names, more...)
	}
	inner := k.with(names...)
	if p.kind == "lambda" {
		inner.loops = nil
	}
	p.body = g.exprs(1+g.pick(2), inner, d)
	return p
}

func (p matching) write(b *strings.Builder) {
	parts := []any{"match", p.key}
	if p.lenient {
		parts[0] = "match*"
	}
	for _, c := range p.list {
		clause := "(" + c.p.String()
		if c.when != nil {
			clause += " when " + text(c.when)
		}
		parts = append(parts, clause+" "+text(logic{"begin", c.body})+")")
	}
	form(b, parts...)
}

func (p matching) eval(env *scope) any {
	env.step()
	key := p.key.eval(env)
	for _, c := range p.list {
		inner := env.inner()
		if c.p.fit(key, inner, false) && (c.when == nil || truthy(c.when.eval(inner))) {
			return all(c.body, inner)
		}
	}
	if !p.lenient {
		fail("eval")
	}
	return nothing{}
}

func (g *generator) matching(k known, d int) program {
	p := matching{lenient: g.pick(2) == 0}
	for range 1 + g.pick(4) {
		x, names := g.pattern(k, 2, true)
		c := matchClause{p: x, body: g.exprs(1+g.pick(2), k.with(names...), d)}
		if g.pick(3) == 0 {
			c.when = g.expr(k.with(names...), d)
		}
		p.list = append(p.list, c)
	}
	p.key = g.subject(p.list[g.pick(len(p.list))].p, k, d)
	return p
}

// elements are those of what a loop goes over.
func (s sequence) elements(env *scope) []any {
	switch v := s.seq.eval(env).(type) {
	case []any:
		return v
	case nothing:
		return nil
	}
	fail("type-error")
	return nil
}

func (s sequence) String() string {
	out := "(" + s.p.String() + " " + text(s.seq) + ")"
	if s.when != nil {
		out += " (:when " + text(s.when) + ")"
	}
	return out
}

func (g *generator) sequence(k known, d int) (sequence, known) {
	p, names := g.pattern(known{}, 1, false)
	if p.name == "_" { // for takes it as a name like any other
		p = pat{name: g.fresh()}
		names = []string{p.name}
	}
	s := sequence{p: p, seq: operation{"list", []program{g.subject(p, k, d), g.subject(p, k, d)}}}
	if g.pick(6) == 0 {
		s.seq = g.expr(k, d)
	}
	inner := k.with(names...)
	if g.pick(3) == 0 {
		s.when = g.expr(inner, d)
	}
	return s, inner
}

func (p collecting) write(b *strings.Builder) {
	var parts []string
	for _, s := range p.list {
		parts = append(parts, s.String())
	}
	form(b, "for/list", "("+strings.Join(parts, " ")+")", p.body)
}

func (p collecting) eval(env *scope) any {
	out := []any{}
	var nest func(list []sequence, env *scope)
	nest = func(list []sequence, env *scope) {
		env.step()
		if len(list) == 0 {
			out = append(out, all(p.body, env))
			return
		}
		s := list[0]
		for _, x := range s.elements(env) {
			inner := env.inner()
			s.p.fit(x, inner, true)
			if s.when == nil || truthy(s.when.eval(inner)) {
				nest(list[1:], inner)
			}
		}
	}
	nest(p.list, env)
	return out
}

func (g *generator) collecting(k known, d int) program {
	p := collecting{}
	inner := k
	for range 1 + g.pick(2) {
		var s sequence
		s, inner = g.sequence(inner, d)
		p.list = append(p.list, s)
	}
	p.body = g.exprs(1+g.pick(2), inner, d)
	return p
}

func (p handing) write(b *strings.Builder) {
	body := text(p.body[0])
	if len(p.accs) > 1 {
		body = text(operation{"values", p.body})
	}
	loop := "(for/fold " + bindings(p.accs, p.inits) + " (" + p.seq.String() + ") " + body + ")"
	if len(p.accs) > 1 {
		loop = "(call-with-values (lambda () " + loop + ") list)"
	}
	b.WriteString(loop)
}

func (p handing) eval(env *scope) any {
	env.step()
	var vals []any
	for _, e := range p.inits {
		vals = append(vals, e.eval(env))
	}
	outer := env.inner()
	for i, a := range p.accs {
		outer.bind(a, vals[i])
	}
	for _, x := range p.seq.elements(outer) {
		env.step()
		turn := env.inner()
		for i, a := range p.accs {
			turn.bind(a, vals[i])
		}
		inner := turn.inner()
		p.seq.p.fit(x, inner, true)
		run := p.seq.when == nil || truthy(p.seq.when.eval(inner))
		next := make([]any, len(vals))
		for i, a := range p.accs {
			next[i] = *turn.find(a)
			if run {
				next[i] = p.body[i].eval(inner)
			}
		}
		vals = next
	}
	if len(vals) == 1 {
		return vals[0]
	}
	return vals
}

func (g *generator) handing(k known, d int) program {
	p := handing{}
	for range 1 + g.pick(2) {
		p.accs = append(p.accs, g.fresh())
		p.inits = append(p.inits, g.expr(k, d))
	}
	var inner known
	p.seq, inner = g.sequence(k.with(p.accs...), d)
	p.seq.seq = operation{"list", g.exprs(g.pick(3), k, d)} // it must not assign to an acc: whose variable that is, is not said
	p.body = g.exprs(len(p.accs), inner, d)
	return p
}

func (p times) write(b *strings.Builder) {
	form(b, append([]any{"dotimes", fmt.Sprintf("(%s %s)", p.name, text(p.n))}, anys(p.body)...)...)
}

func (p times) eval(env *scope) any {
	n := p.n.eval(env)
	for i := int64(0); truthy(operate("<", big.NewInt(i), n)); i++ {
		env.step()
		inner := env.inner()
		inner.bind(p.name, big.NewInt(i))
		all(p.body, inner)
	}
	return nothing{}
}

func (g *generator) times(k known, d int) program {
	name := g.fresh()
	inner := k.with()
	inner.nums = append(append([]string{}, k.nums...), name)
	n := program(literal{int64(g.pick(4))})
	if g.pick(4) == 0 {
		n = g.expr(k, d)
	}
	return times{name, n, g.exprs(1+g.pick(2), inner, d)}
}

func (p several) write(b *strings.Builder) {
	form(b, "let-values", "((("+strings.Join(p.names, " ")+") "+text(operation{"values", p.vals})+"))", p.body)
}

func (p several) eval(env *scope) any {
	env.step()
	var vals []any
	for _, e := range p.vals {
		vals = append(vals, e.eval(env))
	}
	if len(vals) != len(p.names) {
		fail("arity")
	}
	inner := env.inner()
	for i, n := range p.names {
		inner.bind(n, vals[i])
	}
	return all(p.body, inner)
}

func (g *generator) several(k known, d int) program {
	names := g.variables(g.pick(4), k)
	n := len(names)
	if g.pick(8) == 0 {
		n++
	}
	return several{names, g.exprs(n, k, d), g.exprs(1+g.pick(2), k.with(names...), d)}
}

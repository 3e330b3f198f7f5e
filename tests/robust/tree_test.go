package robust_test

import (
	"math/big"
	"strings"
)

// The tree walker's values: *big.Int, bool, nothing, []any (a list), keyword,
// *closure, *raised (what catch binds).
type (
	nothing struct{}
	keyword string
	closure struct {
		fn  function
		env *scope
	}
	// raised is an error: its kind, and what was thrown if the program threw it.
	raised struct {
		kind keyword
		v    any
	}
	undefined struct{}
	// tooLong ends programs that run too long or grow too large to be compared.
	tooLong struct{}
)

// scope is one frame of variables; steps counts for all.
type scope struct {
	vars  map[string]*any
	outer *scope
	steps *int
}

func (s *scope) inner() *scope { return &scope{map[string]*any{}, s, s.steps} }

func (s *scope) bind(name string, v any) { s.vars[name] = &v }

func (s *scope) find(name string) *any {
	for ; s != nil; s = s.outer {
		if v, ok := s.vars[name]; ok {
			return v
		}
	}
	panic("the generator made an unbound name: " + name)
}

func (s *scope) step() {
	if *s.steps--; *s.steps < 0 {
		panic(tooLong{})
	}
}

// run evaluates a program, and says how it ended. ok is false if it took too
// long.
func run(p program) (outcome string, ok bool) {
	steps := 20_000
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *raised:
			outcome, ok = "!"+string(r.kind), true
			if r.kind == "user" {
				outcome += " " + show(r.v)
			}
		case tooLong:
			ok = false
		default:
			panic(r)
		}
	}()
	return show(p.eval(&scope{map[string]*any{}, nil, &steps})), true
}

func show(v any) string {
	switch v := v.(type) {
	case *big.Int:
		return v.String()
	case bool:
		return map[bool]string{true: "#t", false: "#f"}[v]
	case nothing:
		return "nil"
	case keyword:
		return ":" + string(v)
	case []any:
		var parts []string
		for _, x := range v {
			parts = append(parts, show(x))
		}
		return "(" + strings.Join(parts, " ") + ")"
	}
	return "<fn>"
}

func truthy(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case nothing:
		return false
	}
	return true
}

func fail(kind keyword) { panic(&raised{kind: kind}) }

func all(ps []program, env *scope) (last any) {
	last = nothing{}
	for _, p := range ps {
		last = p.eval(env)
	}
	return last
}

func (p literal) eval(*scope) any {
	if i, ok := p.v.(int64); ok {
		return big.NewInt(i)
	}
	return p.v
}

func (p reference) eval(env *scope) any {
	v := *env.find(p.name)
	if _, ok := v.(undefined); ok {
		fail("unbound")
	}
	return v
}

func (p logic) eval(env *scope) any {
	env.step()
	if p.op == "begin" {
		return all(p.parts, env)
	}
	var last any = p.op == "and"
	for _, part := range p.parts {
		last = part.eval(env)
		if truthy(last) == (p.op == "or") {
			return last
		}
	}
	return last
}

func (p choice) eval(env *scope) any {
	switch {
	case truthy(p.test.eval(env)):
		return p.then.eval(env)
	case p.otherwise == nil:
		return nothing{}
	}
	return p.otherwise.eval(env)
}

// choose evaluates the first clause that applies.
func choose(list []clause, env *scope) (any, bool) {
	for _, c := range list {
		if c.test == nil || truthy(c.test.eval(env)) {
			return all(c.body, env), true
		}
	}
	return nothing{}, false
}

func (p clauses) eval(env *scope) any {
	v, _ := choose(p.list, env)
	return v
}

func (p casing) eval(env *scope) any {
	key := p.key.eval(env)
	for _, c := range p.list {
		if c.data == nil {
			return c.body.eval(env)
		}
		for _, d := range c.data {
			if i, ok := key.(*big.Int); ok && i.Cmp(big.NewInt(d)) == 0 {
				return c.body.eval(env)
			}
		}
	}
	return nothing{}
}

func (p letting) eval(env *scope) any {
	env.step()
	inner := env.inner()
	for i, n := range p.names {
		switch p.kind {
		case "let*":
			v := p.inits[i].eval(inner)
			inner = inner.inner()
			inner.bind(n, v)
		case "letrec":
			inner.bind(n, undefined{})
		default:
			inner.bind(n, p.inits[i].eval(env))
		}
	}
	if p.kind == "letrec" {
		for i, n := range p.names {
			*inner.find(n) = p.inits[i].eval(inner)
		}
	}
	return all(p.body, inner)
}

func (p body) eval(env *scope) any {
	env.step()
	inner := env.inner()
	for _, n := range p.names {
		inner.bind(n, undefined{})
	}
	for i, n := range p.names {
		*inner.find(n) = p.inits[i].eval(inner)
	}
	return all(p.rest, inner)
}

func (p assignment) eval(env *scope) any {
	v := p.e.eval(env)
	*env.find(p.name) = v
	return v
}

func (p function) eval(env *scope) any { return &closure{p, env} }

func (p call) eval(env *scope) any {
	fn := p.fn.eval(env)
	var args []any
	for _, a := range p.args {
		args = append(args, a.eval(env))
	}
	return apply(env, fn, args)
}

func apply(env *scope, fn any, args []any) any {
	env.step()
	c, ok := fn.(*closure)
	if !ok {
		fail("eval")
	}
	n := len(c.fn.params)
	if len(args) < n || len(args) > n && c.fn.rest == "" {
		fail("arity")
	}
	inner := c.env.inner()
	for i, name := range c.fn.params {
		inner.bind(name, args[i])
	}
	if c.fn.rest != "" {
		inner.bind(c.fn.rest, append([]any{}, args[n:]...))
	}
	return all(c.fn.body, inner)
}

func (p loop) eval(env *scope) any {
	var args []any
	for _, e := range p.inits {
		args = append(args, e.eval(env))
	}
	inner := env.inner()
	fn := &closure{function{params: p.names, body: p.body}, inner}
	inner.bind(p.name, fn)
	return apply(env, fn, args)
}

func (p doLoop) eval(env *scope) any {
	inner := env.inner()
	for i, n := range p.names {
		inner.bind(n, p.inits[i].eval(env))
	}
	for !truthy(p.test.eval(inner)) {
		env.step()
		all(p.body, inner)
		next := env.inner()
		for i, n := range p.names {
			next.bind(n, p.steps[i].eval(inner))
		}
		inner = next
	}
	return all(p.result, inner)
}

func (p counting) eval(env *scope) any {
	inner := env.inner()
	inner.bind(p.name, big.NewInt(0))
	for truthy(operate("<", *inner.find(p.name), big.NewInt(p.n))) {
		env.step()
		all(p.body, inner)
		*inner.find(p.name) = operate("+", *inner.find(p.name), big.NewInt(1))
	}
	return *inner.find(p.name)
}

// caught evaluates a body, and returns the error that ended it.
func caught(ps []program, env *scope) (v any, err *raised) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*raised)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	return all(ps, env), nil
}

func (p trying) eval(env *scope) any {
	env.step()
	v, err := caught(p.body, env.inner())
	if err == nil {
		return v
	}
	inner := env.inner()
	inner.bind(p.name, err)
	return p.h.eval(inner)
}

func (p guarding) eval(env *scope) any {
	env.step()
	v, err := caught(p.body, env.inner())
	if err == nil {
		return v
	}
	inner := env.inner()
	inner.bind(p.name, any(err))
	if err.kind == "user" {
		inner.bind(p.name, err.v)
	}
	if v, ok := choose(p.list, inner); ok {
		return v
	}
	panic(err)
}

func (p information) eval(env *scope) any {
	e := (*env.find(p.name)).(*raised)
	if e.kind != "user" {
		return []any{e.kind, nothing{}}
	}
	return []any{e.kind, e.v}
}

func (p mapping) eval(env *scope) any {
	fn, list := p.fn.eval(env), p.list.eval(env).([]any)
	out := []any{}
	for _, x := range list {
		out = append(out, apply(env, fn, []any{x}))
	}
	return out
}

func (p folding) eval(env *scope) any {
	fn, acc, list := p.fn.eval(env), p.init.eval(env), p.list.eval(env).([]any)
	for _, x := range list {
		acc = apply(env, fn, []any{acc, x})
	}
	return acc
}

func (p applying) eval(env *scope) any {
	fn, list := p.fn.eval(env), p.list.eval(env).([]any)
	return apply(env, fn, list)
}

func (p delaying) eval(env *scope) any { env.step(); return p.e.eval(env.inner()) }

func (p switching) eval(*scope) any { return nothing{} }

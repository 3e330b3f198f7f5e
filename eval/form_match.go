package eval

import "github.com/gosema/gosema/eval/value"

func matchForms() []form {
	return []form{
		{name: "match", shape: "(match expr (pattern [when test] expr ...) ...)", min: 2, max: -1, analyze: analyzeMatch, binds: bindsClauses,
			doc: "Evaluates the first clause whose pattern fits the value: a literal, a name (which binds it), _, [a b & rest], {:key pattern}. It is an error if none fits."},
		{name: "match*", shape: "(match* expr (pattern [when test] expr ...) ...)", min: 2, max: -1, analyze: analyzeMatchStar, binds: bindsClauses,
			doc: "Is match that gives nil if no pattern fits."},
	}
}

func analyzeMatch(c *compiler, u *use) node {
	return c.match(u, func(key *variable) node { return callHelper(helpers.noMatch, u.form.span, &localNode{v: key}) })
}

func analyzeMatchStar(c *compiler, u *use) node {
	return c.match(u, func(*variable) node { return &constNode{value.Nil} })
}

// match links the clauses in a loop, since there may be thousands.
func (c *compiler) match(u *use, none func(key *variable) node) node {
	key := &variable{name: "value"}
	outer := &letNode{vars: []*variable{key}, inits: []node{c.analyze(u.args[0], u.scope, nil)}}
	last := &outer.body
	for _, clause := range u.args[1:] {
		n := c.matchClause(u, key, clause)
		*last = n
		last = &n.otherwise
	}
	*last = none(key)
	return outer
}

func (c *compiler) matchClause(u *use, key *variable, clause syntax) *unpackNode {
	parts := c.elements(clause)
	if len(parts) == 0 {
		c.misshapen(u, clause, "a clause (pattern expr ...)")
	}
	inner := newScope(u.scope)
	k := &unpacker{c: c, u: u, test: true, bind: bindIn(inner)}
	k.unpack(c.pattern(u, parts[0], true, map[Value]bool{}), key)
	body := parts[1:]
	if len(body) > 0 && body[0].v.IsSymbolNamed("when") {
		if len(body) < 2 {
			c.misshapen(u, body[0], "a test after when")
		}
		k.steps = append(k.steps, step{e: c.analyze(body[1], inner, nil), test: true})
		body = body[2:]
	}
	return &unpackNode{steps: k.steps, body: c.body(body, inner, u.tail)}
}

func noMatch(t *Thread, args []Value) (Value, error) {
	e := Errorf(KindEval, "match: no clause matched value: %s", Brief(args[0]))
	e.Hint = "add a clause (_ ...) for all other values, or use match*, which gives nil"
	return value.Nil, e
}

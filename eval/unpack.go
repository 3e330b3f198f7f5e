package eval

import "github.com/gosema/gosema/eval/value"

// step is one thing that taking a value apart does, in order: bind v to the
// value of e; or, without a v, evaluate e. A test that is false ends the steps.
type step struct {
	v    *variable
	e    node
	test bool
}

// unpackNode takes a value apart: its steps, then body. A false test goes to
// otherwise instead.
type unpackNode struct {
	steps     []step
	body      node
	otherwise node // nil: there are no tests
}

// unpacker makes the steps of a pattern. bind makes the step of a name.
type unpacker struct {
	c     *compiler
	u     *use
	test  matching
	bind  func(name syntax, e node) step
	steps []step
}

// bindIn binds the names of patterns in a scope.
func bindIn(s *scope) func(syntax, node) step {
	return func(name syntax, e node) step { return step{v: s.bind(name.v), e: e} }
}

// unpack takes the value of v apart.
func (k *unpacker) unpack(p pattern, v *variable) {
	switch p := p.(type) {
	case *namePattern:
		k.steps = append(k.steps, k.bind(p.at, &localNode{v: v}))
	case *literalPattern:
		equal := &primNode{"eq?", []node{&localNode{v: v}, &constNode{p.at.v}}, -1, p.at.span}
		k.steps = append(k.steps, step{e: equal, test: true})
	case *seqPattern:
		k.seq(p, v)
	case *mapPattern:
		k.fields(p, v)
	}
}

// part takes apart what e gives.
func (k *unpacker) part(p pattern, e node) {
	switch p := p.(type) {
	case anyPattern:
		return
	case *namePattern:
		k.steps = append(k.steps, k.bind(p.at, e))
		return
	}
	v := &variable{name: "part"}
	k.steps = append(k.steps, step{v: v, e: e})
	k.unpack(p, v)
}

func (k *unpacker) seq(p *seqPattern, v *variable) {
	check := helpers.isSeqOf
	if !k.test {
		check = helpers.seqOf
	}
	n, open := p.size()
	k.steps = append(k.steps, step{e: callHelper(check, p.at.span, &localNode{v: v}, n, open), test: bool(k.test)})
	k.items(p, v)
}

// size is how many elements p takes, and whether there may be more.
func (p *seqPattern) size() (n, open node) {
	return &constNode{value.Int(int64(len(p.items)))}, &constNode{value.Bool(p.rest != nil)}
}

// items takes a sequence apart that is long enough.
func (k *unpacker) items(p *seqPattern, v *variable) {
	for i, item := range p.items {
		at := &constNode{value.Int(int64(i))}
		k.part(item, &primNode{"nth", []node{&localNode{v: v}, at}, -1, p.at.span})
	}
	if p.rest != nil {
		n, _ := p.size()
		k.part(p.rest, callHelper(helpers.drop, p.at.span, &localNode{v: v}, n))
	}
}

func (k *unpacker) fields(p *mapPattern, v *variable) {
	check := helpers.isMap
	if !k.test {
		check = helpers.needMap
	}
	k.steps = append(k.steps, step{e: callHelper(check, p.at.span, &localNode{v: v}), test: bool(k.test)})
	for _, f := range p.parts {
		key := &constNode{f.key}
		if k.test && matching(f.must) {
			k.steps = append(k.steps, step{e: callHelper(helpers.hasKey, p.at.span, &localNode{v: v}, key), test: true})
		}
		k.part(f.item, callHelper(helpers.field, p.at.span, &localNode{v: v}, key))
	}
}

// around puts the steps before body.
func (k *unpacker) around(body node) node {
	if len(k.steps) == 0 {
		return body
	}
	return &unpackNode{steps: k.steps, body: body}
}

// seqOf checks what a pattern [a b & rest] of n elements takes apart.
func seqOf(t *Thread, args []Value) (Value, error) {
	if fits(args) {
		return value.Nil, nil
	}
	v, n := args[0], plural(args[1])
	if args[2].Truthy() {
		n = "at least " + n
	}
	if !v.IsSeq() {
		return value.Nil, TypeError("a list or vector of "+n+" to take apart", v)
	}
	return value.Nil, Errorf(KindEval, "cannot take apart: the pattern needs %s, got %d in %s", n, v.Len(), Brief(v))
}

func plural(n Value) string {
	if n == value.Int(1) {
		return "1 element"
	}
	return n.String() + " elements"
}

// fits reports whether args[0] is a sequence of args[1] elements, or more if
// args[2] is true.
func fits(args []Value) bool {
	n, _ := args[1].AsInt()
	have := int64(args[0].Len())
	return args[0].IsSeq() && (have == n || have > n && args[2].Truthy())
}

func isSeqOf(t *Thread, args []Value) (Value, error) { return value.Bool(fits(args)), nil }

// dropElems is a sequence without its first elements, as a list.
func dropElems(t *Thread, args []Value) (Value, error) {
	n, _ := args[1].AsInt()
	if args[0].IsList() {
		return args[0].Drop(int(n)), nil
	}
	rest := args[0].Slice()[n:]
	if err := claim(t, len(rest)); err != nil {
		return value.Nil, err
	}
	return t.Heap().List(rest), nil
}

func needMap(t *Thread, args []Value) (Value, error) {
	if args[0].IsMap() {
		return value.Nil, nil
	}
	return value.Nil, TypeError("a map to take apart", args[0])
}

func isMap(t *Thread, args []Value) (Value, error) { return value.Bool(args[0].IsMap()), nil }

func hasKey(t *Thread, args []Value) (Value, error) {
	_, ok := args[0].Get(args[1])
	return value.Bool(ok), nil
}

// field is the value of a map at a key, nil if it has none.
func field(t *Thread, args []Value) (Value, error) {
	v, _ := args[0].Get(args[1])
	return v, nil
}

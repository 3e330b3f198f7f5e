package eval

import "sort"

// primitive is a builtin that the machine has instructions for.
type primitive struct {
	op       string // the name that code generation knows it by
	min, max int
}

// chain is how many operands + - and * may have inline.
const chain = 8

func primitives() map[string]primitive {
	return map[string]primitive{
		"+": {"+", 2, chain}, "-": {"-", 2, chain}, "*": {"*", 2, chain}, "/": {"/", 2, 2},
		"<": {"<", 2, 2}, ">": {">", 2, 2}, "<=": {"<=", 2, 2}, ">=": {">=", 2, 2}, "=": {"=", 2, 2},
		"eq?": {"eq?", 2, 2}, "equal?": {"eq?", 2, 2}, "not": {"not", 1, 1}, "null?": {"null?", 1, 1}, "pair?": {"pair?", 1, 1},
		"zero?": {"zero?", 1, 1}, "cons": {"cons", 2, 2}, "car": {"car", 1, 1}, "first": {"car", 1, 1},
		"cdr": {"cdr", 1, 1}, "rest": {"cdr", 1, 1}, "nth": {"nth", 2, 2}, "quotient": {"quotient", 2, 2},
		"remainder": {"remainder", 2, 2}, "modulo": {"modulo", 2, 2}, "mod": {"modulo", 2, 2},
		"math/quotient": {"quotient", 2, 2}, "math/remainder": {"remainder", 2, 2}, "throw": {"throw", 1, 1},
	}
}

var primitiveTable = primitives()

func inlinedNames() []string {
	var names []string
	for n := range primitiveTable {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// primitive makes the node of a call that can be inlined, or nil.
func (c *compiler) primitive(x syntax, name string, elems []syntax, s *scope) node {
	p, ok := primitiveTable[name]
	n := len(elems) - 1
	if !ok || n < p.min || n > p.max {
		return nil
	}
	g, ok := c.in.lookup(c.origin.ns, elems[0].v)
	if !ok || !c.in.machine.Inlines(g) {
		return nil
	}
	return &primNode{p.op, c.list(elems[1:], s), g, x.span}
}

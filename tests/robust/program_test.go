package robust_test

import (
	"fmt"
	"strings"
)

// A program is a random closed expression. It can print itself, and evaluate
// itself on a tree walker that has nothing in common with the interpreter: see
// tree_test.go. Operations may fail; both sides must fail in the same way.
type program interface {
	write(b *strings.Builder)
	eval(env *scope) any
}

type (
	literal   struct{ v any } // int64, bool, nothing
	reference struct{ name string }
	operation struct {
		op   string
		args []program
	}
	logic struct { // and, or, begin
		op    string
		parts []program
	}
	choice struct{ test, then, otherwise program } // otherwise may be nil
	clause struct {
		test program
		body []program
	}
	clauses struct{ list []clause } // cond; a nil test is else
	casing  struct {
		key  program
		list []caseClause
	}
	caseClause struct {
		data []int64 // nil: else
		body program
	}
	letting struct {
		kind  string // let, let*, letrec
		names []string
		inits []program
		body  []program
	}
	body struct { // internal definitions
		names []string
		inits []program
		rest  []program
	}
	assignment struct {
		name string
		e    program
	}
	function struct {
		params []string
		rest   string
		body   []program
	}
	call struct {
		fn   program
		args []program
	}
	loop struct { // named let
		name  string
		names []string
		inits []program
		body  []program
	}
	doLoop struct {
		names        []string
		inits, steps []program
		test         program
		result, body []program
	}
	counting struct { // (let ((i 0)) (while (< i n) body ... (set! i (+ i 1))) i)
		name string
		n    int64
		body []program
	}
	trying struct {
		body []program
		name string
		h    program
	}
	guarding struct {
		body []program
		name string
		list []clause
	}
	information struct{ name string } // (list (:type e) (:value e))
	mapping     struct{ fn, list program }
	folding     struct{ fn, init, list program }
	applying    struct{ fn, list program }
	delaying    struct{ e program } // (force (delay e))
	switching   struct{}            // (switch): may redefine the operators at this point
)

func text(p program) string {
	var b strings.Builder
	p.write(&b)
	return b.String()
}

// form writes a list of strings and programs.
func form(b *strings.Builder, parts ...any) {
	b.WriteByte('(')
	for i, p := range parts {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch p := p.(type) {
		case string:
			b.WriteString(p)
		case program:
			p.write(b)
		case []program:
			for k, q := range p {
				if k > 0 {
					b.WriteByte(' ')
				}
				q.write(b)
			}
		}
	}
	b.WriteByte(')')
}

func bindings(names []string, inits []program) string {
	var parts []string
	for i, n := range names {
		parts = append(parts, "("+n+" "+text(inits[i])+")")
	}
	return "(" + strings.Join(parts, " ") + ")"
}

func (p literal) write(b *strings.Builder) {
	switch v := p.v.(type) {
	case int64:
		fmt.Fprint(b, v)
	case bool:
		b.WriteString(map[bool]string{true: "#t", false: "#f"}[v])
	default:
		b.WriteString("nil")
	}
}

func (p reference) write(b *strings.Builder) { b.WriteString(p.name) }
func (p operation) write(b *strings.Builder) { form(b, p.op, p.args) }
func (p logic) write(b *strings.Builder)     { form(b, p.op, p.parts) }

func (p choice) write(b *strings.Builder) {
	if p.otherwise == nil {
		form(b, "if", p.test, p.then)
		return
	}
	form(b, "if", p.test, p.then, p.otherwise)
}

func (c clause) String() string {
	if c.test == nil {
		return "(else " + text(logic{"begin", c.body}) + ")"
	}
	var parts []string
	for _, p := range append([]program{c.test}, c.body...) {
		parts = append(parts, text(p))
	}
	return "(" + strings.Join(parts, " ") + ")"
}

func clauseTexts(list []clause) string {
	var parts []string
	for _, c := range list {
		parts = append(parts, c.String())
	}
	return strings.Join(parts, " ")
}

func (p clauses) write(b *strings.Builder) { form(b, "cond", clauseTexts(p.list)) }

func (p casing) write(b *strings.Builder) {
	parts := []any{"case", p.key}
	for _, c := range p.list {
		head := "else"
		if c.data != nil {
			head = "(" + strings.Trim(fmt.Sprint(c.data), "[]") + ")"
		}
		parts = append(parts, "("+head+" "+text(c.body)+")")
	}
	form(b, parts...)
}

func (p letting) write(b *strings.Builder) { form(b, p.kind, bindings(p.names, p.inits), p.body) }

func (p body) write(b *strings.Builder) {
	parts := []any{"let", "()"}
	for i, n := range p.names {
		parts = append(parts, "(define "+n+" "+text(p.inits[i])+")")
	}
	form(b, append(parts, p.rest)...)
}

func (p assignment) write(b *strings.Builder) { form(b, "set!", p.name, p.e) }

func (p function) write(b *strings.Builder) {
	params := strings.Join(p.params, " ")
	if p.rest != "" {
		params += " . " + p.rest
	}
	form(b, "lambda", "("+strings.TrimSpace(params)+")", p.body)
}

func (p call) write(b *strings.Builder) { form(b, append([]any{p.fn}, anys(p.args)...)...) }

func anys(ps []program) (out []any) {
	for _, p := range ps {
		out = append(out, p)
	}
	return out
}

func (p loop) write(b *strings.Builder) { form(b, "let", p.name, bindings(p.names, p.inits), p.body) }

func (p doLoop) write(b *strings.Builder) {
	var vars []string
	for i, n := range p.names {
		vars = append(vars, "("+n+" "+text(p.inits[i])+" "+text(p.steps[i])+")")
	}
	end := clause{p.test, p.result}
	form(b, append([]any{"do", "(" + strings.Join(vars, " ") + ")", end.String()}, anys(p.body)...)...)
}

func (p counting) write(b *strings.Builder) {
	fmt.Fprintf(b, "(let ((%s 0)) (while (< %s %d) ", p.name, p.name, p.n)
	for _, x := range p.body {
		x.write(b)
		b.WriteByte(' ')
	}
	fmt.Fprintf(b, "(set! %s (+ %s 1))) %s)", p.name, p.name, p.name)
}

func (p trying) write(b *strings.Builder) {
	form(b, "try", p.body, "(catch "+p.name+" "+text(p.h)+")")
}

func (p guarding) write(b *strings.Builder) {
	form(b, "guard", "("+p.name+" "+clauseTexts(p.list)+")", p.body)
}

func (p information) write(b *strings.Builder) {
	fmt.Fprintf(b, "(list (:type %s) (:value %s))", p.name, p.name)
}

func (p mapping) write(b *strings.Builder)   { form(b, "map", p.fn, p.list) }
func (p folding) write(b *strings.Builder)   { form(b, "foldl", p.fn, p.init, p.list) }
func (p applying) write(b *strings.Builder)  { form(b, "apply", p.fn, p.list) }
func (p delaying) write(b *strings.Builder)  { form(b, "force", "(delay "+text(p.e)+")") }
func (p switching) write(b *strings.Builder) { b.WriteString("(switch)") }

package eval

import (
	"fmt"
	"sort"
	"strings"

	"github.com/gosema/gosema/eval/vm"
)

// form is one entry of the table of special forms.
type form struct {
	name     string
	aliases  []string
	shape    string // as a person writes it, for errors and docs
	min, max int    // arguments; max < 0: any number
	doc      string
	soft     bool // a definition of the program hides it: the reference has a macro for it, or nothing
	analyze  func(c *compiler, u *use) node
	defines  func(form Value) []Value    // the names it defines in a body
	binds    func(parts []Value) []Value // the names it binds at all, given well-shaped parts or not
}

// use is a special form being analysed.
type use struct {
	form  syntax
	args  []syntax
	scope *scope
	tail  tail
}

// formTable is set in init, since the forms refer to the analysis, which refers
// to the table. It does not change afterwards.
var formTable map[string]*form

func init() {
	formTable = map[string]*form{}
	for _, table := range [][]form{controlForms(), bindingForms(), definitionForms(), quoteForms(), errorForms(), matchForms(), valuesForms(), loopForms(), moduleForms(), multiForms(), {recordForm}} {
		for _, f := range table {
			formTable[f.name] = &f
			for _, alias := range f.aliases {
				other := f
				other.name = alias
				other.shape = strings.ReplaceAll(f.shape, "("+f.name+" ", "("+alias+" ")
				formTable[alias] = &other
			}
		}
	}
}

// form returns the special form that a symbol at the head of a form names.
func (c *compiler) form(head Value, s *scope) *form {
	name, _ := head.SymbolName()
	f := formTable[name]
	if f == nil || !f.soft {
		return f
	}
	if _, local := s.lookup(head); local {
		return nil
	}
	if g, ok := c.in.lookup(c.origin.ns, head); ok && !c.in.machine.GlobalValue(g).IsUndefined() {
		return nil
	}
	return f
}

func formNames() []string {
	var names []string
	for n := range formTable {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// FormDoc is what there is to know of a special form.
type FormDoc struct{ Name, Shape, Doc string }

// Forms lists the special forms, in order.
func Forms() []FormDoc {
	var docs []FormDoc
	for _, n := range formNames() {
		docs = append(docs, FormDoc{n, formTable[n].shape, formTable[n].doc})
	}
	return docs
}

// checkShape checks the number of arguments of a special form.
func (c *compiler) checkShape(f *form, x syntax, args []syntax) {
	if len(args) >= f.min && (f.max < 0 || len(args) <= f.max) {
		return
	}
	e := Errorf(vm.KindArity, "%s is incomplete", x.v.First())
	if f.max >= 0 && len(args) > f.max {
		e.Message = fmt.Sprintf("%s has too many parts: %d", x.v.First(), len(args))
	}
	e.Hint = "its shape is " + f.shape
	c.failWith(x.span, e)
}

// misshapen gives up on a part of a special form: expected says what belongs
// there.
func (c *compiler) misshapen(u *use, part syntax, expected string) {
	name := u.form.v.First().String()
	e := Errorf(KindEval, "%s: expected %s, got %s", name, expected, Brief(part.v))
	if f := formTable[name]; f != nil {
		e.Hint = "its shape is " + f.shape
	}
	c.failWith(part.span, e)
}

// symbol checks that part is a symbol.
func (c *compiler) symbol(u *use, part syntax, what string) Value {
	if !part.v.IsSymbol() {
		c.misshapen(u, part, what)
	}
	return part.v
}

package eval

import (
	"slices"

	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
)

var recordForm = form{name: "define-record-type", shape: "(define-record-type name (constructor field ...) predicate (field accessor) ...)",
	min: 3, max: -1, analyze: analyzeRecordType, defines: definesRecordType,
	doc: "Defines a type of immutable records: a constructor of the fields it lists, a predicate, and a function for each field."}

// definesRecordType is the constructor, the predicate and the accessors.
func definesRecordType(form Value) (names []Value) {
	parts := form.Rest().Slice()
	add := func(v Value) {
		if v.IsSymbol() {
			names = append(names, v)
		}
	}
	add(parts[1])
	add(partOf(parts[1], 0))
	if len(parts) > 2 {
		add(parts[2])
	}
	for _, field := range parts[min(3, len(parts)):] {
		add(partOf(field, 1))
	}
	return names
}

// recordDefinition is a define-record-type being analysed.
type recordDefinition struct {
	c      *compiler
	u      *use
	typ    *value.RecordType
	fields []Value // their names
	seq    seqNode
}

// analyzeRecordType makes the type when the form is compiled; what the form does
// when it runs is to bind the functions.
func analyzeRecordType(c *compiler, u *use) node {
	name, _ := c.symbol(u, u.args[0], "the name of the type").SymbolName()
	d := &recordDefinition{c: c, u: u, typ: &value.RecordType{Name: name}}
	for _, x := range u.args[3:] {
		d.field(x)
	}
	d.constructor(u.args[1])
	if u.args[2].v != value.False {
		predicate := c.symbol(u, u.args[2], "the name of the predicate, or #f for none")
		d.define(predicate, 1, func(_ *Thread, args []Value) (Value, error) {
			r, ok := args[0].AsRecord()
			return value.Bool(ok && r.Type == d.typ), nil
		})
	}
	for i, x := range u.args[3:] {
		if accessor := partOf(x.v, 1); accessor.IsSymbol() {
			d.define(accessor, 1, d.accessor(i))
		}
	}
	d.seq.nodes = append(d.seq.nodes, nilNode)
	return &d.seq
}

func (d *recordDefinition) define(name Value, n int, f builtinFunc) {
	text, _ := name.SymbolName()
	fn := &constNode{vm.NewBuiltin(text, n, n, f).Value()}
	d.seq.nodes = append(d.seq.nodes, d.c.define(d.u, name, func() node { return fn }))
}

// field reads (field accessor), (field) or field.
func (d *recordDefinition) field(x syntax) {
	parts := d.c.elements(x)
	if x.v.IsSymbol() {
		parts = []syntax{x}
	}
	switch {
	case len(parts) == 3 && x.v.IsList():
		d.c.misshapen(d.u, parts[2], "(field accessor) alone: records are immutable, make a new one instead")
	case len(parts) == 0 || len(parts) > 2:
		d.c.misshapen(d.u, x, "(field accessor)")
	case len(parts) == 2:
		d.c.symbol(d.u, parts[1], "the name of the accessor")
	}
	name := d.c.symbol(d.u, parts[0], "the name of a field")
	if slices.Contains(d.fields, name) {
		d.c.duplicate(d.u, x, name)
	}
	text, _ := name.SymbolName()
	d.fields, d.typ.Fields = append(d.fields, name), append(d.typ.Fields, text)
}

// constructor reads (make field ...), make for all fields, or #f for none.
func (d *recordDefinition) constructor(x syntax) {
	parts := d.c.elements(x)
	switch {
	case x.v == value.False:
		return
	case x.v.IsSymbol():
		at := make([]int, len(d.fields))
		for i := range at {
			at[i] = i
		}
		d.make(x.v, at)
		return
	case !x.v.IsList() || len(parts) == 0:
		d.c.misshapen(d.u, x, "(constructor field ...)")
	}
	var at []int
	for _, f := range parts[1:] {
		i := slices.Index(d.fields, f.v)
		if i < 0 {
			d.c.misshapen(d.u, f, "a field of the type")
		}
		if slices.Contains(at, i) {
			d.c.duplicate(d.u, f, f.v)
		}
		at = append(at, i)
	}
	d.make(d.c.symbol(d.u, parts[0], "the name of the constructor"), at)
}

// make defines a constructor whose argument k is field at[k].
func (d *recordDefinition) make(name Value, at []int) {
	typ, n := d.typ, len(d.fields)
	d.define(name, len(at), func(_ *Thread, args []Value) (Value, error) {
		fields := make([]Value, n)
		if len(at) < n {
			for i := range fields {
				fields[i] = value.Nil
			}
		}
		for k, v := range args {
			fields[at[k]] = v
		}
		return value.NewRecord(typ, fields), nil
	})
}

func (d *recordDefinition) accessor(i int) builtinFunc {
	typ := d.typ
	return func(_ *Thread, args []Value) (Value, error) {
		if r, ok := args[0].AsRecord(); ok && r.Type == typ {
			return r.Fields[i], nil
		}
		return value.Nil, TypeError("a record of type "+typ.Name, args[0])
	}
}

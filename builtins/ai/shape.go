package ai

import (
	"slices"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// shape is what llm/extract wants of a value.
type shape struct {
	kind     string // of JSON schema; "" is anything
	checked  bool   // the kind is checked; a bare type is only told to the model
	optional bool
	validate eval.Value // a predicate; nil
	message  string     // what is wrong where it says no

	fields []namedShape // of an object with these keys
	elem   *shape       // of a list
}

type namedShape struct {
	name string
	*shape
}

const maxShapeDepth = 32

// readShape reads a type, {:type ...}, a map of shapes, or a list of one.
func readShape(v eval.Value, depth int) (*shape, error) {
	if depth > maxShapeDepth {
		return nil, eval.Errorf(eval.KindEval, "the schema is nested more than %d levels deep", maxShapeDepth)
	}
	switch {
	case v.IsMap():
		if kind, given := v.Get(keyword("type")); given && schemaType(plainName(kind)) != "" {
			return readDescriptor(v, plainName(kind))
		}
		return readFields(v, depth)
	case v.IsSeq():
		elems := v.Slice()
		if len(elems) != 1 {
			return nil, eval.TypeError("a list of one type, such as [:string], in a schema", v)
		}
		elem, err := readShape(elems[0], depth+1)
		return &shape{kind: "array", elem: elem, validate: value.Nil}, err
	}
	kind := schemaType(plainName(v))
	if kind == "" || v.IsSymbol() {
		return nil, eval.TypeError("a type in a schema (:string :number :integer :boolean :list :map), {:type ...}, a map or a list of one type", v)
	}
	return &shape{kind: kind, validate: value.Nil}, nil
}

func readDescriptor(v eval.Value, kind string) (*shape, error) {
	o := eval.OptionsOf("a field of a schema", v, "type", "optional", "validate", "message", "description")
	s := &shape{kind: schemaType(kind), checked: true, optional: o.Bool("optional", false), message: o.String("message", "")}
	if f, given := o.Func("validate"); given {
		s.validate = f
	} else {
		s.validate = value.Nil
	}
	return s, o.Err()
}

func readFields(v eval.Value, depth int) (*shape, error) {
	s := &shape{kind: "object", fields: []namedShape{}, validate: value.Nil}
	for k, x := range v.Entries() {
		name := plainName(k)
		if name == "" {
			return nil, eval.TypeError("the name of a field in a schema", k)
		}
		field, err := readShape(x, depth+1)
		if err != nil {
			return nil, err
		}
		s.fields = append(s.fields, namedShape{name, field})
	}
	return s, nil
}

// describe writes a shape as the model reads it: like the JSON that is wanted,
// with types for values.
func (s *shape) describe() string {
	var b strings.Builder
	s.write(&b, "")
	return b.String()
}

func (s *shape) write(b *strings.Builder, indent string) {
	switch {
	case s.fields != nil:
		b.WriteString("{")
		for i, f := range s.fields {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString("\n" + indent + "  " + value.Write(value.String(f.name)) + ": ")
			f.write(b, indent+"  ")
		}
		b.WriteString("\n" + indent + "}")
	case s.elem != nil:
		b.WriteString("[")
		s.elem.write(b, indent)
		b.WriteString(", ...]")
	default:
		b.WriteString(s.kind)
	}
	if s.optional {
		b.WriteString(" (may be left out)")
	}
	if s.message != "" {
		b.WriteString(" (" + s.message + ")")
	}
}

// check finds what does not fit, in words for the model. The error is that of a
// predicate.
func (s *shape) check(t *eval.Thread, v eval.Value) (problems []string, err error) {
	for _, f := range s.fields {
		x, _ := v.Get(keyword(f.name))
		if x.IsNil() {
			if !f.optional {
				problems = append(problems, "missing key: "+f.name)
			}
			continue
		}
		wrong, err := f.checkValue(t, x)
		if err != nil {
			return nil, err
		}
		for _, w := range wrong {
			problems = append(problems, "key "+f.name+": "+w)
		}
	}
	return problems, nil
}

func (s *shape) checkValue(t *eval.Thread, v eval.Value) ([]string, error) {
	got := jsonType(v)
	fits := got == s.kind || s.kind == "number" && got == "integer"
	switch {
	case s.fields != nil && v.IsMap():
		return s.check(t, v)
	case s.elem != nil && v.IsSeq():
		return s.checkElems(t, v)
	case (s.checked || s.fields != nil || s.elem != nil) && !fits:
		return []string{"expected " + s.kind + ", got " + got}, nil
	case !s.checked || s.validate.IsNil():
		return nil, nil
	}
	ok, err := t.Call(s.validate, v)
	if err != nil || ok.Truthy() {
		return nil, err
	}
	if s.message != "" {
		return []string{s.message}, nil
	}
	return []string{"custom validation failed for value " + eval.Brief(v)}, nil
}

// checkElems reports the first element that does not fit.
func (s *shape) checkElems(t *eval.Thread, v eval.Value) ([]string, error) {
	for x := range v.Elems() {
		wrong, err := s.elem.checkValue(t, x)
		if err != nil || len(wrong) > 0 {
			return slices.Clip(wrong), err
		}
	}
	return nil, nil
}

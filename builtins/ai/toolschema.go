package ai

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// param is a parameter of a tool: what is checked before the tool is called.
type param struct {
	name     string
	kind     string // of JSON schema; "" takes anything
	required bool
	enum     []eval.Value
}

// readParameters reads a JSON schema of an object, or the short form: a map from
// names to {:type :description :optional ...}, or just to the type.
func (t *tool) readParameters(v eval.Value) error {
	if v.IsNil() {
		v = value.EmptyMap()
	}
	if !v.IsMap() {
		return eval.TypeError("a map from names to types for the :parameters of the tool "+t.Name, v)
	}
	schema := v
	if !isSchema(v) {
		var err error
		if schema, err = t.longForm(v); err != nil {
			return err
		}
	}
	text, err := jsonOf(schema)
	if err != nil {
		return eval.Errorf(eval.KindEval, "the :parameters of the tool %s: %v", t.Name, err)
	}
	t.Parameters = text
	properties, _ := schema.Get(keyword("properties"))
	if !properties.IsMap() {
		return nil
	}
	required, _ := schema.Get(keyword("required"))
	for k, spec := range properties.Entries() {
		t.params = append(t.params, paramOf(plainName(k), spec, required))
	}
	return nil
}

// isSchema tells a JSON schema from the short form, in which "type" may be the
// name of a parameter.
func isSchema(v eval.Value) bool {
	kind, _ := v.Get(keyword("type"))
	properties, given := v.Get(keyword("properties"))
	return plainName(kind) == "object" && (!given || properties.IsMap())
}

// longForm makes a JSON schema of the short form.
func (t *tool) longForm(v eval.Value) (eval.Value, error) {
	properties := value.EmptyMap()
	var required []eval.Value
	for k, spec := range v.Entries() {
		name := plainName(k)
		if name == "" {
			return value.Nil, eval.TypeError("the name of a parameter of the tool "+t.Name, k)
		}
		long, optional, err := t.longSpec(name, spec)
		if err != nil {
			return value.Nil, err
		}
		properties = properties.Assoc(keyword(name), long)
		if !optional {
			required = append(required, value.String(name))
		}
	}
	schema := value.Map(keyword("type"), value.String("object"), keyword("properties"), properties)
	if len(required) > 0 {
		schema = schema.Assoc(keyword("required"), value.List(required...))
	}
	return schema, nil
}

func (t *tool) longSpec(name string, spec eval.Value) (long eval.Value, optional bool, err error) {
	if !spec.IsMap() {
		spec = value.Map(keyword("type"), spec)
	}
	if kind, given := spec.Get(keyword("type")); given {
		known := schemaType(plainName(kind))
		if known == "" {
			return value.Nil, false, eval.TypeError(fmt.Sprintf("a type for the parameter %s of the tool %s (:string :number :integer :boolean :array :object)", name, t.Name), kind)
		}
		spec = spec.Assoc(keyword("type"), value.String(known))
	}
	opt, _ := spec.Get(keyword("optional"))
	must, given := spec.Get(keyword("required"))
	_, preset := spec.Get(keyword("default"))
	isFlag := given && !must.IsSeq() // a list belongs to the schema of an object
	optional = opt.Truthy() || preset || isFlag && !must.Truthy()
	spec = spec.Dissoc(keyword("optional"))
	if isFlag {
		spec = spec.Dissoc(keyword("required"))
	}
	return spec, optional, nil
}

// schemaType is the JSON schema's word for a type, "" if there is none.
func schemaType(name string) string {
	switch name {
	case "string", "number", "integer", "boolean", "array", "object", "null":
		return name
	case "int":
		return "integer"
	case "float":
		return "number"
	case "bool":
		return "boolean"
	case "list", "vector":
		return "array"
	case "map":
		return "object"
	}
	return ""
}

func paramOf(name string, spec, required eval.Value) param {
	p := param{name: name}
	if required.IsSeq() {
		p.required = slices.ContainsFunc(required.Slice(), func(v eval.Value) bool { return plainName(v) == name })
	}
	if spec.IsMap() {
		kind, _ := spec.Get(keyword("type"))
		p.kind = plainName(kind)
		if enum, _ := spec.Get(keyword("enum")); enum.IsSeq() {
			p.enum = enum.Slice()
		}
	}
	return p
}

// check finds what is wrong with the arguments of a call, in words for the model.
func (t *tool) check(object eval.Value) string {
	var wrong []string
	for _, p := range t.params {
		v, _ := object.Get(keyword(p.name))
		if v.IsNil() {
			if p.required && p.kind != "null" {
				wrong = append(wrong, "missing key: "+p.name)
			}
			continue
		}
		if problem := p.check(v); problem != "" {
			wrong = append(wrong, "key "+p.name+": "+problem)
		}
	}
	if len(wrong) == 0 {
		return ""
	}
	return "invalid arguments for tool '" + t.Name + "': " + strings.Join(wrong, "; ")
}

func (p *param) check(v eval.Value) string {
	if got := jsonType(v); p.kind != "" && got != p.kind && !(p.kind == "number" && got == "integer") {
		return "expected " + p.kind + ", got " + got
	}
	if len(p.enum) > 0 && !slices.ContainsFunc(p.enum, func(e eval.Value) bool { return sameWord(e, v) }) {
		return fmt.Sprintf("expected one of %s, got %s", wordList(p.enum), eval.Brief(v))
	}
	return ""
}

// sameWord compares a choice with what the model wrote, for which :a is "a".
func sameWord(choice, v eval.Value) bool {
	text, ok := v.AsString()
	return ok && plainName(choice) == text || value.Equal(choice, v)
}

func wordList(choices []eval.Value) string {
	words := make([]string, len(choices))
	for i, c := range choices {
		if words[i] = plainName(c); words[i] == "" {
			words[i] = value.Write(c)
		}
	}
	return strings.Join(words, ", ")
}

// jsonType is what JSON schema calls a value that was read from JSON. A whole
// float is an integer.
func jsonType(v eval.Value) string {
	switch {
	case v.IsNil():
		return "null"
	case v.Kind() == value.KindBool:
		return "boolean"
	case v.IsMap():
		return "object"
	case v.IsSeq():
		return "array"
	case v.IsNumber():
		if f, ok := v.AsFloat(); ok && f != math.Trunc(f) {
			return "number"
		}
		return "integer"
	}
	return "string"
}

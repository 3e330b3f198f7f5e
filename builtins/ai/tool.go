package ai

import (
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

// tool is a function of the program that a model may call.
type tool struct {
	llm.Tool // as the model sees it
	fn       eval.Value
	params   []param
	pass     passing
	order    []string // of the arguments, when they are passed one by one
}

// passing is how a tool's function takes its arguments.
type passing int

const (
	passEach  passing = iota // one by one, in order
	passWhole                // as one map
)

// toolset is what a model may call in one run.
type toolset []*tool

func (ts toolset) find(name string) *tool {
	for _, t := range ts {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// tools are what goes into a request.
func (ts toolset) tools() (all []llm.Tool) {
	for _, t := range ts {
		all = append(all, t.Tool)
	}
	return all
}

// readTools reads a list of maps {:name :description :parameters :fn}.
func readTools(v eval.Value) (toolset, error) {
	const shape = "a list of tools {:name \"...\" :description \"...\" :parameters {...} :fn f}"
	if v.IsNil() {
		return nil, nil
	}
	if !v.IsSeq() {
		return nil, eval.TypeError(shape, v)
	}
	var ts toolset
	for x := range v.Elems() {
		t, err := readTool(x)
		if err != nil {
			return nil, err
		}
		if ts.find(t.Name) != nil {
			return nil, eval.Errorf(eval.KindEval, "two tools have the name %s", t.Name)
		}
		ts = append(ts, t)
	}
	return ts, nil
}

func readTool(v eval.Value) (*tool, error) {
	if !v.IsMap() {
		return nil, eval.TypeError("a tool {:name \"...\" :description \"...\" :parameters {...} :fn f}", v)
	}
	o := eval.OptionsOf("a tool", v, "name", "description", "parameters", "fn")
	t := &tool{}
	name, _ := o.Get("name")
	t.Name, t.Description = toolName(plainName(name)), o.String("description", "")
	fn := callbackOption(o, "fn")
	if err := o.Err(); err != nil {
		return nil, err
	}
	switch {
	case t.Name == "":
		return nil, eval.Errorf(eval.KindEval, "a tool needs a :name")
	case !fn.given:
		return nil, eval.Errorf(eval.KindEval, "the tool %s needs a function :fn", t.Name)
	}
	t.fn = fn.fn
	parameters, _ := o.Get("parameters")
	if err := t.readParameters(parameters); err != nil {
		return nil, err
	}
	return t, t.readPassing()
}

// toolName is a name that providers take: letters, digits, - and _.
func toolName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, name)
}

// readPassing decides how the function takes its arguments: by the names of its
// own parameters where they are the tool's, since a map does not know the order
// in which it was written; as one map when it has one parameter of another
// name; otherwise one by one in the order of the names.
func (t *tool) readPassing() error {
	declared := make([]string, len(t.params))
	for i, p := range t.params {
		declared[i] = p.name
	}
	t.order = declared
	names, rest, ok := eval.ParamNames(t.fn)
	if !ok {
		return nil
	}
	if rest {
		names = names[:len(names)-1]
	}
	switch {
	case t.declares(names):
		t.order = names
	case len(names) == 1 && (len(declared) != 1 || !isName(names[0])):
		t.pass = passWhole
	case len(names) != len(declared) && !(rest && len(names) < len(declared)):
		e := eval.Errorf(eval.KindEval, "the function of the tool %s takes %d arguments, but the tool has %d parameters", t.Name, len(names), len(declared))
		e.Hint = "call the function's parameters what the tool's are called: " + strings.Join(declared, " ")
		return e
	}
	return nil
}

// isName is false for what destructuring parameters are called.
func isName(s string) bool { return s != "" && !strings.ContainsAny(s, "{[( ") }

// declares reports whether all names are parameters of the tool, and there is at
// least one, or nothing to take.
func (t *tool) declares(names []string) bool {
	for _, n := range names {
		if t.param(n) == nil {
			return false
		}
	}
	return len(names) > 0 || len(t.params) == 0
}

func (t *tool) param(name string) *param {
	for i := range t.params {
		if t.params[i].name == name {
			return &t.params[i]
		}
	}
	return nil
}

// arguments are what the function is called with, from the object that the model
// wrote; what is missing is nil.
func (t *tool) arguments(object eval.Value) []eval.Value {
	if t.pass == passWhole {
		return []eval.Value{object}
	}
	args := make([]eval.Value, len(t.order))
	for i, name := range t.order {
		args[i], _ = object.Get(value.Keyword(name))
	}
	return args
}

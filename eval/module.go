package eval

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
	"github.com/gosema/gosema/reader"
)

func moduleForms() []form {
	return []form{
		{name: "module", shape: "(module name (export name ...) expr ...)", min: 2, max: -1, analyze: analyzeModule,
			doc: "Says what a file exports, and evaluates the expressions. It stands at top level."},
		{name: "import", shape: `(import "path" name ...)`, min: 1, max: -1, analyze: analyzeImport,
			doc: "Evaluates a file or a package once, in a namespace of its own, and defines here what it exports, or only the names given."},
		{name: "export", shape: "(export name ...)", min: 0, max: -1, analyze: analyzeExport,
			doc: "Is the second part of module."},
	}
}

// modules are those that an interpreter has loaded, by canonical path, and those
// that the host preloaded, by name.
type modules struct {
	loaded map[string]*namespace
	texts  map[string]string
}

type modulesKey struct{}

func (in *Interp) modules() *modules {
	return in.State(modulesKey{}, func() any { return &modules{loaded: map[string]*namespace{}, texts: map[string]string{}} }).(*modules)
}

// Preload makes (import name) evaluate text, without a file.
func (in *Interp) Preload(name, text string) {
	_, _ = in.Do(context.Background(), func(*Thread) (Value, error) {
		in.modules().texts[name] = text
		return value.Nil, nil
	})
}

func analyzeModule(c *compiler, u *use) node {
	c.misshapen(u, u.form, "module at top level, outside of any expression")
	return nil
}

func analyzeExport(c *compiler, u *use) node {
	c.misshapen(u, u.form, "export inside of module only, right behind its name")
	return nil
}

// moduleParts checks (module name (export ...) body ...) and returns the names
// that it exports.
func (c *compiler) moduleParts(x syntax) (exports []Value, body []syntax) {
	elems := c.elements(x)
	u := &use{form: x, args: elems[1:]}
	c.checkShape(formTable["module"], x, u.args)
	if !u.args[0].v.IsSymbol() && !u.args[0].v.IsString() {
		c.misshapen(u, u.args[0], "the name of the module")
	}
	list := u.args[1]
	if !list.v.IsList() || list.v.Len() == 0 || !list.v.First().IsSymbolNamed("export") {
		c.misshapen(u, list, "(export name ...)")
	}
	for _, e := range c.elements(list)[1:] {
		exports = append(exports, c.symbol(u, e, "a name to export"))
	}
	return exports, u.args[2:]
}

// evalModule evaluates a module form: its body, here, then the exports must be
// there.
func (in *Interp) evalModule(t *Thread, c *compiler, x syntax) (v Value, err error) {
	exports, body, err := c.module(x)
	if err != nil {
		return value.Nil, err
	}
	ns := c.origin.ns
	v, err = in.evalForms(t, body, c.origin)
	if err != nil {
		return value.Nil, err
	}
	for _, name := range exports {
		if g, ok := in.lookup(ns, name); ok && !in.machine.GlobalValue(g).IsUndefined() {
			continue
		}
		e := Errorf(KindUnbound, "the module %s exports %s, but does not define it", x.v.Nth(1), name)
		e.Fields = nameField(name)
		e.Source, e.Span = c.origin.source, x.span
		return value.Nil, e
	}
	if ns != nil {
		ns.exports, ns.explicit = append(ns.exports, exports...), true
	}
	return v, nil
}

func nameField(name Value) []Value {
	text, _ := name.SymbolName()
	return []Value{value.Keyword("name"), value.String(text)}
}

func (c *compiler) module(x syntax) (exports []Value, body []syntax, err error) {
	defer c.unwound(c.t.Nest(0))
	defer c.recover(&err)
	exports, body = c.moduleParts(x)
	return exports, body, nil
}

// analyzeImport is a call at run time: the path is an expression.
func analyzeImport(c *compiler, u *use) node {
	i := &importing{ns: c.origin.ns}
	i.from, _ = c.t.Scope().Get(fileKey{}).(string)
	for _, x := range u.args[1:] {
		i.names = append(i.names, c.symbol(u, x, "a name to import"))
	}
	return callHelper(vm.NewBuiltin("import", 1, 1, i.call).Value(), u.form.span, c.analyze(u.args[0], u.scope, nil))
}

// importing is one import form.
type importing struct {
	ns    *namespace // where the names go
	from  string     // the file that the form stands in, "" if it is none
	names []Value    // nil: all
}

func (i *importing) call(t *Thread, args []Value) (Value, error) {
	a := ArgsOf(args)
	path := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	m, err := i.load(t, path)
	if err != nil {
		return value.Nil, err
	}
	in := InterpOf(t)
	exports := m.defined
	if m.explicit {
		exports = m.exports
	}
	if i.names != nil {
		if err := checkImported(i.names, exports, path); err != nil {
			return value.Nil, err
		}
		exports = i.names
	}
	for _, name := range exports {
		g, _ := in.lookup(m, name)
		in.machine.SetGlobal(in.imported(i.ns, name), in.machine.GlobalValue(g))
	}
	return value.Nil, nil
}

// imported is the global that an imported name gets; a module does not export
// what it imports unless it says so.
func (in *Interp) imported(ns *namespace, name Value) int {
	if ns == nil {
		return in.machine.Global(name)
	}
	if g, ok := ns.names[name]; ok {
		return g
	}
	return in.private(ns, name)
}

func checkImported(names, exports []Value, path string) error {
	known := map[Value]bool{}
	var texts []string
	for _, e := range exports {
		known[e] = true
		text, _ := e.SymbolName()
		texts = append(texts, text)
	}
	for _, name := range names {
		if known[name] {
			continue
		}
		e := Errorf(KindUnbound, "%s does not export %s", path, name)
		e.Fields = nameField(name)
		text, _ := name.SymbolName()
		if near := Nearest(text, texts); near != "" {
			e.Hint = fmt.Sprintf("did you mean %s?", near)
		} else if len(texts) > 0 && len(texts) <= 12 {
			e.Hint = "it exports " + strings.Join(texts, ", ")
		}
		return e
	}
	return nil
}

// loadingKey is the scope key of the modules that are being loaded.
type loadingKey struct{}

// load returns the module of a path, which it evaluates the first time.
func (i *importing) load(t *Thread, spec string) (*namespace, error) {
	ms := InterpOf(t).modules()
	text, preloaded := ms.texts[spec]
	path, key := spec, spec
	if !preloaded {
		var err error
		if path, key, err = i.find(t, spec); err != nil {
			return nil, err
		}
	}
	if m := ms.loaded[key]; m != nil {
		return m, nil
	}
	if err := checkCycle(t, key); err != nil {
		return nil, err
	}
	if !preloaded {
		var err error
		if text, err = readBlocking(t, path); err != nil {
			return nil, err
		}
	}
	m, err := evalModuleText(t, &value.Source{Name: path, Text: text}, key)
	if err != nil {
		return nil, err
	}
	if other := ms.loaded[key]; other != nil { // loaded meanwhile, while this waited for something
		return other, nil
	}
	ms.loaded[key] = m
	return m, nil
}

func evalModuleText(t *Thread, src *value.Source, key string) (*namespace, error) {
	unit, err := reader.ReadAll(src)
	if err != nil {
		return nil, readError(err)
	}
	m := newNamespace()
	scope := t.Scope().With(loadingKey{}, key).With(fileKey{}, src.Name)
	_, err = t.InScope(scope, func() (Value, error) { return InterpOf(t).evalUnit(t, unit, m) })
	return m, err
}

func checkCycle(t *Thread, key string) error {
	var chain []string
	cycle := false
	t.Scope().All(loadingKey{}, func(v any) bool {
		chain = append([]string{v.(string)}, chain...)
		cycle = v == key
		return !cycle
	})
	if len(chain) > maxLoads {
		return Errorf(KindEval, "modules import each other more than %d deep", maxLoads)
	}
	if !cycle {
		return nil
	}
	for i, path := range chain {
		chain[i] = filepath.Base(path)
	}
	e := Errorf(KindEval, "modules import each other in a cycle: %s -> %s", strings.Join(chain, " -> "), filepath.Base(key))
	e.Hint = "move what both need into a module of its own"
	return e
}

// find returns the file that an import names, and its canonical path.
func (i *importing) find(t *Thread, spec string) (path, key string, err error) {
	in := InterpOf(t)
	if denied := in.config.Deny & CapFSRead; denied != 0 {
		return "", "", deniedError("import", denied)
	}
	err = t.Blocking(func(context.Context) (err error) {
		path, key, err = findModule(spec, i.from, in.config.FindPackage)
		return err
	})
	if err != nil {
		return "", "", fileError(spec, err)
	}
	return path, key, nil
}

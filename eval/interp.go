package eval

import (
	"context"
	"io"
	"os"
	"sort"
	"sync"

	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
	"github.com/gosema/gosema/reader"
)

// Config is what an interpreter is made from. The zero values are usable, but
// for Library.
type Config struct {
	Library *Library
	Limits  Limits
	Deny    Caps      // capabilities that programs do not get
	Stdin   io.Reader // nil: os.Stdin, and so on
	Stdout  io.Writer
	Stderr  io.Writer
	Args    []string // what (sys/args) answers

	// FindPackage returns the file of a package that a program imports; an error
	// that is fs.ErrNotExist if there is none. Nil: there are no packages. It is
	// called without the lock.
	FindPackage func(spec string) (path string, err error)
}

// Interp is one isolated interpreter. It is safe to use from many goroutines;
// programs run one at a time, and others go on while one waits.
type Interp struct {
	config  Config
	machine *vm.Machine
	mu      sync.Mutex
	state   map[any]any
	gensyms int64
	closers []func()

	required map[Value]bool // what was taken from the prelude, under the lock
}

// New makes an interpreter.
func New(c Config) *Interp {
	if c.Stdin == nil {
		c.Stdin = os.Stdin
	}
	if c.Stdout == nil {
		c.Stdout = os.Stdout
	}
	if c.Stderr == nil {
		c.Stderr = os.Stderr
	}
	in := &Interp{config: c, machine: vm.NewMachine(c.Library.image(), c.Limits)}
	in.machine.Host = in
	in.machine.Suggest = in.suggest
	if c.Deny != 0 {
		for _, x := range c.Library.capable {
			if denied := x.b.Caps & c.Deny; denied != 0 {
				in.machine.SetGlobal(x.global, x.b.denied(denied))
			}
		}
	}
	return in
}

// Library is what the interpreter started with.
func (in *Interp) Library() *Library { return in.config.Library }

// Args are the arguments of the program.
func (in *Interp) Args() []string { return in.config.Args }

// Stdin, Stdout and Stderr are the program's streams.
func (in *Interp) Stdin() io.Reader  { return in.config.Stdin }
func (in *Interp) Stdout() io.Writer { return in.config.Stdout }
func (in *Interp) Stderr() io.Writer { return in.config.Stderr }

// State returns what some package keeps for this interpreter, making it on
// first use. Use an unexported type as the key.
func (in *Interp) State(key any, make_ func() any) any {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.state == nil {
		in.state = map[any]any{}
	}
	s, ok := in.state[key]
	if !ok {
		s = make_()
		in.state[key] = s
	}
	return s
}

// OnClose has f called when the interpreter is closed, to free what a builtin
// opened.
func (in *Interp) OnClose(f func()) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.closers = append(in.closers, f)
}

// Close frees what programs opened and did not close, such as servers. The
// interpreter may be used again afterwards.
func (in *Interp) Close() {
	in.mu.Lock()
	closers := in.closers
	in.closers = nil
	in.mu.Unlock()
	for _, f := range closers {
		f()
	}
}

// Do runs f on a thread of the interpreter, under its lock.
func (in *Interp) Do(ctx context.Context, f func(t *Thread) (Value, error)) (Value, error) {
	t, err := in.machine.Enter(ctx, nil)
	if err != nil {
		return value.Nil, err
	}
	defer in.machine.Leave(t)
	return t.Protect(func() (Value, error) { return f(t) })
}

// Eval reads all of src, then evaluates its forms in order; it returns the
// value of the last, nil if there is none. Nothing runs if src has a syntax
// error.
func (in *Interp) Eval(ctx context.Context, src *value.Source) (Value, error) {
	unit, err := reader.ReadAll(src)
	if err != nil {
		return value.Nil, readError(err)
	}
	return in.Do(ctx, func(t *Thread) (Value, error) { return in.evalUnit(t, unit, nil) })
}

func (in *Interp) evalUnit(t *Thread, unit *reader.Unit, ns *namespace) (Value, error) {
	result := value.Nil
	if ns != nil {
		var forms []Value
		for _, f := range unit.Forms {
			forms = append(forms, f.Value)
		}
		in.foresee(ns, forms, 0)
	}
	for _, f := range unit.Forms {
		v, err := in.evalTop(t, f.Value, &origin{places: unit.Places, source: unit.Places.Source, span: f.Span, ns: ns})
		if err != nil {
			return value.Nil, err
		}
		result = v
	}
	return result, nil
}

// Call calls a function value.
func (in *Interp) Call(ctx context.Context, fn Value, args ...Value) (Value, error) {
	t, err := in.machine.Enter(ctx, nil)
	if err != nil {
		return value.Nil, err
	}
	defer in.machine.Leave(t)
	if fn.IsClosure() { // the machine itself recovers what builtins panic with
		return t.Call(fn, args...)
	}
	return callProtected(t, fn, args)
}

func callProtected(t *Thread, fn Value, args []Value) (Value, error) {
	own := append([]Value(nil), args...)
	return t.Protect(func() (Value, error) { return t.Call(fn, own...) })
}

// Global returns the value that name is bound to.
func (in *Interp) Global(name string) (v Value, ok bool) {
	_, _ = in.Do(context.Background(), func(t *Thread) (Value, error) {
		sym := value.Symbol(name)
		if err := in.require(t, sym); err != nil {
			return value.Nil, err
		}
		if g, found := in.machine.Lookup(sym); found {
			v = in.machine.GlobalValue(g)
			ok = !v.IsUndefined()
		}
		return value.Nil, nil
	})
	return v, ok
}

// Define binds name to v.
func (in *Interp) Define(name string, v Value) {
	_, _ = in.Do(context.Background(), func(t *Thread) (Value, error) {
		in.machine.SetGlobal(in.machine.Global(value.Symbol(name)), v)
		return value.Nil, nil
	})
}

// DefineBuiltin binds b under its name and aliases.
func (in *Interp) DefineBuiltin(b Builtin) {
	v := b.value()
	if denied := b.Caps & in.config.Deny; denied != 0 {
		v = b.denied(denied)
	}
	for _, n := range append([]string{b.Name}, b.Aliases...) {
		in.Define(n, v)
	}
}

// Names lists what is defined, in order.
func (in *Interp) Names() (names []string) {
	_, _ = in.Do(context.Background(), func(t *Thread) (Value, error) {
		names = in.names()
		return value.Nil, nil
	})
	return names
}

// names lists the names that have a value or would get one from the prelude.
func (in *Interp) names() []string {
	names := in.machine.GlobalNames()
	if p := in.config.Library.prelude; p != nil {
		for sym := range p.forms {
			if _, bound := in.machine.Lookup(sym); !bound {
				name, _ := sym.SymbolName()
				names = append(names, name)
			}
		}
		sort.Strings(names)
	}
	return names
}

func readError(err error) error {
	re, ok := err.(*reader.Error)
	if !ok {
		return AsError(err)
	}
	e := &Error{Kind: KindReader, Message: re.Message, Hint: re.Hint, Source: re.Source, Span: re.Span, Cause: re}
	if re.Opened.Start.IsValid() {
		e.Note = "opened at " + re.Source.Name + ":" + re.Opened.Start.String()
	}
	return e
}

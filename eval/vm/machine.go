package vm

import (
	"context"
	"fmt"
	"sort"
	"unsafe"

	"github.com/gosema/gosema/eval/value"
)

// Image is what every interpreter of one configuration starts with: the globals
// and which of them the compiler inlines. It is shared and never changes.
type Image struct {
	names  []Value
	vals   []Value
	index  map[Value]int
	inline map[int]bool
}

// NewImage makes an image of named values. Those in inline are builtins that
// the compiler knows.
func NewImage(names []string, vals []Value, inline []string) *Image {
	im := &Image{vals: vals, index: make(map[Value]int, len(names)), inline: map[int]bool{}}
	for i, n := range names {
		sym := value.Symbol(n)
		im.names = append(im.names, sym)
		im.index[sym] = i
	}
	for _, n := range inline {
		if g, ok := im.index[value.Symbol(n)]; ok {
			im.inline[g] = true
		}
	}
	return im
}

// Machine is what the threads of one interpreter share. All but its lock is
// guarded by that lock.
type Machine struct {
	// Host is the interpreter the machine belongs to.
	Host any
	// Suggest answers names like an unbound one, for the error message.
	Suggest func(name string) (hint string)

	image    *Image
	globals  []Value
	names    []Value // of globals behind the image's
	index    map[Value]int
	replaced map[int]bool // inlined builtins that were redefined
	heap     value.Heap
	registry registry
	lock     Lock
	limits   Limits
	idle     []*Thread
	threads  map[*Thread]struct{}
}

const spareGlobals = 64

// NewMachine makes a machine that starts with the globals of an image.
func NewMachine(im *Image, limits Limits) *Machine {
	m := &Machine{image: im, limits: limits, threads: map[*Thread]struct{}{}}
	m.globals = make([]Value, len(im.vals), len(im.vals)+spareGlobals)
	copy(m.globals, im.vals)
	return m
}

// Global returns the index of the global of that name, which it makes if need
// be, without a value.
func (m *Machine) Global(sym Value) int {
	if g, ok := m.Lookup(sym); ok {
		return g
	}
	if m.index == nil {
		m.index = map[Value]int{}
	}
	g := m.NewGlobal(sym)
	m.index[sym] = g
	return g
}

// NewGlobal makes a global without a value that Global and Lookup do not know:
// what a module calls sym.
func (m *Machine) NewGlobal(sym Value) int {
	g := len(m.globals)
	m.names = append(m.names, sym)
	m.globals = append(m.globals, value.Undefined)
	for t := range m.threads { // the array may have moved
		t.globals = unsafe.Pointer(&m.globals[0])
	}
	return g
}

// Lookup returns the index of the global of that name, if there is one.
func (m *Machine) Lookup(sym Value) (int, bool) {
	if g, ok := m.image.index[sym]; ok {
		return g, true
	}
	g, ok := m.index[sym]
	return g, ok
}

// GlobalValue returns the value of a global; Undefined if it has none.
func (m *Machine) GlobalValue(g int) Value { return m.globals[g] }

// GlobalName returns the name of a global.
func (m *Machine) GlobalName(g int) Value {
	if g < len(m.image.names) {
		return m.image.names[g]
	}
	return m.names[g-len(m.image.names)]
}

// GlobalNames lists the names that have a value, in order.
func (m *Machine) GlobalNames() []string {
	var names []string
	for g, v := range m.globals {
		if known, _ := m.Lookup(m.GlobalName(g)); known == g && !v.IsUndefined() {
			n, _ := m.GlobalName(g).SymbolName()
			names = append(names, n)
		}
	}
	sort.Strings(names)
	return names
}

// SetGlobal binds a global. Redefining an inlined builtin turns its inlined
// uses, compiled before, into calls.
func (m *Machine) SetGlobal(g int, v Value) {
	m.globals[g] = v
	if m.image.inline[g] && !m.replaced[g] && v != m.image.vals[g] {
		if m.replaced == nil {
			m.replaced = map[int]bool{}
		}
		m.replaced[g] = true
		m.registry.each(func(c *Code) { c.deoptimize(g) })
	}
}

// Inlines reports whether the compiler may inline the builtin of that name.
func (m *Machine) Inlines(g int) bool { return m.image.inline[g] && !m.replaced[g] }

func (m *Machine) unbound(g int) *Error {
	name, _ := m.GlobalName(g).SymbolName()
	e := Errorf(KindUnbound, "unbound variable: %s", name)
	e.Fields = []Value{value.Keyword("name"), value.String(name)}
	if m.Suggest != nil {
		e.Hint = m.Suggest(name)
	}
	return e
}

// setGlobalOp is define (which makes a binding) or set! (which needs one).
//
//go:noinline
func (t *Thread) setGlobalOp(define bool, g int, v *Value) bool {
	if !define && t.m.globals[g].IsUndefined() {
		t.err = t.m.unbound(g)
		if t.err.Hint == "" {
			t.err.Hint = fmt.Sprintf("set! changes a variable that exists: use (define %s ...) first", t.m.GlobalName(g))
		}
		return false
	}
	t.m.SetGlobal(g, *v)
	return true
}

// Enter takes the lock and a thread to run on, for one evaluation. Leave must
// follow.
func (m *Machine) Enter(ctx context.Context, scope *Scope) (*Thread, error) {
	if ctx.Err() != nil {
		return nil, contextError(ctx)
	}
	if err := m.lock.LockContext(ctx); err != nil {
		return nil, contextError(ctx)
	}
	t := m.thread()
	t.ctx, t.scope = ctx, scope
	t.resetBudget()
	return t, nil
}

func (m *Machine) thread() *Thread {
	if n := len(m.idle); n > 0 {
		t := m.idle[n-1]
		m.idle = m.idle[:n-1]
		return t
	}
	t := newThread(m)
	m.threads[t] = struct{}{}
	return t
}

// maxIdle is how many threads a machine keeps for later.
const maxIdle = 8

// Leave gives the thread back and opens the lock.
func (m *Machine) Leave(t *Thread) {
	t.ctx, t.scope, t.err, t.spawnedAt = context.Background(), nil, nil, nil
	t.levels, t.handlers, t.nesting = t.levels[:0], t.handlers[:0], 0
	if len(t.stack) > initialStack { // do not hold on to what deep recursion needed
		t.stack = nil
		t.setStack(initialStack)
	}
	t.base = unsafe.Pointer(&t.stack[0])
	t.top = t.base
	t.pc = nil
	if len(m.idle) < maxIdle {
		m.idle = append(m.idle, t)
	} else {
		delete(m.threads, t)
	}
	m.lock.Unlock()
}

package vm

import (
	"unsafe"
	"weak"

	"github.com/gosema/gosema/eval/value"
)

// Unit is what was compiled at once: the functions of one top-level form. Any
// live closure of it keeps all of it alive.
type Unit struct {
	Env any // the compiler's: what names mean in this code
	// Expansions are the uses of macros: the code that a macro adds counts as
	// standing where it is used.
	Expansions map[value.Span]string
	codes      []*Code
	size       int
	held       bool
}

// registry knows the code of a machine: weakly all of it, to patch it, and
// strongly what predictions may point to.
//
// A call site's prediction is the bare address of the code it called last, and
// says that arity and frame size were checked for that code. Were the code
// collected and other code made at the same address, the prediction would
// vouch for code it never saw. So a site may predict only code that the
// registry holds; and when it holds too much, it first wipes every prediction
// and then lets go. So a prediction is nil or the address of live code, and the
// loop may load it as a pointer.
type registry struct {
	units     []weak.Pointer[Unit]
	compactAt int
	held      []*Unit
	heldSize  int
}

// maxHeld is how many instructions are held. A program that runs more code than
// that wipes its predictions now and then, which costs little.
const maxHeld = 1 << 17

// NewUnit starts a unit of code.
func (m *Machine) NewUnit() *Unit {
	u := &Unit{}
	r := &m.registry
	if len(r.units) >= r.compactAt {
		r.compact()
	}
	r.units = append(r.units, weak.Make(u))
	return u
}

func (r *registry) compact() {
	live := r.units[:0]
	for _, w := range r.units {
		if w.Value() != nil {
			live = append(live, w)
		}
	}
	clear(r.units[len(live):])
	r.units = live
	r.compactAt = max(64, 2*len(live))
}

// each calls f with all live code.
func (r *registry) each(f func(*Code)) {
	for _, w := range r.units {
		if u := w.Value(); u != nil {
			for _, c := range u.codes {
				f(c)
			}
		}
	}
}

func (r *registry) hold(u *Unit) {
	if r.heldSize > maxHeld {
		r.release()
	}
	u.held = true
	r.held = append(r.held, u)
	r.heldSize += u.size
}

func (r *registry) release() {
	r.each((*Code).wipe)
	for _, u := range r.held {
		u.held = false
	}
	r.held, r.heldSize = nil, 0
}

// wipe forgets the predictions of c.
func (c *Code) wipe() {
	wipe(c.ins, c.fused)
	for _, s := range c.stubs {
		wipe(s.ins, nil)
	}
}

func wipe(ins []Ins, fused map[int]Op) {
	for i := 0; i < len(ins); i++ {
		op := ins[i].op
		if plain, ok := fused[i]; ok {
			op = plain
		}
		if !hasRaw(op) {
			continue
		}
		i++
		if isCall(op) {
			ins[i] = Ins{}
		}
	}
}

// predict runs when a call site meets a closure it did not predict: t.pc is
// the return address, behind the site's raw word. It goes on in the closure.
//
//go:noinline
func (t *Thread) predict(cl *Closure) {
	if cl.frame <= maxPredicted {
		if !cl.proto.unit.held {
			t.m.registry.hold(cl.proto.unit)
		}
		*(*uintptr)(unsafe.Add(t.pc, -8)) = uintptr(cl.code)
	}
	t.pc = cl.code
}

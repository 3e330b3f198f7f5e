package vm

import (
	"context"
	"unsafe"

	"github.com/gosema/gosema/eval/value"
)

// Thread is one flow of control of an interpreter, on one goroutine at a time.
// Its fields are the machine's registers.
type Thread struct {
	pc        unsafe.Pointer // the next instruction, while not in the loop
	base      unsafe.Pointer // the frame
	limit     uintptr        // frames must end below this address
	globals   unsafe.Pointer // of the machine
	fuel      int            // steps until the next look at context and limits
	top       unsafe.Pointer // first free stack slot, while a builtin runs
	err       *Error         // the error being raised
	thrown    Value          // or the value, where that is nil
	stack     []Value
	handlers  []handler
	levels    []level
	m         *Machine
	ctx       context.Context
	scope     *Scope
	budget    *budget // its own, or that of the thread that spawned it
	own       budget
	slice     int          // what fuel began with
	depth     int          // of spawned threads, see Spawner
	sweep     int          // next slot to clear, see clearStale
	nesting   int          // see Nest
	lastTrace []traceEntry // see captureTrace
	spawnedAt []traceEntry // the frames of the thread that spawned this one
	panicked  bool
	resume    bool // the bare run stopped to go on in one that recovers
}

// level is one nested run: where the thread was when Go called back.
type level struct {
	pc   unsafe.Pointer
	base uintptr
	bare bool // without recovery from panics, see Caller
}

const (
	initialStack = 1024
	slack        = 320 // slots above limit: a predicted frame and a builtin's arguments
	maxPredicted = 256 * 16
	maxNesting   = 2000
)

// haltCode is what a nested run returns to. The loop reads the instruction two
// before a return address to find the destination register.
var haltCode = [...]Ins{{op: opcodeHALT}, {op: opcodeHALT}, {op: opcodeHALT}, {op: opcodeHALT}}

func haltAddress() unsafe.Pointer { return unsafe.Pointer(&haltCode[2]) }

func newThread(m *Machine) *Thread {
	t := &Thread{m: m, ctx: context.Background()}
	t.setStack(initialStack)
	t.base = unsafe.Pointer(&t.stack[0])
	t.top = t.base
	t.globals = unsafe.Pointer(&m.globals[0])
	return t
}

func (t *Thread) setStack(n int) {
	s := make([]Value, n)
	copy(s, t.stack)
	t.stack = s
	t.limit = uintptr(unsafe.Pointer(&s[n-slack]))
}

func (t *Thread) offset(p unsafe.Pointer) uintptr {
	return uintptr(p) - uintptr(unsafe.Pointer(&t.stack[0]))
}

func (t *Thread) at(offset uintptr) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(&t.stack[0]), offset)
}

// grow makes room for a frame of so many bytes at nb. It reports whether it
// could, and moves the stack.
func (t *Thread) grow(nb unsafe.Pointer, frame uintptr) bool {
	need := int((t.offset(nb)+frame)/16) + slack
	n := len(t.stack)
	if need > t.m.limits.stackSlots() {
		t.err = Errorf(KindEval, "stack overflow: calls nested too deeply")
		t.err.Hint = "recursion that is not in tail position has a limit; does it reach its base case? A loop or an accumulator needs no stack"
		return false
	}
	for n < need {
		n *= 4
	}
	n = min(n, t.m.limits.stackSlots())
	base, top := t.offset(t.base), t.offset(t.top)
	t.setStack(n)
	t.base, t.top = t.at(base), t.at(top)
	return true
}

// Nest counts how deep Go recurses on this thread for walks that may start
// themselves again through the program, such as compilation that expands macros
// that evaluate code: a bound on each alone would not bound them together. n is
// 1 on the way in and -1 on the way out, or what brings an earlier count back.
func (t *Thread) Nest(n int) int {
	t.nesting += n
	return t.nesting
}

// Machine returns what the thread shares with the interpreter's others.
func (t *Thread) Machine() *Machine { return t.m }

// Heap allocates for the interpreter; use it only while holding its lock, as
// builtins do.
func (t *Thread) Heap() *value.Heap { return &t.m.heap }

// Context is the context of the evaluation. A builtin that waits does so in
// Blocking, which is given it.
func (t *Thread) Context() context.Context { return t.ctx }

// CallerEnv is the Env of the code that is calling a builtin on t, nil if Go is.
func (t *Thread) CallerEnv() any {
	if len(t.levels) == 0 {
		return nil
	}
	return (*Closure)(*(*unsafe.Pointer)(unsafe.Add(t.base, 16))).proto.unit.Env
}

// Scope is the dynamic extent the thread is in.
func (t *Thread) Scope() *Scope { return t.scope }

// InScope runs f in another dynamic extent.
func (t *Thread) InScope(s *Scope, f func() (Value, error)) (Value, error) {
	outer := t.scope
	t.scope = s
	defer func() { t.scope = outer }()
	return f()
}

// WithContext runs f under another context, which should derive from
// t.Context().
func (t *Thread) WithContext(ctx context.Context, f func() (Value, error)) (Value, error) {
	outer := t.ctx
	t.ctx = ctx
	t.fuel = 0 // look at the new context soon
	defer func() { t.ctx, t.fuel = outer, 0 }()
	return f()
}

// Blocking runs f without the interpreter's lock, so that other threads can go
// on. Whatever waits must run in it. f must not touch values or the thread.
func (t *Thread) Blocking(f func(ctx context.Context) error) error {
	return t.BlockingContext(t.ctx, f)
}

// BlockingContext is Blocking with a context that derives from t.Context().
func (t *Thread) BlockingContext(ctx context.Context, f func(ctx context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return contextError(ctx)
	}
	err := t.unlocked(ctx, f)
	if t.ctx.Err() != nil { // whatever f made of it, the evaluation is over
		return contextError(t.ctx)
	}
	return err
}

func (t *Thread) unlocked(ctx context.Context, f func(ctx context.Context) error) error {
	t.m.lock.Unlock()
	defer t.m.lock.Lock()
	return f(ctx)
}

package vm

import (
	"context"
	"errors"
	"runtime/metrics"
	"unsafe"
)

// Limits bound what programs may use. Zero means the default, which is no
// limit but for the stack.
type Limits struct {
	// Steps bounds the calls and loop iterations of one evaluation.
	Steps int64
	// StackBytes bounds the stack of a thread, hence the depth of recursion:
	// a simple non-tail call takes 80 bytes. The default is 256 MiB.
	StackBytes int64
	// HeapBytes bounds how much the heap of the process may grow during one
	// evaluation. It is looked at every few thousand steps and before large
	// allocations, and counts what other goroutines allocate meanwhile.
	HeapBytes int64
}

const defaultStackBytes = 256 << 20

func (l *Limits) stackSlots() int {
	if l.StackBytes <= 0 {
		return defaultStackBytes / 16
	}
	return max(int(l.StackBytes/16), initialStack)
}

// fuelSlice is how many steps pass between two looks at context and limits:
// tens of microseconds.
const fuelSlice = 10_000

// budget is what one evaluation has used, on all its threads.
type budget struct {
	steps    int64 // calls and iterations, counted by the slice
	baseHeap uint64
}

func (t *Thread) resetBudget() {
	t.own, t.depth = budget{}, 0
	t.budget = &t.own
	t.newSlice()
	if t.m.limits.HeapBytes > 0 {
		t.budget.baseHeap = heapBytes()
	}
}

// newSlice gives the thread fuel until the next look.
func (t *Thread) newSlice() {
	t.slice = t.nextSlice()
	t.fuel = t.slice
}

func (t *Thread) nextSlice() int {
	if s := t.m.limits.Steps; s > 0 {
		return int(min(fuelSlice, max(s-t.budget.steps, 1)))
	}
	return fuelSlice
}

// refuel is the periodic check. It returns false, with t.err set, when the
// evaluation must stop.
//
//go:noinline
func (t *Thread) refuel() bool {
	t.spend()
	if err := t.checkLimits(0); err != nil {
		t.err = err
		return false
	}
	t.newSlice()
	t.clearStale()
	return true
}

// spend books the slice of fuel that is used up, and what went beyond it.
func (t *Thread) spend() { t.budget.steps += int64(t.slice - t.fuel) }

func (t *Thread) checkLimits(extra int64) *Error {
	if t.ctx.Err() != nil {
		return contextError(t.ctx)
	}
	l := &t.m.limits
	if l.Steps > 0 && t.budget.steps >= l.Steps {
		return Errorf(KindLimit, "the step limit of %d calls and iterations is used up", l.Steps)
	}
	if l.HeapBytes > 0 {
		if used := heapBytes(); int64(used)+extra > int64(t.budget.baseHeap)+l.HeapBytes {
			return Errorf(KindLimit, "the memory limit of %d bytes is used up", l.HeapBytes)
		}
	}
	return nil
}

// Reserve asks before a builtin allocates many bytes at once, and counts as a
// step. It fails when a limit would be passed or the context is done.
func (t *Thread) Reserve(bytes int64) error {
	if bytes < 1<<16 {
		return nil
	}
	if err := t.checkLimits(bytes); err != nil {
		return err
	}
	return nil
}

// Tick counts n steps of a loop in Go, so that builtins over long data can be
// stopped like loops of the language.
func (t *Thread) Tick(n int) error {
	if t.fuel -= n; t.fuel >= 0 {
		return nil
	}
	return t.tickSlow()
}

//go:noinline
func (t *Thread) tickSlow() error {
	t.spend()
	if err := t.checkLimits(0); err != nil {
		return err
	}
	t.newSlice()
	return nil
}

// Interrupted returns the error that ends the evaluation, if its context is
// done.
func (t *Thread) Interrupted() error {
	if t.ctx.Err() == nil {
		return nil
	}
	return contextError(t.ctx)
}

func heapBytes() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func contextError(ctx context.Context) *Error {
	cause := context.Cause(ctx)
	var e *Error
	if errors.As(cause, &e) {
		return e
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &Error{Kind: KindTimeout, Message: "the time for this evaluation is over", Cause: cause}
	}
	return &Error{Kind: KindCancelled, Message: "cancelled", Cause: cause}
}

// clearStale clears a part of the stack above the running frame, moving on from
// check to check, so that values of calls that returned do not stay alive.
func (t *Thread) clearStale() {
	const stride = 1024
	frame := (*Closure)(*(*unsafe.Pointer)(unsafe.Add(t.base, 16))).frame
	live := int((t.offset(t.base)+uintptr(frame))/16) + 1
	if t.sweep < live || t.sweep >= len(t.stack) {
		t.sweep = live
	}
	end := min(t.sweep+stride, len(t.stack))
	if t.sweep < end {
		clear(t.stack[t.sweep:end])
	}
	t.sweep = end
}

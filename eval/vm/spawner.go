package vm

import (
	"context"

	"github.com/gosema/gosema/eval/value"
)

// Spawner starts further threads for a builtin that has several things going on
// at once. They have the dynamic extent of the thread that it was taken from,
// and use up the same limits.
//
// It is used without the lock, on goroutines of the builtin's own, all of which
// must have ended when the builtin returns:
//
//	more := t.Spawner()
//	err := t.Blocking(func(ctx context.Context) error {
//		var g sync.WaitGroup
//		g.Go(func() { more.Run(ctx, f) })
//		g.Wait()
//		...
type Spawner struct {
	m      *Machine
	scope  *Scope
	budget *budget
	depth  int
	frames []traceEntry
}

// Spawner returns what starts threads beside t.
func (t *Thread) Spawner() Spawner {
	return Spawner{t.m, t.scope, t.budget, t.depth + 1, t.captureTrace()}
}

// maxSpawns bounds how often threads may start threads that they wait for.
const maxSpawns = 64

// Run takes the lock and calls f on a thread of its own. What f waits for goes
// through Blocking, as everywhere, so that other threads run meanwhile; they
// get the lock in the order in which they ask. A panic of f is its error.
func (s Spawner) Run(ctx context.Context, f func(t *Thread) (Value, error)) (Value, error) {
	if s.depth > maxSpawns {
		return value.Nil, Errorf(KindEval, "threads nested too deeply: %d levels", maxSpawns)
	}
	if ctx.Err() != nil {
		return value.Nil, contextError(ctx)
	}
	t, err := s.m.Enter(ctx, s.scope)
	if err != nil {
		return value.Nil, err
	}
	defer s.m.Leave(t)
	t.budget, t.depth, t.spawnedAt = s.budget, s.depth, s.frames
	t.newSlice()
	defer t.spend()
	return t.Protect(func() (Value, error) { return f(t) })
}

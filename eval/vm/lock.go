package vm

import (
	"context"
	"sync"
)

// Lock is an interpreter's lock: fair (waiters get it in the order they came),
// and a waiter gives up when its context is cancelled. The zero Lock is open.
type Lock struct {
	mu      sync.Mutex
	held    bool
	waiters []*waiter
}

type waiter struct{ ready chan struct{} }

// Lock waits for the lock.
func (l *Lock) Lock() { _ = l.LockContext(context.Background()) }

// LockContext waits for the lock until ctx is done.
func (l *Lock) LockContext(ctx context.Context) error {
	l.mu.Lock()
	if !l.held {
		l.held = true
		l.mu.Unlock()
		return nil
	}
	w := &waiter{make(chan struct{})}
	l.waiters = append(l.waiters, w)
	l.mu.Unlock()
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
		return l.giveUp(w, ctx.Err())
	}
}

// giveUp takes w out of the queue, or passes the lock on if it came meanwhile.
func (l *Lock) giveUp(w *waiter, err error) error {
	l.mu.Lock()
	for i, x := range l.waiters {
		if x == w {
			l.waiters = append(l.waiters[:i], l.waiters[i+1:]...)
			l.mu.Unlock()
			return err
		}
	}
	l.mu.Unlock()
	l.Unlock()
	return err
}

// Unlock opens the lock, or hands it to the longest waiter.
func (l *Lock) Unlock() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiters) == 0 {
		l.held = false
		return
	}
	w := l.waiters[0]
	l.waiters = l.waiters[1:]
	close(w.ready)
}

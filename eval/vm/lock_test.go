package vm

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestLockIsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l Lock
		var order []int
		var wg sync.WaitGroup
		l.Lock()
		for i := range 10 {
			wg.Go(func() {
				l.Lock()
				order = append(order, i)
				l.Unlock()
			})
			synctest.Wait() // until it queues
		}
		l.Unlock()
		wg.Wait()
		require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, order)
	})
}

func TestWaiterGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l Lock
		l.Lock()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- l.LockContext(ctx) }()
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-done, context.Canceled)
		l.Unlock()
		require.NoError(t, l.LockContext(t.Context()), "the one who gave up must not hold it")
		l.Unlock()
	})
}

// A waiter may be cancelled at the moment when it is handed the lock.
func TestGivingUpPassesTheLockOn(t *testing.T) {
	var l Lock
	for range 2000 {
		l.Lock()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			err := l.LockContext(ctx)
			if err == nil {
				l.Unlock()
			}
			done <- err
		}()
		go cancel()
		l.Unlock()
		<-done
		l.Lock()
		l.Unlock()
	}
}

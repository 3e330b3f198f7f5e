package ai

import (
	"context"
	"sync"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// inThreads has n threads take step after step, each a thread of its own in the
// scope of t, until a step says that there is no more. Steps choose what they do
// under the lock, so that things begin in their order. The first error stops all.
// The bar, if there is one, is shown meanwhile.
func inThreads(t *eval.Thread, n int, bar *progress, step func(t *eval.Thread) (again bool, err error)) error {
	more := t.Spawner()
	var failed error
	var once sync.Once
	err := t.Blocking(func(ctx context.Context) error {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer bar.show()()
		var all sync.WaitGroup
		for range n {
			all.Go(func() {
				for again := true; again; {
					_, err := more.Run(ctx, func(t *eval.Thread) (v eval.Value, err error) {
						again, err = step(t)
						return value.Nil, err
					})
					if err != nil {
						once.Do(func() { failed = err })
						stop()
						return
					}
				}
			})
		}
		all.Wait()
		return nil
	})
	if failed != nil && t.Interrupted() == nil {
		return failed
	}
	return err
}

package core

import (
	"slices"
	"sync"

	"github.com/gosema/gosema/eval"
)

// typedArray is a row of plain numbers, which does not change for who looks at
// it: set! makes another. So that a loop of set! does not copy the row each time,
// the newest version takes the numbers over and writes in place, and the one
// before remembers what stood there:
//
//	a --(at 3 stood 7)--> b --(at 0 stood 1)--> c [numbers]
//
// Who looks at an older version pays for a copy, once. mu is shared by versions,
// since values may be read by other goroutines while the program goes on.
type typedArray[T number] struct {
	kind *arrayKind[T]
	n    int
	mu   *sync.Mutex

	elems    []T  // of a version that has the numbers
	handed   bool // elems were handed out and must not change any more
	versions int  // that were written in place before this one

	newer *typedArray[T] // else: as newer, but for the element at
	at    int
	stood T
}

func newTypedArray[T number](k *arrayKind[T], elems []T) *typedArray[T] {
	return &typedArray[T]{kind: k, n: len(elems), mu: new(sync.Mutex), elems: elems}
}

// copied has the numbers of a version that others took over; mu is held.
func (a *typedArray[T]) copied() []T {
	var behind []*typedArray[T]
	v := a
	for ; v.newer != nil; v = v.newer {
		behind = append(behind, v)
	}
	elems := slices.Clone(v.elems)
	for _, v := range slices.Backward(behind) {
		elems[v.at] = v.stood
	}
	return elems
}

// own makes sure that a has its numbers, which t pays for; mu is held.
func (a *typedArray[T]) own(t *eval.Thread) error {
	if a.newer == nil {
		return nil
	}
	if err := reserve(t, int64(a.n), 8); err != nil {
		return err
	}
	a.elems, a.newer = a.copied(), nil
	return t.Tick(a.n / 64)
}

// seen hands the numbers out, which must not be changed, where no thread is that
// could pay for keeping a copy.
func (a *typedArray[T]) seen() []T {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.newer != nil {
		return a.copied()
	}
	a.handed = true
	return a.elems
}

// all hands the numbers out, which must not be changed.
func (a *typedArray[T]) all(t *eval.Thread) ([]T, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.own(t); err != nil {
		return nil, err
	}
	a.handed = true
	return a.elems, nil
}

func (a *typedArray[T]) elem(t *eval.Thread, i int64) (x T, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.own(t); err != nil {
		return x, err
	}
	return a.elems[i], nil
}

// versionSize is about what a version that was written in place takes.
const versionSize = 96

// with is a with x for element i. It copies if it must, and once in n/8 times, so
// that what is kept for an old version stays about as large as the array.
func (a *typedArray[T]) with(t *eval.Thread, i int64, x T) (*typedArray[T], error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.newer != nil || a.handed || a.versions >= a.n/8 {
		if err := reserve(t, int64(a.n), 8); err != nil {
			return nil, err
		}
		if err := a.own(t); err != nil {
			return nil, err
		}
		b := newTypedArray(a.kind, slices.Clone(a.elems))
		b.elems[i] = x
		return b, t.Tick(a.n / 64)
	}
	if err := reserve(t, 1, versionSize); err != nil {
		return nil, err
	}
	b := &typedArray[T]{kind: a.kind, n: a.n, mu: a.mu, elems: a.elems, versions: a.versions + 1}
	a.newer, a.at, a.stood, a.elems = b, int(i), a.elems[i], nil
	b.elems[i] = x
	return b, nil
}

package vm

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// Code that nobody holds is collected, and the registry forgets it.
func TestRegistryLetsGo(t *testing.T) {
	m := NewMachine(NewImage(nil, []Value{{}}, nil), Limits{})
	for range 1000 {
		u := m.NewUnit()
		u.NewCode(&Template{Ins: make([]Ins, 100)})
		m.registry.hold(u)
	}
	require.LessOrEqual(t, m.registry.heldSize, maxHeld+200)
	m.registry.release()
	require.Empty(t, m.registry.held)
	runtime.GC()
	runtime.GC()
	m.registry.compact()
	require.Empty(t, m.registry.units)
}

// Releasing code wipes the predictions that point to it.
func TestReleaseWipesPredictions(t *testing.T) {
	m := NewMachine(NewImage(nil, []Value{{}}, nil), Limits{})
	u := m.NewUnit()
	c := u.NewCode(&Template{Ins: []Ins{
		NewIns(OpMove, 0, 32, 48, 0), NewIns(OpCallg, 0, 32, 48, 0), RawWord(0x1234), // fused
		NewIns(OpLoadx, 0, 32, 0, 0), RawWord(0x5678), // data, not a prediction
		NewIns(OpRet, 0, 32, 0, 0)}})
	require.Equal(t, OpMoveCallg, c.ins[0].op)
	m.registry.release()
	require.Equal(t, Ins{}, c.ins[2])
	require.Equal(t, RawWord(0x5678), c.ins[4])
	runtime.KeepAlive(u)
}

func TestScope(t *testing.T) {
	type key struct{}
	var s *Scope
	require.Nil(t, s.Get(key{}))
	inner := s.With(key{}, 1).With("other", 2).With(key{}, 3)
	require.Equal(t, 3, inner.Get(key{}))
	var all []any
	inner.All(key{}, func(v any) bool { all = append(all, v); return true })
	require.Equal(t, []any{3, 1}, all)
}

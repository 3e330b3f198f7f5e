package core

import (
	"fmt"

	"github.com/gosema/gosema/eval/value"
)

// Equal compares contents. The hash is that of the type, since the contents
// change.
func (m *mutableArray) Equal(other any) bool {
	o, ok := other.(*mutableArray)
	return ok && new(comparison).arrays(m, o)
}

func (m *mutableArray) Hash() uint32 { return 0x6d61 }

func (c *mutableCell) Equal(other any) bool {
	o, ok := other.(*mutableCell)
	return ok && new(comparison).cells(c, o)
}

func (c *mutableCell) Hash() uint32 { return 0x6d63 }

// comparison walks two values side by side that may contain themselves. It
// never goes back to package value with something mutable, which would begin a
// comparison in a comparison without end.
type comparison struct {
	depth, visits int
	met           map[[2]any]bool // pairs that were compared or are being compared
}

// maxCompared bounds the parts that one comparison looks at.
const maxCompared = 1 << 22

// enter counts a step into a collection; leave ends it.
func (c *comparison) enter() {
	checkDepth(c.depth)
	c.depth++
	if c.visits++; c.visits > maxCompared {
		panic(&value.LimitError{What: fmt.Sprintf("a comparison of more than %d parts", maxCompared)})
	}
}

func (c *comparison) leave() { c.depth-- }

// known reports whether a pair was met before: then what was found, or is
// being found out, about it decides.
func (c *comparison) known(x, y any) bool {
	pair := [2]any{x, y}
	if x == y || c.met[pair] {
		return true
	}
	if c.met == nil {
		c.met = map[[2]any]bool{}
	}
	c.met[pair] = true
	return false
}

func (c *comparison) arrays(x, y *mutableArray) bool {
	return c.known(x, y) || c.slices(x.elems, y.elems)
}

func (c *comparison) cells(x, y *mutableCell) bool {
	return c.known(x, y) || c.slices([]Value{x.v}, []Value{y.v})
}

func (c *comparison) slices(xs, ys []Value) bool {
	if len(xs) != len(ys) {
		return false
	}
	c.enter()
	defer c.leave()
	for i := range xs {
		if !c.values(xs[i], ys[i]) {
			return false
		}
	}
	return true
}

func (c *comparison) values(x, y Value) bool {
	switch {
	case x == y:
		return true
	case x.Kind() != y.Kind():
		return false
	case x.IsSeq():
		return c.slices(x.Slice(), y.Slice())
	case x.IsMap():
		return c.maps(x, y)
	}
	if a, ok := x.AsRecord(); ok {
		b, _ := y.AsRecord()
		return a.Type == b.Type && c.slices(a.Fields, b.Fields)
	}
	return c.opaque(x, y)
}

func (c *comparison) opaque(x, y Value) bool {
	if a, ok := x.AsOpaque(); ok {
		b, _ := y.AsOpaque()
		switch data := a.Data.(type) {
		case *mutableArray:
			o, same := b.Data.(*mutableArray)
			return same && c.arrays(data, o)
		case *mutableCell:
			o, same := b.Data.(*mutableCell)
			return same && c.cells(data, o)
		}
	}
	return value.Equal(x, y)
}

// maps compares the values of equal keys. A key that holds something mutable
// equals none.
func (c *comparison) maps(x, y Value) bool {
	if x.Len() != y.Len() {
		return false
	}
	c.enter()
	defer c.leave()
	for k, v := range x.Entries() {
		if !c.frozen(k) {
			return false
		}
		w, ok := y.Get(k)
		if !ok || !c.values(v, w) {
			return false
		}
	}
	return true
}

// frozen reports whether v holds nothing mutable.
func (c *comparison) frozen(v Value) bool {
	if o, ok := v.AsOpaque(); ok {
		switch o.Data.(type) {
		case *mutableArray, *mutableCell:
			return false
		}
	}
	if r, ok := v.AsRecord(); ok {
		return c.frozenAll(r.Fields)
	}
	if v.IsSeq() {
		return c.frozenAll(v.Slice())
	}
	if !v.IsMap() {
		return true
	}
	c.enter()
	defer c.leave()
	for k, x := range v.Entries() {
		if !c.frozen(k) || !c.frozen(x) {
			return false
		}
	}
	return true
}

func (c *comparison) frozenAll(vs []Value) bool {
	c.enter()
	defer c.leave()
	for _, v := range vs {
		if !c.frozen(v) {
			return false
		}
	}
	return true
}

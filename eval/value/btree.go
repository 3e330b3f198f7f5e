package value

import "unsafe"

// Large sorted maps are persistent B+trees: the entries stand in the leaves, all
// at the same depth, and changing one copies the nodes on the path to it.
//
//	inner   [ low | m | t ]      keys[i]: no key under child i is less
//	          /     |    \       (keys[0] is not looked at)
//	leaf  [a..]  [m..]  [t..]
//
// A node with the token of a running MapBuilder belongs to it alone and is
// changed in place.
//
// Every comparison of an operation is made on the way down, before anything is
// changed, so that a panic of [Compare] does no harm.

const (
	fanout  = 15 // leaves fill a size class of 512 bytes, inner nodes one of 384
	minFill = 5  // a smaller child is merged or refilled when something is removed
)

type node[T any] struct {
	edit  *edit
	n     int
	keys  [fanout]Value
	items [fanout]T
}

type (
	leaf  = node[Value]
	inner = node[unsafe.Pointer] // children: *inner, or *leaf at height 1
	edit  struct{ _ byte }       // has a size, so that each has its own address
)

// own returns n if e may change it, else a copy that e may change.
func (n *node[T]) own(e *edit) *node[T] {
	if e != nil && n.edit == e {
		return n
	}
	c := *n
	c.edit = e
	return &c
}

// insert puts an item at i into a node that the caller owns. A full node gives
// its upper half to a new right neighbour; but nothing when the item comes last
// of its level, so that ascending keys leave full nodes behind.
func (n *node[T]) insert(i int, key Value, item T, last bool) (right *node[T]) {
	if n.n == fanout {
		at := fanout / 2
		if last && i == fanout {
			at = fanout
		}
		right = &node[T]{edit: n.edit, n: fanout - at}
		copy(right.keys[:], n.keys[at:])
		copy(right.items[:], n.items[at:])
		n.truncate(at)
		if i > at || at == fanout {
			n, i = right, i-at
		}
	}
	copy(n.keys[i+1:n.n+1], n.keys[i:n.n])
	copy(n.items[i+1:n.n+1], n.items[i:n.n])
	n.keys[i], n.items[i] = key, item
	n.n++
	return right
}

func (n *node[T]) remove(i int) {
	copy(n.keys[i:n.n], n.keys[i+1:n.n])
	copy(n.items[i:n.n], n.items[i+1:n.n])
	n.truncate(n.n - 1)
}

// truncate clears what it cuts off, for the garbage collector.
func (n *node[T]) truncate(to int) {
	clear(n.keys[to:n.n])
	clear(n.items[to:n.n])
	n.n = to
}

// child returns the index of the child where key belongs.
func (n *node[T]) child(key Value) int {
	i, found := searchKeys(n.keys[1:n.n], key)
	if found {
		i++
	}
	return i
}

func treeGet(p unsafe.Pointer, height int, key Value) (Value, bool) {
	for ; height > 0; height-- {
		in := (*inner)(p)
		p = in.items[in.child(key)]
	}
	l := (*leaf)(p)
	if i, found := searchKeys(l.keys[:l.n], key); found {
		return l.items[i], true
	}
	return Nil, false
}

func walkTree(p unsafe.Pointer, height int, yield func(k, x Value) bool) bool {
	if height == 0 {
		l := (*leaf)(p)
		for i := range l.n {
			if !yield(l.keys[i], l.items[i]) {
				return false
			}
		}
		return true
	}
	in := (*inner)(p)
	for _, kid := range in.items[:in.n] {
		if !walkTree(kid, height-1, yield) {
			return false
		}
	}
	return true
}

// flatten returns the n entries of a tree as keys and block of a small map.
func flatten(p unsafe.Pointer, height, n int) (keys, block []Value) {
	keys, block = make([]Value, 0, n), make([]Value, 1, n+1)
	walkTree(p, height, func(k, x Value) bool {
		keys, block = append(keys, k), append(block, x)
		return true
	})
	return keys, block
}

// put binds a key in a tree.
type put struct {
	key, val Value
	edit     *edit // nil: copy every node
	added    int   // 1 if the key is new
}

// tree returns the new root, which is the old one if nothing changed or if it
// was changed in place.
func (p *put) tree(root unsafe.Pointer, height int) (unsafe.Pointer, int) {
	left, right := p.node(root, height, true)
	if right == nil {
		return left, height
	}
	top := &inner{edit: p.edit, n: 2}
	top.keys[0], top.items[0] = lowKey(left, height), left
	top.keys[1], top.items[1] = lowKey(right, height), right
	return unsafe.Pointer(top), height + 1
}

// node returns the node that replaces n, and its new right neighbour if it was
// split. The last node of a level has no right neighbour before.
func (p *put) node(n unsafe.Pointer, height int, last bool) (left, right unsafe.Pointer) {
	if height == 0 {
		return p.leaf((*leaf)(n), last)
	}
	in := (*inner)(n)
	i := in.child(p.key)
	kid, more := p.node(in.items[i], height-1, last && i == in.n-1)
	if kid == in.items[i] && more == nil {
		return n, nil
	}
	in = in.own(p.edit)
	in.items[i] = kid
	if more == nil {
		return unsafe.Pointer(in), nil
	}
	r := in.insert(i+1, lowKey(more, height-1), more, last)
	return unsafe.Pointer(in), unsafe.Pointer(r)
}

func (p *put) leaf(l *leaf, last bool) (left, right unsafe.Pointer) {
	i, found := searchKeys(l.keys[:l.n], p.key)
	if found {
		if l.items[i] != p.val {
			l = l.own(p.edit)
			l.items[i] = p.val
		}
		return unsafe.Pointer(l), nil
	}
	p.added = 1
	l = l.own(p.edit)
	r := l.insert(i, p.key, p.val, last)
	return unsafe.Pointer(l), unsafe.Pointer(r)
}

func lowKey(p unsafe.Pointer, height int) Value {
	if height == 0 {
		return (*leaf)(p).keys[0]
	}
	return (*inner)(p).keys[0]
}

func fill(p unsafe.Pointer, height int) int {
	if height == 0 {
		return (*leaf)(p).n
	}
	return (*inner)(p).n
}

// treeCut returns the tree without key: the same root if it is not there.
func treeCut(root unsafe.Pointer, height int, key Value) (unsafe.Pointer, int) {
	c := cut{key, &edit{}}
	root = c.node(root, height)
	for height > 0 && (*inner)(root).n == 1 {
		root, height = (*inner)(root).items[0], height-1
	}
	return root, height
}

// cut removes a key from a tree. Its token spares copying a node twice.
type cut struct {
	key  Value
	edit *edit
}

func (c *cut) node(n unsafe.Pointer, height int) unsafe.Pointer {
	if height == 0 {
		l := (*leaf)(n)
		i, found := searchKeys(l.keys[:l.n], c.key)
		if !found {
			return n
		}
		l = l.own(c.edit)
		l.remove(i)
		return unsafe.Pointer(l)
	}
	in := (*inner)(n)
	i := in.child(c.key)
	kid := c.node(in.items[i], height-1)
	if kid == in.items[i] {
		return n
	}
	in = in.own(c.edit)
	in.items[i] = kid
	if fill(kid, height-1) < minFill {
		c.refill(in, i, height-1)
	}
	return unsafe.Pointer(in)
}

// refill merges child i, which has too few items, with a neighbour, or shares
// their items evenly.
func (c *cut) refill(in *inner, i, height int) {
	if in.n == 1 { // the last node of ascending keys; its parent will refill this one
		if fill(in.items[0], height) == 0 {
			in.truncate(0)
		}
		return
	}
	l := max(i-1, 0)
	if height == 0 {
		left, right := (*leaf)(in.items[l]).own(c.edit), (*leaf)(in.items[l+1]).own(c.edit)
		joinOrShare(in, l, left, right)
		return
	}
	left, right := (*inner)(in.items[l]).own(c.edit), (*inner)(in.items[l+1]).own(c.edit)
	if right.n > 0 {
		right.keys[0] = in.keys[l+1] // keys[0] may be out of date, but will be looked at now
	}
	joinOrShare(in, l, left, right)
}

// joinOrShare takes children l and l+1 of in, all owned by the caller.
func joinOrShare[T any](in *inner, l int, left, right *node[T]) {
	total := left.n + right.n
	half := total / 2
	in.items[l], in.items[l+1] = unsafe.Pointer(left), unsafe.Pointer(right)
	switch {
	case total <= fanout:
		copy(left.keys[left.n:], right.keys[:right.n])
		copy(left.items[left.n:], right.items[:right.n])
		left.n = total
		in.remove(l + 1)
		return
	case left.n < half:
		move := half - left.n
		copy(left.keys[left.n:], right.keys[:move])
		copy(left.items[left.n:], right.items[:move])
		left.n = half
		copy(right.keys[:], right.keys[move:right.n])
		copy(right.items[:], right.items[move:right.n])
		right.truncate(right.n - move)
	default:
		move := left.n - half
		copy(right.keys[move:], right.keys[:right.n])
		copy(right.items[move:], right.items[:right.n])
		copy(right.keys[:move], left.keys[half:left.n])
		copy(right.items[:move], left.items[half:left.n])
		right.n += move
		left.truncate(half)
	}
	in.keys[l+1] = right.keys[0]
}

// buildTree makes a tree of more than one entry from keys in ascending order.
func buildTree(keys, vals []Value, e *edit) (root unsafe.Pointer, height int) {
	level, lows := packNodes(keys, vals, e)
	for len(level) > 1 {
		level, lows = packNodes(lows, level, e)
		height++
	}
	return level[0], height
}

// packNodes spreads items over as few nodes as possible, evenly, and returns
// these and their lowest keys.
func packNodes[T any](keys []Value, items []T, e *edit) (nodes []unsafe.Pointer, lows []Value) {
	count := (len(items) + fanout - 1) / fanout
	for i := range count {
		from, to := i*len(items)/count, (i+1)*len(items)/count
		n := &node[T]{edit: e, n: to - from}
		copy(n.keys[:], keys[from:to])
		copy(n.items[:], items[from:to])
		nodes, lows = append(nodes, unsafe.Pointer(n)), append(lows, keys[from])
	}
	return nodes, lows
}

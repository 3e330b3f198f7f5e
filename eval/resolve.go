package eval

// resolve walks a function's nodes in the order they run and finds out, for
// every local variable, which function it belongs to, whether closures capture
// it, whether it is assigned, and which uses may come before its definition.
func (c *compiler) resolve(fn *function) {
	r := &resolver{fn: fn}
	r.walk(fn.body)
}

type resolver struct{ fn *function }

func (r *resolver) walkAll(ns []node) {
	for _, n := range ns {
		r.walk(n)
	}
}

func (r *resolver) walk(n node) {
	switch n := n.(type) {
	case *localNode:
		r.use(n)
	case *setLocalNode:
		r.assign(n)
	case *setGlobalNode:
		r.walk(n.e)
	case *ifNode:
		for { // cond makes long chains
			r.walk(n.test)
			r.walk(n.then)
			next, ok := n.otherwise.(*ifNode)
			if !ok {
				break
			}
			n = next
		}
		r.walk(n.otherwise)
	case *seqNode:
		r.walkAll(n.nodes)
	case *lambdaNode:
		r.function(n.fn)
	case *letNode:
		r.walkAll(n.inits)
		r.declare(n.vars)
		r.walk(n.body)
	case *unpackNode:
		r.unpack(n)
	case *bodyNode:
		r.body(n)
	case *loopNode:
		r.loop(n)
	case *continueNode:
		r.walkAll(n.args)
		if !n.loop.ok {
			r.use(&localNode{v: n.loop.v})
		}
	case *whileNode:
		r.walk(n.test)
		r.walk(n.body)
	case *callNode:
		r.walk(n.fn)
		r.walkAll(n.args)
	case *primNode:
		r.walkAll(n.args)
	case *tryNode:
		r.walk(n.body)
		r.declare([]*variable{n.v})
		r.walk(n.h)
	case *andOrNode:
		r.walkAll(n.nodes)
	}
}

func (r *resolver) unpack(n *unpackNode) {
	for { // match makes long chains
		for _, s := range n.steps {
			r.walk(s.e)
			if s.v != nil {
				s.v.fn = r.fn
			}
		}
		r.walk(n.body)
		next, ok := n.otherwise.(*unpackNode)
		if !ok {
			break
		}
		n = next
	}
	r.walk(n.otherwise)
}

func (r *resolver) declare(vars []*variable) {
	for _, v := range vars {
		v.fn = r.fn
	}
}

func (r *resolver) use(n *localNode) {
	v := n.v
	foreign := v.fn != r.fn
	if foreign {
		v.captured = true
	}
	switch v.state {
	case initLater:
		n.check, v.early = true, true
		v.mutated = v.mutated || foreign
	case initBatch:
		v.mutated = v.mutated || foreign
	}
}

func (r *resolver) assign(n *setLocalNode) {
	r.walk(n.e)
	v := n.v
	if v.fn != r.fn {
		v.captured = true
	}
	if n.item && v.state == initLater && v.fn == r.fn {
		v.state = initDone
		return
	}
	v.mutated = true
}

func (r *resolver) function(fn *function) {
	inner := &resolver{fn: fn}
	inner.declare(fn.params)
	inner.walk(fn.body)
}

func (r *resolver) body(n *bodyNode) {
	r.declare(n.vars)
	for _, v := range n.vars {
		v.state = initLater
	}
	for i := 0; i < len(n.items); i++ {
		if batch := functionDefinitions(n.items[i:]); len(batch) > 0 {
			r.batch(batch)
			i += len(batch) - 1
			continue
		}
		r.walk(n.items[i])
	}
}

// functionDefinitions returns the definitions of functions that items starts
// with. None of them can be called before all are made, so uses among them
// need no check.
func functionDefinitions(items []node) []*setLocalNode {
	var batch []*setLocalNode
	for _, item := range items {
		d, ok := item.(*setLocalNode)
		if !ok || !d.item || d.v.state != initLater {
			break
		}
		if _, ok := d.e.(*lambdaNode); !ok {
			break
		}
		batch = append(batch, d)
	}
	return batch
}

func (r *resolver) batch(defs []*setLocalNode) {
	for _, d := range defs {
		d.v.state = initBatch
	}
	for _, d := range defs {
		fn := d.e.(*lambdaNode).fn
		if d.v.state != initBatch { // defined twice
			d.v.mutated = true
			r.function(fn)
			continue
		}
		d.v.state = initOwn
		fn.self = d.v
		r.function(fn)
		d.v.state = initDone
	}
}

// loop decides whether a named let is a jump or a function.
func (r *resolver) loop(n *loopNode) {
	r.walkAll(n.inits)
	l := n.loop
	l.v.fn = r.fn
	if l.ok {
		r.declare(l.vars)
		r.walk(n.body)
		return
	}
	l.fn = &function{name: l.name, span: l.span, params: l.vars, body: n.body}
	if !l.v.mutated {
		l.fn.self = l.v
	}
	l.v.state = initOwn
	r.function(l.fn)
	l.v.state = initDone
}

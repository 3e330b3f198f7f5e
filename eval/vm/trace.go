package vm

import "unsafe"

// traceDepth is how many frames an error remembers.
const traceDepth = 32

// traceEntry is an instruction; names and lines are looked up only when someone
// asks.
type traceEntry struct {
	code *Code
	next int // the index of the instruction behind it
}

func (e traceEntry) frame() Frame {
	return Frame{Name: e.code.info.Name, Source: e.code.source, Span: e.code.spanBefore(e.next)}
}

// captureTrace remembers the frames of t, through nested runs. A loop that
// catches what it throws comes by with the same frames again and again: they
// share one trace.
func (t *Thread) captureTrace() []traceEntry {
	if t.spawnedAt != nil {
		return t.traceFromParent()
	}
	if t.sameTrace(t.lastTrace) {
		return t.lastTrace
	}
	var buf [traceDepth]traceEntry // on the stack: no write barriers
	n := 0
	for w := t.walk(); n < traceDepth && w.more(); n++ {
		buf[n] = w.next()
	}
	t.lastTrace = append([]traceEntry(nil), buf[:n]...)
	return t.lastTrace
}

// traceFromParent is the frames of a spawned thread, and of those it was spawned
// by.
func (t *Thread) traceFromParent() (trace []traceEntry) {
	for w := t.walk(); len(trace) < traceDepth && w.more(); {
		trace = append(trace, w.next())
	}
	return append(trace, t.spawnedAt[:min(len(t.spawnedAt), traceDepth-len(trace))]...)
}

// sameTrace reports whether these are the frames of t.
func (t *Thread) sameTrace(trace []traceEntry) bool {
	w := t.walk()
	for _, e := range trace {
		if !w.more() || w.next() != e {
			return false
		}
	}
	return len(trace) == traceDepth || !w.more()
}

// frameWalk goes through the frames of a thread, innermost first.
type frameWalk struct {
	t        *Thread
	pc, base unsafe.Pointer
	level    int
}

func (t *Thread) walk() frameWalk { return frameWalk{t, t.pc, t.base, len(t.levels)} }

func (w *frameWalk) more() bool { return w.level > 0 }

func (w *frameWalk) next() traceEntry {
	code := (*Closure)(*(*unsafe.Pointer)(unsafe.Add(w.base, 16))).proto
	e := traceEntry{code, code.position(w.pc)}
	w.pc = *(*unsafe.Pointer)(w.base)
	if w.pc != haltAddress() {
		w.base = unsafe.Add(w.base, -int((*cell)(w.base).Bits))
		return e
	}
	w.level--
	l := &w.t.levels[w.level]
	w.pc, w.base = l.pc, w.t.at(l.base)
	return e
}

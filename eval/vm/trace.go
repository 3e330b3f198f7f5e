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

// captureTrace remembers the frames of t, through nested runs.
func (t *Thread) captureTrace() []traceEntry {
	var buf [traceDepth]traceEntry // on the stack: no write barriers
	n := 0
	pc, base, level := t.pc, t.base, len(t.levels)
	for n < traceDepth && level > 0 {
		code := (*Closure)(*(*unsafe.Pointer)(unsafe.Add(base, 16))).proto
		buf[n] = traceEntry{code, code.position(pc)}
		n++
		pc = *(*unsafe.Pointer)(base)
		if pc != haltAddress() {
			base = unsafe.Add(base, -int((*cell)(base).Bits))
			continue
		}
		level--
		pc, base = t.levels[level].pc, t.at(t.levels[level].base)
	}
	return append([]traceEntry(nil), buf[:n]...)
}

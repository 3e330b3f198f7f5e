package ai

import (
	"io"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/llm"
)

// Register makes a provider of Go available, and the default.
func Register(in *eval.Interp, name string, p llm.Provider) {
	s := in.State(stateKey{}, func() any { return newState(in, Config{}) }).(*state)
	s.configureEnv()
	s.register(name, &provider{Provider: p})
	s.current = name
}

// Progress is a progress line whose clock and terminal are the test's.
type Progress struct{ p *progress }

// NewProgress returns the line of a batch that begins now.
func NewProgress(total int, out io.Writer, now func() time.Time, columns func() int, cost func() (float64, bool)) Progress {
	p := &progress{who: "llm/batch", total: total, out: out, now: now, columns: columns, cost: cost}
	p.begin()
	return Progress{p}
}

// Done, Draw, Line and Clear are what happens to it.
func (x Progress) Done(failed bool)      { x.p.done(failed) }
func (x Progress) Draw()                 { x.p.draw() }
func (x Progress) Line(width int) string { return x.p.line(width) }
func (x Progress) Clear()                { x.p.clear() }

// IsPublic is isPublic.
var IsPublic = isPublic

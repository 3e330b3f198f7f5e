package ai_test

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/eval"
)

// The line says how far it is by the clock, and fits the terminal.
func TestProgressLine(t *testing.T) {
	now, paid, known := time.Now(), 0.0, true
	var out bytes.Buffer
	columns := 80
	p := ai.NewProgress(200, &out, func() time.Time { return now }, func() int { return columns }, func() (float64, bool) { return paid, known })
	assert.Equal(t, "llm/batch 0/200  ETA ?  0/s", p.Line(79))
	for range 50 {
		now, paid = now.Add(500*time.Millisecond), paid+0.002
		p.Done(false)
	}
	assert.Equal(t, "llm/batch 50/200  ETA 1m15s  2.0/s  $0.1000", p.Line(79))
	p.Done(true)
	now, known = now.Add(time.Hour), false
	p.Done(true)
	assert.Equal(t, "llm/batch 52/200  2 failed  ETA 2h52m  0.9/min", p.Line(79))
	for width := range 80 {
		line := p.Line(width)
		assert.LessOrEqual(t, len(line), width)
		assert.True(t, strings.HasPrefix("llm/batch 52/200  2 failed  ETA 2h52m  0.9/min", line), line)
	}
	p.Clear()
	assert.Empty(t, out.String(), "nothing was drawn, nothing is to be cleared")
	columns = 20
	p.Draw()
	columns = 1 // too narrow for anything
	p.Draw()
	p.Clear()
	assert.Equal(t, "\rllm/batch 52/200\x1b[K\r\x1b[K", out.String())
}

// screen is a terminal that waits until something stands on it.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
	seen chan struct{}
	once sync.Once
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.once.Do(func() { close(s.seen) })
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// Progress is shown on a terminal alone, unless the program does not want it, and
// gone at the end.
func TestBatchShowsProgress(t *testing.T) {
	terminal := &screen{seen: make(chan struct{})}
	show := func(stderr io.Writer, columns func(any) int, program string) string {
		in := eval.New(eval.Config{Library: library(), Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: stderr})
		t.Cleanup(in.Close)
		ai.Setup(in, ai.Config{NoEnvironment: true, Columns: columns})
		r := &rig{t: t, in: in}
		r.echo(func(e *echo, prompt string) (int, string) {
			if prompt == "wait" {
				<-terminal.seen
			}
			return 200, prompt
		})
		return r.ok(program)
	}
	wide := func(stream any) int { return map[bool]int{true: 80}[stream == any(terminal)] }
	var plain bytes.Buffer
	require.Equal(t, `("a" "wait")`, show(terminal, wide, `(llm/batch ["a" "wait"])`))
	got := terminal.String()
	assert.True(t, strings.HasPrefix(got, "\rllm/batch "), "%q", got)
	assert.True(t, strings.HasSuffix(got, "\x1b[K\r\x1b[K"), "%q", got)
	show(terminal, wide, `(llm/batch ["a" "wait"] {:progress #f})`)
	show(terminal, nil, `(llm/batch ["a" "wait"])`)
	show(terminal, wide, `(llm/batch [])`)
	assert.Equal(t, got, terminal.String())
	show(&plain, wide, `(llm/batch ["a" "wait"])`)
	assert.Empty(t, plain.String())
}

package ai

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// redraw is how often the progress line is drawn at most. It is drawn by its own
// goroutine, since a terminal may be slow and items hold the interpreter's lock
// when they end.
const redraw = 200 * time.Millisecond

// progress is the line on a terminal that says how far a batch is. A nil
// progress shows nothing.
type progress struct {
	who     string
	out     io.Writer
	columns func() int
	now     func() time.Time
	cost    func() (usd float64, known bool) // since the beginning
	total   int

	mu     sync.Mutex
	began  time.Time
	ended  int // items that have an answer or an error
	failed int
	paid   float64 // at the end of the last item
	priced bool
	drawn  bool // something is on the line
}

// newProgress is the progress of a batch, nil where no terminal shows it.
func (s *state) newProgress(who string, total int) *progress {
	out := s.interp.Stderr()
	if s.config.Columns == nil || s.config.Columns(out) == 0 || total == 0 {
		return nil
	}
	before, known := spent(s)
	return &progress{who: who, out: out, total: total, now: time.Now,
		columns: func() int { return s.config.Columns(out) },
		cost: func() (float64, bool) {
			now, stillKnown := spent(s)
			return now - before, known && stillKnown
		}}
}

// spent is what the calls of this interpreter have cost so far, in US dollars; it
// is not known when the price of one of them is not. It is asked under the lock,
// when a batch begins and after each of its items.
func spent(s *state) (usd float64, known bool) { return s.session.usd, s.session.unpriced == 0 }

// show draws the line now and then until the function that it returns is called,
// which clears it.
func (p *progress) show() (hide func()) {
	if p == nil {
		return func() {}
	}
	p.begin()
	ticker := time.NewTicker(redraw)
	end := make(chan struct{})
	var drawer sync.WaitGroup
	drawer.Go(func() {
		for {
			select {
			case <-ticker.C:
				p.draw()
			case <-end:
				return
			}
		}
	})
	return func() {
		ticker.Stop()
		close(end)
		drawer.Wait()
		p.clear()
	}
}

func (p *progress) begin() { p.began = p.now() }

// done counts an item that has ended. It is called under the interpreter's lock.
func (p *progress) done(failed bool) {
	if p == nil {
		return
	}
	paid, priced := p.cost()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended++
	p.paid, p.priced = paid, priced
	if failed {
		p.failed++
	}
}

const (
	toLineStart = "\r"
	clearRight  = "\x1b[K"
)

func (p *progress) draw() {
	if columns := p.columns(); columns > 1 {
		p.drawn = true
		_, _ = io.WriteString(p.out, toLineStart+p.line(columns-1)+clearRight) // the last column may wrap
	}
}

func (p *progress) clear() {
	if p.drawn {
		_, _ = io.WriteString(p.out, toLineStart+clearRight)
	}
}

// line is the progress in at most width columns: the parts that fit, the most
// important first.
func (p *progress) line(width int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	elapsed := p.now().Sub(p.began)
	parts := []string{fmt.Sprintf("%s %d/%d", p.who, p.ended, p.total)}
	if p.failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", p.failed))
	}
	parts = append(parts, "ETA "+p.left(elapsed), rateText(p.ended, elapsed))
	if p.priced {
		parts = append(parts, fmt.Sprintf("$%.4f", p.paid))
	}
	line := ""
	for _, part := range parts {
		if line != "" {
			part = "  " + part
		}
		if len(line)+len(part) > width {
			break
		}
		line += part
	}
	return line
}

// left is how long the rest takes if it goes on like that.
func (p *progress) left(elapsed time.Duration) string {
	if p.ended == 0 {
		return "?"
	}
	rest := float64(elapsed) / float64(p.ended) * float64(p.total-p.ended)
	return shortTime(time.Duration(rest))
}

// rateText is so many items a second, or a minute when they are slow.
func rateText(n int, elapsed time.Duration) string {
	if n == 0 || elapsed <= 0 {
		return "0/s"
	}
	each := float64(n) / elapsed.Seconds()
	if each < 1 {
		return fmt.Sprintf("%.1f/min", each*60)
	}
	return fmt.Sprintf("%.1f/s", each)
}

// shortTime is a time to the second, such as 1m5s and 2h3m.
func shortTime(d time.Duration) string {
	d = d.Round(time.Second)
	if d >= time.Hour {
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	}
	return d.String()
}

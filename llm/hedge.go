package llm

import (
	"context"
	"time"
)

// race makes a request, and when no answer has come after the hedge's delay a
// second one beside it. The first answer wins; the other request is cancelled
// and waited for, so that nothing is left behind. A failure leaves the answer to
// the other request, and starts none: repeating is the attempt loop's business.
// Both are logged, the winner last.
func (x *exchange) race(ctx context.Context, one func(context.Context) sent) sent {
	if x.Hedge == nil {
		got := one(ctx)
		x.note(got)
		return got
	}
	h := &hedge{one: one, done: make(chan runner, 2)}
	first := h.start(ctx)
	if only, in := h.wait(ctx, x.clock(), *x.Hedge); in {
		x.note(only.got)
		return only.keep()
	}
	winner, loser := h.decide(first, h.start(ctx))
	x.note(loser.close())
	x.note(winner.got)
	return winner.keep()
}

// decide waits for both requests: for one that answers, and for the other to
// end. When both fail, the first one's failure is that of the race.
func (h *hedge) decide(first, second runner) (winner, loser runner) {
	winner = <-h.done
	other := second
	if winner.id == second.id {
		other = first
	}
	if winner.got.err == nil {
		other.cancel()
		return winner, lost(<-h.done)
	}
	winner, loser = <-h.done, winner // it may still answer
	if winner.got.err != nil && loser.id == first.id {
		return loser, winner
	}
	return winner, loser
}

// lost is the request that came too late, whatever it was about to bring.
func lost(r runner) runner {
	if r.got.pull != nil {
		r.got.log = r.got.pull.logged()
	}
	r.got.log.Kind, r.got.log.Status = KindCancelled, 0
	return r
}

// hedge runs requests beside each other.
type hedge struct {
	one  func(context.Context) sent
	next int
	done chan runner
}

// runner is a request on its way, and what came of it.
type runner struct {
	id     int
	cancel context.CancelFunc
	got    sent
	panics any
}

func (h *hedge) start(ctx context.Context) runner {
	ctx, cancel := context.WithCancel(ctx)
	r := runner{id: h.next, cancel: cancel}
	h.next++
	go func(r runner) {
		defer func() {
			r.panics = recover() // it belongs to the caller's goroutine
			h.done <- r
		}()
		r.got = h.one(ctx)
	}(r)
	return r
}

// wait gives the first request its time.
func (h *hedge) wait(ctx context.Context, clock Clock, d time.Duration) (first runner, in bool) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	slept := make(chan struct{})
	go func() { defer close(slept); _ = clock.Sleep(ctx, d) }()
	select {
	case first = <-h.done:
		stop()
		<-slept
		return first, true
	case <-slept:
		if ctx.Err() != nil {
			return <-h.done, true
		}
		return runner{}, false
	}
}

// keep hands on what came, and with a stream the means to end it.
func (r runner) keep() sent {
	if r.panics != nil {
		r.cancel()
		panic(r.panics)
	}
	if r.got.pull == nil {
		r.cancel()
	} else {
		r.got.pull.cancel = r.cancel
	}
	return r.got
}

// close ends a request that is not wanted.
func (r runner) close() sent {
	if r.got.pull != nil {
		r.got.pull.close()
	}
	r.cancel()
	return r.got
}

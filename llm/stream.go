package llm

import (
	"context"
	"io"
	"time"
)

// Streamer is a provider that can hand over its reply piece by piece.
type Streamer interface {
	Provider
	// Open sends the request. The context is that of the whole stream.
	Open(ctx context.Context, req *Request) (Stream, error)
}

// Stream is a reply on its way. It is used by one goroutine at a time.
type Stream interface {
	// Next returns the next piece of the text, "" where something else of the
	// reply came, and io.EOF after the end of a complete reply. What is no part
	// of the reply, such as a ping, it keeps to itself.
	Next() (string, error)
	// Response is the reply as far as it has come.
	Response() *Response
	// Close ends the request. It may be called at any time, and again.
	Close()
}

// Stream asks like [Call.Complete], and calls onText with each piece of the
// answer's text, on the goroutine of the caller and outside of Block. Until the
// first piece an attempt may be repeated and the chain may move on; after it
// every failure ends the call, with the text so far in [Error.Partial]. An error
// of onText ends it too, as a [*CallbackError]. A provider that is no [Streamer]
// gives its text in one piece.
func (c *Call) Stream(ctx context.Context, req *Request, onText func(string) error) (*Response, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := req.Validate(); err != nil {
		return nil, err
	}
	r := run{Call: c}
	var reply *Response
	r.do = func(ctx context.Context, p Provider, req *Request) (int, error) {
		got, err := p.Complete(ctx, req)
		if err != nil {
			return 0, err
		}
		reply = withNames(got, p, req)
		return got.Status, nil
	}
	r.try = func(ctx context.Context, p Provider, req *Request) (err error) {
		streamer, ok := p.(Streamer)
		if ok {
			reply, err = r.stream(ctx, streamer, req, onText)
			return err
		}
		if err = r.attempt(ctx, p, req); err == nil && reply.Text != "" {
			err = called(onText(reply.Text))
		}
		return err
	}
	if err := r.walk(ctx, req); err != nil {
		return nil, err
	}
	reply.Attempts = r.log
	return reply, nil
}

// called makes the error of a callback one that ends the call.
func called(err error) error {
	if err == nil {
		return nil
	}
	return &CallbackError{Err: err}
}

// brokenStream is a failure after the first piece: nobody is asked whether to
// repeat what was already handed over.
type brokenStream struct{ err *Error }

func (e *brokenStream) Error() string { return e.err.Error() }

// stream makes one attempt. Opening it and reading its first piece is one Block,
// and so is each piece after that.
func (r *run) stream(ctx context.Context, p Streamer, req *Request, onText func(string) error) (*Response, error) {
	bounded, cancel, err := r.bound(ctx, req)
	if err != nil {
		return nil, r.failure(ctx, p, req, err)
	}
	defer cancel()
	guard := newGuard(bounded, req)
	defer guard.stop()
	pull := &pull{run: r, p: p, req: req, guard: guard}
	defer pull.close()
	pull.open(ctx)
	for pull.err == nil {
		if pull.piece != "" {
			pull.delivered = true
			if pull.err = called(onText(pull.piece)); pull.err != nil {
				break
			}
		}
		pull.next(ctx)
	}
	return pull.end(ctx)
}

// pull is an attempt at a stream on its way.
type pull struct {
	*run
	p         Streamer
	req       *Request
	guard     *guard
	from      Stream
	release   func()
	start     time.Time
	piece     string
	err       error
	delivered bool
}

// open waits for the rate limits, sends the request and reads the first piece.
func (s *pull) open(ctx context.Context) {
	s.err = s.block(ctx, func(context.Context) (err error) {
		if s.release, err = s.admit(s.guard.ctx, s.req); err != nil {
			return err
		}
		s.start = s.now()
		s.guard.begin()
		if s.from, err = s.p.Open(s.guard.ctx, s.req); err != nil {
			return err
		}
		return s.read()
	})
}

func (s *pull) next(ctx context.Context) {
	s.err = s.block(ctx, func(context.Context) error { return s.read() })
}

func (s *pull) read() (err error) {
	s.piece, err = s.from.Next()
	s.guard.progress(s.piece != "")
	return err
}

func (s *pull) close() {
	if s.from != nil {
		s.from.Close()
	}
	if s.release != nil {
		s.release()
	}
}

// end logs the attempt and returns its reply or its failure.
func (s *pull) end(ctx context.Context) (*Response, error) {
	entry := Attempt{Provider: s.p.Name(), Model: s.req.Model}
	if !s.start.IsZero() {
		entry.Duration = s.now().Sub(s.start)
	}
	if s.err == io.EOF { // itself: a failure may have one for its cause
		reply := withNames(s.from.Response(), s.p, s.req)
		entry.Status = reply.Status
		s.log = append(s.log, entry)
		return reply, nil
	}
	if late := s.guard.expired(); late != nil {
		s.err = late
	}
	err := s.failure(ctx, s.p, s.req, s.err)
	e, ok := err.(*Error)
	if !ok { // of a callback: the request itself was all right
		s.log = append(s.log, entry)
		return nil, err
	}
	entry.Kind, entry.Status = e.Kind, e.Status
	s.log = append(s.log, entry)
	if !s.delivered {
		return nil, e
	}
	e.Partial, e.Retryable = s.from.Response().Text, false
	return nil, &brokenStream{e}
}

// guard ends a stream that makes no progress.
type guard struct {
	ctx         context.Context
	cancel      context.CancelCauseFunc
	first, idle time.Duration // 0 is no bound
	timer       *time.Timer
	started     bool // the first piece of text has come
}

func newGuard(ctx context.Context, req *Request) *guard {
	g := &guard{first: req.FirstTokenTimeout, idle: req.IdleTimeout}
	g.ctx, g.cancel = context.WithCancelCause(ctx)
	return g
}

// begin starts the time for the first piece.
func (g *guard) begin() { g.within(g.first, "no text came within ") }

// progress starts the time anew: until text comes, only that for the first piece
// runs.
func (g *guard) progress(text bool) {
	if text || g.started {
		g.started = true
		g.within(g.idle, "nothing more came within ")
	}
}

func (g *guard) within(d time.Duration, what string) {
	if g.timer != nil {
		g.timer.Stop()
	}
	if d > 0 {
		late := &Error{Kind: KindTimeout, Retryable: true, Message: what + d.String()}
		g.timer = time.AfterFunc(d, func() { g.cancel(late) })
	}
}

// expired is the error of the bound that was passed, nil if none was.
func (g *guard) expired() *Error {
	late, _ := context.Cause(g.ctx).(*Error)
	return late
}

func (g *guard) stop() {
	if g.timer != nil {
		g.timer.Stop()
	}
	g.cancel(nil)
}

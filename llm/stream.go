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
	return c.do(ctx, req, onText)
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

// stream makes one attempt. Opening it and reading until its first text is one
// Block, and so is each piece after that.
func (x *exchange) stream(ctx context.Context, p Streamer) error {
	var got sent
	refused := x.block(ctx, func(ctx context.Context) error {
		got = x.race(ctx, func(ctx context.Context) sent { return x.open(ctx, p) })
		return nil
	})
	if refused != nil {
		return x.failure(ctx, refused)
	}
	if got.err != nil {
		return x.failure(ctx, got.err)
	}
	defer got.pull.close()
	return got.pull.deliver(ctx)
}

// open waits for the rate limits, sends the request and reads until text comes.
// It may run beside another. The attempt is logged here when it ends without
// text, and by its pull otherwise.
func (x *exchange) open(ctx context.Context, p Streamer) sent {
	bounded, cancel, err := x.bound(ctx)
	if err != nil {
		return sent{err: err}
	}
	s := &pull{exchange: x, cancel: cancel, guard: newGuard(bounded, x.req)}
	if s.release, err = x.admit(s.guard.ctx, x.req); err != nil {
		s.close()
		return sent{err: err}
	}
	s.start = x.now()
	s.guard.begin()
	s.from, err = p.Open(s.guard.ctx, x.req)
	for err == nil && s.piece == "" {
		err = s.read()
	}
	if err == nil || err == io.EOF { // itself: a failure may have one for its cause
		s.err = err
		return sent{pull: s}
	}
	defer s.close()
	got := sent{log: s.logged(), err: x.failure(ctx, s.cause(err))}
	got.log.fail(got.err)
	return got
}

// pull is an attempt at a stream whose text is on its way.
type pull struct {
	*exchange
	cancel  context.CancelFunc
	guard   *guard
	from    Stream
	release func()
	start   time.Time
	piece   string
	err     error
}

// deliver hands the text over as it comes, logs the attempt, and leaves its
// reply or returns its failure.
func (s *pull) deliver(ctx context.Context) error {
	for s.err == nil {
		if s.piece != "" {
			if s.err = called(s.onText(s.piece)); s.err != nil {
				break
			}
		}
		s.err = s.block(ctx, func(context.Context) error { return s.read() })
	}
	entry := s.logged()
	defer func() { s.log = append(s.log, entry) }()
	if s.err == io.EOF {
		s.reply = s.named(s.from.Response())
		entry.Status = s.reply.Status
		return nil
	}
	s.partial = s.named(s.from.Response())
	s.partial.ToolCalls = nil // whether they are whole, nobody knows
	err := s.failure(ctx, s.cause(s.err))
	e, ok := err.(*Error)
	if !ok { // of a callback: the request itself was all right
		return err
	}
	entry.fail(e)
	e.Partial, e.Retryable = s.partial.Text, false
	if s.partial.Usage != nil {
		e.Response = s.partial
	}
	return &brokenStream{e}
}

func (s *pull) read() (err error) {
	s.piece, err = s.from.Next()
	s.guard.progress(s.piece != "")
	return err
}

// logged is the log entry of an attempt that ends now.
func (s *pull) logged() Attempt {
	entry := s.exchange.logged()
	entry.Duration = s.now().Sub(s.start)
	return entry
}

// cause is the bound that was passed, where that is why the stream ended.
func (s *pull) cause(err error) error {
	if late := s.guard.expired(); late != nil {
		return late
	}
	return err
}

func (s *pull) close() {
	if s.from != nil {
		s.from.Close()
	}
	if s.release != nil {
		s.release()
	}
	s.guard.stop()
	s.cancel()
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

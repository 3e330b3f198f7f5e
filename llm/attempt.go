package llm

import (
	"context"
	"errors"
)

// sent is what came of one request.
type sent struct {
	reply *Response
	pull  *pull   // the stream whose text is on its way
	log   Attempt // without a provider when no request was made
	err   error
}

// attempt sends the request once. The error is nil, an *Error, a *CallbackError
// or a *brokenStream.
func (x *exchange) attempt(ctx context.Context) error {
	if streamer, ok := x.entry.Provider.(Streamer); ok && x.onText != nil {
		return x.stream(ctx, streamer)
	}
	got, err := x.send(ctx)
	if err != nil {
		return x.failure(ctx, err)
	}
	x.reply = got
	if x.onText != nil && got.Text != "" {
		return called(x.onText(got.Text))
	}
	return nil
}

// send waits for the rate limits and makes the request, with a hedge if there
// is one. All is one Block, except that a local provider runs outside of it.
func (x *exchange) send(ctx context.Context) (*Response, error) {
	if _, local := x.entry.Provider.(LocalProvider); local {
		return x.sendLocal(ctx)
	}
	var got sent
	refused := x.block(ctx, func(ctx context.Context) error {
		got = x.race(ctx, x.once)
		return nil
	})
	if refused != nil {
		return nil, refused
	}
	return got.reply, got.err
}

// once is a request with its rate limits. It may run beside another.
func (x *exchange) once(ctx context.Context) sent {
	release, err := x.admit(ctx, x.req)
	if err != nil {
		return sent{err: err}
	}
	defer release()
	return x.request(ctx)
}

func (x *exchange) sendLocal(ctx context.Context) (*Response, error) {
	release := func() {}
	defer func() { release() }()
	err := x.block(ctx, func(ctx context.Context) (err error) {
		release, err = x.admit(ctx, x.req)
		return err
	})
	if err != nil {
		return nil, err
	}
	got := x.request(ctx)
	x.note(got)
	return got.reply, got.err
}

// request asks the provider within the time that is left.
func (x *exchange) request(ctx context.Context) sent {
	bounded, cancel, err := x.bound(ctx)
	if err != nil {
		return sent{err: err}
	}
	defer cancel()
	p, start := x.entry.Provider, x.now()
	reply, err := p.Complete(bounded, x.req)
	if err == nil && reply == nil {
		err = &Error{Kind: KindOther, Message: "the provider returned neither reply nor error"}
	}
	got := sent{log: x.logged(), err: err}
	got.log.Duration = x.now().Sub(start)
	if err != nil {
		got.err = x.failure(ctx, err)
		got.log.fail(got.err)
		return got
	}
	got.reply, got.log.Status = x.named(reply), reply.Status
	return got
}

// logged is the beginning of a log entry.
func (x *exchange) logged() Attempt {
	return Attempt{Provider: x.entry.Provider.Name(), Model: x.req.Model}
}

// fail says in the log how the attempt failed.
func (a *Attempt) fail(err error) {
	a.Kind = KindOther
	if e, ok := err.(*Error); ok {
		a.Kind, a.Status = e.Kind, e.Status
	}
}

// note logs a request, if one was made.
func (x *exchange) note(got sent) {
	if got.log.Provider != "" {
		x.log = append(x.log, got.log)
	}
}

// named copies a reply and says who gave it.
func (x *exchange) named(got *Response) *Response {
	reply := *got
	if reply.Provider == "" {
		reply.Provider = x.entry.Provider.Name()
	}
	if reply.Model == "" {
		reply.Model = x.req.Model
	}
	return &reply
}

// bound is the context of one attempt: it ends with the attempt's time or the
// call's.
func (x *exchange) bound(ctx context.Context) (context.Context, context.CancelFunc, error) {
	timeout := x.timeLeft(ctx)
	if timeout <= 0 {
		return nil, nil, &Error{Kind: KindTimeout, Message: "the deadline of the call has passed"}
	}
	if x.req.Timeout > 0 {
		timeout = min(timeout, x.req.Timeout)
	}
	if x.req.Timeout <= 0 && x.Deadline.IsZero() {
		return ctx, func() {}, nil
	}
	bounded, cancel := context.WithTimeout(ctx, timeout)
	return bounded, cancel, nil
}

// failure makes an *Error of what a provider returned, a copy with the names
// filled in. A callback's error stays as it is, and the end of the caller's
// context goes before everything that it caused.
func (x *exchange) failure(ctx context.Context, err error) error {
	if raised, ok := errors.AsType[*CallbackError](err); ok {
		return raised
	}
	var e Error
	if ctx.Err() != nil {
		e = *stopped(ctx)
	} else if found, ok := errors.AsType[*Error](err); ok {
		e = *found
	} else {
		e = foreign(err)
	}
	if e.Provider == "" {
		e.Provider = x.entry.Provider.Name()
	}
	if e.Model == "" {
		e.Model = x.req.Model
	}
	return &e
}

// foreign is the class of an error that no provider of ours made.
func foreign(err error) Error {
	e := Error{Kind: KindOther, Message: err.Error(), Cause: err}
	if errors.Is(err, context.DeadlineExceeded) {
		e.Kind, e.Retryable = KindTimeout, true
	}
	return e
}

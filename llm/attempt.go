package llm

import (
	"context"
	"errors"
	"time"
)

// run is one call on its way: the settings, what a single attempt does, and
// the log.
type run struct {
	*Call
	// do makes one attempt and reports the status that it was answered with.
	do func(ctx context.Context, p Provider, req *Request) (status int, err error)
	// try makes one attempt with all that belongs to it; nil is run.attempt.
	try func(ctx context.Context, p Provider, req *Request) error
	log []Attempt
}

// attempts tries one entry until it answers, fails for good, or its retries
// are spent. Next says that the chain has another entry.
func (r *run) attempts(ctx context.Context, entry Entry, req *Request, next bool) error {
	policy := &r.Policy
	if entry.Policy != nil {
		policy = entry.Policy
	}
	loop := Loop{
		Env:      r.Env,
		Retries:  policy.Retries,
		Deadline: r.Deadline,
		OnError:  policy.OnError,
		OnRetry:  func(f Failure) error { return r.noteWait(policy, f) },
		Retryable: func(err error) bool {
			e, ok := err.(*Error)
			return ok && policy.Rule.Retryable(policy, e)
		},
		Wait: func(n int, err error) (time.Duration, bool) {
			e := err.(*Error)
			return policy.Rule.Wait(policy, n, e, next && r.listed(e.Kind), r.rand())
		},
	}
	try := r.try
	if try == nil {
		try = r.attempt
	}
	return loop.Do(ctx, func(ctx context.Context, _ int) error { return try(ctx, entry.Provider, req) })
}

// noteWait puts the wait into the log, then tells the caller.
func (r *run) noteWait(policy *Policy, f Failure) error {
	if n := len(r.log); n > 0 {
		r.log[n-1].Wait = f.Wait
	}
	if policy.OnRetry == nil {
		return nil
	}
	return policy.OnRetry(f)
}

// attempt waits for the rate limits and sends the request once. Both are one
// Block, except that a local provider runs outside of it. The error is nil, an
// *Error or a *CallbackError.
func (r *run) attempt(ctx context.Context, p Provider, req *Request) error {
	var err error
	if _, local := p.(LocalProvider); local {
		err = r.attemptLocal(ctx, p, req)
	} else {
		err = r.block(ctx, func(ctx context.Context) error {
			release, err := r.admit(ctx, req)
			if err != nil {
				return err
			}
			defer release()
			return r.send(ctx, p, req)
		})
	}
	return r.failure(ctx, p, req, err)
}

func (r *run) attemptLocal(ctx context.Context, p Provider, req *Request) error {
	release := func() {}
	defer func() { release() }()
	err := r.block(ctx, func(ctx context.Context) (err error) {
		release, err = r.admit(ctx, req)
		return err
	})
	if err != nil {
		return err
	}
	return r.send(ctx, p, req)
}

// send makes the request within the time that is left, and logs it.
func (r *run) send(ctx context.Context, p Provider, req *Request) error {
	bounded, cancel, err := r.bound(ctx, req)
	if err != nil {
		return err
	}
	defer cancel()

	start := r.now()
	status, err := r.do(bounded, p, req)
	entry := Attempt{Provider: p.Name(), Model: req.Model, Status: status, Duration: r.now().Sub(start)}
	if err != nil {
		err = r.failure(ctx, p, req, err)
		entry.Kind = KindOther
		if e, ok := err.(*Error); ok {
			entry.Kind, entry.Status = e.Kind, e.Status
		}
	}
	r.log = append(r.log, entry)
	return err
}

// bound is the context of one attempt: it ends with the attempt's time or the
// call's.
func (r *run) bound(ctx context.Context, req *Request) (context.Context, context.CancelFunc, error) {
	timeout := r.timeLeft(ctx)
	if timeout <= 0 {
		return nil, nil, &Error{Kind: KindTimeout, Message: "the deadline of the call has passed"}
	}
	if req.Timeout > 0 {
		timeout = min(timeout, req.Timeout)
	}
	if req.Timeout <= 0 && r.Deadline.IsZero() {
		return ctx, func() {}, nil
	}
	bounded, cancel := context.WithTimeout(ctx, timeout)
	return bounded, cancel, nil
}

// failure makes an *Error of what a provider returned, a copy with the names
// filled in. A callback's error stays as it is, and the end of the caller's
// context goes before everything that it caused.
func (r *run) failure(ctx context.Context, p Provider, req *Request, err error) error {
	if err == nil {
		return nil
	}
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
		e.Provider = p.Name()
	}
	if e.Model == "" {
		e.Model = req.Model
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

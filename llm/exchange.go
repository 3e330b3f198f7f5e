package llm

import (
	"context"
	"time"
)

// run is one call on its way: its settings, where its text goes, and the log.
type run struct {
	*Call
	onText func(string) error // nil: the reply is wanted whole
	log    []Attempt
}

// exchange is what happens between a call and one entry of its chain.
type exchange struct {
	*run
	entry Entry
	req   *Request // with the model that this entry is asked for
	next  bool     // the chain has another entry
	reply *Response
	// partial is what a stream brought that broke or was stopped, if its usage
	// is known or text came.
	partial *Response
}

// handler gets an exchange its reply.
type handler func(ctx context.Context) error

// handler puts the stages of an entry together, outermost first. Each is a
// method that wraps the next: it may answer by itself, refuse, or look at what
// came of it. One that is not in force is left out.
func (x *exchange) handler() handler {
	return x.cached(x.budgeted(x.guarded(x.attempts)))
}

// attempts tries the entry until it answers, fails for good, or its retries
// are spent.
func (x *exchange) attempts(ctx context.Context) error {
	policy := &x.Policy
	if x.entry.Policy != nil {
		policy = x.entry.Policy
	}
	x.RetryBudget.call(x.now())
	loop := Loop{
		Env:      x.Env,
		Retries:  policy.Retries,
		Deadline: x.Deadline,
		OnError:  policy.OnError,
		OnRetry:  func(f Failure) error { return x.noteWait(policy, f) },
		Retryable: func(err error) bool {
			e, ok := err.(*Error)
			return ok && policy.Rule.Retryable(policy, e)
		},
		Wait: func(n int, err error) (time.Duration, bool) { return x.wait(policy, n, err.(*Error)) },
	}
	return loop.Do(ctx, func(ctx context.Context, _ int) error {
		err := x.attempt(ctx)
		x.observe(ctx, err)
		return err
	})
}

// wait is the wait before the next attempt, if there may be one.
func (x *exchange) wait(policy *Policy, n int, e *Error) (time.Duration, bool) {
	wait, ok := policy.Rule.Wait(policy, n, e, x.next && x.listed(e.Kind), x.rand())
	if !ok || x.isOpen() {
		return 0, false
	}
	if !x.RetryBudget.take(x.now()) {
		e.Message += " (not tried again: the retry budget is spent)"
		return 0, false
	}
	return wait, true
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

package llm

import (
	"context"
)

// budgeted lets the entry spend what the budgets in force leave.
func (x *exchange) budgeted(next handler) handler {
	if len(x.Budgets) == 0 {
		return next
	}
	return func(ctx context.Context) error {
		reply, err := x.spend(ctx, x.entry.Provider.Name(), x.req, func(ctx context.Context) (*Response, error) {
			if err := next(ctx); err != nil {
				return x.paidFor(err), err
			}
			return x.reply, nil
		})
		x.reply = reply
		if e, ok := err.(*Error); ok && e.Kind == KindBudget {
			return x.failure(ctx, e)
		}
		return err
	}
}

// paidFor is what a failed attempt brought that is paid for: a blocked answer,
// or the text of a stream that broke or was stopped.
func (x *exchange) paidFor(err error) *Response {
	if e, ok := err.(*Error); ok && e.Response != nil {
		return e.Response
	}
	return x.partial
}

// spend makes a call under all budgets in force, and charges them for it. What
// was paid for do returns beside an error too.
func (r *run) spend(ctx context.Context, provider string, req *Request, do func(context.Context) (*Response, error)) (*Response, error) {
	account := account{run: r, estimate: r.estimate(provider, req)}
	if err := account.open(ctx); err != nil {
		return nil, err
	}
	defer account.settle(amount{}) // a callback's panic leaves nothing in flight
	reply, err := do(ctx)
	account.settle(r.cost(provider, req, reply))
	if err != nil {
		return nil, err
	}
	if r.onText == nil {
		err = r.overrun(reply)
	}
	if err != nil {
		return nil, err
	}
	return reply, nil
}

// account is a call's place in the budgets in force.
type account struct {
	*run
	estimate amount
	entered  []*Budget
	settled  bool
}

// open enters the budgets, the innermost first, waiting where there is no room.
func (a *account) open(ctx context.Context) error {
	for _, b := range a.Budgets {
		if a.onText != nil && !b.limit.GateStreams {
			continue
		}
		if err := a.enter(ctx, b); err != nil {
			a.settle(amount{})
			return err
		}
		a.entered = append(a.entered, b)
	}
	return nil
}

func (a *account) enter(ctx context.Context, b *Budget) error {
	for {
		settled, err := b.enter(a.estimate, !a.Nested)
		if settled == nil {
			return err
		}
		err = a.block(ctx, func(ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, a.timeLeft(ctx))
			defer cancel()
			select {
			case <-settled:
				return nil
			case <-ctx.Done():
				return stopped(ctx)
			}
		})
		if err != nil {
			return err
		}
	}
}

// settle leaves the budgets that were entered, and charges all.
func (a *account) settle(cost amount) {
	if a.settled {
		return
	}
	a.settled = true
	for _, b := range a.Budgets { // before leaving, or another call slips in between
		b.charge(cost)
	}
	for _, b := range a.entered {
		b.leave(a.estimate)
	}
}

// replyEstimate stands for the reply of a request that does not limit it, in
// tokens.
const replyEstimate = 4096

// estimate is what a request may cost: rather too much, since calls that are in
// flight together must not take a budget far beyond its cap.
func (r *run) estimate(provider string, req *Request) amount {
	const bytesPerToken = 2 // code, and scripts other than ours
	u := &Usage{InputTokens: (req.textBytes() + 512) / bytesPerToken, OutputTokens: req.MaxTokens}
	for _, t := range req.Tools {
		u.InputTokens += (len(t.Description) + len(t.Parameters)) / bytesPerToken
	}
	if u.OutputTokens == 0 {
		u.OutputTokens = replyEstimate
	}
	usd, _ := r.Prices.Cost(provider, req.Model, u)
	return amount{usd, u.TotalTokens()}
}

// cost is what came and is to be paid for. Where the provider did not say how
// much that was, it is guessed: a budget must not be free to pass.
func (r *run) cost(provider string, req *Request, paid *Response) amount {
	if paid == nil {
		return amount{}
	}
	u := paid.Usage
	if u == nil {
		u = &Usage{InputTokens: req.textBytes()/bytesPerToken + 1, OutputTokens: len(paid.Text)/bytesPerToken + 1}
	}
	usd, known := r.Prices.Cost(provider, paid.Model, u)
	if !known {
		usd, known = r.Prices.Cost(provider, req.Model, u)
	}
	if !known && r.Unpriced != nil && r.countsMoney() {
		r.Unpriced(provider, req.Model)
	}
	return amount{usd, u.TotalTokens()}
}

func (c *Call) countsMoney() bool {
	for _, b := range c.Budgets {
		if b.limit.MaxCost != nil {
			return true
		}
	}
	return false
}

// overrun is the error of a call that took a budget beyond its cap. The answer
// is in it: it is paid for.
func (r *run) overrun(reply *Response) error {
	for _, b := range r.Budgets {
		if e := b.overrun(); e != nil {
			e.Response = reply
			return e
		}
	}
	return nil
}

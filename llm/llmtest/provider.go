package llmtest

import (
	"context"
	"fmt"
	"sync"

	"github.com/gosema/gosema/llm"
)

// Provider is an [llm.Provider] that plays steps, one a request. After the
// last it fails.
type Provider struct {
	name  string
	steps []Step

	mu    sync.Mutex
	calls []*llm.Request
}

// Step answers a request: with a text, with an error, or by a function.
type Step struct {
	Text string
	Err  error
	Func func(ctx context.Context, req *llm.Request) (*llm.Response, error)
}

// NewProvider returns a provider of that name. Its default model is "default".
func NewProvider(name string, steps ...Step) *Provider {
	return &Provider{name: name, steps: steps}
}

// Name returns the name.
func (p *Provider) Name() string { return p.name }

// DefaultModel returns "default".
func (p *Provider) DefaultModel() string { return "default" }

// Complete plays the next step.
func (p *Provider) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	step, err := p.next(req)
	switch {
	case err != nil:
		return nil, err
	case step.Func != nil:
		return step.Func(ctx, req)
	case step.Err != nil:
		return nil, step.Err
	}
	return &llm.Response{Text: step.Text, StopReason: llm.StopEnd, Status: 200}, nil
}

func (p *Provider) next(req *llm.Request) (Step, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.calls)
	p.calls = append(p.calls, req)
	if n >= len(p.steps) {
		return Step{}, &llm.Error{
			Kind: llm.KindBadRequest, Message: fmt.Sprintf("llmtest: request %d came, the script has %d", n+1, len(p.steps)),
		}
	}
	return p.steps[n], nil
}

// Calls returns the requests so far, in order of arrival.
func (p *Provider) Calls() []*llm.Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*llm.Request(nil), p.calls...)
}

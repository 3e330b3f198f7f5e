package ollama

import (
	"context"
	"net/http"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// BaseURL is that of a server on this machine, at its usual port.
const (
	BaseURL = "http://localhost:" + Port
	Port    = "11434"
)

// Config says where the server is. An empty BaseURL is this machine's, an empty
// Name is "ollama".
type Config struct{ llm.Endpoint }

type shared = wire.Provider

// Provider is a server that speaks Ollama's chat.
type Provider struct {
	shared // Name, DefaultModel, and printing without secrets
	client *wire.Client
}

// New checks the configuration and returns its provider. Errors quote neither
// the key nor the URL.
func New(c Config) (*Provider, error) {
	if c.Name == "" {
		c.Name = "ollama"
	}
	if c.BaseURL == "" {
		c.BaseURL = BaseURL
	}
	auth := http.Header{}
	if c.APIKey != "" {
		auth.Set("Authorization", "Bearer "+c.APIKey)
	}
	client, err := wire.New(c.Endpoint, auth)
	if err != nil {
		return nil, err
	}
	return &Provider{shared: wire.NewProvider(c.Endpoint, client, "api/chat"), client: client}, nil
}

// Complete sends the request once.
func (p *Provider) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	return wire.Ask(ctx, &p.shared, req, func(r *llm.Request) ([]byte, error) { return encode(r, false) }, p.decode)
}

// Open sends the request, for a reply that comes as a stream.
func (p *Provider) Open(ctx context.Context, req *llm.Request) (llm.Stream, error) {
	in, err := wire.Open(ctx, &p.shared, req, func(r *llm.Request) ([]byte, error) { return encode(r, true) }, wire.AsLines)
	if err != nil {
		return nil, err
	}
	f := &format{p: p, in: in}
	f.reply = llm.Response{Provider: p.Name(), Model: req.Model, Status: in.Status}
	return wire.NewStream(in, &p.shared, req, f), nil
}

package anthropic

import (
	"context"
	"net/http"
	"net/url"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// BaseURL is Anthropic's own.
const BaseURL = "https://api.anthropic.com"

const (
	apiVersion       = "2023-06-01"
	defaultMaxTokens = 4096
)

// Config says where the server is. An empty BaseURL is Anthropic's, an empty
// Name is "anthropic".
type Config struct {
	llm.Endpoint
	// DefaultMaxTokens limits the replies to requests without a limit; 0 is 4096.
	DefaultMaxTokens int
}

// Provider is a server that speaks Messages.
type Provider struct {
	endpoint  llm.Endpoint
	client    *wire.Client
	url       *url.URL
	maxTokens int
}

// New checks the configuration and returns its provider. Errors quote neither
// the key nor the URL.
func New(c Config) (*Provider, error) {
	if c.Name == "" {
		c.Name = "anthropic"
	}
	if c.BaseURL == "" {
		c.BaseURL = BaseURL
	}
	if c.DefaultMaxTokens <= 0 {
		c.DefaultMaxTokens = defaultMaxTokens
	}
	auth := http.Header{"Anthropic-Version": {apiVersion}}
	if c.APIKey != "" {
		auth.Set("X-Api-Key", c.APIKey)
	}
	client, err := wire.New(c.Endpoint, auth)
	if err != nil {
		return nil, err
	}
	path := "v1/messages"
	if client.HasSuffix("/v1") {
		path = "messages"
	}
	return &Provider{endpoint: c.Endpoint, client: client, url: client.URL(path), maxTokens: c.DefaultMaxTokens}, nil
}

// Name returns the configured name.
func (p *Provider) Name() string { return p.endpoint.Name }

// DefaultModel returns the configured default model.
func (p *Provider) DefaultModel() string { return p.endpoint.DefaultModel }

// String shows the provider without its secrets.
func (p *Provider) String() string { return p.endpoint.String() }

// GoString is String, for %#v.
func (p *Provider) GoString() string { return p.endpoint.String() }

// Complete sends the request once.
func (p *Provider) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	resp, err := p.complete(ctx, req)
	return resp, wire.Named(err, p.Name(), req.Model)
}

func (p *Provider) complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	body, err := p.encode(req)
	if err != nil {
		return nil, err
	}
	reply, err := p.client.Post(ctx, p.url, body)
	if err != nil {
		return nil, err
	}
	return p.decode(reply)
}

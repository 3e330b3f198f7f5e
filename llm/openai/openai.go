package openai

import (
	"context"
	"net/http"
	"net/url"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// BaseURL is OpenAI's own.
const BaseURL = "https://api.openai.com/v1"

// Config says where the server is. An empty BaseURL is OpenAI's, an empty Name
// is "openai".
type Config struct {
	llm.Endpoint
	// MaxTokensField is the name under which the server takes the limit of the
	// reply; empty is "max_completion_tokens" at OpenAI, whose newer models
	// refuse the older name, and "max_tokens" elsewhere.
	MaxTokensField string
}

// Provider is a server that speaks Chat Completions.
type Provider struct {
	endpoint   llm.Endpoint
	client     *wire.Client
	url        *url.URL
	newerField bool // the limit goes into max_completion_tokens
}

// New checks the configuration and returns its provider. Errors quote neither
// the key nor the URL.
func New(c Config) (*Provider, error) {
	if c.Name == "" {
		c.Name = "openai"
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
	newer, err := hasNewerField(c.MaxTokensField, client.Host())
	if err != nil {
		return nil, err
	}
	return &Provider{endpoint: c.Endpoint, client: client, url: client.URL("chat/completions"), newerField: newer}, nil
}

func hasNewerField(field, host string) (bool, error) {
	switch field {
	case "":
		return host == "api.openai.com", nil
	case "max_tokens", "max_completion_tokens":
		return field == "max_completion_tokens", nil
	}
	return false, &llm.OptionError{Option: "max-tokens-field", Want: "max_tokens or max_completion_tokens", Got: field}
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

package anthropic

import (
	"context"
	"net/http"

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

type shared = wire.Provider

// Provider is a server that speaks Messages.
type Provider struct {
	shared    // Name, DefaultModel, and printing without secrets
	client    *wire.Client
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
	return &Provider{shared: wire.NewProvider(c.Endpoint, client, path), client: client, maxTokens: c.DefaultMaxTokens}, nil
}

// Complete sends the request once.
func (p *Provider) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	return wire.Ask(ctx, &p.shared, req, p.encode, p.decode)
}

package openai

import (
	"context"
	"net/http"

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

type shared = wire.Provider

// Provider is a server that speaks Chat Completions.
type Provider struct {
	shared     // Name, DefaultModel, and printing without secrets
	client     *wire.Client
	newerField bool // the limit goes into max_completion_tokens

	nineLetters bool // ids of tool calls are of nine letters and digits
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
	return &Provider{shared: wire.NewProvider(c.Endpoint, client, "chat/completions"), client: client,
		newerField: newer, nineLetters: client.Host() == "api.mistral.ai"}, nil
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

// Complete sends the request once.
func (p *Provider) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	return wire.Ask(ctx, &p.shared, req, p.encode, p.decode)
}

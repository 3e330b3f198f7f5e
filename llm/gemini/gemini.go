package gemini

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// BaseURL is Google's own.
const BaseURL = "https://generativelanguage.googleapis.com/v1beta"

// Config says where the server is. An empty BaseURL is Google's, an empty Name is
// "gemini".
type Config struct{ llm.Endpoint }

type shared = wire.Provider

// Provider is a server that speaks generateContent.
type Provider struct {
	shared // Name, DefaultModel, and printing without secrets
	client *wire.Client
}

// New checks the configuration and returns its provider. Errors quote neither
// the key nor the URL.
func New(c Config) (*Provider, error) {
	if c.Name == "" {
		c.Name = "gemini"
	}
	if c.BaseURL == "" {
		c.BaseURL = BaseURL
	}
	auth := http.Header{}
	if c.APIKey != "" {
		auth.Set("X-Goog-Api-Key", c.APIKey)
	}
	client, err := wire.New(c.Endpoint, auth)
	if err != nil {
		return nil, err
	}
	return &Provider{shared: wire.NewProvider(c.Endpoint, client, "models"), client: client}, nil
}

// at is the URL of a method of the request's model.
func (p *Provider) at(req *llm.Request, method string) *url.URL {
	model := strings.TrimPrefix(req.Model, "models/")
	return p.client.URL("models/" + url.PathEscape(model) + ":" + method)
}

// Complete sends the request once.
func (p *Provider) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	return wire.AskAt(ctx, &p.shared, p.at(req, "generateContent"), req, p.encode, p.decode)
}

// Open sends the request, for a reply that comes as a stream.
func (p *Provider) Open(ctx context.Context, req *llm.Request) (llm.Stream, error) {
	to := p.at(req, "streamGenerateContent")
	query := to.Query()
	query.Set("alt", "sse")
	to.RawQuery = query.Encode()
	in, err := wire.OpenAt(ctx, &p.shared, to, req, p.encode, wire.AsEvents)
	if err != nil {
		return nil, err
	}
	f := &format{p: p, in: in}
	f.reply = llm.Response{Provider: p.Name(), Model: req.Model, Status: in.Status}
	return wire.NewStream(in, &p.shared, req, f), nil
}

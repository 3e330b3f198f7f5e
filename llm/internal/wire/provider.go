package wire

import (
	"context"
	"net/url"

	"github.com/gosema/gosema/llm"
)

// Provider is the part of a provider that all wire formats share: where it is
// and what it is called. It prints without its secrets.
type Provider struct {
	endpoint llm.Endpoint
	client   *Client
	url      *url.URL
}

// NewProvider returns the shared part of a provider whose requests go to path.
func NewProvider(e llm.Endpoint, c *Client, path string) Provider {
	return Provider{endpoint: e, client: c, url: c.URL(path)}
}

// Name returns the configured name.
func (p *Provider) Name() string { return p.endpoint.Name }

// DefaultModel returns the configured default model.
func (p *Provider) DefaultModel() string { return p.endpoint.DefaultModel }

// String shows the provider without its secrets.
func (p *Provider) String() string { return p.endpoint.String() }

// Location is where the requests go; see [llm.Locator].
func (p *Provider) Location() string { return p.url.Scheme + "://" + p.url.Host + p.url.Path }

// GoString is String, for %#v.
func (p *Provider) GoString() string { return p.endpoint.String() }

// Encode renders a request in a wire format.
type Encode = func(*llm.Request) ([]byte, error)

// Ask sends a request once, in a format that encode and decode know. Errors name
// the provider and the model.
func Ask(ctx context.Context, p *Provider, req *llm.Request, encode Encode, decode func(*Reply) (*llm.Response, error)) (*llm.Response, error) {
	return AskAt(ctx, p, p.url, req, encode, decode)
}

// AskAt is Ask for formats whose URL depends on the request.
func AskAt(ctx context.Context, p *Provider, to *url.URL, req *llm.Request, encode Encode, decode func(*Reply) (*llm.Response, error)) (*llm.Response, error) {
	body, err := encode(req)
	if err != nil {
		return nil, Named(err, p.Name(), req.Model)
	}
	reply, err := p.client.Post(ctx, to, body)
	if err != nil {
		return nil, Named(err, p.Name(), req.Model)
	}
	resp, err := decode(reply)
	return resp, Named(err, p.Name(), req.Model)
}

// Open sends a request whose reply comes as a stream. Errors name the provider
// and the model.
func Open(ctx context.Context, p *Provider, req *llm.Request, encode Encode, how Encoding) (*Incoming, error) {
	return OpenAt(ctx, p, p.url, req, encode, how)
}

// OpenAt is Open for formats whose URL depends on the request.
func OpenAt(ctx context.Context, p *Provider, to *url.URL, req *llm.Request, encode Encode, how Encoding) (*Incoming, error) {
	body, err := encode(req)
	if err != nil {
		return nil, Named(err, p.Name(), req.Model)
	}
	in, err := p.client.Open(ctx, to, body, how)
	return in, Named(err, p.Name(), req.Model)
}

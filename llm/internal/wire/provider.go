package wire

import (
	"context"
	"errors"
	"net/url"
	"strings"

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
	return ask(p, req, encode, func(body []byte) (*llm.Response, error) {
		reply, err := p.client.Post(ctx, to, body)
		if err != nil {
			return nil, err
		}
		return decode(reply)
	})
}

// Open sends a request whose reply comes as a stream. Errors name the provider
// and the model.
func Open(ctx context.Context, p *Provider, req *llm.Request, encode Encode, how Encoding) (*Incoming, error) {
	return OpenAt(ctx, p, p.url, req, encode, how)
}

// OpenAt is Open for formats whose URL depends on the request.
func OpenAt(ctx context.Context, p *Provider, to *url.URL, req *llm.Request, encode Encode, how Encoding) (*Incoming, error) {
	return ask(p, req, encode, func(body []byte) (*Incoming, error) { return p.client.Open(ctx, to, body, how) })
}

// ask encodes and sends a request. A model that knows no reasoning effort is asked
// again without.
func ask[T any](p *Provider, req *llm.Request, encode Encode, send func(body []byte) (T, error)) (answer T, err error) {
	for {
		body, err := encode(req)
		if err == nil {
			answer, err = send(body)
		}
		if !refusesEffort(req, err) {
			return answer, Named(err, p.Name(), req.Model)
		}
		plain := *req
		plain.ReasoningEffort = ""
		req = &plain
	}
}

// refusesEffort reports an error about the effort as such. One about its value,
// which lists those it takes, is for the caller.
func refusesEffort(req *llm.Request, err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	if !ok || req.ReasoningEffort == "" || e.Kind != llm.KindBadRequest || e.Status == 0 {
		return false
	}
	text := strings.ToLower(e.Message + e.Body)
	for _, word := range [...]string{"effort", "think", "output_config"} {
		if strings.Contains(text, word) {
			return !strings.Contains(text, "supported values are")
		}
	}
	return false
}

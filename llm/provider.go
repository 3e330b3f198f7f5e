package llm

import (
	"context"
	"fmt"
	"net/http"
)

// Provider sends requests in one wire format to one place.
//
// It makes one attempt, honours the context, and returns an [*Error] when it
// fails; any other error becomes one of [KindOther]. It must be safe for use
// by several goroutines.
type Provider interface {
	// Name is the name that errors, logs and accounts use.
	Name() string
	// DefaultModel is used when neither entry nor request has a model; "" is none.
	DefaultModel() string
	Complete(ctx context.Context, req *Request) (*Response, error)
}

// LocalProvider is a provider that runs the caller's own code, such as one
// written in a script. It is called on the caller's goroutine outside of
// [Env.Block], and releases locks by itself where it waits.
type LocalProvider interface {
	Provider
	Local()
}

// Endpoint is where a provider is and how to talk to it. It prints without
// its secrets.
type Endpoint struct {
	Name         string // for errors and logs, such as "openai"
	BaseURL      string // http or https, without user and password
	APIKey       string // "" sends none
	DefaultModel string
	// Header is added to every request and replaces headers of the same name.
	Header http.Header
	// Client makes the requests; nil is one like http.DefaultClient. Its
	// redirect policy is asked after the provider's own, which follows none
	// that leaves the origin.
	Client *http.Client
	// MaxResponse bounds a reply, in bytes after decompression; 0 is 32 MiB.
	MaxResponse int64
}

// String shows the endpoint without its key and its headers.
func (e Endpoint) String() string { return fmt.Sprintf("%s at %s", e.Name, origin(e.BaseURL)) }

// GoString is String, for %#v.
func (e Endpoint) GoString() string { return e.String() }

// Missing returns a provider that stands in a chain for one that is not
// configured: every call fails with the reason, and the chain moves on.
func Missing(name, reason string) Provider { return missing{name, reason} }

type missing struct{ name, reason string }

func (m missing) Name() string         { return m.name }
func (m missing) DefaultModel() string { return "" }
func (m missing) Complete(context.Context, *Request) (*Response, error) {
	return nil, &Error{Kind: KindAuth, Provider: m.name, Message: m.reason}
}

package wire

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/gosema/gosema/llm"
)

const (
	defaultMaxResponse = 32 << 20
	maxRedirects       = 5
)

// Client sends requests to one endpoint.
type Client struct {
	base   *url.URL
	http   *http.Client
	header http.Header
	scrub  scrubber
	limit  int64
}

// New checks an endpoint and returns its client. Auth are the headers of the
// dialect: those with the key, and its version.
func New(e llm.Endpoint, auth http.Header) (*Client, error) {
	base, err := parseBase(e.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	header := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"gosema"}}
	for _, more := range []http.Header{auth, e.Header} {
		for name, values := range more {
			if strings.Trim(name, headerChars) != "" || name == "" {
				return nil, fmt.Errorf("%s: %q cannot be the name of a header", e.Name, name)
			}
			if strings.ContainsFunc(strings.Join(values, ""), isControl) {
				return nil, fmt.Errorf("%s: the key or header %s has a line break or another control character in it", e.Name, name)
			}
			header[http.CanonicalHeaderKey(name)] = values
		}
	}
	if e.MaxResponse <= 0 {
		e.MaxResponse = defaultMaxResponse
	}
	return &Client{
		base: base, http: withinOrigin(e.Client), header: header,
		scrub: newScrubber(e.APIKey, header), limit: e.MaxResponse,
	}, nil
}

// headerChars are what names of headers are made of (a token of RFC 9110).
const headerChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~"

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

func parseBase(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil: // its text quotes the URL, which may hold a secret
		return nil, errors.New("the base URL cannot be read")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, errors.New("the base URL must begin with http:// or https:// and name a host")
	case u.User != nil:
		return nil, errors.New("the base URL must not hold a user or password")
	}
	if u.Path == "" {
		u.Path = "/" // so that what is joined to it is not relative
	}
	return u, nil
}

// URL is the base URL with a path joined to it.
func (c *Client) URL(path string) *url.URL { return c.base.JoinPath(path) }

// HasSuffix reports whether the base URL's path ends in suffix.
func (c *Client) HasSuffix(suffix string) bool {
	return strings.HasSuffix(strings.TrimRight(c.base.Path, "/"), suffix)
}

// Host is the host of the base URL, without the port.
func (c *Client) Host() string { return c.base.Hostname() }

// withinOrigin copies a client so that it follows only redirects that stay at
// the origin: headers with keys, and the prompt, go nowhere else.
func withinOrigin(client *http.Client) *http.Client {
	var own http.Client
	if client != nil {
		own = *client
	}
	theirs := own.CheckRedirect
	own.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		from := via[0]
		if req.URL.Scheme != from.URL.Scheme || req.URL.Host != from.URL.Host ||
			req.Method != from.Method || len(via) > maxRedirects {
			return http.ErrUseLastResponse
		}
		if theirs != nil {
			return theirs(req, via)
		}
		return nil
	}
	return &own
}

// Reply is a complete response with a good status.
type Reply struct {
	Status int
	Body   []byte
	// unframed: only the end of the connection ended the body, so that a cut
	// cannot be told from the end.
	unframed bool
}

// Post sends a body, made by a [Writer], and reads the whole reply. Every
// failure, also a bad status, is an [*llm.Error].
func (c *Client) Post(ctx context.Context, to *url.URL, body []byte) (*Reply, error) {
	resp, err := c.http.Do(c.request(ctx, to, body))
	if err != nil {
		return nil, c.transportError(ctx, err)
	}
	defer resp.Body.Close()
	raw, err := readBody(resp, c.limit)
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, c.statusError(resp.StatusCode, resp.Header, raw)
	}
	if err != nil {
		return nil, c.bodyError(ctx, resp.StatusCode, err)
	}
	return &Reply{
		Status: resp.StatusCode, Body: raw,
		unframed: resp.ContentLength < 0 && !resp.Uncompressed && len(resp.TransferEncoding) == 0 && resp.ProtoMajor == 1,
	}, nil
}

// request is what http.NewRequestWithContext makes, without a URL to parse or
// headers to check, which was done once for all requests.
func (c *Client) request(ctx context.Context, to *url.URL, body []byte) *http.Request {
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req := &http.Request{
		Method: http.MethodPost, URL: to, Host: to.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        maps.Clone(c.header), // a transport of the caller's may write to it
		ContentLength: int64(len(body)), GetBody: open,
	}
	if len(body) > 0 {
		req.Body, _ = open()
	} else {
		req.Body = http.NoBody
	}
	return req.WithContext(ctx)
}

// errTooLarge is the error of a body beyond the limit.
type errTooLarge int64

func (e errTooLarge) Error() string {
	return fmt.Sprintf("the reply is larger than the limit of %d bytes", int64(e))
}

// readBody reads a body up to the limit, and unpacks one that is gzip whether
// or not its header says so.
func readBody(resp *http.Response, limit int64) ([]byte, error) {
	raw, err := readUpTo(resp.Body, limit, resp.ContentLength)
	if err == nil && bytes.HasPrefix(raw, []byte{0x1f, 0x8b, 8}) {
		return gunzip(raw, limit)
	}
	return raw, err
}

func gunzip(raw []byte, limit int64) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return raw, nil // it only began like gzip
	}
	return readUpTo(r, limit, -1)
}

// readUpTo reads everything, sizing its buffer by the length that was
// announced, as far as that can be believed.
func readUpTo(r io.Reader, limit, announced int64) ([]byte, error) {
	var buf bytes.Buffer
	if announced > 0 {
		buf.Grow(int(min(announced, limit, 1<<20)) + bytes.MinRead)
	}
	_, err := buf.ReadFrom(io.LimitReader(r, limit+1))
	if int64(buf.Len()) > limit {
		return buf.Bytes()[:limit], errTooLarge(limit)
	}
	return buf.Bytes(), err
}

// Decode reads a reply into v. Usage of an unknown shape is unknown usage, not
// an error; see [Count].
func (c *Client) Decode(reply *Reply, v any) error {
	err := json.Unmarshal(reply.Body, v)
	if mismatch, ok := err.(*json.UnmarshalTypeError); ok && strings.HasPrefix(mismatch.Field, "usage") {
		err = nil // the rest was read
	}
	if err == nil {
		return nil
	}
	if reply.unframed && isCut(err) {
		return c.cutError(err)
	}
	return c.ParseError(reply, "the reply is not what was expected: "+err.Error())
}

// isCut reports a JSON error that more bytes could have prevented.
func isCut(err error) bool {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	return ok && strings.HasPrefix(syntax.Error(), "unexpected end")
}

// ParseError is the error of a complete reply that makes no sense.
func (c *Client) ParseError(reply *Reply, what string) *llm.Error {
	body := c.scrub.text(string(reply.Body))
	return &llm.Error{
		Kind: llm.KindParse, Status: reply.Status, Body: bounded(body),
		Message: c.scrub.text(what) + ": " + snippet(body),
	}
}

package wire

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/url"

	"github.com/gosema/gosema/llm"
)

// Incoming is a response with a good status whose body is still on its way.
type Incoming struct {
	*Events
	Status int
	client *Client
	ctx    context.Context
	body   io.ReadCloser
	// whole is the body of a server that sent one JSON document instead.
	whole *Reply
}

// Open sends a body and returns as soon as the response's head is there. Every
// failure, also a bad status, is an [*llm.Error].
func (c *Client) Open(ctx context.Context, to *url.URL, body []byte) (*Incoming, error) {
	resp, err := c.http.Do(c.request(ctx, to, body))
	if err != nil {
		return nil, c.transportError(ctx, err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		defer resp.Body.Close()
		raw, _ := readBody(resp, c.limit)
		return nil, c.statusError(resp.StatusCode, resp.Header, raw)
	}
	in := &Incoming{Status: resp.StatusCode, client: c, ctx: ctx, body: resp.Body}
	if err := in.begin(resp); err != nil {
		resp.Body.Close()
		return nil, err
	}
	return in, nil
}

// begin looks at the first byte: no stream of events begins with a bracket, but
// errors do, and replies of servers that do not stream.
func (in *Incoming) begin(resp *http.Response) error {
	r := bufio.NewReader(resp.Body)
	in.Events = &Events{r: r, limit: int(min(in.client.limit, 1<<30))}
	head, err := firstByte(r)
	switch {
	case err != nil && err != io.EOF:
		return in.client.bodyError(in.ctx, resp.StatusCode, err)
	case head != '{' && head != '[':
		return nil
	}
	raw, err := readUpTo(r, in.client.limit, resp.ContentLength)
	if err != nil {
		return in.client.bodyError(in.ctx, resp.StatusCode, err)
	}
	in.whole = &Reply{Status: resp.StatusCode, Body: raw}
	return nil
}

// firstByte is the first byte that is no blank; it stays to be read.
func firstByte(r *bufio.Reader) (byte, error) {
	for n := 1; ; n++ {
		head, err := r.Peek(n)
		if len(head) < n {
			return 0, err
		}
		switch b := head[n-1]; b {
		case ' ', '\t', '\r', '\n':
		default:
			return b, nil
		}
		if n == 1024 {
			return 0, nil
		}
	}
}

// Whole is the reply of a server that did not stream, nil if it does.
func (in *Incoming) Whole() *Reply { return in.whole }

// Next returns the next event; io.EOF at the end of the body, and an
// [*llm.Error] for all else.
func (in *Incoming) Next() (event string, data []byte, err error) {
	event, data, err = in.Events.Next()
	if err != nil && err != io.EOF {
		err = in.readError(err)
	}
	return event, data, err
}

func (in *Incoming) readError(err error) *llm.Error {
	if long, ok := err.(errLongEvent); ok {
		return &llm.Error{Kind: llm.KindParse, Status: in.Status, Message: long.Error(), Cause: err}
	}
	return in.client.bodyError(in.ctx, in.Status, err)
}

// Failure maps an error that came as an event.
func (in *Incoming) Failure(data []byte) *llm.Error {
	return in.client.Failure(&Reply{Status: in.Status, Body: data})
}

// Bad is the error of an event that makes no sense.
func (in *Incoming) Bad(data []byte, what string) *llm.Error {
	return in.client.ParseError(&Reply{Status: in.Status, Body: data}, what)
}

// Truncated is the error of a stream that ended before the reply did.
func (in *Incoming) Truncated() *llm.Error {
	return &llm.Error{Kind: llm.KindStreamTruncated, Retryable: true, Message: "the stream ended before the reply was complete"}
}

// Close ends the request.
func (in *Incoming) Close() { in.body.Close() }

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
	lines bool // of JSON instead of events
}

// Encoding is how the parts of a stream are told apart.
type Encoding bool

// The encodings.
const (
	AsEvents Encoding = false // server-sent events
	AsLines  Encoding = true  // lines, each a JSON document
)

// Open sends a body and returns as soon as the response's head is there. Every
// failure, also a bad status, is an [*llm.Error].
func (c *Client) Open(ctx context.Context, to *url.URL, body []byte, how Encoding) (*Incoming, error) {
	resp, err := c.http.Do(c.request(ctx, to, body))
	if err != nil {
		return nil, c.transportError(ctx, err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		defer resp.Body.Close()
		raw, _ := readBody(resp, c.limit)
		return nil, c.statusError(resp.StatusCode, resp.Header, raw)
	}
	in := &Incoming{Status: resp.StatusCode, client: c, ctx: ctx, body: resp.Body, lines: bool(how)}
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
	if in.lines {
		return nil
	}
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

// Next returns the next event, or line; io.EOF at the end of the body, and an
// [*llm.Error] for all else.
func (in *Incoming) Next() (event string, data []byte, err error) {
	if in.lines {
		data, err = in.Events.NextLine()
	} else {
		event, data, err = in.Events.Next()
	}
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

// Failure maps an error that came as an event. One that does not say what it is
// came from a server that had taken the request, so that it may pass.
func (in *Incoming) Failure(data []byte) *llm.Error {
	e := in.client.Failure(&Reply{Status: in.Status, Body: data})
	e.Retryable = e.Retryable || e.Kind == llm.KindServer
	return e
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

// Format reads the events of one wire format.
type Format interface {
	// Take reads an event: a piece of the text, whether it said anything of the
	// reply's content, and whether it was the last.
	Take(data []byte) (piece string, progress, last bool, err error)
	// Finished reports whether the reply is complete although no event said so.
	Finished() bool
	// Response is the reply as far as it has come.
	Response() *llm.Response
	// Blocked says why a filter stopped the reply, "" if none did.
	Blocked() string
	// Decode reads the reply of a server that did not stream.
	Decode(*Reply) (*llm.Response, error)
}

// Stream is an [llm.Stream] of events of a format.
type Stream struct {
	*Incoming
	format Format
	p      *Provider
	model  string        // as requested, for errors
	reply  *llm.Response // of a server that did not stream
	ended  bool
}

// NewStream returns the stream of what came in for a request.
func NewStream(in *Incoming, p *Provider, req *llm.Request, f Format) *Stream {
	return &Stream{Incoming: in, format: f, p: p, model: req.Model}
}

// Response is the reply as far as it has come.
func (s *Stream) Response() *llm.Response {
	if s.whole == nil {
		return s.format.Response()
	}
	if s.reply == nil {
		return &llm.Response{Status: s.Status}
	}
	return s.reply
}

// Next returns the next piece of text. Errors name the provider and the model.
func (s *Stream) Next() (string, error) {
	piece, err := s.next()
	if err != io.EOF {
		err = Named(err, s.p.Name(), s.model)
	}
	return piece, err
}

func (s *Stream) next() (string, error) {
	switch {
	case s.ended:
		return "", io.EOF
	case s.whole != nil:
		reply, err := s.format.Decode(s.whole)
		if err != nil {
			return "", err
		}
		s.reply, s.ended = reply, true
		return reply.Text, nil
	}
	for {
		_, data, err := s.Incoming.Next()
		if err == io.EOF {
			return "", s.end(s.format.Finished())
		}
		if err != nil {
			return "", err
		}
		piece, progress, last, err := s.format.Take(data)
		switch {
		case err != nil && s.cutOff(err):
			return "", s.Truncated()
		case err != nil:
			return "", err
		case last:
			return "", s.end(true)
		case progress:
			return piece, nil
		}
	}
}

// cutOff reports whether an event makes no sense because the body ended within it.
func (s *Stream) cutOff(err error) bool {
	e, ok := err.(*llm.Error)
	return ok && e.Kind == llm.KindParse && s.Events.cut
}

// end is the end of the stream, which must be that of the reply.
func (s *Stream) end(complete bool) error {
	if !complete {
		return s.Truncated()
	}
	s.ended = true
	if why := s.format.Blocked(); why != "" {
		return Blocked(s.format.Response(), why)
	}
	return io.EOF
}

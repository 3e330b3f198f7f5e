package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// Open sends the request, for a reply that comes as a stream. A server that does
// not know stream_options is asked again without: its usage is unknown then.
func (p *Provider) Open(ctx context.Context, req *llm.Request) (llm.Stream, error) {
	in, err := wire.Open(ctx, &p.shared, req, func(r *llm.Request) ([]byte, error) { return p.render(r, streamUsage) })
	if refusesUsage(err) {
		in, err = wire.Open(ctx, &p.shared, req, func(r *llm.Request) ([]byte, error) { return p.render(r, streamed) })
	}
	if err != nil {
		return nil, err
	}
	s := &stream{p: p, in: in, model: req.Model}
	s.reply = llm.Response{Provider: p.Name(), Model: req.Model, Status: in.Status}
	return s, nil
}

func refusesUsage(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	return ok && e.Kind == llm.KindBadRequest && strings.Contains(e.Message+e.Body, "stream_options")
}

// stream is a reply on its way.
type stream struct {
	p      *Provider
	in     *wire.Incoming
	model  string // as requested, for errors
	reply  llm.Response
	text   strings.Builder
	calls  []partialCall
	finish string
	refuse bool
	ended  bool
}

// partialCall is a tool call whose arguments come in pieces.
type partialCall struct {
	index     int // the server's number, or one of ours below zero
	id, name  string
	arguments strings.Builder
}

type chunk struct {
	Model   string          `json:"model"`
	Choices []chunkChoice   `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type chunkChoice struct {
	Delta        delta           `json:"delta"`
	FinishReason string          `json:"finish_reason"`
	Error        json.RawMessage `json:"error"`
}

type delta struct {
	Content   content     `json:"content"`
	Refusal   string      `json:"refusal"`
	ToolCalls []callDelta `json:"tool_calls"`
}

type callDelta struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

func (s *stream) Close() { s.in.Close() }

// Response is the reply as far as it has come.
func (s *stream) Response() *llm.Response {
	reply := s.reply
	if s.in.Whole() != nil {
		return &reply
	}
	reply.Text = s.text.String()
	answer := &answer{ToolCalls: make([]call, len(s.calls))}
	for i := range s.calls {
		c := &s.calls[i]
		if c.id == "" {
			c.id = wire.CallID([]byte(c.name+c.arguments.String()), i)
		}
		reply.ToolCalls = append(reply.ToolCalls, llm.ToolCall{ID: c.id, Name: c.name, Arguments: wire.Arguments([]byte(c.arguments.String()))})
	}
	if s.refuse {
		answer.Refusal = reply.Text
	}
	reply.StopReason = stopReason(choice{Message: answer, FinishReason: s.finish})
	return &reply
}

// Next returns the next piece of text.
func (s *stream) Next() (string, error) {
	piece, err := s.next()
	if err != nil && err != io.EOF {
		err = wire.Named(err, s.p.Name(), s.model)
	}
	return piece, err
}

func (s *stream) next() (string, error) {
	if s.ended {
		return "", io.EOF
	}
	if whole := s.in.Whole(); whole != nil {
		return s.takeWhole(whole)
	}
	for {
		_, data, err := s.in.Next()
		if err == io.EOF {
			return "", s.end(s.finish != "")
		}
		if err != nil {
			return "", err
		}
		if bytes.Equal(bytes.TrimSpace(data), []byte("[DONE]")) {
			return "", s.end(true)
		}
		piece, progress, err := s.take(data)
		if err != nil || progress {
			return piece, err
		}
	}
}

// takeWhole is the reply of a server that did not stream.
func (s *stream) takeWhole(whole *wire.Reply) (string, error) {
	reply, err := s.p.decode(whole)
	if err != nil {
		return "", err
	}
	s.reply, s.ended = *reply, true
	return reply.Text, nil
}

// end is the end of the stream, which must be that of the reply.
func (s *stream) end(complete bool) error {
	if !complete {
		return s.in.Truncated()
	}
	s.ended = true
	if s.finish == "content_filter" {
		return wire.Blocked(s.Response(), "the reply was blocked by the content filter")
	}
	return io.EOF
}

// take reads one chunk. Progress is false for one that says nothing of the
// reply's content.
func (s *stream) take(data []byte) (piece string, progress bool, err error) {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		if mismatch, ok := err.(*json.UnmarshalTypeError); !ok || !strings.HasPrefix(mismatch.Field, "usage") {
			return "", false, s.in.Bad(data, "an event of the stream cannot be read: "+err.Error())
		}
	}
	if isSet(c.Error) {
		return "", false, s.in.Failure(data)
	}
	if c.Model != "" {
		s.reply.Model = c.Model
	}
	if u := usageOf(c.Usage); u != nil {
		s.reply.Usage = u
	}
	if len(c.Choices) == 0 {
		return "", false, nil
	}
	first := c.Choices[0]
	if isSet(first.Error) {
		return "", false, s.in.Failure(wrapped(first.Error))
	}
	if first.FinishReason != "" {
		s.finish = first.FinishReason
	}
	for _, d := range first.Delta.ToolCalls {
		s.takeCall(d)
	}
	piece = string(first.Delta.Content) + first.Delta.Refusal
	s.refuse = s.refuse || first.Delta.Refusal != ""
	s.text.WriteString(piece)
	return piece, piece != "" || len(first.Delta.ToolCalls) > 0, nil
}

// takeCall joins a piece of a tool call to those before it: by its number, by
// its id, and a piece with neither goes to the call that came last.
func (s *stream) takeCall(d callDelta) {
	c := s.callOf(d)
	if d.ID != "" {
		c.id = d.ID
	}
	if d.Function.Name != "" {
		c.name = d.Function.Name
	}
	var text string
	if json.Unmarshal(d.Function.Arguments, &text) != nil { // an object, of servers that send it whole
		text = string(d.Function.Arguments)
	}
	c.arguments.WriteString(text)
}

func (s *stream) callOf(d callDelta) *partialCall {
	for i := range s.calls {
		c := &s.calls[i]
		if d.Index != nil && c.index == *d.Index || d.Index == nil && d.ID != "" && c.id == d.ID {
			return c
		}
	}
	if n := len(s.calls); n > 0 && d.Index == nil && d.ID == "" && d.Function.Name == "" {
		return &s.calls[n-1]
	}
	index := -len(s.calls) - 1
	if d.Index != nil {
		index = *d.Index
	}
	s.calls = append(s.calls, partialCall{index: index})
	return &s.calls[len(s.calls)-1]
}

package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// Open sends the request, for a reply that comes as a stream. A server that does
// not know stream_options is asked again without: its usage is unknown then.
func (p *Provider) Open(ctx context.Context, req *llm.Request) (llm.Stream, error) {
	in, err := wire.Open(ctx, &p.shared, req, func(r *llm.Request) ([]byte, error) { return p.render(r, streamUsage) }, wire.AsEvents)
	if refusesUsage(err) {
		in, err = wire.Open(ctx, &p.shared, req, func(r *llm.Request) ([]byte, error) { return p.render(r, streamed) }, wire.AsEvents)
	}
	if err != nil {
		return nil, err
	}
	f := &format{p: p, in: in}
	f.reply = llm.Response{Provider: p.Name(), Model: req.Model, Status: in.Status}
	return wire.NewStream(in, &p.shared, req, f), nil
}

func refusesUsage(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	return ok && e.Kind == llm.KindBadRequest && strings.Contains(e.Message+e.Body, "stream_options")
}

// format is a reply on its way: chunks with deltas.
type format struct {
	p      *Provider
	in     *wire.Incoming
	reply  llm.Response
	text   strings.Builder
	calls  []*partialCall // by pointer: a builder must not move
	finish string
	refuse bool

	choices []chunkChoice // for the next chunk
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

// Decode reads the reply of a server that did not stream.
func (f *format) Decode(reply *wire.Reply) (*llm.Response, error) { return f.p.decode(reply) }

// Finished is true behind a finish reason: compatible servers forget "[DONE]".
func (f *format) Finished() bool { return f.finish != "" }

// Blocked says whether the content filter stopped the reply.
func (f *format) Blocked() string {
	if f.finish == "content_filter" {
		return "the reply was blocked by the content filter"
	}
	return ""
}

// Response is the reply as far as it has come.
func (f *format) Response() *llm.Response {
	reply := f.reply
	reply.Text = f.text.String()
	answer := &answer{ToolCalls: make([]call, len(f.calls))}
	for i, c := range f.calls {
		if c.id == "" {
			c.id = wire.CallID([]byte(c.name+c.arguments.String()), i)
		}
		reply.ToolCalls = append(reply.ToolCalls, llm.ToolCall{ID: c.id, Name: c.name, Arguments: wire.Arguments([]byte(c.arguments.String()))})
	}
	if f.refuse {
		answer.Refusal = reply.Text
	}
	reply.StopReason = stopReason(choice{Message: answer, FinishReason: f.finish})
	return &reply
}

// Take reads one chunk.
func (f *format) Take(data []byte) (piece string, progress, last bool, err error) {
	if bytes.Equal(bytes.TrimSpace(data), []byte("[DONE]")) {
		return "", false, true, nil
	}
	piece, progress, err = f.take(data)
	return piece, progress, false, err
}

// take reads one chunk. Progress is false for one that says nothing of the
// reply's content.
func (f *format) take(data []byte) (piece string, progress bool, err error) {
	c := chunk{Model: f.reply.Model, Choices: f.choices[:0]}
	if c.read(wire.NewReader(data)) {
		f.choices = c.Choices
	} else if err := f.decode(data, &c); err != nil {
		if mismatch, ok := err.(*json.UnmarshalTypeError); !ok || !strings.HasPrefix(mismatch.Field, "usage") {
			return "", false, f.in.Bad(data, "an event of the stream cannot be read: "+err.Error())
		}
	}
	if isSet(c.Error) {
		return "", false, f.in.Failure(data)
	}
	if c.Model != "" {
		f.reply.Model = c.Model
	}
	if u := usageOf(c.Usage); u != nil {
		f.reply.Usage = u
	}
	if len(c.Choices) == 0 {
		return "", false, nil
	}
	first := c.Choices[0]
	if isSet(first.Error) {
		return "", false, f.in.Failure(wrapped(first.Error))
	}
	if failure := broken(first.FinishReason); failure != nil {
		return "", false, f.in.Failure(failure)
	}
	if first.FinishReason != "" {
		f.finish = first.FinishReason
	}
	for _, d := range first.Delta.ToolCalls {
		f.takeCall(d)
	}
	piece = string(first.Delta.Content) + first.Delta.Refusal
	f.refuse = f.refuse || first.Delta.Refusal != ""
	f.text.WriteString(piece)
	return piece, piece != "" || len(first.Delta.ToolCalls) > 0, nil
}

// decode reads a chunk that is not of the usual shape.
func (f *format) decode(data []byte, c *chunk) error {
	*c = chunk{}
	return json.Unmarshal(data, c)
}

// takeCall joins a piece of a tool call to those before it: by its number, by
// its id, and a piece with neither goes to the call that came last.
func (f *format) takeCall(d callDelta) {
	c := f.callOf(d)
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

func (f *format) callOf(d callDelta) *partialCall {
	for i := len(f.calls) - 1; i >= 0; i-- {
		c := f.calls[i]
		if d.Index != nil && c.index == *d.Index && !d.startsAfter(c) || d.Index == nil && d.ID != "" && c.id == d.ID {
			return c
		}
	}
	if n := len(f.calls); n > 0 && d.Index == nil && d.ID == "" && d.Function.Name == "" {
		return f.calls[n-1]
	}
	index := -len(f.calls) - 1
	if d.Index != nil {
		index = *d.Index
	}
	c := &partialCall{index: index}
	f.calls = append(f.calls, c)
	return c
}

// startsAfter reports that d begins another call than c, although both have one
// number: some servers give all calls the number 0.
func (d *callDelta) startsAfter(c *partialCall) bool {
	return d.ID != "" && c.id != "" && d.ID != c.id && d.Function.Name != ""
}

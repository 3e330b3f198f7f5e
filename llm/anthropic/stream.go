package anthropic

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// Open sends the request, for a reply that comes as a stream.
func (p *Provider) Open(ctx context.Context, req *llm.Request) (llm.Stream, error) {
	in, err := wire.Open(ctx, &p.shared, req, func(r *llm.Request) ([]byte, error) { return p.render(r, true) }, wire.AsEvents)
	if err != nil {
		return nil, err
	}
	f := &format{p: p, in: in}
	f.reply = llm.Response{Provider: p.Name(), Model: req.Model, Status: in.Status}
	return wire.NewStream(in, &p.shared, req, f), nil
}

// format is a reply on its way: a sequence of content blocks.
type format struct {
	p      *Provider
	in     *wire.Incoming
	reply  llm.Response
	text   strings.Builder
	blocks []*block // by pointer: a builder must not move
	usage  usage
	stop   string
}

// block is a tool use whose input comes in pieces.
type block struct {
	index    int
	id, name string
	input    strings.Builder
}

type event struct {
	Type    string          `json:"type"`
	Index   int             `json:"index"`
	Message reply           `json:"message"`
	Block   content         `json:"content_block"`
	Delta   eventDelta      `json:"delta"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type eventDelta struct {
	Type       string `json:"type"`
	Text       string `json:"text"`
	JSON       string `json:"partial_json"`
	StopReason string `json:"stop_reason"`
}

// Decode reads the reply of a server that did not stream.
func (f *format) Decode(reply *wire.Reply) (*llm.Response, error) { return f.p.decode(reply) }

// Finished is true behind a stop reason.
func (f *format) Finished() bool { return f.stop != "" }

// Blocked says whether the model's safety check stopped the reply.
func (f *format) Blocked() string {
	if stopReason(f.stop) == llm.StopFilter {
		return "the model's safety check refused the request"
	}
	return ""
}

// Response is the reply as far as it has come.
func (f *format) Response() *llm.Response {
	reply := f.reply
	reply.Text = f.text.String()
	reply.StopReason = stopReason(f.stop)
	reply.Usage = usageOf(&f.usage)
	for i, b := range f.blocks {
		input := []byte(b.input.String())
		reply.ToolCalls = append(reply.ToolCalls, callOf(content{ID: b.id, Name: b.name, Input: input}, input, i))
	}
	return &reply
}

// Take reads one event.
func (f *format) Take(data []byte) (piece string, progress, last bool, err error) {
	var e event
	if !e.read(wire.NewReader(data)) {
		e = event{}
		if err := json.Unmarshal(data, &e); err != nil {
			return "", false, false, f.in.Bad(data, "an event of the stream cannot be read: "+err.Error())
		}
	}
	switch e.Type {
	case "error":
		return "", false, false, f.in.Failure(data)
	case "message_stop":
		return "", false, true, nil
	}
	piece, progress = f.take(&e)
	return piece, progress, false, nil
}

// take reads one event. Progress is false for one that says nothing of the
// reply's content.
func (f *format) take(e *event) (piece string, progress bool) {
	switch e.Type {
	case "message_start":
		if e.Message.Model != "" {
			f.reply.Model = e.Message.Model
		}
		f.count(e.Message.Usage)
	case "content_block_start":
		if e.Block.Type == "tool_use" {
			f.blocks = append(f.blocks, &block{index: e.Index, id: e.Block.ID, name: e.Block.Name})
			return "", true
		}
		return f.piece(e.Block.Text)
	case pieceOfContent:
		if e.Delta.Type == "input_json_delta" {
			f.input(e)
			return "", true
		}
		return f.piece(e.Delta.Text)
	case "message_delta":
		if e.Delta.StopReason != "" {
			f.stop = e.Delta.StopReason
		}
		f.count(e.Usage)
	}
	return "", false
}

func (f *format) piece(text string) (string, bool) {
	f.text.WriteString(text)
	return text, text != ""
}

// input joins a piece to the input of its block.
func (f *format) input(e *event) {
	for _, b := range f.blocks {
		if b.index == e.Index {
			b.input.WriteString(e.Delta.JSON)
		}
	}
}

// count takes the counts that an event has: the last one of each stands.
func (f *format) count(u *usage) {
	if u == nil {
		return
	}
	for _, c := range []struct{ to, from *wire.Count }{
		{&f.usage.Input, &u.Input}, {&f.usage.Output, &u.Output}, {&f.usage.CacheRead, &u.CacheRead}, {&f.usage.CacheWrite, &u.CacheWrite},
	} {
		if c.from.Known {
			*c.to = *c.from
		}
	}
}

package anthropic

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// Open sends the request, for a reply that comes as a stream.
func (p *Provider) Open(ctx context.Context, req *llm.Request) (llm.Stream, error) {
	in, err := wire.Open(ctx, &p.shared, req, func(r *llm.Request) ([]byte, error) { return p.render(r, true) })
	if err != nil {
		return nil, err
	}
	s := &stream{p: p, in: in, model: req.Model}
	s.reply = llm.Response{Provider: p.Name(), Model: req.Model, Status: in.Status}
	return s, nil
}

// stream is a reply on its way: a sequence of content blocks.
type stream struct {
	p      *Provider
	in     *wire.Incoming
	model  string // as requested, for errors
	reply  llm.Response
	text   strings.Builder
	blocks []block
	usage  usage
	stop   string
	ended  bool
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

func (s *stream) Close() { s.in.Close() }

// Response is the reply as far as it has come.
func (s *stream) Response() *llm.Response {
	reply := s.reply
	if s.in.Whole() != nil {
		return &reply
	}
	reply.Text = s.text.String()
	reply.StopReason = stopReason(s.stop)
	reply.Usage = usageOf(&s.usage)
	for i := range s.blocks {
		b := &s.blocks[i]
		reply.ToolCalls = append(reply.ToolCalls, callOf(content{ID: b.id, Name: b.name, Input: json.RawMessage(b.input.String())}, []byte(b.input.String()), i))
	}
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
			return "", s.end(s.stop != "")
		}
		if err != nil {
			return "", err
		}
		var e event
		if err := json.Unmarshal(data, &e); err != nil {
			return "", s.in.Bad(data, "an event of the stream cannot be read: "+err.Error())
		}
		switch e.Type {
		case "error":
			return "", s.in.Failure(data)
		case "message_stop":
			return "", s.end(true)
		}
		if piece, progress := s.take(&e); progress {
			return piece, nil
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
	if reply := s.Response(); reply.StopReason == llm.StopFilter {
		return wire.Blocked(reply, "the model's safety check refused the request")
	}
	return io.EOF
}

// take reads one event. Progress is false for one that says nothing of the
// reply's content.
func (s *stream) take(e *event) (piece string, progress bool) {
	switch e.Type {
	case "message_start":
		if e.Message.Model != "" {
			s.reply.Model = e.Message.Model
		}
		s.count(e.Message.Usage)
	case "content_block_start":
		if e.Block.Type == "tool_use" {
			s.blocks = append(s.blocks, block{index: e.Index, id: e.Block.ID, name: e.Block.Name})
			return "", true
		}
		return s.piece(e.Block.Text)
	case "content_block_delta":
		if e.Delta.Type == "input_json_delta" {
			s.input(e)
			return "", true
		}
		return s.piece(e.Delta.Text)
	case "message_delta":
		if e.Delta.StopReason != "" {
			s.stop = e.Delta.StopReason
		}
		s.count(e.Usage)
	}
	return "", false
}

func (s *stream) piece(text string) (string, bool) {
	s.text.WriteString(text)
	return text, text != ""
}

// input joins a piece to the input of its block.
func (s *stream) input(e *event) {
	for i := range s.blocks {
		if s.blocks[i].index == e.Index {
			s.blocks[i].input.WriteString(e.Delta.JSON)
		}
	}
}

// count takes the counts that an event has: the last one of each stands.
func (s *stream) count(u *usage) {
	if u == nil {
		return
	}
	for _, c := range []struct{ to, from *wire.Count }{
		{&s.usage.Input, &u.Input}, {&s.usage.Output, &u.Output}, {&s.usage.CacheRead, &u.CacheRead}, {&s.usage.CacheWrite, &u.CacheWrite},
	} {
		if c.from.Known {
			*c.to = *c.from
		}
	}
}

package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

type reply struct {
	Type       string    `json:"type"`
	Model      string    `json:"model"`
	Content    []content `json:"content"`
	StopReason string    `json:"stop_reason"`
	Usage      *usage    `json:"usage"`
}

type usage struct {
	Input      wire.Count `json:"input_tokens"`
	Output     wire.Count `json:"output_tokens"`
	CacheRead  wire.Count `json:"cache_read_input_tokens"`
	CacheWrite wire.Count `json:"cache_creation_input_tokens"`
}

type content struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// decode reads a complete reply.
func (p *Provider) decode(raw *wire.Reply) (*llm.Response, error) {
	var r reply
	if !r.read(wire.NewReader(raw.Body)) {
		r = reply{}
		if err := p.client.Decode(raw, &r); err != nil {
			return nil, err
		}
	}
	return p.respond(raw, &r)
}

func (p *Provider) respond(raw *wire.Reply, r *reply) (*llm.Response, error) {
	if r.Type == "error" {
		return nil, p.client.Failure(raw)
	}
	if r.Content == nil {
		return nil, p.client.ParseError(raw, "the reply has no content")
	}
	resp := &llm.Response{
		Provider: p.Name(), Model: r.Model, Status: raw.Status,
		StopReason: stopReason(r.StopReason), Usage: usageOf(r.Usage),
	}
	var text strings.Builder
	for i, c := range r.Content {
		switch c.Type {
		case "text":
			text.WriteString(c.Text)
		case "tool_use":
			resp.ToolCalls = append(resp.ToolCalls, callOf(c, raw.Body, i))
		}
	}
	resp.Text = text.String()
	if resp.StopReason == llm.StopFilter {
		return nil, wire.Blocked(resp, "the model's safety check refused the request")
	}
	return resp, nil
}

func callOf(c content, body []byte, n int) llm.ToolCall {
	if c.ID == "" {
		c.ID = wire.CallID(body, n)
	}
	return llm.ToolCall{ID: c.ID, Name: c.Name, Arguments: wire.Arguments(c.Input)}
}

func stopReason(word string) llm.StopReason {
	switch word {
	case "end_turn", "stop_sequence", "":
		return llm.StopEnd
	case "max_tokens", "model_context_window_exceeded":
		return llm.StopLength
	case "tool_use":
		return llm.StopTools
	case "refusal":
		return llm.StopFilter
	}
	return llm.StopReason(word)
}

// usageOf reads the counts; what cannot be read is unknown, not zero.
func usageOf(u *usage) *llm.Usage {
	if u == nil || !u.Input.Known && !u.Output.Known {
		return nil
	}
	return &llm.Usage{
		InputTokens: u.Input.N, OutputTokens: u.Output.N,
		CacheReadTokens: u.CacheRead.N, CacheWriteTokens: u.CacheWrite.N,
	}
}

package ollama

import (
	"encoding/json"
	"strings"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// line is a complete reply, or a line of one that comes as a stream.
type line struct {
	Model   string `json:"model"`
	Message *struct {
		Content   string `json:"content"`
		ToolCalls []call `json:"tool_calls"`
	} `json:"message"`
	Done       bool            `json:"done"`
	DoneReason string          `json:"done_reason"`
	Prompt     wire.Count      `json:"prompt_eval_count"`
	Output     wire.Count      `json:"eval_count"`
	Error      json.RawMessage `json:"error"`
}

type call struct {
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// decode reads a complete reply.
func (p *Provider) decode(raw *wire.Reply) (*llm.Response, error) {
	f := &format{p: p}
	f.reply = llm.Response{Provider: p.Name(), Status: raw.Status}
	var l line
	if err := p.client.Decode(raw, &l); err != nil {
		return nil, err
	}
	if isSet(l.Error) {
		return nil, p.client.Failure(raw)
	}
	if l.Message == nil {
		return nil, p.client.ParseError(raw, "the reply has no message")
	}
	f.take(&l)
	return f.Response(), nil
}

func isSet(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// format is a reply on its way: lines with parts of the message.
type format struct {
	p      *Provider
	in     *wire.Incoming // nil for a complete reply
	reply  llm.Response
	text   strings.Builder
	reason string
	done   bool
}

// Decode reads the reply of a server that did not stream.
func (f *format) Decode(raw *wire.Reply) (*llm.Response, error) { return f.p.decode(raw) }

// Finished is true behind the line that says so.
func (f *format) Finished() bool { return f.done }

// Blocked is never: these servers have no filter.
func (f *format) Blocked() string { return "" }

// Response is the reply as far as it has come.
func (f *format) Response() *llm.Response {
	r := f.reply
	r.Text = f.text.String()
	switch {
	case f.reason == "length":
		r.StopReason = llm.StopLength
	case len(r.ToolCalls) > 0:
		r.StopReason = llm.StopTools
	case f.reason == "":
		r.StopReason = llm.StopEnd
	default:
		r.StopReason = llm.StopReason(f.reason)
	}
	return &r
}

// Take reads one line. The last may have the tool calls.
func (f *format) Take(data []byte) (piece string, progress, last bool, err error) {
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		return "", false, false, f.in.Bad(data, "a line of the stream cannot be read: "+err.Error())
	}
	if isSet(l.Error) {
		return "", false, false, f.in.Failure(data)
	}
	piece = f.take(&l)
	if f.done && piece == "" {
		return "", false, true, nil
	}
	return piece, piece != "" || l.Message != nil && len(l.Message.ToolCalls) > 0, false, nil
}

func (f *format) take(l *line) (piece string) {
	if l.Model != "" {
		f.reply.Model = l.Model
	}
	if l.Prompt.Known || l.Output.Known {
		f.reply.Usage = &llm.Usage{InputTokens: l.Prompt.N, OutputTokens: l.Output.N}
	}
	f.done = f.done || l.Done
	if l.DoneReason != "" {
		f.reason = l.DoneReason
	}
	if l.Message == nil {
		return ""
	}
	for _, c := range l.Message.ToolCalls {
		if c.ID == "" {
			c.ID = wire.CallID([]byte(c.Function.Name+string(c.Function.Arguments)), len(f.reply.ToolCalls))
		}
		f.reply.ToolCalls = append(f.reply.ToolCalls, llm.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: wire.Arguments(c.Function.Arguments)})
	}
	f.text.WriteString(l.Message.Content)
	return l.Message.Content
}

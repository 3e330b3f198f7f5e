package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

type request struct {
	Model         string        `json:"model"`
	MaxTokens     int           `json:"max_tokens"`
	System        string        `json:"system,omitempty"`
	Messages      []message     `json:"messages"`
	Tools         []tool        `json:"tools,omitempty"`
	Temperature   *float64      `json:"temperature,omitempty"`
	StopSequences []string      `json:"stop_sequences,omitempty"`
	OutputConfig  *outputConfig `json:"output_config,omitempty"`
}

type outputConfig struct {
	Effort string `json:"effort"`
}

type message struct {
	Role    llm.Role `json:"role"`
	Content []block  `json:"content"`
}

// block is a text, a tool's use or a tool's result, by its type.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

// encode renders the request. Equal requests give equal bytes.
func (p *Provider) encode(req *llm.Request) ([]byte, error) {
	if req.Model == "" {
		return nil, wire.NoModel()
	}
	out := request{
		Model: req.Model, MaxTokens: req.MaxTokens, System: req.System,
		Temperature: req.Temperature, StopSequences: req.StopSequences, Messages: []message{},
	}
	if out.MaxTokens == 0 {
		out.MaxTokens = p.maxTokens
	}
	if req.ReasoningEffort != "" {
		out.OutputConfig = &outputConfig{Effort: req.ReasoningEffort}
	}
	for _, m := range llm.Repair(req.Messages) {
		out.add(m)
	}
	for _, t := range req.Tools {
		schema := t.Parameters
		if schema == nil {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		out.Tools = append(out.Tools, tool{Name: t.Name, Description: t.Description, InputSchema: schema})
	}
	return wire.Encode(&out)
}

// add renders a message, into the one before it when both are of one side.
func (r *request) add(m llm.Message) {
	role := m.Role
	switch role {
	case llm.RoleSystem:
		r.System = strings.TrimPrefix(r.System+"\n\n"+m.Text(), "\n\n")
		return
	case llm.RoleTool:
		role = llm.RoleUser
	}
	blocks := blocksOf(m)
	if len(blocks) == 0 {
		return
	}
	if n := len(r.Messages); n > 0 && r.Messages[n-1].Role == role {
		r.Messages[n-1].Content = append(r.Messages[n-1].Content, blocks...)
		return
	}
	r.Messages = append(r.Messages, message{Role: role, Content: blocks})
}

// blocksOf renders the parts. Empty texts are left out: the server refuses them.
func blocksOf(m llm.Message) []block {
	var blocks []block
	for _, part := range m.Parts {
		switch {
		case part.ToolCall != nil:
			call := part.ToolCall
			blocks = append(blocks, block{
				Type: "tool_use", ID: toolID(call.ID), Name: call.Name, Input: wire.Object(call.Arguments),
			})
		case part.ToolResult != nil:
			result := part.ToolResult
			blocks = append(blocks, block{
				Type: "tool_result", ToolUseID: toolID(result.ID), Content: result.Content, IsError: result.IsError,
			})
		case part.Text != "":
			blocks = append(blocks, block{Type: "text", Text: part.Text})
		}
	}
	return blocks
}

// toolID keeps to the characters that the server takes in ids, which those of
// another dialect may not.
func toolID(id string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, id)
}

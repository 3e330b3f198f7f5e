package openai

import (
	"encoding/json"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

type request struct {
	Model               string    `json:"model"`
	Messages            []message `json:"messages"`
	Tools               []tool    `json:"tools,omitempty"`
	MaxTokens           int       `json:"max_tokens,omitempty"`
	MaxCompletionTokens int       `json:"max_completion_tokens,omitempty"`
	Temperature         *float64  `json:"temperature,omitempty"`
	Stop                []string  `json:"stop,omitempty"`
	ReasoningEffort     string    `json:"reasoning_effort,omitempty"`
}

type message struct {
	Role       llm.Role   `json:"role"`
	Content    *string    `json:"content"` // null beside tool calls
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type toolCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type tool struct {
	Type     string   `json:"type"`
	Function toolSpec `json:"function"`
}

type toolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

// encode renders the request. Equal requests give equal bytes.
func (p *Provider) encode(req *llm.Request) ([]byte, error) {
	if req.Model == "" {
		return nil, wire.NoModel()
	}
	out := request{
		Model: req.Model, Temperature: req.Temperature,
		Stop: req.StopSequences, ReasoningEffort: req.ReasoningEffort,
	}
	if req.System != "" {
		out.Messages = append(out.Messages, message{Role: llm.RoleSystem, Content: &req.System})
	}
	for _, m := range llm.Repair(req.Messages) {
		out.Messages = append(out.Messages, messagesOf(m)...)
	}
	for _, t := range req.Tools {
		out.Tools = append(out.Tools, tool{Type: "function", Function: toolSpec(t)})
	}
	if p.newerField {
		out.MaxCompletionTokens = req.MaxTokens
	} else {
		out.MaxTokens = req.MaxTokens
	}
	return wire.Encode(&out)
}

// messagesOf renders a message: one, or one for each tool result.
func messagesOf(m llm.Message) []message {
	if m.Role == llm.RoleTool {
		return results(m)
	}
	out := message{Role: m.Role}
	for _, part := range m.Parts {
		if call := part.ToolCall; call != nil {
			out.ToolCalls = append(out.ToolCalls, toolCall{
				ID: call.ID, Type: "function",
				Function: function{Name: call.Name, Arguments: argumentsOf(call)},
			})
		}
	}
	if text := m.Text(); text != "" || len(out.ToolCalls) == 0 {
		out.Content = &text
	}
	return []message{out}
}

func argumentsOf(call *llm.ToolCall) string {
	if call.Arguments == "" {
		return "{}"
	}
	return wire.Sanitize(call.Arguments)
}

func results(m llm.Message) []message {
	var out []message
	for _, part := range m.Parts {
		if r := part.ToolResult; r != nil {
			out = append(out, message{Role: llm.RoleTool, Content: &r.Content, ToolCallID: r.ID})
		}
	}
	return out
}

package openai

import (
	"cmp"
	"encoding/json"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

type completion struct {
	Model   string          `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type usage struct {
	Prompt     wire.Count `json:"prompt_tokens"`
	Completion wire.Count `json:"completion_tokens"`
	In         struct {
		Cached wire.Count `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	Out struct {
		Reasoning wire.Count `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

type choice struct {
	Message      *answer         `json:"message"`
	FinishReason string          `json:"finish_reason"`
	Error        json.RawMessage `json:"error"`
}

type answer struct {
	Content   content `json:"content"`
	Refusal   string  `json:"refusal"`
	ToolCalls []call  `json:"tool_calls"`
}

type call struct {
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// content is a string, null, or a list of parts with a text.
type content string

// UnmarshalJSON takes what it can use, and nothing of the rest.
func (c *content) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		var parts []any
		json.Unmarshal(raw, &parts)
		for _, part := range parts {
			fields, _ := part.(map[string]any)
			piece, _ := fields["text"].(string)
			text += piece
		}
	}
	*c = content(text)
	return nil
}

// decode reads a complete reply.
func (p *Provider) decode(reply *wire.Reply) (*llm.Response, error) {
	var c completion
	if !c.read(wire.NewReader(reply.Body)) {
		c = completion{}
		if err := p.client.Decode(reply, &c); err != nil {
			return nil, err
		}
	}
	return p.respond(reply, &c)
}

func (p *Provider) respond(reply *wire.Reply, c *completion) (*llm.Response, error) {
	if isSet(c.Error) {
		return nil, p.client.Failure(reply)
	}
	if len(c.Choices) == 0 {
		return nil, p.client.ParseError(reply, "the reply has no choices")
	}
	first := c.Choices[0]
	if isSet(first.Error) {
		inner := &wire.Reply{Status: reply.Status, Body: wrapped(first.Error)}
		return nil, p.client.Failure(inner)
	}
	if first.Message == nil {
		return nil, p.client.ParseError(reply, "the reply has no message")
	}
	resp := &llm.Response{
		Text: textOf(first.Message), ToolCalls: callsOf(first.Message, reply.Body),
		Provider: p.Name(), Model: c.Model, Status: reply.Status,
		StopReason: stopReason(first), Usage: usageOf(c.Usage),
	}
	if failure := broken(first.FinishReason); failure != nil {
		e := p.client.Failure(&wire.Reply{Status: reply.Status, Body: failure})
		e.Partial = resp.Text
		return nil, e
	}
	if first.FinishReason == "content_filter" {
		return nil, wire.Blocked(resp, "the reply was blocked by the content filter")
	}
	return resp, nil
}

// isSet reports a field that says something: an error of null or {} is none.
func isSet(raw json.RawMessage) bool {
	s := string(raw)
	return s != "" && s != "null" && s != "{}" && s != `""` && s != "false"
}

// wrapped puts an error object where a reply has it.
func wrapped(object json.RawMessage) []byte {
	return append(append([]byte(`{"error":`), object...), '}')
}

// textOf is the text of an answer; a refusal is what the model says instead.
func textOf(a *answer) string { return cmp.Or(string(a.Content), a.Refusal) }

func callsOf(a *answer, body []byte) []llm.ToolCall {
	var calls []llm.ToolCall
	for i, c := range a.ToolCalls {
		if c.ID == "" {
			c.ID = wire.CallID(body, i)
		}
		calls = append(calls, llm.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: wire.Arguments(c.Function.Arguments)})
	}
	return calls
}

// stopReason believes the tool calls more than the word: compatible servers
// say "stop" beside them, or have words of their own.
func stopReason(c choice) llm.StopReason {
	reason := reasonOf(c.FinishReason)
	switch {
	case reason == llm.StopLength:
		return reason
	case reason == llm.StopFilter, c.Message.Refusal != "":
		return llm.StopFilter
	case len(c.Message.ToolCalls) > 0:
		return llm.StopTools
	}
	return reason
}

func reasonOf(word string) llm.StopReason {
	switch word {
	case "", "stop", "eos", "eos_token", "end_turn", "stop_sequence", "tool_calls", "function_call":
		return llm.StopEnd
	case "length", "max_tokens", "model_length":
		return llm.StopLength
	case "content_filter":
		return llm.StopFilter
	}
	return llm.StopReason(word)
}

// broken is the error object that goes with a reply whose finish reason says that
// the server failed; nil for other reasons.
func broken(word string) []byte {
	switch word {
	case "error": // OpenRouter, Mistral
		return []byte(`{"error":{"type":"server_error","message":"the server failed within the reply"}}`)
	case "insufficient_system_resource": // DeepSeek
		return []byte(`{"error":{"type":"overloaded_error","message":"the server broke the reply off: it is overloaded"}}`)
	}
	return nil
}

// usageOf reads the counts; what cannot be read is unknown, not zero.
func usageOf(u *usage) *llm.Usage {
	if u == nil || !u.Prompt.Known && !u.Completion.Known {
		return nil
	}
	prompt, cached := u.Prompt.N, min(u.In.Cached.N, u.Prompt.N)
	return &llm.Usage{
		InputTokens: prompt - cached, CacheReadTokens: cached,
		OutputTokens: u.Completion.N, ReasoningTokens: u.Out.Reasoning.N,
	}
}

package llm

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"time"
)

// Role says who speaks in a [Message].
type Role string

const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool" // its parts are tool results
)

// Request is one question to a model, in no provider's dialect. Providers
// read it and never change it.
type Request struct {
	// Model is the provider's id of the model. An [Entry] with a model of its
	// own goes before it; without either the provider's default is used.
	Model    string
	System   string
	Messages []Message
	Tools    []Tool

	MaxTokens     int      // limit of the reply; 0 leaves it to the provider
	Temperature   *float64 // nil leaves it to the provider
	StopSequences []string
	// ReasoningEffort is "none", "minimal", "low", "medium", "high" or "xhigh".
	// Each wire format has words of its own for it; others are passed on.
	ReasoningEffort string

	// Timeout bounds one attempt; 0 is no bound of its own.
	Timeout time.Duration
	// FirstTokenTimeout and IdleTimeout bound how long a stream may be without
	// text, at first and then; 0 is no bound. Pings and comments do not count.
	FirstTokenTimeout, IdleTimeout time.Duration

	// Tags and Metadata are for logs and accounts here. They are never sent.
	Tags     []string
	Metadata map[string]string
}

// Message is one turn of the conversation.
type Message struct {
	Role  Role
	Parts []Part
}

// Part is a piece of a message: exactly one of its fields is set.
type Part struct {
	Text       string
	Image      *Image
	ToolCall   *ToolCall
	ToolResult *ToolResult
}

// Tool describes a function that the model may ask for.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // JSON schema of an object; nil is no parameters
}

// ToolCall is a model's wish to have a tool run.
type ToolCall struct {
	ID   string
	Name string
	// Arguments is the JSON text the model wrote, digits and all; "{}" when it
	// wrote none. It is not checked here: a model may write invalid JSON, and
	// whoever runs the tool reports that back to it.
	Arguments string
	// Signature is what Gemini wants back with the call, to know its own thoughts
	// again. Other formats leave it out.
	Signature string
}

// ToolResult answers the [ToolCall] with the same id.
type ToolResult struct {
	ID      string
	Content string
	IsError bool
}

// User returns a user's message of one text.
func User(text string) Message { return textMessage(RoleUser, text) }

// Assistant returns a model's message of one text.
func Assistant(text string) Message { return textMessage(RoleAssistant, text) }

func textMessage(role Role, text string) Message {
	return Message{Role: role, Parts: []Part{{Text: text}}}
}

// Text returns the text parts of the message, joined.
func (m Message) Text() string {
	if len(m.Parts) == 1 {
		return m.Parts[0].Text
	}
	text := ""
	for _, p := range m.Parts {
		text += p.Text
	}
	return text
}

// HasCalls reports whether the message asks for a tool.
func (m Message) HasCalls() bool {
	for _, p := range m.Parts {
		if p.ToolCall != nil {
			return true
		}
	}
	return false
}

// Validate reports the first setting that cannot be sent, as an [*OptionError].
func (r *Request) Validate() error {
	switch {
	case len(r.Messages) == 0:
		return &OptionError{Option: "messages", Want: "at least one message", Got: "none"}
	case r.MaxTokens < 0:
		return &OptionError{Option: "max-tokens", Want: "a positive whole number", Got: r.MaxTokens}
	case r.Temperature != nil && !(*r.Temperature >= 0 && *r.Temperature <= math.MaxFloat64):
		return &OptionError{Option: "temperature", Want: "a number of at least 0", Got: *r.Temperature}
	case r.Timeout < 0:
		return &OptionError{Option: "timeout", Want: "a time of at least 0", Got: r.Timeout}
	case r.FirstTokenTimeout < 0:
		return &OptionError{Option: "first-token-timeout-ms", Want: "a time of at least 0", Got: r.FirstTokenTimeout}
	case r.IdleTimeout < 0:
		return &OptionError{Option: "idle-timeout-ms", Want: "a time of at least 0", Got: r.IdleTimeout}
	}
	return nil
}

// EstimateTokens guesses how many tokens the request takes from an account
// that is counted in tokens: a quarter of its bytes, plus the reply's limit.
func (r *Request) EstimateTokens() int { return r.textBytes()/bytesPerToken + 1 + r.MaxTokens }

const (
	bytesPerToken = 4    // of English text, about
	bytesPerImage = 6000 // what an image takes, as if it were text
)

// Size is about how many bytes the request takes on the wire.
func (r *Request) Size() int {
	const perMessage, rest = 64, 512
	size := r.textBytes() + len(r.Messages)*perMessage + rest
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			if p.Image != nil {
				size += base64.StdEncoding.EncodedLen(len(p.Image.Data))
			}
		}
	}
	for _, t := range r.Tools {
		size += len(t.Description) + len(t.Parameters) + perMessage
	}
	return size
}

func (r *Request) textBytes() int {
	bytes := len(r.System)
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			bytes += len(p.Text)
			if p.Image != nil {
				bytes += bytesPerImage
			}
			if p.ToolCall != nil {
				bytes += len(p.ToolCall.Arguments)
			}
			if p.ToolResult != nil {
				bytes += len(p.ToolResult.Content)
			}
		}
	}
	return bytes
}

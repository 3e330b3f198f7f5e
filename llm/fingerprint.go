package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Fingerprint is a hash of everything of a request that changes its answer, in
// hexadecimal. Where tells apart places that answer differently. It stays the
// same from one version of this package to the next, since tapes are kept: what
// a request does not use has no part in it.
func (r *Request) Fingerprint(where ...string) string {
	c := canonicalRequest{Where: where, Model: r.Model, System: r.System, MaxTokens: r.MaxTokens, Temperature: r.Temperature,
		Stop: r.StopSequences, Effort: r.ReasoningEffort}
	for _, m := range r.Messages {
		c.Messages = append(c.Messages, canonicalMessage{m.Role, canonicalParts(m.Parts)})
	}
	for _, t := range r.Tools {
		c.Tools = append(c.Tools, canonicalTool{t.Name, t.Description, string(t.Parameters)})
	}
	text, err := json.Marshal(c)
	if err != nil { // a temperature that is no number
		text = []byte(err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// canonicalRequest is what is hashed. Fields may be added, which are left out
// when they are empty; the others must not change.
type canonicalRequest struct {
	Where       []string           `json:"where,omitempty"`
	Model       string             `json:"model,omitempty"`
	System      string             `json:"system,omitempty"`
	Messages    []canonicalMessage `json:"messages,omitempty"`
	Tools       []canonicalTool    `json:"tools,omitempty"`
	MaxTokens   int                `json:"max_tokens,omitempty"`
	Temperature *float64           `json:"temperature,omitempty"`
	Stop        []string           `json:"stop,omitempty"`
	Effort      string             `json:"effort,omitempty"`
}

type canonicalMessage struct {
	Role  Role            `json:"role"`
	Parts []canonicalPart `json:"parts,omitempty"`
}

type canonicalPart struct {
	Text      string `json:"text,omitempty"`
	MediaType string `json:"media_type,omitempty"`
	Data      []byte `json:"data,omitempty"`
	ID        string `json:"id,omitempty"`
	Call      string `json:"call,omitempty"`
	Arguments string `json:"arguments,omitempty"`
	Result    string `json:"result,omitempty"`
	IsError   bool   `json:"is_error,omitempty"`
}

type canonicalTool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Parameters  string `json:"parameters,omitempty"`
}

func canonicalParts(parts []Part) (all []canonicalPart) {
	for _, p := range parts {
		c := canonicalPart{Text: p.Text}
		if p.Image != nil {
			c.MediaType, c.Data = p.Image.MediaType, p.Image.Data
		}
		if p.ToolCall != nil {
			c.ID, c.Call, c.Arguments = p.ToolCall.ID, p.ToolCall.Name, p.ToolCall.Arguments
		}
		if p.ToolResult != nil {
			c.ID, c.Result, c.IsError = p.ToolResult.ID, p.ToolResult.Content, p.ToolResult.IsError
		}
		all = append(all, c)
	}
	return all
}

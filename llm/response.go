package llm

// StopReason says why the model stopped. A reason without a constant here is
// handed on in the provider's own word.
type StopReason string

const (
	StopEnd    StopReason = "stop"     // the model was done, or met a stop sequence
	StopLength StopReason = "length"   // cut off by a limit of tokens
	StopTools  StopReason = "tool-use" // it waits for tool results
	StopFilter StopReason = "content-filter"
)

// Response is a complete reply.
type Response struct {
	Text       string
	ToolCalls  []ToolCall
	Provider   string
	Model      string // the model that answered, in the provider's words
	StopReason StopReason
	Status     int    // HTTP status; 0 when there was no HTTP
	Usage      *Usage // nil when the provider did not say

	// Attempts is what it took, failed attempts first. [Call.Complete] fills it.
	Attempts []Attempt
}

// Message returns the reply as a turn that can go into the next request.
func (r *Response) Message() Message {
	m := Message{Role: RoleAssistant}
	if r.Text != "" || len(r.ToolCalls) == 0 {
		m.Parts = append(m.Parts, Part{Text: r.Text})
	}
	for i := range r.ToolCalls {
		m.Parts = append(m.Parts, Part{ToolCall: &r.ToolCalls[i]})
	}
	return m
}

// Usage counts tokens. The kinds of prompt tokens exclude each other, so that
// each can be priced once.
type Usage struct {
	InputTokens      int // prompt, neither read from nor written to a cache
	CacheReadTokens  int
	CacheWriteTokens int
	OutputTokens     int // with the reasoning
	ReasoningTokens  int // part of OutputTokens
}

// PromptTokens returns all tokens of the prompt.
func (u *Usage) PromptTokens() int {
	return u.InputTokens + u.CacheReadTokens + u.CacheWriteTokens
}

// TotalTokens returns all tokens of the call.
func (u *Usage) TotalTokens() int { return u.PromptTokens() + u.OutputTokens }

// Add counts o's tokens too.
func (u *Usage) Add(o *Usage) {
	u.InputTokens += o.InputTokens
	u.CacheReadTokens += o.CacheReadTokens
	u.CacheWriteTokens += o.CacheWriteTokens
	u.OutputTokens += o.OutputTokens
	u.ReasoningTokens += o.ReasoningTokens
}

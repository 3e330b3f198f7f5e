package llm

// answer is a reply as it is kept in files: a line of a tape, or a file of the
// cache. It has nothing of the question.
type answer struct {
	Text       string     `json:"content"`
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	Provider   string     `json:"provider,omitempty"`
	Model      string     `json:"model,omitempty"`
	StopReason StopReason `json:"finish_reason,omitempty"`
	// The tokens are missing where they are not known. Those of the prompt have
	// the cached ones among them.
	PromptTokens     *int `json:"prompt_tokens,omitempty"`
	CompletionTokens *int `json:"completion_tokens,omitempty"`
	CacheRead        int  `json:"cache_read_tokens,omitempty"`
	CacheWrite       int  `json:"cache_creation_tokens,omitempty"`
	Reasoning        int  `json:"reasoning_tokens,omitempty"`
}

// toolCall is a [ToolCall] in a file.
type toolCall struct {
	ID        string `json:"id,omitempty"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	Signature string `json:"signature,omitempty"`
}

func answerOf(r *Response) answer {
	a := answer{Text: r.Text, Provider: r.Provider, Model: r.Model, StopReason: r.StopReason}
	for _, c := range r.ToolCalls {
		a.ToolCalls = append(a.ToolCalls, toolCall(c))
	}
	if u := r.Usage; u != nil {
		prompt, completion := u.PromptTokens(), u.OutputTokens
		a.PromptTokens, a.CompletionTokens = &prompt, &completion
		a.CacheRead, a.CacheWrite, a.Reasoning = u.CacheReadTokens, u.CacheWriteTokens, u.ReasoningTokens
	}
	return a
}

func (a *answer) response() *Response {
	r := &Response{Text: a.Text, Provider: a.Provider, Model: a.Model, StopReason: a.StopReason}
	for _, c := range a.ToolCalls {
		r.ToolCalls = append(r.ToolCalls, ToolCall(c))
	}
	if a.PromptTokens != nil || a.CompletionTokens != nil {
		u := &Usage{CacheReadTokens: max(0, a.CacheRead), CacheWriteTokens: max(0, a.CacheWrite), ReasoningTokens: max(0, a.Reasoning)}
		if a.PromptTokens != nil {
			u.InputTokens = max(0, *a.PromptTokens-u.CacheReadTokens-u.CacheWriteTokens)
		}
		if a.CompletionTokens != nil {
			u.OutputTokens = max(0, *a.CompletionTokens)
		}
		r.Usage = u
	}
	return r
}

func (a *answer) size() int {
	size := len(a.Text) + len(a.Model) + 128
	for _, c := range a.ToolCalls {
		size += len(c.Name) + len(c.Arguments) + len(c.ID) + len(c.Signature)
	}
	return size
}

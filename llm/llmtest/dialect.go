package llmtest

import (
	"encoding/json"
	"strings"

	"github.com/gosema/gosema/llm"
)

// Dialect is a wire format.
type Dialect string

const (
	OpenAI    Dialect = "openai"    // paths that end in /chat/completions
	Anthropic Dialect = "anthropic" // paths that end in /messages
	Gemini    Dialect = "gemini"    // paths that end in :generateContent or :streamGenerateContent
	Ollama    Dialect = "ollama"    // paths that end in /api/chat
	Unknown   Dialect = "unknown"   // all others; rendered like OpenAI
)

func dialectOf(path string) Dialect {
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
		return OpenAI
	case strings.HasSuffix(path, "/messages"):
		return Anthropic
	case strings.HasSuffix(strings.ToLower(path), "generatecontent"):
		return Gemini
	case strings.HasSuffix(path, "/api/chat"):
		return Ollama
	}
	return Unknown
}

type object = map[string]any

// render returns the body of a reply to a request for model.
func (r Reply) render(d Dialect, model string) []byte {
	if r.Body != nil {
		return r.Body
	}
	var body object
	switch {
	case r.Break != nil:
		body = r.Break.event(d)
	case r.Status >= 400 && d == Anthropic:
		body = object{"type": "error", "error": object{"type": r.code(anthropicType), "message": r.Text}}
	case r.Status >= 400 && d == Gemini:
		body = object{"error": object{"code": r.Status, "message": r.Text, "status": r.code(geminiStatus)}}
	case r.Status >= 400 && d == Ollama:
		body = object{"error": r.Text}
	case r.Status >= 400:
		body = object{"error": object{"message": r.Text, "type": r.code(openaiType), "code": r.Code}}
	case d == Anthropic:
		body = r.anthropic(model)
	case d == Gemini:
		body = r.gemini(model)
	case d == Ollama:
		body = r.ollama(model)
	default:
		body = r.openai(model)
	}
	raw, _ := json.Marshal(body) // made of strings, numbers and checked JSON
	return raw
}

// overloaded is the status whose types an error event has unless it says more.
const overloaded = 529

// event is the error as an event has it.
func (b *Break) event(d Dialect) object {
	r := Reply{Status: overloaded, Code: b.Code}
	switch d {
	case Anthropic:
		return object{"type": "error", "error": object{"type": r.code(anthropicType), "message": b.Text}}
	case Gemini:
		r.Status = 503
		for _, status := range []int{400, 401, 403, 404, 429, 500} {
			if geminiStatus(status) == b.Code {
				r.Status = status
			}
		}
		return object{"error": object{"code": r.Status, "message": b.Text, "status": r.code(geminiStatus)}}
	case Ollama:
		return object{"error": b.Text}
	}
	return object{"error": object{"message": b.Text, "type": r.code(openaiType), "code": b.Code}}
}

func (r Reply) code(typeOf func(status int) string) string {
	if r.Code != "" {
		return r.Code
	}
	return typeOf(r.Status)
}

func anthropicType(status int) string {
	switch status {
	case 401:
		return "authentication_error"
	case 403:
		return "permission_error"
	case 404:
		return "not_found_error"
	case 429:
		return "rate_limit_error"
	case 529:
		return "overloaded_error"
	}
	if status >= 500 {
		return "api_error"
	}
	return "invalid_request_error"
}

func geminiStatus(status int) string {
	switch status {
	case 401:
		return "UNAUTHENTICATED"
	case 403:
		return "PERMISSION_DENIED"
	case 404:
		return "NOT_FOUND"
	case 429:
		return "RESOURCE_EXHAUSTED"
	case 503:
		return "UNAVAILABLE"
	}
	if status >= 500 {
		return "INTERNAL"
	}
	return "INVALID_ARGUMENT"
}

func openaiType(status int) string {
	if status >= 500 {
		return "server_error"
	}
	return "invalid_request_error"
}

func (r Reply) openai(model string) object {
	message := object{"role": "assistant", "content": r.Text}
	finish := "stop"
	if len(r.ToolCalls) > 0 {
		finish = "tool_calls"
		var calls []object
		for _, c := range r.ToolCalls {
			calls = append(calls, object{
				"id": c.ID, "type": "function",
				"function": object{"name": c.Name, "arguments": c.Arguments},
			})
		}
		message["tool_calls"] = calls
	}
	body := object{
		"id": "chatcmpl-llmtest", "object": "chat.completion", "model": model,
		"choices": []object{{"index": 0, "message": message, "finish_reason": finish}},
	}
	if u := r.Usage; u != nil {
		body["usage"] = object{
			"prompt_tokens": u.PromptTokens(), "completion_tokens": u.OutputTokens, "total_tokens": u.TotalTokens(),
			"prompt_tokens_details":     object{"cached_tokens": u.CacheReadTokens},
			"completion_tokens_details": object{"reasoning_tokens": u.ReasoningTokens},
		}
	}
	return body
}

func (r Reply) anthropic(model string) object {
	content, stop := []object{}, "end_turn"
	if r.Text != "" {
		content = append(content, object{"type": "text", "text": r.Text})
	}
	for _, c := range r.ToolCalls {
		stop = "tool_use"
		content = append(content, object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": inputOf(c)})
	}
	body := object{
		"id": "msg_llmtest", "type": "message", "role": "assistant", "model": model,
		"content": content, "stop_reason": stop,
	}
	if u := r.Usage; u != nil {
		body["usage"] = object{
			"input_tokens": u.InputTokens, "output_tokens": u.OutputTokens,
			"cache_read_input_tokens": u.CacheReadTokens, "cache_creation_input_tokens": u.CacheWriteTokens,
		}
	}
	return body
}

func (r Reply) gemini(model string) object {
	parts := []object{}
	if r.Text != "" {
		parts = append(parts, object{"text": r.Text})
	}
	for _, c := range r.ToolCalls {
		parts = append(parts, object{"functionCall": object{"id": c.ID, "name": c.Name, "args": inputOf(c)}})
	}
	body := object{"modelVersion": model, "candidates": []object{
		{"content": object{"role": "model", "parts": parts}, "finishReason": "STOP"}}}
	if u := r.Usage; u != nil {
		body["usageMetadata"] = object{
			"promptTokenCount": u.PromptTokens(), "cachedContentTokenCount": u.CacheReadTokens,
			"candidatesTokenCount": u.OutputTokens - u.ReasoningTokens, "thoughtsTokenCount": u.ReasoningTokens,
		}
	}
	return body
}

func (r Reply) ollama(model string) object {
	message := object{"role": "assistant", "content": r.Text}
	var calls []object
	for _, c := range r.ToolCalls {
		calls = append(calls, object{"id": c.ID, "function": object{"name": c.Name, "arguments": inputOf(c)}})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	body := object{"model": model, "message": message, "done": true, "done_reason": "stop"}
	if u := r.Usage; u != nil {
		body["prompt_eval_count"], body["eval_count"] = u.PromptTokens(), u.OutputTokens
	}
	return body
}

func inputOf(c llm.ToolCall) any {
	if json.Valid([]byte(c.Arguments)) {
		return json.RawMessage(c.Arguments)
	}
	return object{}
}

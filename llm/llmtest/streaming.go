package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// renderStream returns the body of a reply to a request for a stream: its text
// in pieces of a few characters, as events of the dialect.
func (r Reply) renderStream(d Dialect, model string) []byte {
	if r.Body != nil || r.Status >= 400 {
		return r.render(d, model)
	}
	var b bytes.Buffer
	if r.Break != nil {
		r.renderBroken(&b, d, model)
		return b.Bytes()
	}
	switch d {
	case Anthropic:
		r.anthropicEvents(&b, model)
	case Gemini:
		r.geminiEvents(&b, model)
	case Ollama:
		r.ollamaLines(&b, model)
	default:
		r.openaiEvents(&b, model)
	}
	return b.Bytes()
}

// renderBroken renders the text, and the error in place of the end.
func (r Reply) renderBroken(b *bytes.Buffer, d Dialect, model string) {
	failure := r.Break
	r.Break = nil
	whole := r.renderStream(d, model)
	b.Write(whole[:endOf(whole, d)])
	raw, _ := json.Marshal(failure.event(d)) // made of strings and numbers
	switch d {
	case Ollama:
		b.Write(append(raw, '\n'))
	case Anthropic:
		fmt.Fprintf(b, "event: error\ndata: %s\n\n", raw)
	default:
		fmt.Fprintf(b, "data: %s\n\n", raw)
	}
}

// endOf is where the events begin that end a stream.
func endOf(stream []byte, d Dialect) int {
	mark := map[Dialect]string{Anthropic: "event: message_delta", Gemini: `finishReason`, Ollama: `"done":true`}[d]
	if mark == "" {
		mark = `"finish_reason":"`
	}
	at := bytes.Index(stream, []byte(mark))
	if at < 0 {
		return len(stream)
	}
	return bytes.LastIndexByte(stream[:at], '\n') + 1
}

// pieces cuts a text into pieces of a few characters.
func pieces(text string) (out []string) {
	const size = 4
	for len(text) > 0 {
		n := 0
		for range size {
			_, w := utf8.DecodeRuneInString(text[n:])
			n += w
		}
		out, text = append(out, text[:n]), text[n:]
	}
	return out
}

func writeEvent(b *bytes.Buffer, name string, body object) {
	if name != "" {
		fmt.Fprintf(b, "event: %s\n", name)
	}
	raw, _ := json.Marshal(body) // made of strings, numbers and checked JSON
	fmt.Fprintf(b, "data: %s\n\n", raw)
}

func (r Reply) openaiEvents(b *bytes.Buffer, model string) {
	chunk := func(delta object, finish any) {
		writeEvent(b, "", object{"id": "chatcmpl-llmtest", "object": "chat.completion.chunk", "model": model,
			"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}}})
	}
	chunk(object{"role": "assistant", "content": ""}, nil)
	for _, p := range pieces(r.Text) {
		chunk(object{"content": p}, nil)
	}
	for i, c := range r.ToolCalls {
		chunk(object{"tool_calls": []object{{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": ""}}}}, nil)
		for _, p := range pieces(c.Arguments) {
			chunk(object{"tool_calls": []object{{"index": i, "function": object{"arguments": p}}}}, nil)
		}
	}
	whole := r.openai(model)
	chunk(object{}, whole["choices"].([]object)[0]["finish_reason"])
	if usage, ok := whole["usage"]; ok {
		writeEvent(b, "", object{"id": "chatcmpl-llmtest", "object": "chat.completion.chunk", "model": model, "choices": []object{}, "usage": usage})
	}
	b.WriteString("data: [DONE]\n\n")
}

func (r Reply) ollamaLines(b *bytes.Buffer, model string) {
	line := func(body object) {
		raw, _ := json.Marshal(body) // made of strings, numbers and checked JSON
		b.Write(append(raw, '\n'))
	}
	for _, p := range pieces(r.Text) {
		line(object{"model": model, "message": object{"role": "assistant", "content": p}, "done": false})
	}
	last := r
	last.Text = ""
	line(last.ollama(model))
}

func (r Reply) geminiEvents(b *bytes.Buffer, model string) {
	for _, p := range pieces(r.Text) {
		chunk := Reply{Text: p}.gemini(model)
		delete(chunk["candidates"].([]object)[0], "finishReason")
		writeEvent(b, "", chunk)
	}
	last := r
	last.Text = ""
	writeEvent(b, "", last.gemini(model))
}

func (r Reply) anthropicEvents(b *bytes.Buffer, model string) {
	event := func(name string, body object) {
		body["type"] = name
		writeEvent(b, name, body)
	}
	whole := r.anthropic(model)
	usage, _ := whole["usage"].(object)
	event("message_start", object{"message": object{"id": "msg_llmtest", "type": "message", "role": "assistant", "model": model, "content": []object{}, "usage": usage}})
	event("ping", object{})
	index := 0
	if r.Text != "" {
		event("content_block_start", object{"index": index, "content_block": object{"type": "text", "text": ""}})
		for _, p := range pieces(r.Text) {
			event("content_block_delta", object{"index": index, "delta": object{"type": "text_delta", "text": p}})
		}
		event("content_block_stop", object{"index": index})
		index++
	}
	for _, c := range r.ToolCalls {
		event("content_block_start", object{"index": index, "content_block": object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object{}}})
		for _, p := range pieces(c.Arguments) {
			event("content_block_delta", object{"index": index, "delta": object{"type": "input_json_delta", "partial_json": p}})
		}
		event("content_block_stop", object{"index": index})
		index++
	}
	event("message_delta", object{"delta": object{"stop_reason": whole["stop_reason"]}, "usage": usage})
	event("message_stop", object{})
}

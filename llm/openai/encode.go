package openai

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// manner is how the reply is asked for.
type manner int

const (
	complete    manner = iota
	streamed           // as a stream
	streamUsage        // as a stream, with the usage at its end
)

// encode renders the request. Equal requests give equal bytes.
func (p *Provider) encode(req *llm.Request) ([]byte, error) { return p.render(req, complete) }

func (p *Provider) render(req *llm.Request, how manner) ([]byte, error) {
	if req.Model == "" {
		return nil, wire.NoModel()
	}
	w := wire.NewWriter(req.Size())
	w.Open('{')
	w.Name("model").String(req.Model)
	w.Name("messages").Open('[')
	if req.System != "" {
		addMessage(w, llm.RoleSystem, req.System)
	}
	for _, m := range wire.FitIDs(llm.Repair(req.Messages), p.toolID) {
		add(w, m)
	}
	w.Close(']')
	addTools(w, req.Tools)
	if req.MaxTokens > 0 {
		w.Name(p.limitField()).Int(req.MaxTokens)
	}
	if req.Temperature != nil {
		w.Name("temperature").Float(*req.Temperature)
	}
	w.Strings("stop", req.StopSequences)
	w.Text("reasoning_effort", req.ReasoningEffort)
	if how != complete {
		w.Name("stream").Bool(true)
	}
	if how == streamUsage {
		w.Name("stream_options").Open('{')
		w.Name("include_usage").Bool(true)
		w.Close('}')
	}
	w.Close('}')
	return w.Body()
}

func (p *Provider) limitField() string {
	if p.newerField {
		return "max_completion_tokens"
	}
	return "max_tokens"
}

func addMessage(w *wire.Writer, role llm.Role, text string) {
	w.Open('{')
	w.Name("role").String(string(role))
	w.Name("content").String(text)
	w.Close('}')
}

// add renders a message: one, or one for each tool result.
func add(w *wire.Writer, m llm.Message) {
	switch {
	case m.Role == llm.RoleTool:
		addResults(w, m)
	case m.HasCalls():
		addCalls(w, m)
	case len(m.Images()) > 0:
		addParts(w, m)
	default:
		addMessage(w, m.Role, m.Text())
	}
}

// addParts renders a message that has images.
func addParts(w *wire.Writer, m llm.Message) {
	w.Open('{')
	w.Name("role").String(string(m.Role))
	w.Name("content").Open('[')
	for _, part := range m.Parts {
		switch {
		case part.Image != nil:
			addImage(w, part.Image)
		case part.Text != "":
			w.Open('{')
			w.Name("type").String("text")
			w.Name("text").String(part.Text)
			w.Close('}')
		}
	}
	w.Close(']')
	w.Close('}')
}

func addImage(w *wire.Writer, i *llm.Image) {
	prefix := "data:" + i.MediaType + ";base64,"
	w.Open('{')
	if i.IsPDF() {
		w.Name("type").String("file")
		w.Name("file").Open('{')
		w.Name("filename").String("document.pdf")
		w.Name("file_data").Base64(prefix, i.Data)
	} else {
		w.Name("type").String("image_url")
		w.Name("image_url").Open('{')
		w.Name("url").Base64(prefix, i.Data)
	}
	w.Close('}')
	w.Close('}')
}

func addCalls(w *wire.Writer, m llm.Message) {
	w.Open('{')
	w.Name("role").String(string(m.Role))
	w.Name("content")
	if text := m.Text(); text != "" {
		w.String(text)
	} else {
		w.Null()
	}
	w.Name("tool_calls").Open('[')
	for _, part := range m.Parts {
		if call := part.ToolCall; call != nil {
			addCall(w, call)
		}
	}
	w.Close(']')
	w.Close('}')
}

func addCall(w *wire.Writer, call *llm.ToolCall) {
	w.Open('{')
	w.Name("id").String(call.ID)
	w.Name("type").String("function")
	w.Name("function").Open('{')
	w.Name("name").String(call.Name)
	w.Name("arguments").String(argumentsOf(call))
	w.Close('}')
	w.Close('}')
}

func argumentsOf(call *llm.ToolCall) string {
	if call.Arguments == "" {
		return "{}"
	}
	return wire.Sanitize(call.Arguments)
}

func addResults(w *wire.Writer, m llm.Message) {
	for _, part := range m.Parts {
		if r := part.ToolResult; r != nil {
			w.Open('{')
			w.Name("role").String(string(llm.RoleTool))
			w.Name("content").String(r.Content)
			w.Name("tool_call_id").String(r.ID)
			w.Close('}')
		}
	}
}

func addTools(w *wire.Writer, tools []llm.Tool) {
	if len(tools) == 0 {
		return
	}
	w.Name("tools").Open('[')
	for _, t := range tools {
		w.Open('{')
		w.Name("type").String("function")
		w.Name("function").Open('{')
		w.Name("name").String(t.Name)
		w.Text("description", t.Description)
		if len(t.Parameters) > 0 {
			w.Name("parameters").JSON(t.Parameters)
		}
		w.Close('}')
		w.Close('}')
	}
	w.Close(']')
}

// toolID makes an id that the server takes: OpenAI's have a limit, and Mistral's
// are of nine letters and digits.
func (p *Provider) toolID(id string) string {
	const maxLength, mistral = 40, 9
	if !p.nineLetters {
		return wire.Bounded(id, maxLength)
	}
	if len(id) == mistral && strings.Trim(id, letters) == "" {
		return id
	}
	h := fnv.New64a()
	h.Write([]byte(id))
	digits := fmt.Sprintf("%09s", strconv.FormatUint(h.Sum64(), 36))
	return digits[len(digits)-mistral:]
}

const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

package ollama

import (
	"strings"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// encode renders the request. Equal requests give equal bytes.
func encode(req *llm.Request, streamed bool) ([]byte, error) {
	if req.Model == "" {
		return nil, wire.NoModel()
	}
	if err := refuseDocuments(req); err != nil {
		return nil, err
	}
	w := wire.NewWriter(req.Size())
	w.Open('{')
	w.Name("model").String(req.Model)
	w.Name("stream").Bool(streamed)
	w.Name("messages").Open('[')
	if req.System != "" {
		addMessage(w, llm.Message{Role: llm.RoleSystem, Parts: []llm.Part{{Text: req.System}}})
	}
	messages := llm.Repair(req.Messages)
	names := llm.CallNames(messages)
	for _, m := range messages {
		if m.Role == llm.RoleTool {
			addResults(w, m, names)
		} else {
			addMessage(w, m)
		}
	}
	w.Close(']')
	addTools(w, req.Tools)
	addOptions(w, req)
	w.Close('}')
	return w.Body()
}

// refuseDocuments: this format has pictures only.
func refuseDocuments(req *llm.Request) error {
	for _, m := range req.Messages {
		for _, i := range m.Images() {
			if i.IsPDF() {
				return &llm.Error{Kind: llm.KindBadRequest, Message: "Ollama takes pictures, and no PDF documents"}
			}
		}
	}
	return nil
}

func addMessage(w *wire.Writer, m llm.Message) {
	w.Open('{')
	w.Name("role").String(string(m.Role))
	w.Name("content").String(m.Text())
	if images := m.Images(); len(images) > 0 {
		w.Name("images").Open('[')
		for _, i := range images {
			w.Base64("", i.Data)
		}
		w.Close(']')
	}
	if m.HasCalls() {
		w.Name("tool_calls").Open('[')
		for _, part := range m.Parts {
			if part.ToolCall != nil {
				addCall(w, part.ToolCall)
			}
		}
		w.Close(']')
	}
	w.Close('}')
}

func addCall(w *wire.Writer, call *llm.ToolCall) {
	w.Open('{')
	w.Name("function").Open('{')
	w.Name("name").String(call.Name)
	w.Name("arguments").JSON(wire.Object(call.Arguments))
	w.Close('}')
	w.Close('}')
}

// addResults renders a message for each result, which names its tool.
func addResults(w *wire.Writer, m llm.Message, names map[string]string) {
	for _, part := range m.Parts {
		if r := part.ToolResult; r != nil {
			w.Open('{')
			w.Name("role").String("tool")
			w.Name("content").String(r.Content)
			w.Text("tool_name", names[r.ID])
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

func addOptions(w *wire.Writer, req *llm.Request) {
	addThinking(w, req)
	if req.MaxTokens <= 0 && req.Temperature == nil && len(req.StopSequences) == 0 {
		return
	}
	w.Name("options").Open('{')
	if req.MaxTokens > 0 {
		w.Name("num_predict").Int(req.MaxTokens)
	}
	if req.Temperature != nil {
		w.Name("temperature").Float(*req.Temperature)
	}
	w.Strings("stop", req.StopSequences)
	w.Close('}')
}

// addThinking asks for an effort: gpt-oss takes levels, other models are told to
// think or not to.
func addThinking(w *wire.Writer, req *llm.Request) {
	effort := req.ReasoningEffort
	switch {
	case effort == "":
		return
	case !strings.Contains(req.Model, "gpt-oss"):
		w.Name("think").Bool(effort != "none" && effort != "minimal")
		return
	case effort == "none":
		w.Name("think").Bool(false)
		return
	case effort == "minimal":
		effort = "low"
	case effort == "xhigh":
		effort = "high"
	}
	w.Name("think").String(effort)
}

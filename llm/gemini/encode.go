package gemini

import (
	"encoding/json"
	"strings"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// encode renders the request. Equal requests give equal bytes. The model is in
// the URL.
func (p *Provider) encode(req *llm.Request) ([]byte, error) {
	if req.Model == "" {
		return nil, wire.NoModel()
	}
	messages := llm.Repair(req.Messages)
	w := wire.NewWriter(req.Size())
	w.Open('{')
	if system := systemOf(req.System, messages); system != "" {
		w.Name("systemInstruction").Open('{')
		w.Name("parts").Open('[')
		addText(w, system)
		w.Close(']')
		w.Close('}')
	}
	addTurns(w, messages, wantsSignatures(req.Model))
	addTools(w, req.Tools)
	addConfig(w, req)
	w.Close('}')
	return w.Body()
}

// systemOf joins the messages of the system to the system prompt.
func systemOf(system string, messages []llm.Message) string {
	for _, m := range messages {
		if m.Role == llm.RoleSystem {
			system = strings.TrimPrefix(system+"\n\n"+m.Text(), "\n\n")
		}
	}
	return system
}

func addText(w *wire.Writer, text string) {
	w.Open('{')
	w.Name("text").String(text)
	w.Close('}')
}

// addTurns renders the messages, neighbours of one side as one.
func addTurns(w *wire.Writer, messages []llm.Message, signed bool) {
	names := llm.CallNames(messages)
	w.Name("contents").Open('[')
	side := "" // of the turn that is open; "" is none
	for _, m := range messages {
		if m.Role == llm.RoleSystem || len(m.Parts) == 0 {
			continue
		}
		role := "user"
		if m.Role == llm.RoleAssistant {
			role = "model"
		}
		if role != side {
			endTurn(w, side)
			w.Open('{')
			w.Name("role").String(role)
			w.Name("parts").Open('[')
			side = role
		}
		unsigned := signed && m.HasCalls()
		for _, part := range m.Parts {
			if part.ToolCall != nil {
				addCall(w, part.ToolCall, unsigned)
				unsigned = false // the first of the calls signs for all
				continue
			}
			addPart(w, part, names)
		}
	}
	endTurn(w, side)
	w.Close(']')
}

func endTurn(w *wire.Writer, side string) {
	if side != "" {
		w.Close(']')
		w.Close('}')
	}
}

func addPart(w *wire.Writer, part llm.Part, names map[string]string) {
	switch {
	case part.Image != nil:
		w.Open('{')
		w.Name("inlineData").Open('{')
		w.Name("mimeType").String(part.Image.MediaType)
		w.Name("data").Base64("", part.Image.Data)
		w.Close('}')
		w.Close('}')
	case part.ToolResult != nil:
		addResult(w, part.ToolResult, names[part.ToolResult.ID])
	default:
		addText(w, part.Text)
	}
}

// noSignature stands for the thoughts of a call that another model made. It is
// documented for conversations that come from elsewhere.
const noSignature = "skip_thought_signature_validator"

func addCall(w *wire.Writer, call *llm.ToolCall, mustSign bool) {
	w.Open('{')
	w.Name("functionCall").Open('{')
	w.Name("name").String(call.Name)
	w.Name("args").JSON(wire.Object(call.Arguments))
	w.Close('}')
	if call.Signature != "" {
		w.Name("thoughtSignature").String(call.Signature)
	} else if mustSign {
		w.Name("thoughtSignature").String(noSignature)
	}
	w.Close('}')
}

// wantsSignatures tells the models, from version 3 on, that refuse their calls
// without signatures.
func wantsSignatures(model string) bool {
	return strings.Contains(model, "gemini-") && !strings.Contains(model, "gemini-1") && !strings.Contains(model, "gemini-2")
}

func addResult(w *wire.Writer, r *llm.ToolResult, name string) {
	field := "result"
	if r.IsError {
		field = "error"
	}
	w.Open('{')
	w.Name("functionResponse").Open('{')
	w.Name("name").String(name)
	w.Name("response").Open('{')
	w.Name(field).String(r.Content)
	w.Close('}')
	w.Close('}')
	w.Close('}')
}

func addTools(w *wire.Writer, tools []llm.Tool) {
	if len(tools) == 0 {
		return
	}
	w.Name("tools").Open('[')
	w.Open('{')
	w.Name("functionDeclarations").Open('[')
	for _, t := range tools {
		w.Open('{')
		w.Name("name").String(t.Name)
		w.Text("description", t.Description)
		if len(t.Parameters) > 0 {
			w.Name("parametersJsonSchema").JSON(json.RawMessage(t.Parameters))
		}
		w.Close('}')
	}
	w.Close(']')
	w.Close('}')
	w.Close(']')
}

func addConfig(w *wire.Writer, req *llm.Request) {
	if req.MaxTokens <= 0 && req.Temperature == nil && len(req.StopSequences) == 0 && req.ReasoningEffort == "" {
		return
	}
	w.Name("generationConfig").Open('{')
	if req.MaxTokens > 0 {
		w.Name("maxOutputTokens").Int(req.MaxTokens)
	}
	if req.Temperature != nil {
		w.Name("temperature").Float(*req.Temperature)
	}
	w.Strings("stopSequences", req.StopSequences)
	addThinking(w, req)
	w.Close('}')
}

// addThinking asks for an effort: the models of version 2 take a budget of
// tokens, later ones a level.
func addThinking(w *wire.Writer, req *llm.Request) {
	if req.ReasoningEffort == "" {
		return
	}
	w.Name("thinkingConfig").Open('{')
	if strings.Contains(req.Model, "gemini-2") {
		w.Name("thinkingBudget").Int(thinkingBudget(req.ReasoningEffort))
	} else {
		w.Name("thinkingLevel").String(thinkingLevel(req.ReasoningEffort))
	}
	w.Close('}')
}

func thinkingBudget(effort string) int {
	switch effort {
	case "none", "minimal":
		return 0
	case "low":
		return 1024
	case "high", "xhigh":
		return 24576
	}
	return 8192
}

func thinkingLevel(effort string) string {
	switch effort {
	case "none":
		return "minimal"
	case "xhigh":
		return "high"
	}
	return effort
}

package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// encode renders the request. Equal requests give equal bytes.
func (p *Provider) encode(req *llm.Request) ([]byte, error) { return p.render(req, false) }

func (p *Provider) render(req *llm.Request, streamed bool) ([]byte, error) {
	if req.Model == "" {
		return nil, wire.NoModel()
	}
	messages := wire.FitIDs(llm.Repair(req.Messages), toolID)
	w := wire.NewWriter(req.Size())
	w.Open('{')
	w.Name("model").String(req.Model)
	limit, budget := p.maxTokens, thinkingBudget(req)
	if req.MaxTokens > 0 {
		limit = req.MaxTokens
	}
	w.Name("max_tokens").Int(limit + budget) // what is thought counts as reply
	w.Text("system", systemOf(req.System, messages))
	addTurns(w, messages)
	addTools(w, req.Tools)
	if req.Temperature != nil && budget == 0 { // refused beside thinking
		w.Name("temperature").Float(*req.Temperature)
	}
	w.Strings("stop_sequences", req.StopSequences)
	if streamed {
		w.Name("stream").Bool(true)
	}
	addThinking(w, req, budget)
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

// addTurns renders the messages, neighbours of one side as one.
func addTurns(w *wire.Writer, messages []llm.Message) {
	w.Name("messages").Open('[')
	var side llm.Role // of the turn that is open; "" is none
	for _, m := range messages {
		if m.Role == llm.RoleSystem || !hasBlocks(m) {
			continue
		}
		role := m.Role
		if role == llm.RoleTool {
			role = llm.RoleUser
		}
		if role != side {
			endTurn(w, side)
			w.Open('{')
			w.Name("role").String(string(role))
			w.Name("content").Open('[')
			side = role
		}
		addBlocks(w, m)
	}
	endTurn(w, side)
	w.Close(']')
}

func endTurn(w *wire.Writer, side llm.Role) {
	if side != "" {
		w.Close(']')
		w.Close('}')
	}
}

// hasBlocks reports whether anything of the message is sent. Empty texts are
// left out: the server refuses them.
func hasBlocks(m llm.Message) bool {
	for _, part := range m.Parts {
		if part.Text != "" || part.Image != nil || part.ToolCall != nil || part.ToolResult != nil {
			return true
		}
	}
	return false
}

func addBlocks(w *wire.Writer, m llm.Message) {
	for _, part := range m.Parts {
		switch {
		case part.ToolCall != nil:
			addUse(w, part.ToolCall)
		case part.ToolResult != nil:
			addResult(w, part.ToolResult)
		case part.Image != nil:
			addImage(w, part.Image)
		case part.Text != "":
			w.Open('{')
			w.Name("type").String("text")
			w.Name("text").String(part.Text)
			w.Close('}')
		}
	}
}

func addImage(w *wire.Writer, i *llm.Image) {
	kind := "image"
	if i.IsPDF() {
		kind = "document"
	}
	w.Open('{')
	w.Name("type").String(kind)
	w.Name("source").Open('{')
	w.Name("type").String("base64")
	w.Name("media_type").String(i.MediaType)
	w.Name("data").Base64("", i.Data)
	w.Close('}')
	w.Close('}')
}

func addUse(w *wire.Writer, call *llm.ToolCall) {
	w.Open('{')
	w.Name("type").String("tool_use")
	w.Name("id").String(call.ID)
	w.Text("name", call.Name)
	w.Name("input").JSON(wire.Object(call.Arguments))
	w.Close('}')
}

func addResult(w *wire.Writer, result *llm.ToolResult) {
	w.Open('{')
	w.Name("type").String("tool_result")
	w.Name("tool_use_id").String(result.ID)
	w.Text("content", result.Content)
	if result.IsError {
		w.Name("is_error").Bool(true)
	}
	w.Close('}')
}

func addTools(w *wire.Writer, tools []llm.Tool) {
	if len(tools) == 0 {
		return
	}
	w.Name("tools").Open('[')
	for _, t := range tools {
		schema := t.Parameters
		if schema == nil {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		w.Open('{')
		w.Name("name").String(t.Name)
		w.Text("description", t.Description)
		w.Name("input_schema").JSON(schema)
		w.Close('}')
	}
	w.Close(']')
}

const maxToolID = 64

// toolID keeps to the characters that the server takes in ids, which those of
// another dialect may not.
func toolID(id string) string {
	return wire.Bounded(strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, id), maxToolID)
}

package ai

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

// A transcript is a list of messages that can be kept as JSON and read again:
//
//	{:role "user" :content "..."}
//	{:role "assistant" :content "..." :tool-calls ({:id "..." :name "..." :arguments "{...}"})}
//	{:role "tool" :tool-call-id "..." :name "..." :content "..." :is-error #f}
//
// Arguments stay the text that the model wrote, so that no digit is lost. A call
// of Gemini has its :signature too, without which it would not be taken back.

func transcriptOf(messages []llm.Message) eval.Value {
	names := llm.CallNames(messages)
	var all []eval.Value
	for _, m := range messages {
		if m.Role != llm.RoleTool {
			all = append(all, turnValue(m))
			continue
		}
		for _, p := range m.Parts {
			if r := p.ToolResult; r != nil {
				all = append(all, value.Map(keyword("role"), value.String("tool"), keyword("tool-call-id"), value.String(r.ID), keyword("name"), textOrNil(names[r.ID]),
					keyword("content"), value.String(r.Content), keyword("is-error"), value.Bool(r.IsError)))
			}
		}
	}
	return value.List(all...)
}

func turnValue(m llm.Message) eval.Value {
	v := value.Map(keyword("role"), value.String(string(m.Role)), keyword("content"), value.String(m.Text()))
	var calls []eval.Value
	for _, p := range m.Parts {
		if c := p.ToolCall; c != nil {
			call := value.Map(keyword("id"), value.String(c.ID), keyword("name"), value.String(c.Name), keyword("arguments"), value.String(c.Arguments))
			if c.Signature != "" {
				call = call.Assoc(keyword("signature"), value.String(c.Signature))
			}
			calls = append(calls, call)
		}
	}
	if calls != nil {
		v = v.Assoc(keyword("tool-calls"), value.List(calls...))
	}
	return v
}

// readTranscript reads what transcriptOf wrote, and plain messages. Results that
// follow each other answer one turn.
func readTranscript(v eval.Value) ([]llm.Message, error) {
	if v.IsNil() {
		return nil, nil
	}
	if !v.IsSeq() {
		return nil, eval.TypeError("a list of messages, as :messages of an earlier run", v)
	}
	var all []llm.Message
	for x := range v.Elems() {
		m, err := readTurn(x)
		if err != nil {
			return nil, err
		}
		if last := len(all) - 1; m.Role == llm.RoleTool && last >= 0 && all[last].Role == llm.RoleTool {
			all[last].Parts = append(all[last].Parts, m.Parts...)
			continue
		}
		all = append(all, m)
	}
	return all, nil
}

func readTurn(v eval.Value) (llm.Message, error) {
	role, content, calls := value.Nil, value.Nil, value.Nil
	if v.IsMap() {
		role, _ = v.Get(keyword("role"))
		content, _ = v.Get(keyword("content"))
		calls, _ = v.Get(keyword("tool-calls"))
	}
	switch {
	case plainName(role) == "tool":
		return readResult(v, content)
	case plainName(role) == "assistant" && calls.IsSeq():
		return readCalls(content, calls)
	}
	return readMessage(v)
}

func readResult(v, content eval.Value) (llm.Message, error) {
	id, _ := v.Get(keyword("tool-call-id"))
	isError, _ := v.Get(keyword("is-error"))
	callID, ok := id.AsString()
	text, isText := content.AsString()
	if !ok || !isText {
		return llm.Message{}, eval.TypeError("a result {:role \"tool\" :tool-call-id \"...\" :content \"...\"}", v)
	}
	r := &llm.ToolResult{ID: callID, Content: text, IsError: isError.Truthy()}
	return llm.Message{Role: llm.RoleTool, Parts: []llm.Part{{ToolResult: r}}}, nil
}

func readCalls(content, calls eval.Value) (llm.Message, error) {
	m := llm.Message{Role: llm.RoleAssistant}
	if text, _ := content.AsString(); text != "" {
		m.Parts = append(m.Parts, llm.Part{Text: text})
	}
	for x := range calls.Elems() {
		c := &llm.ToolCall{}
		for name, to := range map[string]*string{"id": &c.ID, "name": &c.Name, "arguments": &c.Arguments} {
			field := value.Nil
			if x.IsMap() {
				field, _ = x.Get(keyword(name))
			}
			text, ok := field.AsString()
			if !ok {
				return m, eval.TypeError("a call {:id \"...\" :name \"...\" :arguments \"{...}\"} in :tool-calls", x)
			}
			*to = text
		}
		signature, _ := x.Get(keyword("signature"))
		c.Signature, _ = signature.AsString()
		m.Parts = append(m.Parts, llm.Part{ToolCall: c})
	}
	return m, nil
}

package llm

// Repair returns the messages with tool calls and results in pairs, as every
// provider demands: a call whose result got lost (an abort, a trim) is answered
// with an error, and a result without its call is dropped. Messages that are in
// order are returned as they are.
func Repair(messages []Message) []Message {
	if paired(messages) {
		return messages
	}
	var out []Message
	var open []*ToolCall // calls that wait for a result
	for _, m := range messages {
		if m.Role == RoleTool {
			if m.Parts, open = matching(m.Parts, open); len(m.Parts) > 0 {
				out = append(out, m)
			}
			continue
		}
		out = answered(out, open)
		open = m.calls()
		out = append(out, m)
	}
	return answered(out, open)
}

func paired(messages []Message) bool {
	var open []*ToolCall
	for _, m := range messages {
		if m.Role == RoleTool {
			var kept []Part
			if kept, open = matching(m.Parts, open); len(kept) != len(m.Parts) {
				return false
			}
			continue
		}
		if len(open) > 0 {
			return false
		}
		open = m.calls()
	}
	return len(open) == 0
}

func (m Message) calls() []*ToolCall {
	var calls []*ToolCall
	for _, p := range m.Parts {
		if p.ToolCall != nil {
			calls = append(calls, p.ToolCall)
		}
	}
	return calls
}

// matching returns the results that answer an open call, and the calls that
// are still open after them.
func matching(parts []Part, open []*ToolCall) (kept []Part, still []*ToolCall) {
	still = append(still, open...)
	for _, p := range parts {
		if p.ToolResult == nil {
			continue
		}
		for i, call := range still {
			if call.ID == p.ToolResult.ID {
				kept = append(kept, p)
				still = append(still[:i], still[i+1:]...)
				break
			}
		}
	}
	return kept, still
}

// answered adds a result to each call that is still open.
func answered(out []Message, open []*ToolCall) []Message {
	if len(open) == 0 {
		return out
	}
	m := Message{Role: RoleTool}
	for _, call := range open {
		m.Parts = append(m.Parts, Part{ToolResult: &ToolResult{
			ID: call.ID, Content: "no result: the call was interrupted", IsError: true,
		}})
	}
	return append(out, m)
}

// CallNames are the names of the tools by the ids of their calls, for formats in
// which a result says the name.
func CallNames(messages []Message) map[string]string {
	names := map[string]string{}
	for _, m := range messages {
		for _, part := range m.Parts {
			if part.ToolCall != nil {
				names[part.ToolCall.ID] = part.ToolCall.Name
			}
		}
	}
	return names
}

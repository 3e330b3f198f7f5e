package wire

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gosema/gosema/llm"
)

// FitIDs returns the messages with ids of tool calls that a server takes. Another
// dialect may have made them, or a server that repeats itself: fit makes an id
// acceptable, and two calls of a conversation never share one. Equal messages get
// equal ids. Those that are in order stay as they are.
func FitIDs(messages []llm.Message, fit func(id string) string) []llm.Message {
	if !slices.ContainsFunc(messages, llm.Message.HasCalls) {
		return messages
	}
	seen := map[string]bool{}
	var fresh map[string][]string // the new ids of the calls that wait for a result, by the old
	out := messages
	for i, m := range messages {
		if m.HasCalls() {
			fresh = map[string][]string{}
		}
		for j, part := range m.Parts {
			old, id := "", ""
			switch {
			case part.ToolCall != nil:
				old = part.ToolCall.ID
				id = unused(old, len(seen), seen, fit)
				fresh[old] = append(fresh[old], id)
			case part.ToolResult != nil && len(fresh[part.ToolResult.ID]) > 0:
				old = part.ToolResult.ID
				id, fresh[old] = fresh[old][0], fresh[old][1:]
			}
			if id != old {
				out = renamed(messages, out, i, j, id)
			}
		}
	}
	return out
}

// unused is the id of the nth call.
func unused(old string, n int, seen map[string]bool, fit func(string) string) string {
	id := fit(old)
	for ; id == "" || seen[id]; n++ {
		id = fit(fmt.Sprintf("%s_%d", strings.TrimSuffix("call_"+old, "_"), n))
	}
	seen[id] = true
	return id
}

// renamed is out with another id in the part j of the message i. The originals
// are left alone.
func renamed(messages, out []llm.Message, i, j int, id string) []llm.Message {
	if &out[0] == &messages[0] {
		out = append([]llm.Message(nil), messages...)
	}
	if &out[i].Parts[0] == &messages[i].Parts[0] {
		out[i].Parts = append([]llm.Part(nil), messages[i].Parts...)
	}
	part := &out[i].Parts[j]
	if part.ToolCall != nil {
		call := *part.ToolCall
		call.ID, part.ToolCall = id, &call
	} else {
		result := *part.ToolResult
		result.ID, part.ToolResult = id, &result
	}
	return out
}

// Bounded returns an id of at most max bytes: a hash where it is longer.
func Bounded(id string, max int) string {
	if len(id) <= max {
		return id
	}
	return CallID([]byte(id), 0)
}

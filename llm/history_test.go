package llm_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gosema/gosema/llm"
)

func calling(ids ...string) llm.Message {
	m := llm.Message{Role: llm.RoleAssistant}
	for _, id := range ids {
		m.Parts = append(m.Parts, llm.Part{ToolCall: &llm.ToolCall{ID: id, Name: "t", Arguments: "{}"}})
	}
	return m
}

func results(ids ...string) llm.Message {
	m := llm.Message{Role: llm.RoleTool}
	for _, id := range ids {
		m.Parts = append(m.Parts, llm.Part{ToolResult: &llm.ToolResult{ID: id, Content: "r"}})
	}
	return m
}

// shape names roles and ids, "!" for a result that was made up.
func shape(messages []llm.Message) (out []string) {
	for _, m := range messages {
		s := string(m.Role[:1])
		for _, p := range m.Parts {
			if p.ToolCall != nil {
				s += " " + p.ToolCall.ID
			}
			if r := p.ToolResult; r != nil {
				s += " " + r.ID
				if r.IsError {
					s += "!"
				}
			}
		}
		out = append(out, s)
	}
	return out
}

func TestRepair(t *testing.T) {
	user := llm.User("u")
	cases := []struct {
		name string
		in   []llm.Message
		want []string
	}{
		{"in order", []llm.Message{user, calling("1", "2"), results("1"), results("2"), user}, []string{"u", "a 1 2", "t 1", "t 2", "u"}},
		{"aborted at the end", []llm.Message{user, calling("1")}, []string{"u", "a 1", "t 1!"}},
		{"aborted in the middle", []llm.Message{calling("1", "2"), results("2"), user}, []string{"a 1 2", "t 2", "t 1!", "u"}},
		{"trimmed call", []llm.Message{results("1"), user}, []string{"u"}},
		{"stray among good", []llm.Message{calling("1"), results("0", "1", "1")}, []string{"a 1", "t 1"}},
		{"result too late", []llm.Message{calling("1"), user, results("1")}, []string{"a 1", "t 1!", "u"}},
		{"calls in a row", []llm.Message{calling("1"), calling("2"), results("2")}, []string{"a 1", "t 1!", "a 2", "t 2"}},
	}
	for _, c := range cases {
		before := shape(c.in)
		assert.Equal(t, c.want, shape(llm.Repair(c.in)), c.name)
		assert.Equal(t, before, shape(c.in), "the input is left alone")
	}
}

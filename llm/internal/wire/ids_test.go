package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gosema/gosema/llm"
)

func turn(ids ...string) llm.Message {
	m := llm.Message{Role: llm.RoleAssistant}
	for _, id := range ids {
		m.Parts = append(m.Parts, llm.Part{ToolCall: &llm.ToolCall{ID: id}})
	}
	return m
}

func answers(ids ...string) llm.Message {
	m := llm.Message{Role: llm.RoleTool}
	for _, id := range ids {
		m.Parts = append(m.Parts, llm.Part{ToolResult: &llm.ToolResult{ID: id}})
	}
	return m
}

func idsOf(messages []llm.Message) string {
	var ids []string
	for _, m := range messages {
		for _, p := range m.Parts {
			if p.ToolCall != nil {
				ids = append(ids, p.ToolCall.ID)
			} else if p.ToolResult != nil {
				ids = append(ids, ":"+p.ToolResult.ID)
			}
		}
	}
	return strings.Join(ids, " ")
}

func TestFitIDs(t *testing.T) {
	short := func(id string) string { return strings.ReplaceAll(id, ".", "_") }
	for name, c := range map[string]struct {
		in   []llm.Message
		want string
	}{
		"in order":            {[]llm.Message{turn("a", "b"), answers("b", "a"), turn("c"), answers("c")}, "a b :b :a c :c"},
		"refused characters":  {[]llm.Message{turn("a.1"), answers("a.1")}, "a_1 :a_1"},
		"the same in turns":   {[]llm.Message{turn("a"), answers("a"), turn("a"), answers("a")}, "a :a call_a_1 :call_a_1"},
		"the same in a turn":  {[]llm.Message{turn("a", "a"), answers("a", "a")}, "a call_a_1 :a :call_a_1"},
		"none":                {[]llm.Message{turn("", ""), answers("", "")}, "call_0 call_1 :call_0 :call_1"},
		"the same afterwards": {[]llm.Message{turn("a.1", "a_1"), answers("a_1", "a.1")}, "a_1 call_a_1_1 :call_a_1_1 :a_1"},
		"no calls":            {[]llm.Message{llm.User("x"), {}}, ""},
		"a stray result":      {[]llm.Message{answers("z"), turn("a"), answers("a", "a")}, ":z a :a :a"},
	} {
		before := idsOf(c.in)
		out := FitIDs(c.in, short)
		assert.Equal(t, c.want, idsOf(out), name)
		assert.Equal(t, before, idsOf(c.in), "the input is left alone")
		assert.Equal(t, before == c.want, &out[0] == &c.in[0], "no copy without need: %s", name)
	}
	assert.Equal(t, "abc", Bounded("abc", 3))
	assert.Equal(t, "call_1a47e90b_0", Bounded("abc", 2))
}

package llm_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// TestUsageInChunks: usage has a chunk of its own, which need not be the last, and
// the last that is seen counts.
func TestUsageInChunks(t *testing.T) {
	use := func(in, out int) string {
		return fmt.Sprintf(`data: {"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`+"\n\n", in, out)
	}
	for name, body := range map[string]string{
		"at the end":    openaiText + openaiEnd + use(3, 5),
		"in the middle": use(3, 1) + openaiText + use(3, 5) + openaiEnd,
		"then null":     openaiText + use(3, 5) + `data: {"choices":[],"usage":null}` + "\n\n" + openaiEnd,
		"then nonsense": openaiText + use(3, 5) + `data: {"choices":[],"usage":"many"}` + "\n\n" + openaiEnd,
	} {
		r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{raw(body + "data: [DONE]\n\n")}}})
		h := r.listen(t, question(), nil)
		require.NoError(t, h.err, name)
		assert.Equal(t, &llm.Usage{InputTokens: 3, OutputTokens: 5}, h.reply.Usage, name)
	}
}

// TestPiecesOfToolCalls: pieces are joined by number, by id, or to the call before.
func TestPiecesOfToolCalls(t *testing.T) {
	delta := func(calls ...string) string {
		return `data: {"choices":[{"delta":{"tool_calls":[` + strings.Join(calls, ",") + `]}}]}` + "\n\n"
	}
	block := func(s string) string { return "data: {" + s + "}\n\n" }
	two := []string{`a f {"x":1}`, `b g {"y":2}`}
	for name, c := range map[string]struct {
		dialect llmtest.Dialect
		body    string
		want    []string // id, name and arguments; "_" is an id that was made up
	}{
		"interleaved by index": {llmtest.OpenAI, delta(`{"index":0,"id":"a","function":{"name":"f","arguments":""}}`) + delta(`{"index":1,"id":"b","function":{"name":"g","arguments":"{\"y\""}}`) +
			delta(`{"index":0,"function":{"arguments":"{\"x\":1}"}}`, `{"index":1,"function":{"arguments":":2}"}}`), two},
		"interleaved by id": {llmtest.OpenAI, delta(`{"id":"a","function":{"name":"f","arguments":"{\"x\""}}`) + delta(`{"id":"b","function":{"name":"g","arguments":"{\"y\""}}`) +
			delta(`{"id":"a","function":{"arguments":":1}"}}`) + delta(`{"id":"b","function":{"arguments":":2}"}}`), two},
		"one index for all": {llmtest.OpenAI, delta(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}`) + delta(`{"index":0,"function":{"arguments":"1}"}}`) +
			delta(`{"index":0,"id":"b","function":{"name":"g","arguments":"{\"y\":"}}`) + delta(`{"index":0,"id":"b","function":{"arguments":"2}"}}`), two},
		"neither": {llmtest.OpenAI, delta(`{"function":{"name":"f","arguments":"{\"x\":"}}`) + delta(`{"function":{"arguments":"1}"}}`) + delta(`{"function":{"name":"g","arguments":"{\"y\":2}"}}`),
			[]string{`_ f {"x":1}`, `_ g {"y":2}`}},
		"an object":    {llmtest.OpenAI, delta(`{"index":0,"id":"a","function":{"name":"f","arguments":{"x":1}}}`), two[:1]},
		"no arguments": {llmtest.OpenAI, delta(`{"index":0,"id":"a","function":{"name":"f","arguments":""}}`), []string{"a f {}"}},
		"interleaved blocks": {llmtest.Anthropic, block(`"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}`) +
			block(`"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"b","name":"g","input":{}}`) +
			block(`"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"y\":2}"}`) +
			block(`"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"x\":1}"}`), two},
		"a block without input": {llmtest.Anthropic, block(`"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"f"}`), []string{"_ f {}"}},
	} {
		end := `data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}` + "\n\n"
		if c.dialect == llmtest.Anthropic {
			end = block(`"type":"message_delta","delta":{"stop_reason":"tool_use"}`) + block(`"type":"message_stop"`)
		}
		r := newRig(t, c.dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{raw(c.body + end)}}})
		h := r.listen(t, question(), nil)
		require.NoError(t, h.err, name)
		var got []string
		made := map[string]bool{}
		for i, call := range h.reply.ToolCalls {
			id := call.ID
			if i < len(c.want) && strings.HasPrefix(c.want[i], "_") && id != "" && !made[id] {
				made[id], id = true, "_"
			}
			got = append(got, id+" "+call.Name+" "+call.Arguments)
		}
		assert.Equal(t, c.want, got, name)
		assert.Equal(t, llm.StopTools, h.reply.StopReason, name)
	}
}

// TestNoArguments: a tool without parameters is called with "" or nothing, and the
// call goes back as the dialect wants it.
func TestNoArguments(t *testing.T) {
	bodies := map[llmtest.Dialect][]string{
		llmtest.OpenAI:    {`{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":""}}]}}]}`, `{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f"}}]}}]}`},
		llmtest.Anthropic: {`{"content":[{"type":"tool_use","id":"a","name":"f"}]}`, `{"content":[{"type":"tool_use","id":"a","name":"f","input":""}]}`},
		llmtest.Gemini:    {`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}}]}}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":null}}]}}]}`},
		llmtest.Ollama:    {`{"message":{"tool_calls":[{"function":{"name":"f","arguments":""}}]},"done":true}`, `{"message":{"tool_calls":[{"function":{"name":"f"}}]},"done":true}`},
	}
	sent := map[llmtest.Dialect]string{llmtest.OpenAI: `"arguments":"{}"`, llmtest.Anthropic: `"input":{}`, llmtest.Gemini: `"args":{}`, llmtest.Ollama: `"arguments":{}`}
	for dialect, forms := range bodies {
		for _, body := range forms {
			r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{raw(body), {Text: "ok"}}}})
			reply, err := r.streamCall().Complete(t.Context(), question())
			require.NoError(t, err, body)
			require.Len(t, reply.ToolCalls, 1, body)
			assert.Equal(t, "{}", reply.ToolCalls[0].Arguments, body)
			req := question()
			req.Messages = append(req.Messages, reply.Message())
			_, err = r.streamCall().Complete(t.Context(), req)
			require.NoError(t, err)
			assert.Contains(t, string(r.Requests()[1].Body), sent[dialect])
		}
	}
}

// TestCutOffWithoutParts: thoughts used up all that the reply may have.
func TestCutOffWithoutParts(t *testing.T) {
	for _, content := range []string{"", `"content":{},`, `"content":{"role":"model","parts":null},`} {
		for _, form := range []string{`{"candidates":[{%s"finishReason":"MAX_TOKENS"}]}`, "data: {\"candidates\":[{%s\"finishReason\":\"MAX_TOKENS\"}]}\n\n"} {
			r := newRig(t, llmtest.Gemini, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{raw(fmt.Sprintf(form, content))}}})
			h := r.listen(t, question(), nil)
			require.NoError(t, h.err)
			assert.Equal(t, llm.StopLength, h.reply.StopReason)
			assert.Empty(t, h.reply.Text)
		}
	}
}

// TestHistoriesAreRepaired: calls without results, and results without calls, are
// in no request.
func TestHistoriesAreRepaired(t *testing.T) {
	made := map[llmtest.Dialect]string{llmtest.OpenAI: `"tool_call_id":"lost"`, llmtest.Anthropic: `"tool_use_id":"lost","content":"no result: the call was interrupted","is_error":true`,
		llmtest.Gemini: `"response":{"error":"no result: the call was interrupted"}`, llmtest.Ollama: `"content":"no result: the call was interrupted","tool_name":"t"`}
	allDialects(t, func(t *testing.T, dialect llmtest.Dialect) {
		r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Text: "ok"}}}})
		stray := llm.Message{Role: llm.RoleTool, Parts: []llm.Part{{ToolResult: &llm.ToolResult{ID: "stray", Content: "of a call that was trimmed"}}}}
		_, err := r.streamCall().Complete(t.Context(), &llm.Request{Messages: []llm.Message{stray, llm.User("a"), calling("lost"), llm.User("b")}})
		require.NoError(t, err)
		body := string(r.Requests()[0].Body)
		assert.Contains(t, body, made[dialect])
		assert.NotContains(t, body, "trimmed")
	})
}

// TestLoneSurrogates: half a character, in the prompt or in what a model wrote, is
// replaced, so that the conversation goes on.
func TestLoneSurrogates(t *testing.T) {
	allDialects(t, func(t *testing.T, dialect llmtest.Dialect) {
		r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Text: "ok"}}}})
		half := "x\xed\xa0\xbdy"
		call := &llm.ToolCall{ID: "a", Name: "f", Arguments: `{"s":"\ud83d","whole":"\ud83d\ude00"}`}
		_, err := r.streamCall().Complete(t.Context(), &llm.Request{System: half, Messages: []llm.Message{llm.User(half),
			{Role: llm.RoleAssistant, Parts: []llm.Part{{ToolCall: call}}},
			{Role: llm.RoleTool, Parts: []llm.Part{{ToolResult: &llm.ToolResult{ID: "a", Content: half}}}}}})
		require.NoError(t, err)
		body := r.Requests()[0].Body
		require.True(t, json.Valid(body))
		text := strings.ToLower(string(body))
		pairs := strings.NewReplacer(`\ud83d\ude00`, "", `\\ud83d\\ude00`, "") // OpenAI's are JSON within a string
		assert.NotContains(t, pairs.Replace(text), `ud83d`)
		assert.NotContains(t, text, "\xed\xa0")
		assert.Equal(t, 3, strings.Count(text, `x\ufffd\ufffd\ufffdy`))
	})
}

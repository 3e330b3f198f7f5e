package interop

import (
	"encoding/base64"
	"encoding/json"
	"testing"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
)

func TestAnthropicReadsOurRequest(t *testing.T) {
	got := ask(t, "anthropic", question("claude-opus-4-6"), false)
	assert.Equal(t, "/v1/messages", got.path)
	assert.Equal(t, key, got.header.Get("X-Api-Key"))
	assert.Equal(t, "2023-06-01", got.header.Get("Anthropic-Version"))

	assert.Contains(t, string(got.body), arguments, "digits and all")

	var p sdk.MessageNewParams
	decode(t, blocksFor(t, got.body), &p)
	assert.Equal(t, "claude-opus-4-6", p.Model)
	assert.EqualValues(t, 99, p.MaxTokens)
	assert.Equal(t, 0.25, p.Temperature.Value)
	assert.Equal(t, []string{"END", "STOP"}, p.StopSequences)
	assert.EqualValues(t, "high", p.OutputConfig.Effort)
	require.Len(t, p.System, 1)
	assert.Equal(t, system, p.System[0].Text)
	checkAnthropicTurns(t, p.Messages)

	require.Len(t, p.Tools, 2)
	assert.Equal(t, "power", p.Tools[0].OfTool.Name)
	assert.Equal(t, "raises a number", p.Tools[0].OfTool.Description.Value)
	assert.Contains(t, p.Tools[0].OfTool.InputSchema.Properties, "exponent")
	assert.Equal(t, []string{"base"}, p.Tools[0].OfTool.InputSchema.Required)
	assert.Equal(t, "now", p.Tools[1].OfTool.Name)
}

func checkAnthropicTurns(t *testing.T, turns []sdk.MessageParam) {
	t.Helper()
	require.Len(t, turns, 3) // the results and the text behind them are one turn
	assert.EqualValues(t, "user", turns[0].Role)
	require.Len(t, turns[0].Content, 2)
	assert.Equal(t, firstText, turns[0].Content[0].OfText.Text)
	source := turns[0].Content[1].OfImage.Source.OfBase64
	assert.EqualValues(t, "image/png", source.MediaType)
	assert.Equal(t, base64.StdEncoding.EncodeToString(picture), source.Data)

	assert.EqualValues(t, "assistant", turns[1].Role)
	require.Len(t, turns[1].Content, 3)
	assert.Equal(t, "I calculate.", turns[1].Content[0].OfText.Text)
	use := turns[1].Content[1].OfToolUse
	assert.Equal(t, callID, use.ID)
	assert.Equal(t, "power", use.Name)
	input, err := json.Marshal(use.Input)
	require.NoError(t, err)
	assert.JSONEq(t, arguments, string(input))

	assert.EqualValues(t, "user", turns[2].Role)
	require.Len(t, turns[2].Content, 3)
	result := turns[2].Content[0].OfToolResult
	assert.Equal(t, callID, result.ToolUseID)
	assert.Equal(t, toolOutput, result.Content[0].OfText.Text)
	assert.False(t, result.IsError.Value)
	assert.True(t, turns[2].Content[1].OfToolResult.IsError.Value)
	assert.Equal(t, lastText, turns[2].Content[2].OfText.Text)
}

// blocksFor spells the texts of the system and of tool results as lists of
// blocks: the format takes both, the SDK's types only lists.
func blocksFor(t *testing.T, body []byte) []byte {
	t.Helper()
	request := tree(t, body).(map[string]any)
	spell := func(in map[string]any, name string) {
		if text, ok := in[name].(string); ok {
			in[name] = []any{map[string]any{"type": "text", "text": text}}
		}
	}
	spell(request, "system")
	for _, turn := range request["messages"].([]any) {
		for _, block := range turn.(map[string]any)["content"].([]any) {
			spell(block.(map[string]any), "content")
		}
	}
	raw, err := json.Marshal(request)
	require.NoError(t, err)
	return raw
}

// An older model takes the effort as a budget of thinking, within the limit of the
// reply, and without a temperature.
func TestAnthropicReadsOurThinking(t *testing.T) {
	req := question("claude-sonnet-4-5")
	req.Messages = []llm.Message{llm.User("hi")}
	got := ask(t, "anthropic", req, false)
	var p sdk.MessageNewParams
	decode(t, blocksFor(t, got.body), &p)
	require.NotNil(t, p.Thinking.OfEnabled)
	assert.Positive(t, p.Thinking.OfEnabled.BudgetTokens)
	assert.Equal(t, 99+p.Thinking.OfEnabled.BudgetTokens, p.MaxTokens)
	assert.False(t, p.Temperature.Valid())
}

func TestAnthropicReadsOurDocument(t *testing.T) {
	pdf := []byte("%PDF-1.7\n")
	got := ask(t, "anthropic", &llm.Request{Model: "claude-opus-4-6", Messages: []llm.Message{{Role: llm.RoleUser, Parts: []llm.Part{
		{Image: &llm.Image{MediaType: "application/pdf", Data: pdf}}, {Text: "summarize"},
	}}}}, true)
	assert.Equal(t, true, tree(t, got.body).(map[string]any)["stream"])
	var p sdk.MessageNewParams
	require.NoError(t, p.UnmarshalJSON(got.body))
	document := p.Messages[0].Content[0].OfDocument
	require.NotNil(t, document)
	assert.Equal(t, base64.StdEncoding.EncodeToString(pdf), document.Source.OfBase64.Data)
}

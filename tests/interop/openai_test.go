package interop

import (
	"encoding/base64"
	"testing"

	sdk "github.com/openai/openai-go/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOpenAIReadsOurRequest(t *testing.T) {
	got := ask(t, "openai", question("gpt-5"), false)
	assert.Equal(t, "/v1/chat/completions", got.path)
	assert.Equal(t, "Bearer "+key, got.header.Get("Authorization"))

	var p sdk.ChatCompletionNewParams
	decode(t, got.body, &p)
	assert.Equal(t, "gpt-5", p.Model)
	assert.EqualValues(t, 99, p.MaxCompletionTokens.Value)
	assert.False(t, p.MaxTokens.Valid())
	assert.Equal(t, 0.25, p.Temperature.Value)
	assert.Equal(t, []string{"END", "STOP"}, p.Stop.OfStringArray)
	assert.EqualValues(t, "high", p.ReasoningEffort)
	checkOpenAIMessages(t, p.Messages)

	require.Len(t, p.Tools, 2)
	power := p.Tools[0].GetFunction()
	require.NotNil(t, power)
	assert.Equal(t, "power", power.Name)
	assert.Equal(t, "raises a number", power.Description.Value)
	assert.Equal(t, "object", power.Parameters["type"])
	assert.Equal(t, "now", p.Tools[1].GetFunction().Name)
}

func checkOpenAIMessages(t *testing.T, messages []sdk.ChatCompletionMessageParamUnion) {
	t.Helper()
	require.Len(t, messages, 6)
	assert.Equal(t, system, messages[0].OfSystem.Content.OfString.Value)

	parts := messages[1].OfUser.Content.OfArrayOfContentParts
	require.Len(t, parts, 2)
	assert.Equal(t, firstText, parts[0].OfText.Text)
	assert.Equal(t, "data:image/png;base64,"+base64.StdEncoding.EncodeToString(picture), parts[1].OfImageURL.ImageURL.URL)

	assert.Equal(t, "I calculate.", messages[2].OfAssistant.Content.OfString.Value)
	calls := messages[2].OfAssistant.ToolCalls
	require.Len(t, calls, 2)
	assert.Equal(t, callID, calls[0].OfFunction.ID)
	assert.Equal(t, "power", calls[0].OfFunction.Function.Name)
	assert.Equal(t, arguments, calls[0].OfFunction.Function.Arguments)
	assert.Equal(t, "{}", calls[1].OfFunction.Function.Arguments)

	assert.Equal(t, callID, messages[3].OfTool.ToolCallID)
	assert.Equal(t, toolOutput, messages[3].OfTool.Content.OfString.Value)
	assert.Equal(t, "call_2", messages[4].OfTool.ToolCallID)
	assert.Equal(t, "no clock", messages[4].OfTool.Content.OfString.Value)
	assert.Equal(t, lastText, messages[5].OfUser.Content.OfString.Value)
}

// A stream asks for its usage.
func TestOpenAIReadsOurStreamRequest(t *testing.T) {
	got := ask(t, "openai", question("gpt-5"), true)
	assert.Equal(t, true, tree(t, got.body).(map[string]any)["stream"])
	var p sdk.ChatCompletionNewParams // the SDK adds "stream" by itself
	require.NoError(t, p.UnmarshalJSON(got.body))
	assert.True(t, p.StreamOptions.IncludeUsage.Value)
}

package interop

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	sdk "google.golang.org/genai"
)

// geminiBody is the body of generateContent, made of the SDK's types.
type geminiBody struct {
	Contents          []*sdk.Content        `json:"contents"`
	SystemInstruction *sdk.Content          `json:"systemInstruction"`
	Tools             []*sdk.Tool           `json:"tools"`
	GenerationConfig  *sdk.GenerationConfig `json:"generationConfig"`
}

func TestGeminiReadsOurRequest(t *testing.T) {
	for _, streamed := range []bool{false, true} {
		got := ask(t, "gemini", question("gemini-3-pro"), streamed)
		assert.Equal(t, key, got.header.Get("X-Goog-Api-Key"))
		if streamed {
			assert.Equal(t, "/v1beta/models/gemini-3-pro:streamGenerateContent", got.path)
			assert.Equal(t, "alt=sse", got.query)
		} else {
			assert.Equal(t, "/v1beta/models/gemini-3-pro:generateContent", got.path)
			assert.Empty(t, got.query)
		}
		checkGemini(t, got.body)
	}
}

func checkGemini(t *testing.T, raw []byte) {
	t.Helper()
	assert.Contains(t, string(raw), arguments, "digits and all")
	var body geminiBody
	strict := json.NewDecoder(bytes.NewReader(plainBase64(raw)))
	strict.DisallowUnknownFields()
	require.NoError(t, strict.Decode(&body))

	assert.Equal(t, system, body.SystemInstruction.Parts[0].Text)
	assert.EqualValues(t, 99, body.GenerationConfig.MaxOutputTokens)
	assert.EqualValues(t, 0.25, *body.GenerationConfig.Temperature)
	assert.Equal(t, []string{"END", "STOP"}, body.GenerationConfig.StopSequences)
	assert.EqualValues(t, "high", body.GenerationConfig.ThinkingConfig.ThinkingLevel)
	checkGeminiTurns(t, body.Contents)

	require.Len(t, body.Tools, 1)
	functions := body.Tools[0].FunctionDeclarations
	require.Len(t, functions, 2)
	assert.Equal(t, "power", functions[0].Name)
	assert.Equal(t, "raises a number", functions[0].Description)
	parameters, err := json.Marshal(functions[0].ParametersJsonSchema)
	require.NoError(t, err)
	assert.JSONEq(t, schema, string(parameters))
	assert.Equal(t, "now", functions[1].Name)
}

// plainBase64 respells the signature that stands for none: it is bytes in the
// alphabet for URLs, which the server reads too and encoding/json does not.
func plainBase64(raw []byte) []byte {
	return bytes.ReplaceAll(raw, []byte("skip_thought_signature_validator"), []byte("skip/thought/signature/validator"))
}

func checkGeminiTurns(t *testing.T, turns []*sdk.Content) {
	t.Helper()
	require.Len(t, turns, 3)
	assert.Equal(t, "user", turns[0].Role)
	require.Len(t, turns[0].Parts, 2)
	assert.Equal(t, firstText, turns[0].Parts[0].Text)
	assert.Equal(t, "image/png", turns[0].Parts[1].InlineData.MIMEType)
	assert.Equal(t, picture, turns[0].Parts[1].InlineData.Data)

	assert.Equal(t, "model", turns[1].Role)
	require.Len(t, turns[1].Parts, 3)
	assert.Equal(t, "I calculate.", turns[1].Parts[0].Text)
	assert.Equal(t, "power", turns[1].Parts[1].FunctionCall.Name)
	assert.EqualValues(t, 2, turns[1].Parts[1].FunctionCall.Args["base"])
	assert.NotEmpty(t, turns[1].Parts[1].ThoughtSignature)

	assert.Equal(t, "user", turns[2].Role)
	require.Len(t, turns[2].Parts, 3)
	assert.Equal(t, "power", turns[2].Parts[0].FunctionResponse.Name)
	assert.Equal(t, map[string]any{"result": toolOutput}, turns[2].Parts[0].FunctionResponse.Response)
	assert.Equal(t, "now", turns[2].Parts[1].FunctionResponse.Name)
	assert.Equal(t, map[string]any{"error": "no clock"}, turns[2].Parts[1].FunctionResponse.Response)
	assert.Equal(t, lastText, turns[2].Parts[2].Text)
}

// A model of version 2 takes the effort as a budget.
func TestGeminiReadsOurBudget(t *testing.T) {
	var body geminiBody
	require.NoError(t, json.Unmarshal(ask(t, "gemini", question("gemini-2.5-flash"), false).body, &body))
	require.NotNil(t, body.GenerationConfig.ThinkingConfig.ThinkingBudget)
	assert.Positive(t, *body.GenerationConfig.ThinkingConfig.ThinkingBudget)
	assert.Empty(t, body.GenerationConfig.ThinkingConfig.ThinkingLevel)
}

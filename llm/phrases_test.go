package llm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// TestProvidersWords: what providers call the failures that need another answer
// than a retry, over HTTP, each in the bodies that they send.
func TestProvidersWords(t *testing.T) {
	object := func(message, kind, code string) string {
		return fmt.Sprintf(`{"error":{"message":%q,"type":%q,"code":%q}}`, message, kind, code)
	}
	google := func(code int, message, status string) string {
		return fmt.Sprintf(`{"error":{"code":%d,"message":%q,"status":%q}}`, code, message, status)
	}
	anthropic := func(kind, message string) string {
		return fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q}}`, kind, message)
	}
	cases := []struct {
		dialect llmtest.Dialect
		status  int
		body    string
		kind    llm.Kind
		retried bool
	}{
		{llmtest.OpenAI, 429, object("You exceeded your current quota", "insufficient_quota", "insufficient_quota"), llm.KindQuota, false},
		{llmtest.OpenAI, 400, object("You exceeded your current quota", "insufficient_quota", "insufficient_quota"), llm.KindQuota, false},
		{llmtest.OpenAI, 429, object("exceeded", "exceeded_current_quota_error", ""), llm.KindQuota, false},
		{llmtest.OpenAI, 429, object("Rate limit reached for requests", "requests", "rate_limit_exceeded"), llm.KindRateLimit, true},
		{llmtest.OpenAI, 402, `{"error":{"message":"This request requires more credits","code":402}}`, llm.KindQuota, false},
		{llmtest.OpenAI, 403, `{"code":"permission","error":"Your newly created team doesn't have any credits yet."}`, llm.KindQuota, false},
		{llmtest.OpenAI, 400, object("This model's maximum context length is 128000 tokens.", "invalid_request_error", "context_length_exceeded"), llm.KindContextLength, false},
		{llmtest.OpenAI, 400, object("Please reduce the length of the messages or completion.", "invalid_request_error", ""), llm.KindContextLength, false},
		{llmtest.OpenAI, 400, object("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", "", "content_filter"), llm.KindContentFilter, false},
		{llmtest.OpenAI, 400, object("Your request was rejected as a result of our safety system.", "image_generation_user_error", "moderation_blocked"), llm.KindContentFilter, false},
		{llmtest.OpenAI, 404, object("The model `gtp` does not exist or you do not have access to it.", "invalid_request_error", "model_not_found"), llm.KindNotFound, false},
		{llmtest.OpenAI, 400, `{"error":{"message":"gtp is not a valid model ID","code":400}}`, llm.KindNotFound, false},
		{llmtest.OpenAI, 400, object("Model Not Exist", "invalid_request_error", "invalid_request_error"), llm.KindNotFound, false},
		{llmtest.OpenAI, 400, object("The model has been decommissioned", "invalid_request_error", "model_decommissioned"), llm.KindNotFound, false},
		{llmtest.OpenAI, 401, object("Incorrect API key provided", "invalid_request_error", "invalid_api_key"), llm.KindAuth, false},
		{llmtest.OpenAI, 400, object("Incorrect API key provided", "", ""), llm.KindAuth, false},
		{llmtest.OpenAI, 403, `<html>forbidden</html>`, llm.KindAuth, false},
		{llmtest.OpenAI, 422, `{"detail":[{"msg":"field required"}]}`, llm.KindBadRequest, false},

		{llmtest.OpenAI, 429, `{"code":"Some resource has been exhausted","error":"Your team has either used all available credits or reached its monthly spending limit."}`, llm.KindQuota, false},
		{llmtest.OpenAI, 401, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":401}}`, llm.KindQuota, false},
		{llmtest.OpenAI, 400, object("Invalid request: Your request exceeded model token limit: 8192", "invalid_request_error", ""), llm.KindContextLength, false},
		{llmtest.OpenAI, 400, object("The decoder prompt (length 9000) is longer than the maximum model length of 8192.", "BadRequestError", ""), llm.KindContextLength, false},
		{llmtest.OpenAI, 422, object("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097", "invalid_request_error", ""), llm.KindContextLength, false},
		{llmtest.OpenAI, 400, object("Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens", "", ""), llm.KindContextLength, false},
		{llmtest.OpenAI, 413, object("Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 7000, please reduce your message size and try again.", "tokens", "rate_limit_exceeded"), llm.KindContextLength, false},
		{llmtest.OpenAI, 400, object("Invalid prompt: your prompt was flagged as potentially violating our usage policy.", "invalid_request_error", "invalid_prompt"), llm.KindContentFilter, false},
		{llmtest.OpenAI, 403, `{"error":{"message":"Your chosen model requires moderation and your input was flagged","code":403}}`, llm.KindContentFilter, false},
		{llmtest.OpenAI, 400, `{"error":{"code":"content_filter","message":"filtered","innererror":{"code":"ResponsibleAIPolicyViolation"}}}`, llm.KindContentFilter, false},
		{llmtest.OpenAI, 404, `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}`, llm.KindNotFound, false},

		{llmtest.Anthropic, 400, anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API."), llm.KindQuota, false},
		{llmtest.Anthropic, 400, anthropic("invalid_request_error", "You have reached your specified API usage limits."), llm.KindQuota, false},
		{llmtest.Anthropic, 400, anthropic("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"), llm.KindContextLength, false},
		{llmtest.Anthropic, 400, anthropic("invalid_request_error", "input length and `max_tokens` exceed context limit"), llm.KindContextLength, false},
		{llmtest.Anthropic, 400, anthropic("invalid_request_error", "Output blocked by content filtering policy"), llm.KindContentFilter, false},
		{llmtest.Anthropic, 404, anthropic("not_found_error", "model: claude-nope"), llm.KindNotFound, false},
		{llmtest.Anthropic, 401, anthropic("authentication_error", "invalid x-api-key"), llm.KindAuth, false},
		{llmtest.Anthropic, 413, anthropic("request_too_large", "Request exceeds the maximum size"), llm.KindBadRequest, false},
		{llmtest.Anthropic, 529, anthropic("overloaded_error", "Overloaded"), llm.KindOverloaded, true},

		{llmtest.Gemini, 429, google(429, "You exceeded your current quota, please check your plan and billing details.", "RESOURCE_EXHAUSTED"), llm.KindRateLimit, true},
		{llmtest.Gemini, 400, google(400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", "INVALID_ARGUMENT"), llm.KindContextLength, false},
		{llmtest.Gemini, 400, google(400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT"), llm.KindAuth, false},
		{llmtest.Gemini, 429, google(429, "Your prepayment credits are depleted. Please go to AI Studio.", "RESOURCE_EXHAUSTED"), llm.KindQuota, false},
		{llmtest.Gemini, 403, google(403, "Method doesn't allow unregistered callers", "PERMISSION_DENIED"), llm.KindAuth, false},
		{llmtest.Gemini, 200, `{"candidates":[{"finishReason":"MODEL_ARMOR"}]}`, llm.KindContentFilter, false},
		{llmtest.Gemini, 404, google(404, "models/nope is not found for API version v1beta", "NOT_FOUND"), llm.KindNotFound, false},
		{llmtest.Gemini, 503, google(503, "The model is overloaded.", "UNAVAILABLE"), llm.KindServer, true},
		{llmtest.Gemini, 200, `{"promptFeedback":{"blockReason":"SAFETY"}}`, llm.KindContentFilter, false},
		{llmtest.Gemini, 200, `{"candidates":[{"finishReason":"SAFETY","content":{"parts":[]}}]}`, llm.KindContentFilter, false},

		{llmtest.Ollama, 404, `{"error":"model 'nope' not found"}`, llm.KindNotFound, false},
		{llmtest.Ollama, 400, `{"error":"prompt too long; exceeded max context length by 12 tokens"}`, llm.KindContextLength, false},
		{llmtest.Ollama, 400, `{"error":"the input length exceeds the context length"}`, llm.KindContextLength, false},
		{llmtest.Ollama, 404, `{"error":"model \"nope\" not found, try pulling it first"}`, llm.KindNotFound, false},
		{llmtest.Ollama, 500, `{"error":"llama runner process has terminated"}`, llm.KindServer, true},
	}
	for _, c := range cases {
		r := newRig(t, c.dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Status: c.status, Body: []byte(c.body)}}, Then: llmtest.Repeat}})
		call := r.streamCall()
		call.Policy.Retries = 1
		_, err := call.Complete(t.Context(), question())
		e, ok := err.(*llm.Error)
		require.True(t, ok, "%v", err)
		assert.Equal(t, c.kind, e.Kind, c.body)
		assert.Len(t, r.Requests(), map[bool]int{false: 1, true: 2}[c.retried], c.body)
	}
}

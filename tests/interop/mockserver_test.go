package interop

import (
	"errors"
	"net/http"
	"testing"

	anthropicsdk "github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	openaisdk "github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	geminisdk "google.golang.org/genai"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// client is an SDK's client as far as these tests use it: it asks the model "m"
// and gives the answer, as the SDK has it, in our words.
type client struct {
	complete, stream func() (*llm.Response, error)
	// reason is the status of an error of the SDK, and its text.
	reason func(error) (int, string)
}

func clients(t *testing.T, url string) map[string]client {
	t.Helper()
	return map[string]client{
		"openai":    openaiClient(t, url),
		"anthropic": anthropicClient(t, url),
		"gemini":    geminiClient(t, url),
	}
}

func openaiClient(t *testing.T, url string) client {
	c := openaisdk.NewClient(openaioption.WithBaseURL(url+"/v1"), openaioption.WithAPIKey(key), openaioption.WithMaxRetries(0))
	p := openaisdk.ChatCompletionNewParams{Model: "m", Messages: []openaisdk.ChatCompletionMessageParamUnion{openaisdk.UserMessage("hi")}}
	return client{
		complete: func() (*llm.Response, error) {
			reply, err := c.Chat.Completions.New(t.Context(), p)
			if err != nil {
				return nil, err
			}
			return fromOpenAI(reply), nil
		},
		stream: func() (*llm.Response, error) {
			p := p
			p.StreamOptions.IncludeUsage = openaisdk.Bool(true)
			s := c.Chat.Completions.NewStreaming(t.Context(), p)
			defer s.Close()
			var whole openaisdk.ChatCompletionAccumulator
			for s.Next() {
				assert.True(t, whole.AddChunk(s.Current()))
			}
			if s.Err() != nil {
				return nil, s.Err()
			}
			return fromOpenAI(&whole.ChatCompletion), nil
		},
		reason: func(err error) (int, string) {
			var e *openaisdk.Error
			require.ErrorAs(t, err, &e)
			return e.StatusCode, e.Message
		},
	}
}

func fromOpenAI(reply *openaisdk.ChatCompletion) *llm.Response {
	first := reply.Choices[0]
	r := &llm.Response{Model: reply.Model, Text: first.Message.Content, StopReason: llm.StopReason(first.FinishReason)}
	for _, c := range first.Message.ToolCalls {
		r.ToolCalls = append(r.ToolCalls, llm.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
	}
	u := reply.Usage
	cached := u.PromptTokensDetails.CachedTokens
	r.Usage = usage(u.PromptTokens-cached, cached, 0, u.CompletionTokens, u.CompletionTokensDetails.ReasoningTokens)
	return r
}

func anthropicClient(t *testing.T, url string) client {
	c := anthropicsdk.NewClient(anthropicoption.WithBaseURL(url), anthropicoption.WithAPIKey(key), anthropicoption.WithMaxRetries(0))
	p := anthropicsdk.MessageNewParams{Model: "m", MaxTokens: 9, Messages: []anthropicsdk.MessageParam{
		anthropicsdk.NewUserMessage(anthropicsdk.NewTextBlock("hi")),
	}}
	return client{
		complete: func() (*llm.Response, error) {
			reply, err := c.Messages.New(t.Context(), p)
			if err != nil {
				return nil, err
			}
			return fromAnthropic(reply), nil
		},
		stream: func() (*llm.Response, error) {
			s := c.Messages.NewStreaming(t.Context(), p)
			defer s.Close()
			var whole anthropicsdk.Message
			for s.Next() {
				assert.NoError(t, whole.Accumulate(s.Current()))
			}
			if s.Err() != nil {
				return nil, s.Err()
			}
			return fromAnthropic(&whole), nil
		},
		reason: func(err error) (int, string) {
			var e *anthropicsdk.Error
			require.ErrorAs(t, err, &e)
			return e.StatusCode, e.RawJSON()
		},
	}
}

func fromAnthropic(reply *anthropicsdk.Message) *llm.Response {
	r := &llm.Response{Model: reply.Model, StopReason: llm.StopReason(reply.StopReason)}
	for _, block := range reply.Content {
		switch b := block.AsAny().(type) {
		case anthropicsdk.TextBlock:
			r.Text += b.Text
		case anthropicsdk.ToolUseBlock:
			r.ToolCalls = append(r.ToolCalls, llm.ToolCall{ID: b.ID, Name: b.Name, Arguments: string(b.Input)})
		}
	}
	u := reply.Usage
	r.Usage = usage(u.InputTokens, u.CacheReadInputTokens, u.CacheCreationInputTokens, u.OutputTokens, 0)
	return r
}

func geminiClient(t *testing.T, url string) client {
	c, err := geminisdk.NewClient(t.Context(), &geminisdk.ClientConfig{
		APIKey: key, Backend: geminisdk.BackendGeminiAPI, HTTPOptions: geminisdk.HTTPOptions{BaseURL: url},
	})
	require.NoError(t, err)
	ask := geminisdk.Text("hi")
	return client{
		complete: func() (*llm.Response, error) {
			reply, err := c.Models.GenerateContent(t.Context(), "m", ask, nil)
			if err != nil {
				return nil, err
			}
			r := &llm.Response{}
			addGemini(r, reply)
			return r, nil
		},
		stream: func() (*llm.Response, error) {
			r := &llm.Response{}
			for chunk, err := range c.Models.GenerateContentStream(t.Context(), "m", ask, nil) {
				if err != nil {
					return nil, err
				}
				addGemini(r, chunk)
			}
			return r, nil
		},
		reason: func(err error) (int, string) {
			e, ok := errors.AsType[geminisdk.APIError](err)
			require.True(t, ok, "%T: %v", err, err)
			return e.Code, e.Message
		},
	}
}

func addGemini(r *llm.Response, reply *geminisdk.GenerateContentResponse) {
	r.Model = reply.ModelVersion
	first := reply.Candidates[0]
	r.StopReason = llm.StopReason(first.FinishReason)
	for _, part := range first.Content.Parts {
		r.Text += part.Text
		if c := part.FunctionCall; c != nil {
			r.ToolCalls = append(r.ToolCalls, llm.ToolCall{ID: c.ID, Name: c.Name, Arguments: marshal(c.Args)})
		}
	}
	if u := reply.UsageMetadata; u != nil {
		r.Usage = usage(int64(u.PromptTokenCount-u.CachedContentTokenCount), int64(u.CachedContentTokenCount), 0,
			int64(u.CandidatesTokenCount+u.ThoughtsTokenCount), int64(u.ThoughtsTokenCount))
	}
}

func usage(input, read, write, output, reasoning int64) *llm.Usage {
	return &llm.Usage{
		InputTokens: int(input), CacheReadTokens: int(read), CacheWriteTokens: int(write),
		OutputTokens: int(output), ReasoningTokens: int(reasoning),
	}
}

const answerText = "Grüße & \"Küsse\" 🙂\n<ok> \u2028"

// scripted is a reply with all that one can have, and each dialect's words and
// limits: not every kind of token has a place in each.
func scripted(dialect string) (reply llmtest.Reply, stop llm.StopReason) {
	reply = llmtest.Reply{
		Text: answerText,
		ToolCalls: []llm.ToolCall{
			{ID: "call_1", Name: "power", Arguments: `{"base":2,"text":"a b"}`},
			{ID: "call_2", Name: "now", Arguments: "{}"},
		},
		Usage: &llm.Usage{InputTokens: 11, CacheReadTokens: 7, OutputTokens: 5, ReasoningTokens: 3},
	}
	switch dialect {
	case "openai":
		return reply, "tool_calls"
	case "anthropic":
		reply.Usage = &llm.Usage{InputTokens: 11, CacheReadTokens: 7, CacheWriteTokens: 2, OutputTokens: 5}
		return reply, "tool_use"
	}
	return reply, "STOP"
}

func start(t *testing.T, replies ...llmtest.Reply) *llmtest.Server {
	t.Helper()
	server, err := llmtest.NewServer(replies...)
	require.NoError(t, err)
	t.Cleanup(server.Close)
	return server
}

func TestSDKsUnderstandTheMockServer(t *testing.T) {
	for _, dialect := range []string{"openai", "anthropic", "gemini"} {
		t.Run(dialect, func(t *testing.T) {
			reply, stop := scripted(dialect)
			c := clients(t, start(t, reply, reply).URL)[dialect]
			for how, get := range map[string]func() (*llm.Response, error){"complete": c.complete, "stream": c.stream} {
				got, err := get()
				require.NoError(t, err, how)
				want := &llm.Response{Model: "m", Text: reply.Text, ToolCalls: reply.ToolCalls, StopReason: stop, Usage: reply.Usage}
				assert.Equal(t, want, got, how)
			}
		})
	}
}

func TestSDKsUnderstandPlainText(t *testing.T) {
	want := map[string]llm.StopReason{"openai": "stop", "anthropic": "end_turn", "gemini": "STOP"}
	server := start(t, llmtest.Reply{Text: "a"}, llmtest.Reply{Text: "a"}, llmtest.Reply{Text: "a"},
		llmtest.Reply{Text: "b"}, llmtest.Reply{Text: "b"}, llmtest.Reply{Text: "b"})
	all := clients(t, server.URL)
	for dialect, c := range all {
		got, err := c.complete()
		require.NoError(t, err, dialect)
		assert.Equal(t, "a", got.Text, dialect)
		assert.Equal(t, want[dialect], got.StopReason, dialect)
	}
	for dialect, c := range all {
		got, err := c.stream()
		require.NoError(t, err, dialect)
		assert.Equal(t, "b", got.Text, dialect)
		assert.Equal(t, want[dialect], got.StopReason, dialect)
	}
}

// The mock server's errors are the dialects': the SDKs read status and message.
func TestSDKsUnderstandTheMockServersErrors(t *testing.T) {
	for _, status := range []int{http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		reply := llmtest.Reply{Status: status, Text: "the reason of it"}
		for dialect, c := range clients(t, start(t, reply, reply, reply, reply, reply, reply).URL) {
			for how, get := range map[string]func() (*llm.Response, error){"complete": c.complete, "stream": c.stream} {
				_, err := get()
				require.Error(t, err)
				code, text := c.reason(err)
				assert.Equal(t, status, code, "%s %s", dialect, how)
				assert.Contains(t, text, reply.Text, "%s %s", dialect, how)
			}
		}
	}
}

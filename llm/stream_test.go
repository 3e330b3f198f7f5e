package llm_test

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// dialects are those that stream.
var dialects = []llmtest.Dialect{llmtest.OpenAI, llmtest.Anthropic, llmtest.Gemini, llmtest.Ollama}

// heard is what a stream handed over.
type heard struct {
	pieces []string
	reply  *llm.Response
	err    error
}

func (h heard) text() string { return strings.Join(h.pieces, "") }

func (r rig) listen(t *testing.T, req *llm.Request, change func(*llm.Call)) (h heard) {
	t.Helper()
	call := r.streamCall()
	if change != nil {
		change(call)
	}
	h.reply, h.err = call.Stream(t.Context(), req, func(piece string) error {
		h.pieces = append(h.pieces, piece)
		return nil
	})
	return h
}

func (r rig) streamCall() *llm.Call {
	return &llm.Call{Env: llm.Env{Clock: r.clock}, Chain: []llm.Entry{{Provider: r.provider}}, Policy: llm.DefaultPolicy()}
}

func question() *llm.Request { return &llm.Request{Messages: []llm.Message{llm.User("hi")}} }

func TestStream(t *testing.T) {
	reply := llmtest.Reply{Text: "Grüße, 世界 — a long answer 😀", Usage: &llm.Usage{InputTokens: 3, OutputTokens: 5, CacheReadTokens: 2}}
	for _, dialect := range dialects {
		for _, piece := range []int{0, 1, 7, 1000} {
			reply.Piece = piece
			r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{reply}}})
			h := r.listen(t, question(), nil)
			require.NoError(t, h.err)
			require.Equal(t, reply.Text, h.text(), "%s in pieces of %d", dialect, piece)
			require.Greater(t, len(h.pieces), 3)
			require.Equal(t, reply.Text, h.reply.Text)
			require.Equal(t, llm.StopEnd, h.reply.StopReason)
			usage := reply.Usage
			if dialect == llmtest.Ollama { // it does not tell cached tokens apart
				usage = &llm.Usage{InputTokens: 5, OutputTokens: 5}
			}
			require.Equal(t, usage, h.reply.Usage)
			require.Equal(t, "m", h.reply.Model)
			require.Len(t, h.reply.Attempts, 1)
			require.Equal(t, 200, h.reply.Attempts[0].Status)
		}
	}
}

func TestStreamToolCalls(t *testing.T) {
	calls := []llm.ToolCall{{ID: "a", Name: "add", Arguments: `{"x":12345678901234567890,"y":"é"}`}, {ID: "b", Name: "now", Arguments: "{}"}}
	for _, dialect := range dialects {
		r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Text: "let me see", ToolCalls: calls}}}})
		h := r.listen(t, question(), nil)
		require.NoError(t, h.err)
		require.Equal(t, calls, h.reply.ToolCalls, dialect)
		require.Equal(t, llm.StopTools, h.reply.StopReason)
		require.Equal(t, "let me see", h.text())
	}
}

// bodies are raw streams of the two dialects, by what goes wrong in them.
func raw(body string) llmtest.Reply { return llmtest.Reply{Body: []byte(body)} }

const (
	openaiText    = `data: {"choices":[{"delta":{"content":"par"}}]}` + "\n\n"
	openaiEnd     = `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	anthropicText = "event: content_block_delta\n" + `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"par"}}` + "\n\n"
	overloaded    = "event: error\n" + `data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}` + "\n\n"
	openaiFailed  = `data: {"choices":[],"error":{"message":"The server had an error","type":"server_error"}}` + "\n\n"
)

// TestStreamRetriesUntilText: a stream that fails before any text is tried again.
func TestStreamRetriesUntilText(t *testing.T) {
	for name, c := range map[string]struct {
		dialect llmtest.Dialect
		first   llmtest.Reply
	}{
		"429":                        {llmtest.OpenAI, llmtest.Reply{Status: 429}},
		"overloaded on 200":          {llmtest.Anthropic, raw(overloaded)},
		"metadata, then an error":    {llmtest.Anthropic, raw(`data: {"type":"message_start","message":{"model":"m"}}` + "\n\n" + overloaded)},
		"error in a chunk":           {llmtest.OpenAI, raw(openaiFailed)},
		"plain JSON error":           {llmtest.OpenAI, raw(`{"error":{"message":"overloaded","type":"server_error"}}`)},
		"cut before text":            {llmtest.OpenAI, raw(": hello\n\n")},
		"cut before text, anthropic": {llmtest.Anthropic, raw(`data: {"type":"message_start","message":{"model":"m"}}` + "\n\n")},
		"dropped":                    {llmtest.OpenAI, llmtest.Reply{Fault: llmtest.Drop}},
		"aborted":                    {llmtest.OpenAI, llmtest.Reply{Body: []byte(": hi\n\n"), Fault: llmtest.Short}},
	} {
		r := newRig(t, c.dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{c.first, {Text: "second"}}}})
		h := r.listen(t, question(), nil)
		require.NoError(t, h.err, name)
		require.Equal(t, "second", h.text(), name)
		require.Len(t, r.Requests(), 2, name)
		require.Len(t, h.reply.Attempts, 2, name)
	}
}

// TestStreamBreaksAfterText: after the first text nothing is repeated, nobody is
// asked, and what came is kept.
func TestStreamBreaksAfterText(t *testing.T) {
	for name, c := range map[string]struct {
		dialect llmtest.Dialect
		first   llmtest.Reply
		kind    llm.Kind
	}{
		"error event":            {llmtest.Anthropic, raw(anthropicText + overloaded), llm.KindOverloaded},
		"error in a chunk":       {llmtest.OpenAI, raw(openaiText + openaiFailed), llm.KindServer},
		"end without end":        {llmtest.OpenAI, raw(openaiText), llm.KindStreamTruncated},
		"end without end, other": {llmtest.Anthropic, raw(anthropicText), llm.KindStreamTruncated},
		"aborted":                {llmtest.OpenAI, llmtest.Reply{Body: []byte(openaiText), Fault: llmtest.Short}, llm.KindNetwork},
		"nonsense":               {llmtest.OpenAI, raw(openaiText + "data: {nonsense\n\n"), llm.KindParse},
		"filter":                 {llmtest.OpenAI, raw(openaiText + `data: {"choices":[{"delta":{},"finish_reason":"content_filter"}]}` + "\n\n"), llm.KindContentFilter},
	} {
		r := newRig(t, c.dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{c.first, {Text: "second"}}}})
		asked := 0
		h := r.listen(t, question(), func(call *llm.Call) {
			call.Chain = append(call.Chain, llm.Entry{Provider: llmtest.NewProvider("next", llmtest.Step{Text: "other"})})
			call.Policy.OnError = func(llm.Failure) (llm.Verdict, error) { asked++; return llm.Retry, nil }
		})
		e, ok := errors.AsType[*llm.Error](h.err)
		require.True(t, ok, "%s: %v", name, h.err)
		require.Equal(t, c.kind, e.Kind, name)
		require.Equal(t, "par", e.Partial, name)
		require.Equal(t, []string{"par"}, h.pieces, name)
		require.Zero(t, asked, name)
		require.Len(t, r.Requests(), 1, name)
		require.Len(t, e.Attempts, 1, name)
	}
}

// TestStreamEnds: what counts as the end of a reply.
func TestStreamEnds(t *testing.T) {
	hang := raw(openaiText + openaiEnd + "data: [DONE]\n\n")
	hang.Hang = true
	for name, c := range map[string]struct {
		dialect llmtest.Dialect
		first   llmtest.Reply
	}{
		"finish reason without [DONE]":    {llmtest.OpenAI, raw(openaiText + openaiEnd)},
		"[DONE] without finish reason":    {llmtest.OpenAI, raw(openaiText + "data: [DONE]")},
		"[DONE] with the connection open": {llmtest.OpenAI, hang},
		"one JSON document":               {llmtest.OpenAI, raw(`{"choices":[{"message":{"content":"par"},"finish_reason":"stop"}]}`)},
		"one JSON document, anthropic":    {llmtest.Anthropic, raw(`{"type":"message","content":[{"type":"text","text":"par"}],"stop_reason":"end_turn"}`)},
		"CRLF and comments":               {llmtest.OpenAI, raw(strings.ReplaceAll(": hi\n\n"+openaiText+openaiEnd, "\n", "\r\n"))},
		"empty choices first":             {llmtest.OpenAI, raw(`data: {"choices":[],"prompt_filter_results":[]}` + "\n\n" + openaiText + openaiEnd)},
		"stop reason without stop":        {llmtest.Anthropic, raw(anthropicText + `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\n")},
	} {
		r := newRig(t, c.dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{c.first}}})
		h := r.listen(t, question(), nil)
		require.NoError(t, h.err, name)
		require.Equal(t, "par", h.text(), name)
		require.Equal(t, "par", h.reply.Text, name)
	}
}

// TestStreamOptionsRefused: a server that does not know stream_options is asked
// again without, in the same attempt; its usage is unknown.
func TestStreamOptionsRefused(t *testing.T) {
	r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{
		{Status: 400, Text: "Unrecognized request argument supplied: stream_options"}, {Text: "fine"}}}})
	h := r.listen(t, question(), nil)
	require.NoError(t, h.err)
	require.Equal(t, "fine", h.text())
	require.Nil(t, h.reply.Usage)
	require.Len(t, r.Requests(), 2)
	require.Len(t, h.reply.Attempts, 1)
}

// TestStreamTimeouts: pings keep a connection alive, not a reply.
func TestStreamTimeouts(t *testing.T) {
	pings := strings.Repeat(": ping\n\n", 40)
	slow := func(body string) llmtest.Reply {
		return llmtest.Reply{Body: []byte(body), Pace: 20 * time.Millisecond}
	}
	for name, c := range map[string]struct {
		first   llmtest.Reply
		req     llm.Request
		partial string
	}{
		"first token": {slow(pings), llm.Request{FirstTokenTimeout: 60 * time.Millisecond}, ""},
		"idle":        {slow(openaiText + pings), llm.Request{IdleTimeout: 60 * time.Millisecond}, "par"},
		"attempt":     {slow(openaiText + pings), llm.Request{Timeout: 60 * time.Millisecond}, "par"},
	} {
		r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{c.first}}})
		c.req.Messages = question().Messages
		h := r.listen(t, &c.req, func(call *llm.Call) { call.Policy.Retries = 0 })
		e, ok := errors.AsType[*llm.Error](h.err)
		require.True(t, ok, "%s: %v", name, h.err)
		require.Equal(t, llm.KindTimeout, e.Kind, name)
		require.Equal(t, c.partial, e.Partial, name)
	}
	r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{slow(pings), {Text: "second"}}}})
	h := r.listen(t, &llm.Request{Messages: question().Messages, FirstTokenTimeout: 60 * time.Millisecond}, nil)
	require.NoError(t, h.err)
	require.Equal(t, "second", h.text())
}

// TestStreamStops: a consumer that stops, and a caller that cancels, end the
// request, and nothing is left running.
func TestStreamStops(t *testing.T) {
	before := runtime.NumGoroutine()
	stop := errors.New("enough")
	for name, end := range map[string]func(cancel func()) error{
		"the consumer": func(func()) error { return stop },
		"the caller":   func(cancel func()) error { cancel(); return nil },
	} {
		reply := raw(openaiText)
		reply.Hang = true
		server, err := llmtest.NewServer(reply)
		require.NoError(t, err)
		transport := &http.Transport{}
		ctx, cancel := context.WithCancel(t.Context())
		r := rig{server, newProvider(t, llmtest.OpenAI, server.URL), llmtest.NewClock()}
		_, err = r.streamCall().Stream(ctx, question(), func(string) error { return end(cancel) })
		cancel()
		if name == "the consumer" {
			require.ErrorIs(t, err, stop)
		} else {
			require.ErrorIs(t, err, context.Canceled)
			e, _ := errors.AsType[*llm.Error](err)
			require.Equal(t, "par", e.Partial)
		}
		server.Close() // returns only when the connection is gone
		transport.CloseIdleConnections()
	}
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+2 }, 5*time.Second, 10*time.Millisecond)
}

// TestStreamOfOthers: a provider that does not stream gives its text at once.
func TestStreamOfOthers(t *testing.T) {
	r := rig{clock: llmtest.NewClock(), provider: llmtest.NewProvider("p", llmtest.Step{Err: &llm.Error{Kind: llm.KindServer, Retryable: true}}, llmtest.Step{Text: "whole"})}
	h := r.listen(t, question(), nil)
	require.NoError(t, h.err)
	require.Equal(t, []string{"whole"}, h.pieces)
}

// TestStreamFallsOver before the first text only.
func TestStreamFallsOver(t *testing.T) {
	r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Status: 401}}}})
	other := newRig(t, llmtest.Anthropic, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Text: "other"}}}})
	h := r.listen(t, question(), func(call *llm.Call) { call.Chain = append(call.Chain, llm.Entry{Provider: other.provider}) })
	require.NoError(t, h.err)
	require.Equal(t, "other", h.text())
	require.Equal(t, "anthropic", h.reply.Provider)
}

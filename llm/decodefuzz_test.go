package llm_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/anthropic"
	"github.com/gosema/gosema/llm/gemini"
	"github.com/gosema/gosema/llm/ollama"
	"github.com/gosema/gosema/llm/openai"
)

// sayer answers every request with its bytes.
type sayer struct{ body []byte }

func (s *sayer) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(s.body)), Request: r, ContentLength: -1}, nil
}

// FuzzReplies: whatever a server says, whole or as a stream, is a reply or an
// *llm.Error, in every format.
func FuzzReplies(f *testing.F) {
	for _, s := range []string{
		openaiText + openaiEnd, anthropicText + overloaded, openaiFailed, signedCall, "{\"message\":{\"content\":\"a\"}}\n{\"done\":true}\n",
		`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}},{"index":1,"id":"b","function":{"name":"g","arguments":"{"}}]}}]}` + "\n\n" +
			`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}},{"function":{"arguments":{}}}]},"finish_reason":"tool_calls"}]}` + "\n\n",
		`data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use"}}` + "\n\n" + `data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{}"}}` + "\n\n",
		`{"choices":[{"message":{"content":[{"text":"a"}],"tool_calls":[{}]},"finish_reason":"error"}]}`, `{"content":[{}],"stop_reason":"refusal"}`, `[{"error":{}}]`,
	} {
		f.Add([]byte(s))
	}
	said := &sayer{}
	endpoint := llm.Endpoint{BaseURL: "http://127.0.0.1:1", DefaultModel: "m", Client: &http.Client{Transport: said}}
	var all []llm.Provider
	add := func(p llm.Provider, err error) {
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, p)
	}
	for _, make := range []func() (llm.Provider, error){
		func() (llm.Provider, error) { return openai.New(openai.Config{Endpoint: endpoint}) },
		func() (llm.Provider, error) { return anthropic.New(anthropic.Config{Endpoint: endpoint}) },
		func() (llm.Provider, error) { return gemini.New(gemini.Config{Endpoint: endpoint}) },
		func() (llm.Provider, error) { return ollama.New(ollama.Config{Endpoint: endpoint}) },
	} {
		add(make())
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		said.body = body
		for _, p := range all {
			call := &llm.Call{Chain: []llm.Entry{{Provider: p}}, Policy: llm.DefaultPolicy()}
			call.Policy.Retries = 0
			for _, ask := range []asker{(*llm.Call).Complete, drained} {
				reply, err := ask(call, t.Context(), question())
				if e := (*llm.Error)(nil); err != nil && !errors.As(err, &e) {
					t.Fatalf("%s: %T %v", p.Name(), err, err)
				}
				if err != nil {
					continue
				}
				next := question()
				next.Messages = append(next.Messages, reply.Message())
				said.body = []byte(`{"error":"enough"}`) // what was said can be sent back
				call.Complete(t.Context(), next)
				said.body = body
			}
		}
	})
}

package llm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/anthropic"
	"github.com/gosema/gosema/llm/llmtest"
	"github.com/gosema/gosema/llm/openai"
)

// A key is in nothing that a failing call leaves behind.
func TestSecrets(t *testing.T) {
	echo := "Incorrect API key provided: " + canary + ". Header: Bearer " + canary
	replies := map[string]llmtest.Reply{
		"auth":     {Status: 401, Text: echo},
		"code":     {Status: 400, Text: "x", Code: canary},
		"html":     {Status: 502, Body: []byte("<title>" + echo + "</title>")},
		"text":     {Status: 500, Body: []byte(echo)},
		"parse":    {Body: []byte(echo)},
		"inline":   {Body: []byte(`{"type":"error","error":{"message":"` + echo + `"}}`)},
		"redirect": {Status: 307, Header: header("Location", "http://"+canary+".example/"+canary)},
		"drop":     {Fault: llmtest.Drop},
	}
	allDialects(t, func(t *testing.T, dialect llmtest.Dialect) {
		for name, reply := range replies {
			r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{reply}, Then: llmtest.Repeat}})
			call := r.call()
			call.Chain = append(call.Chain, call.Chain[0])
			_, err := call.Complete(t.Context(), hello())
			e := asError(t, err)
			for ; e != nil; e, _ = e.Cause.(*llm.Error) {
				for _, text := range []string{fmt.Sprintf("%+v", *e), fmt.Sprintf("%#v", *e), e.Error(), e.Body, e.Message} {
					assert.NotContains(t, text, canary, name)
				}
				if e.Cause != nil {
					assert.NotContains(t, e.Cause.Error(), canary, name)
				}
			}
			assert.NotContains(t, fmt.Sprintf("%v %+v %#v", r.provider, r.provider, r.provider), canary)
			assert.NotContains(t, fmt.Sprintf("%+v", r.Requests()), canary)
		}
	})
	endpoint := llm.Endpoint{Name: "n", BaseURL: "http://user:" + canary + "@x/", APIKey: canary}
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", endpoint, endpoint, openai.Config{Endpoint: endpoint}), canary)
	for _, url := range []string{endpoint.BaseURL, "http://" + canary + "%zz", "ftp://" + canary} {
		_, err := openai.New(openai.Config{Endpoint: llm.Endpoint{BaseURL: url}})
		require.Error(t, err)
		assert.NotContains(t, err.Error(), canary)
	}
	_, err := anthropic.New(anthropic.Config{Endpoint: llm.Endpoint{APIKey: canary + "\n"}})
	require.Error(t, err)
	assert.NotContains(t, err.Error(), canary)
}

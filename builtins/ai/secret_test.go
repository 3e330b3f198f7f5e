package ai_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/llm/llmtest"
)

// Servers quote the keys that they refuse. Whatever happens, the key is in
// nothing that a program can print, and in no error.
func TestKeyIsNowhere(t *testing.T) {
	echo := `your key ` + canary + ` is wrong`
	replies := map[string]llmtest.Reply{
		"message": {Status: 401, Text: echo}, "html": {Status: 502, Body: []byte("<html>" + echo)},
		"good status": {Body: []byte(`{"error":{"message":"` + echo + `"}}`)}, "code": {Status: 400, Text: "x", Code: canary},
		"not JSON": {Body: []byte(echo)}, "redirect": {Status: 302, Header: map[string][]string{"Location": {"https://other/" + canary}}},
		"reset": {Fault: llmtest.Reset}, "text": {Text: "ok"},
	}
	for _, name := range []string{"openai", "anthropic", "other"} {
		for what, reply := range replies {
			t.Run(name+" "+what, func(t *testing.T) {
				r := newRig(t)
				s := r.repeating(name, reply)
				_, err := r.eval(t.Context(), `(llm/complete "x" {:retries 1 :on-error (fn (i) (println i) :retry) :on-retry println})`)
				if err != nil {
					e := eval.AsError(err)
					assert.NotContains(t, e.Render(), canary)
					assert.NotContains(t, fmt.Sprintf("%+v %#v", e.Cause, e.Cause), canary)
					assert.NotContains(t, e.Map().String(), canary)
				}
				r.ok(`(println (llm/last-trace) (llm/list-providers) (llm/current-provider))`)
				r.ok(`(println (try (llm/complete "x" {:retries 0}) (catch e e)))`)
				assert.NotContains(t, r.out.String(), canary)
				assert.NotContains(t, fmt.Sprintf("%v", s.Requests()), canary)
			})
		}
	}
}

// A key that is given in a wrong way is not quoted back.
func TestKeyInWrongUse(t *testing.T) {
	r := newRig(t)
	require.NoError(t, r.define("key", canary))
	require.NoError(t, r.define("bad", canary+"\r\nX-Evil: 1"))
	for _, program := range []string{
		`(llm/configure :x key)`,
		`(llm/configure :x (list key))`,
		`(llm/configure :x {:api-key (list key) :base-url "http://127.0.0.1:1"})`,
		`(llm/configure :x {:api-key (string->symbol key) :base-url "http://127.0.0.1:1"})`,
		`(llm/configure :x {:api-key bad :base-url "http://127.0.0.1:1"})`,
		`(llm/configure :x {:headers (list "Authorization" key) :base-url "http://127.0.0.1:1"})`,
		`(llm/configure :x {:headers {"Authorization" bad} :base-url "http://127.0.0.1:1"})`,
		`(llm/configure :x {:base-url (string-append "http://user:" key "@x")})`,
		`(llm/configure :x {:base-url (string-append "http://x/%zz" key)})`,
		`(begin (llm/configure :x {:api-key key :base-url "http://127.0.0.1:1/" :default-model "m"}) (llm/complete "x" {:retries 0}))`,
	} {
		assert.NotContains(t, r.fails(program).Render(), canary, program)
	}
	e := r.fails(`(llm/configure :x {:api-key bad :base-url "http://127.0.0.1:1"})`)
	assert.Contains(t, e.Error(), "x: the key or header Authorization has a line break or another control character in it")
	assert.Empty(t, r.ok("(llm/list-providers)")[len("(:x)"):])
}

// What a program's own header carries is a secret too, by its name.
func TestSecretHeaders(t *testing.T) {
	r := newRig(t)
	s := r.server("a", fmt.Sprintf(`:headers {"X-Gateway-Token" %q "X-Team" "blue"}`, "gateway-"+canary), llmtest.Script{
		Replies: []llmtest.Reply{{Status: 400, Text: "gateway-" + canary}}, Then: llmtest.Repeat})
	assert.NotContains(t, r.fails(`(llm/complete "x")`).Render(), canary)
	assert.Equal(t, "[redacted]", s.Requests()[0].Header.Get("X-Gateway-Token"))
	assert.Equal(t, "blue", s.Requests()[0].Header.Get("X-Team"))
}

// A sandbox without llm has none of it, and reads no key.
func TestDenied(t *testing.T) {
	in := eval.New(eval.Config{Library: library(), Deny: eval.CapLLM})
	ai.Setup(in, ai.Config{NoEnvironment: true, Getenv: func(string) string { t.Error("the environment was read"); return "" }})
	r := &rig{t: t, in: in}
	for _, program := range []string{`(llm/complete "x")`, `(llm/list-providers)`, `(llm/mock-server)`, `(llm/configure :x {})`} {
		assert.Equal(t, eval.KindPermission, r.fails(program).Kind, program)
	}
	assert.Equal(t, "1", r.ok(`(retry (fn () 1))`))
}

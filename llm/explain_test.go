package llm_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/width"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "go test -update writes it anew")
}

// columnsOf asks the Unicode tables, which the package itself does without.
func columnsOf(line string) (n int) {
	for _, r := range line {
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

func checkWidth(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		assert.LessOrEqual(t, columnsOf(line), 80, line)
		assert.Equal(t, strings.TrimRight(line, " "), line)
	}
}

const (
	ms        = time.Millisecond
	longModel = "accounts/fireworks/models/a-model-with-an-even-longer-name-20260101"
)

func manyAttempts(n int) (log []llm.Attempt) {
	kinds := []llm.Kind{llm.KindRateLimit, llm.KindServer, llm.KindNetwork, llm.KindTimeout, llm.KindStreamTruncated, llm.KindContextLength}
	for i := range n {
		a := llm.Attempt{Provider: "openrouter", Model: "anthropic/claude-opus-4-8", Kind: kinds[i%len(kinds)], Status: 429 + i%2*71,
			Duration: time.Duration(i*i*i) * 7 * ms, Wait: time.Duration(i+1) * 900 * ms}
		if i >= n/2 {
			a.Provider, a.Model = "a-provider-with-a-long-name", longModel
		}
		if i == n/2-1 || i == n-1 {
			a.Wait = 0
		}
		log = append(log, a)
	}
	return log
}

func TestExplain(t *testing.T) {
	chain := []llm.Attempt{
		{Provider: "anthropic", Model: "claude-opus-4-8", Status: 429, Kind: llm.KindRateLimit, Duration: 120 * ms, Wait: 2 * time.Second},
		{Provider: "anthropic", Model: "claude-opus-4-8", Kind: llm.KindNetwork, Duration: 90 * time.Second},
		{Provider: "openai", Model: "gpt-5.5", Status: 401, Kind: llm.KindAuth, Duration: 80 * ms},
		{Provider: "gemini", Model: "gemini-3.5-flash", Status: 200, Duration: 1599 * ms},
	}
	wide := []llm.Attempt{
		{Provider: "通义千问", Model: "通义千问/超级大模型-带有非常非常长的名字-二〇二六", Status: 503, Kind: llm.KindOverloaded, Duration: 999 * ms, Wait: 3 * time.Hour},
		{Provider: "通义千问", Model: "모델🚀é" + strings.Repeat("界", 40), Status: 200, Duration: 2 * time.Hour},
	}
	for name, log := range map[string][]llm.Attempt{
		"explain-none.txt": nil, "explain-1.txt": chain[3:], "explain-failed.txt": chain[2:3], "explain-chain.txt": chain,
		"explain-40.txt": manyAttempts(40), "explain-wide.txt": wide,
		"explain-long.txt":    {{Provider: strings.Repeat("p", 300), Model: strings.Repeat("m", 300), Status: 200, Duration: 59_999 * ms}},
		"explain-control.txt": {{Provider: "a\x1b[2J", Model: "m\r\nb\t\u202e", Status: 200}},
		"explain-batch.txt":   {chain[3], chain[1], chain[2], chain[1], chain[2], chain[3]},
	} {
		text := llm.Explain(log)
		checkWidth(t, text)
		if log != nil {
			assert.Equal(t, len(log)+2, strings.Count(text, "\n"), name)
		}
		golden(t, name, text)
	}
}

// TestExplainCalls: real calls over three providers, plain and as a stream.
func TestExplainCalls(t *testing.T) {
	chain := func(t *testing.T) *llm.Call {
		first := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Status: 429}}, Then: llmtest.Repeat}})
		call := first.call()
		for dialect, reply := range map[llmtest.Dialect]llmtest.Reply{llmtest.Anthropic: {Status: 401}} {
			call.Chain = append(call.Chain, llm.Entry{Provider: newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{reply}}}).provider})
		}
		last := newRig(t, llmtest.Gemini, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Fault: llmtest.Drop}, {Text: "ok"}}}})
		call.Chain = append(call.Chain, llm.Entry{Provider: last.provider})
		return call
	}
	reply, err := chain(t).Complete(t.Context(), hello())
	require.NoError(t, err)
	golden(t, "explain-three.txt", llm.Explain(reply.Attempts))
	reply, err = chain(t).Stream(t.Context(), hello(), func(string) error { return nil })
	require.NoError(t, err)
	golden(t, "explain-three.txt", llm.Explain(reply.Attempts))
	r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{raw(openaiText)}}})
	h := r.listen(t, question(), nil)
	golden(t, "explain-broken.txt", llm.Explain(asError(t, h.err).Attempts))
}

package llm_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

func openTape(t *testing.T, path string, mode llm.TapeMode) *llm.Tape {
	t.Helper()
	tape, err := llm.OpenTape(path, mode)
	require.NoError(t, err)
	return tape
}

func tapeLines(t *testing.T, path string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		lines = append(lines, line)
	}
	return lines
}

func TestTape(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tapes", "a.jsonl")
	call, p := pricedCall(t, costing("one", 60))
	call.Tape = openTape(t, path, llm.TapeAuto)
	for range 2 {
		require.Nil(t, ask(t, call))
	}
	require.NoError(t, call.Tape.Save())
	require.Len(t, p.Calls(), 1)
	lines := tapeLines(t, path)
	require.Len(t, lines, 1)
	assert.NotContains(t, lines[0], "hello", "the question is not on the tape")
	var line map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &line))
	assert.Equal(t, []any{1.0, "complete", "one", 60.0}, []any{line["v"], line["kind"], line["content"], line["completion_tokens"]})

	// Replay needs no provider, and costs what was recorded.
	call.Chain = []llm.Entry{{Provider: llm.Missing("a", "not configured")}}
	call.Tape = openTape(t, path, llm.TapeReplay)
	b := dollars(t, 1)
	call.Budgets = []*llm.Budget{b}
	reply, err := call.Complete(t.Context(), hello())
	require.NoError(t, err)
	assert.Equal(t, "one", reply.Text)
	assert.Equal(t, 60, reply.Usage.OutputTokens)
	assert.Empty(t, reply.Attempts)
	usd, _ := b.Spent()
	assert.InDelta(t, 0.6, usd, 1e-9)
	crossing := ask(t, call)
	assert.Equal(t, llm.KindBudget, crossing.Kind)
	assert.Equal(t, "one", crossing.Response.Text)

	other := hello()
	other.System = "another"
	_, err = call.Complete(t.Context(), other)
	e, _ := errors.AsType[*llm.Error](err)
	require.NotNil(t, e)
	assert.Equal(t, llm.CodeCassetteMiss, e.Code)
	assert.Contains(t, e.Error(), "cassette miss in :replay mode")
	assert.Contains(t, e.Error(), `"hello"`)
}

func TestTapeOfAModelThatWasAskedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	call := chainOf(llmtest.NewProvider("a", answer("one"), answer("two"), answer("three")))
	call.Tape = openTape(t, path, llm.TapeAuto)
	asked := func(entry, model string) string {
		call.Chain[0].Model = entry
		req := hello()
		req.Model = model
		reply, err := call.Complete(t.Context(), req)
		require.NoError(t, err)
		return reply.Text
	}
	assert.Equal(t, []string{"one", "two", "three"}, []string{asked("", ""), asked("", "m"), asked("n", "m")})
	assert.Equal(t, []string{"two", "three", "one"}, []string{asked("m", ""), asked("n", ""), asked("", "")})
}

func TestTapeRecordsAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	call := chainOf(llmtest.NewProvider("a", answer("old"), answer("kept"), answer("new"), answer("newer")))
	other := hello()
	other.System = "other"
	call.Tape = openTape(t, path, llm.TapeAuto)
	require.Nil(t, ask(t, call))
	_, err := call.Complete(t.Context(), other)
	require.NoError(t, err)

	call.Tape = openTape(t, path, llm.TapeRecord)
	require.Nil(t, ask(t, call))
	require.Nil(t, ask(t, call), "every call is made")
	require.Len(t, tapeLines(t, path), 3, "a line is written at once")
	require.NoError(t, call.Tape.Save())
	require.Len(t, tapeLines(t, path), 2, "and the old one leaves in the end")

	call.Tape = openTape(t, path, llm.TapeReplay)
	reply, err := call.Complete(t.Context(), hello())
	require.NoError(t, err)
	assert.Equal(t, "new", reply.Text, "the first of a recording stays")
	reply, err = call.Complete(t.Context(), other)
	require.NoError(t, err)
	assert.Equal(t, "kept", reply.Text)
}

func TestTapeOfStreams(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	r := newRig(t, llmtest.Anthropic, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{
		{Status: 500}, {Text: "Grüße — in several pieces 😀", Usage: &llm.Usage{InputTokens: 5, OutputTokens: 6, CacheReadTokens: 2}}}}})
	live := r.listen(t, question(), func(c *llm.Call) { c.Tape = openTape(t, path, llm.TapeAuto) })
	require.NoError(t, live.err)
	replayed := r.listen(t, question(), func(c *llm.Call) { c.Tape = openTape(t, path, llm.TapeReplay) })
	require.NoError(t, replayed.err)
	assert.Equal(t, live.pieces, replayed.pieces)
	assert.Equal(t, live.reply.Usage, replayed.reply.Usage)
	assert.Equal(t, live.reply.Text, replayed.reply.Text)
	assert.Len(t, r.Requests(), 2)

	call := r.streamCall()
	call.Tape = openTape(t, path, llm.TapeReplay)
	mine := errors.New("mine")
	_, err := call.Stream(t.Context(), question(), func(string) error { return mine })
	require.ErrorIs(t, err, mine)
	_, err = call.Complete(t.Context(), question())
	require.ErrorContains(t, err, "cassette miss", "a stream is no completion")
}

func TestTapeKeepsTools(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{
		{ToolCalls: []llm.ToolCall{{ID: "c1", Name: "f", Arguments: `{"n":12345678901234567890}`}}}}}})
	call := r.streamCall()
	call.Tape = openTape(t, path, llm.TapeAuto)
	live, err := call.Complete(t.Context(), question())
	require.NoError(t, err)
	call.Tape = openTape(t, path, llm.TapeReplay)
	again, err := call.Complete(t.Context(), question())
	require.NoError(t, err)
	assert.Equal(t, live.ToolCalls, again.ToolCalls)
	assert.Equal(t, llm.StopTools, again.StopReason)
	assert.Nil(t, again.Usage, "unknown usage stays unknown")
}

func TestTapeFiles(t *testing.T) {
	const good = `{"v":1,"kind":"embed","key":"e5","model":"m","embeddings":[[0.25,-1]]}` + "\n"
	cases := []struct{ name, text, bad string }{
		{"empty", "", ""},
		{"blank lines", "\n\n" + good + "\n", ""},
		{"cut off at its end", good + `{"v":1,"kind":"comp`, ""},
		{"whole without a line end", strings.TrimSpace(good), ""},
		{"nonsense in the middle", good + "nonsense\n" + good, "line 2"},
		{"a version to come", `{"v":2,"kind":"complete","key":"a"}` + "\n", "it has version 2"},
		{"without a key", `{"v":1,"kind":"complete"}` + "\n", "no key"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.jsonl")
			require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
			tape, err := llm.OpenTape(path, llm.TapeAuto)
			if c.bad != "" {
				require.ErrorContains(t, err, c.bad)
				require.ErrorContains(t, err, path)
				return
			}
			require.NoError(t, err)
			call := chainOf(llmtest.NewProvider("a", answer("one")))
			call.Tape = tape
			require.Nil(t, ask(t, call))
			require.NoError(t, tape.Save())
			call.Tape = openTape(t, path, llm.TapeReplay)
			require.Nil(t, ask(t, call), "what was recorded behind it is found")
			text, _ := os.ReadFile(path)
			assert.Equal(t, strings.Contains(c.text, "e5"), strings.Contains(string(text), `"embeddings":[[0.25,-1]]`), "other lines stay")
		})
	}
}

func TestTapeThatCannotBeWritten(t *testing.T) {
	occupied := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(occupied, nil, 0o600))
	call := chainOf(llmtest.NewProvider("a", answer("one")))
	tape, err := llm.OpenTape(filepath.Join(t.TempDir(), "a.jsonl"), llm.TapeAuto)
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(filepath.Dir(tape.Path())))
	require.NoError(t, os.WriteFile(filepath.Dir(tape.Path()), nil, 0o600))
	call.Tape = tape
	reply, err := call.Complete(t.Context(), hello())
	require.NoError(t, err, "the answer is paid for")
	assert.Equal(t, "one", reply.Text)
	require.Error(t, tape.Save())
	_, err = llm.OpenTape(occupied, "sideways")
	var bad *llm.OptionError
	require.ErrorAs(t, err, &bad)
}

package llm_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

func cachedCall(dir string, steps ...llmtest.Step) (*llm.Call, *llmtest.Provider) {
	p := llmtest.NewProvider("a", steps...)
	call := chainOf(p)
	call.Cache, call.CacheFor = llm.NewCache(dir), time.Hour
	return call, p
}

func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "cache")
	call, p := cachedCall(dir, costing("one", 5))
	first, err := call.Complete(t.Context(), hello())
	require.NoError(t, err)
	assert.Equal(t, 5, first.Usage.OutputTokens)
	again, err := call.Complete(t.Context(), hello())
	require.NoError(t, err)
	assert.Equal(t, "one", again.Text)
	assert.Equal(t, &llm.Usage{}, again.Usage, "a hit is free, which is not unknown")
	assert.Equal(t, []string{"a", "default"}, []string{again.Provider, again.Model})
	assert.Empty(t, again.Attempts)
	assert.Equal(t, llm.CacheStats{Hits: 1, Misses: 1, Size: 1}, call.Cache.Stats())

	later := *call
	later.Cache = llm.NewCache(dir) // another process
	reply, err := later.Complete(t.Context(), hello())
	require.NoError(t, err)
	assert.Equal(t, "one", reply.Text)
	assert.Len(t, p.Calls(), 1)

	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
	info, _ := files[0].Info()
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "its owner's alone")
	text, _ := os.ReadFile(filepath.Join(dir, files[0].Name()))
	assert.NotContains(t, string(text), "hello", "questions are not kept")

	n, err := later.Cache.Clear()
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	assert.Zero(t, later.Cache.Stats().Size)
	files, _ = os.ReadDir(dir)
	assert.Empty(t, files)
}

func TestCacheAge(t *testing.T) {
	call, p := cachedCall(t.TempDir(), answer("one"), answer("two"))
	clock := call.Clock.(*llmtest.Clock)
	require.Nil(t, ask(t, call))
	clock.Advance(time.Hour - 1)
	require.Nil(t, ask(t, call))
	require.Len(t, p.Calls(), 1)
	clock.Advance(1)
	require.Nil(t, ask(t, call))
	require.Len(t, p.Calls(), 2)
	call.CacheFor = 0
	require.NotNil(t, ask(t, call), "the script has no third answer")
}

func TestCacheKeepsCompleteAnswersAlone(t *testing.T) {
	stopped := func(reason llm.StopReason) llmtest.Step {
		return llmtest.Step{Func: func(context.Context, *llm.Request) (*llm.Response, error) {
			return &llm.Response{Text: "cut", StopReason: reason}, nil
		}}
	}
	call, p := cachedCall("", stopped(llm.StopLength), stopped(llm.StopFilter), failing(llm.KindServer, 500), answer("whole"))
	for range 5 {
		ask(t, call)
	}
	assert.Len(t, p.Calls(), 4)
}

func TestCacheKey(t *testing.T) {
	p := llmtest.NewProvider("a")
	seen := map[string]string{}
	differs := func(name string, p llm.Provider, change func(*llm.Request)) {
		req := hello()
		change(req)
		key := llm.CacheKey(p, req)
		assert.Len(t, key, 64)
		assert.Empty(t, seen[key], "%s and %s", name, seen[key])
		seen[key] = name
	}
	differs("plain", p, func(*llm.Request) {})
	differs("provider", llmtest.NewProvider("b"), func(*llm.Request) {})
	differs("place", placed{p, "http://other"}, func(*llm.Request) {})
	differs("model", p, func(r *llm.Request) { r.Model = "m" })
	differs("max-tokens", p, func(r *llm.Request) { r.MaxTokens = 7 })
	differs("temperature", p, func(r *llm.Request) { zero := 0.0; r.Temperature = &zero })
	differs("system", p, func(r *llm.Request) { r.System = "s" })
	differs("stop", p, func(r *llm.Request) { r.StopSequences = []string{"x"} })
	differs("effort", p, func(r *llm.Request) { r.ReasoningEffort = "low" })
	differs("tools", p, func(r *llm.Request) { r.Tools = []llm.Tool{{Name: "f"}} })
	differs("ab c", p, func(r *llm.Request) { r.Messages = []llm.Message{llm.User("ab"), llm.User("c")} })
	differs("a bc", p, func(r *llm.Request) { r.Messages = []llm.Message{llm.User("a"), llm.User("bc")} })
	differs("role", p, func(r *llm.Request) { r.Messages = []llm.Message{llm.User("ab"), llm.Assistant("c")} })

	same := hello()
	same.Tags, same.Metadata, same.Timeout = []string{"t"}, map[string]string{"a": "b"}, time.Second
	assert.Equal(t, "plain", seen[llm.CacheKey(p, same)], "what changes no answer is not in the key")
}

// TestFingerprintStays: tapes that were recorded with an earlier version replay.
func TestFingerprintStays(t *testing.T) {
	half := 0.5
	plain := &llm.Request{Messages: []llm.Message{llm.User("hello")}}
	full := &llm.Request{Model: "m", System: "s", MaxTokens: 5, Temperature: &half, StopSequences: []string{"x"}, ReasoningEffort: "low",
		Tools: []llm.Tool{{Name: "f", Description: "d", Parameters: []byte(`{"type":"object"}`)}},
		Messages: []llm.Message{llm.User("hello"),
			{Role: llm.RoleAssistant, Parts: []llm.Part{{ToolCall: &llm.ToolCall{ID: "1", Name: "f", Arguments: "{}"}}}},
			{Role: llm.RoleTool, Parts: []llm.Part{{ToolResult: &llm.ToolResult{ID: "1", Content: "r", IsError: true}}}}}}
	assert.Equal(t, "c401b561a100f5ba74afb4820d78508ec336fb060ce526ca034a32b38af5343c", plain.Fingerprint())
	assert.Equal(t, "65d3aab34b61c5673e519da3046d5f29e870d0847b267171a5de96177be9f9de", full.Fingerprint("a", "b"))
}

type placed struct {
	llm.Provider
	where string
}

func (p placed) Location() string { return p.where }

func TestCacheSharesRequestsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call, p := cachedCall("", after(time.Second, "one", nil))
		call.Clock = llm.SystemClock{}
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				reply, err := call.Complete(t.Context(), hello())
				assert.NoError(t, err)
				assert.Equal(t, "one", reply.Text)
			})
		}
		wg.Wait()
		assert.Len(t, p.Calls(), 1)
		assert.Equal(t, llm.CacheStats{Hits: 9, Misses: 1, Size: 1}, call.Cache.Stats())
	})
}

func TestCacheFollowersOfAFailureAskThemselves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call, p := cachedCall("", after(time.Second, "", &llm.Error{Kind: llm.KindServer}), after(time.Second, "two", nil))
		call.Clock = llm.SystemClock{}
		var failed, answered int
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				_, err := call.Complete(t.Context(), hello())
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					failed++
				} else {
					answered++
				}
			})
		}
		wg.Wait()
		assert.Equal(t, []int{1, 2, 2}, []int{failed, answered, len(p.Calls())})
	})
}

func TestCacheFollowerEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call, p := cachedCall("", after(time.Hour, "one", nil), answer("nested"))
		call.Clock = llm.SystemClock{}
		ctx, stop := context.WithCancel(t.Context())
		go func() { _, _ = call.Complete(ctx, hello()) }()
		synctest.Wait()
		bounded := *call
		bounded.Deadline = time.Now().Add(time.Second)
		require.Equal(t, llm.KindTimeout, ask(t, &bounded).Kind)
		require.Len(t, p.Calls(), 1)
		nested := *call
		nested.Nested = true
		require.Nil(t, ask(t, &nested), "a callback's call does not wait for the call that it serves")
		stop()
		synctest.Wait()
	})
}

func TestCacheFilesThatMakeNoSense(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "cut off": `{"v":1,"created":"20`, "another version": `{"v":99}`, "no object": `[]`} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			call, p := cachedCall(dir, answer("one"))
			req := *hello()
			req.Model = "default"
			path := filepath.Join(dir, llm.CacheKey(p, &req)+".json")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			require.Nil(t, ask(t, call))
			require.Len(t, p.Calls(), 1)
			written, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Contains(t, string(written), "one", "it is replaced")
		})
	}
}

func TestCacheWithoutADirectoryToWriteTo(t *testing.T) {
	occupied := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(occupied, nil, 0o600))
	call, _ := cachedCall(occupied, answer("one"))
	require.Nil(t, ask(t, call))
	require.Nil(t, ask(t, call), "this process still has it")
}

func TestCacheOfTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 50 {
				call, _ := cachedCall(dir, answer(strings.Repeat("long ", 2000)))
				req := hello()
				req.MaxTokens = i + 1
				reply, err := call.Complete(t.Context(), req)
				assert.NoError(t, err)
				assert.Len(t, reply.Text, 10_000, "never half a file")
			}
		})
	}
	wg.Wait()
	left, _ := filepath.Glob(filepath.Join(dir, ".new-*"))
	assert.Empty(t, left)
}

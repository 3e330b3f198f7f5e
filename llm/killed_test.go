package llm_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// writerDir tells the test binary to be the process that gets killed.
const writerDir = "GOSEMA_TEST_WRITER"

// longAnswer takes more than one page of a file.
var longAnswer = strings.Repeat("an answer that was paid for ", 1000)

// TestWriter is the child of TestKilledWriters: it fills a cache and a tape until
// it is killed.
func TestWriter(t *testing.T) {
	dir := os.Getenv(writerDir)
	if dir == "" {
		return // nobody's child
	}
	tape := openTape(t, filepath.Join(dir, "tape.jsonl"), llm.TapeAuto)
	cache := llm.NewCache(filepath.Join(dir, "cache"))
	for i := 0; ; i++ {
		call := chainOf(llmtest.NewProvider("a", answer(longAnswer), answer(longAnswer)))
		call.CacheFor = time.Hour
		req := hello()
		req.MaxTokens = i + 1
		call.Cache = cache
		_, err := call.Complete(t.Context(), req)
		require.NoError(t, err)
		call.Tape = tape
		_, err = call.Complete(t.Context(), req)
		require.NoError(t, err)
		if i == 20 {
			fmt.Println("writing")
		}
	}
}

// TestKilledWriters kills processes that write a cache and a tape: whoever comes
// next finds whole answers, and can go on.
func TestKilledWriters(t *testing.T) {
	dir := t.TempDir()
	for range 5 {
		child := exec.Command(os.Args[0], "-test.run=^TestWriter$")
		child.Env = append(os.Environ(), writerDir+"="+dir)
		out, err := child.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, child.Start())
		for line := bufio.NewScanner(out); line.Scan() && line.Text() != "writing"; {
		}
		require.NoError(t, child.Process.Kill())
		_ = child.Wait()

		call := chainOf(llmtest.NewProvider("a", answer("a new answer"), answer("another")))
		call.Cache, call.CacheFor = llm.NewCache(filepath.Join(dir, "cache")), time.Hour
		tape := openTape(t, filepath.Join(dir, "tape.jsonl"), llm.TapeAuto)
		for i := range 20 {
			req := hello()
			req.MaxTokens = i + 1
			for _, call.Tape = range []*llm.Tape{nil, tape} {
				reply, err := call.Complete(t.Context(), req)
				require.NoError(t, err)
				assert.Equal(t, longAnswer, reply.Text)
			}
		}
		req := hello()
		req.System = fmt.Sprint("something new ", time.Now().UnixNano())
		_, err = call.Complete(t.Context(), req)
		require.NoError(t, err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "cache", "*.json"))
	require.NoError(t, err)
	assert.Greater(t, len(files), 20)
}

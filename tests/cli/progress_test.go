package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBatchProgress: a terminal shows how far a batch is, in one line, and shows
// it no more when the answers are there.
func TestBatchProgress(t *testing.T) {
	home := t.TempDir()
	script := `
(define slow {:text "ok" :delay-ms 1500})
(define s (llm/mock-server {:replies ["ok" "ok" "ok" slow {:status 400 :text "no"}]}))
(llm/configure :mock {:base-url (:url s) :default-model "m"})
(define options {:concurrency 1 :retries 0 :on-item-error :collect})
(println (length (llm/batch ["a" "b" "c" "d" "e"] options)) "answers")
`
	require.NoError(t, os.WriteFile(filepath.Join(home, "batch.sema"), []byte(script), 0o644))
	x := startTerminal(t, home, "echo start; gosema batch.sema")
	x.expect(`start\nllm/batch 3/5  ETA \d+s  \d+\.\d/(s|min)`)
	x.expectExit("0")
	require.Equal(t, "start\n5 answers\n[exit 0]", x.screen())
	x = startTerminal(t, home, "gosema batch.sema 2>errors; wc -c <errors")
	x.expectExit("0")
	require.Equal(t, "5 answers\n0\n[exit 0]", x.screen())
}

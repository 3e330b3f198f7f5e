package llm

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzTape: a tape that is read gives answers, and is the same when it is read
// again after a rewrite.
func FuzzTape(f *testing.F) {
	for _, s := range []string{
		`{"v":1,"kind":"complete","key":"a","content":"x","prompt_tokens":5,"cache_read_tokens":9}` + "\n",
		`{"v":1,"kind":"stream","key":"b","chunks":["a","b"],"tool_calls":[{"id":"1","name":"f"}]}` + "\n{\"v\":1,", "\n\n", `{"v":1,"kind":"embed","key":"c","embeddings":[[1e5]]}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tape := &Tape{index: map[tapeKey]int{}, fresh: map[tapeKey]bool{}}
		if tape.read(strings.NewReader(text)) != nil {
			return
		}
		var again bytes.Buffer
		for _, line := range tape.lines {
			if line == nil {
				continue
			}
			if u := line.response().Usage; u != nil {
				require.GreaterOrEqual(t, u.InputTokens, 0)
				require.GreaterOrEqual(t, u.OutputTokens, 0)
			}
			again.Write(append(line.raw, '\n'))
		}
		second := &Tape{index: map[tapeKey]int{}, fresh: map[tapeKey]bool{}}
		require.NoError(t, second.read(&again))
		require.Equal(t, len(tape.index), len(second.lines))
		require.False(t, second.stale)
	})
}

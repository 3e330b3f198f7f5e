package llm_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
)

func TestExplain(t *testing.T) {
	text := llm.Explain([]llm.Attempt{
		{Provider: "anthropic", Model: "claude-opus-4-8", Status: 429, Kind: llm.KindRateLimit, Duration: 120 * time.Millisecond, Wait: 2 * time.Second},
		{Provider: "anthropic", Model: "claude-opus-4-8", Kind: llm.KindNetwork, Duration: 90 * time.Second},
		{Provider: "a-provider-with-a-long-name", Model: "a/model/with-an-even-longer-name", Status: 200, Duration: 1500 * time.Millisecond},
	})
	require.Equal(t, strings.TrimLeft(`
#  provider    model                status outcome         took     then waited
1  anthropic   claude-opus-4-8      429    rate-limit      120 ms   2.0 s
2  anthropic   claude-opus-4-8      -      network         1m30s
3  a-provider… a/model/with-an-eve… 200    answered        1.5 s
answered by a-provider-with-a-long-name after 3 attempts in 1m34s
`, "\n"), text)
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 81)
	}
	require.Equal(t, "no attempt was made\n", llm.Explain(nil))
	require.Contains(t, llm.Explain([]llm.Attempt{{Provider: "p", Kind: llm.KindAuth, Status: 401}}), "failed after 1 attempt in 0 ms")
}

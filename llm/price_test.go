package llm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryPriceIsFound(t *testing.T) {
	lines := strings.Split(strings.TrimRight(embedded, "\n"), "\n")[1:]
	require.Greater(t, len(lines), 500)
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		require.Len(t, cells, 5, line)
		if i > 0 {
			require.Less(t, lines[i-1], line, "the list is sorted")
		}
		provider, model, _ := strings.Cut(cells[0], "/")
		_, known := new(Prices).Of(provider, model)
		assert.True(t, known, line)
	}
}

func TestPricesOf(t *testing.T) {
	var p Prices
	gpt, known := p.Of("openai", "gpt-4o")
	require.True(t, known)
	require.Equal(t, Price{Input: 2.5, Output: 10, CacheRead: 1.25, CacheWrite: 2.5}, gpt)
	for name, at := range map[string]string{
		"gpt-4o-2031-08-06": "openai",     // a reply names the version
		"gpt-4o":            "my-gateway", // a provider without a list of its own
		"openai/gpt-4o":     "openrouter",
	} {
		got, known := p.Of(at, name)
		assert.True(t, known, name)
		assert.Equal(t, gpt, got, name)
	}
	for name, at := range map[string]string{
		"deepseek-chat": "ollama", // runs here, whoever made it
		"gpt-4o":        "groq",   // has a list, and no such model
		"":              "openai",
		"gpt":           "openai",
		"nobody's":      "",
		"~":             "zzz",
		"#":             "",
	} {
		_, known := p.Of(at, name)
		assert.False(t, known, "%s at %s", name, at)
	}
	_, known = (*Prices)(nil).Of("openai", "gpt-4o")
	assert.False(t, known)
	assert.Regexp(t, `^20\d\d-\d\d-\d\d$`, p.Date())
}

func TestPricesSet(t *testing.T) {
	var p Prices
	require.NoError(t, p.Set("gpt-4o", Price{Input: 1, Output: 2, CacheRead: 1, CacheWrite: 1}))
	usd, known := p.Cost("openai", "gpt-4o", &Usage{InputTokens: 1e6, OutputTokens: 2e6})
	assert.True(t, known)
	assert.Equal(t, 5.0, usd)
	var bad *OptionError
	require.ErrorAs(t, p.Set("m", Price{Output: -1}), &bad)
	assert.Equal(t, "output", bad.Option)
}

func TestCostPricesEachTokenOnce(t *testing.T) {
	price := Price{Input: 1, Output: 10, CacheRead: 0.1, CacheWrite: 1.25}
	u := &Usage{InputTokens: 1e6, CacheReadTokens: 1e6, CacheWriteTokens: 1e6, OutputTokens: 1e6, ReasoningTokens: 5e5}
	assert.InDelta(t, 12.35, price.Cost(u), 1e-9)
	_, known := new(Prices).Cost("openai", "gpt-4o", nil)
	assert.False(t, known, "unknown usage is no free one")
}

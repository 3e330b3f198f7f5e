package llm

import (
	_ "embed"
	"math"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// Price is what a model's tokens cost, in US dollars per million.
type Price struct {
	Input, Output float64
	// CacheRead and CacheWrite are Input where the list does not say.
	CacheRead, CacheWrite float64
}

// Cost returns the price of the usage in US dollars.
func (p Price) Cost(u *Usage) float64 {
	return (float64(u.InputTokens)*p.Input + float64(u.CacheReadTokens)*p.CacheRead +
		float64(u.CacheWriteTokens)*p.CacheWrite + float64(u.OutputTokens)*p.Output) / 1e6
}

// embedded is the list of prices that comes with the program: sorted lines of
// provider/model and four prices. internal/pricegen writes it.
//
//go:embed prices.tsv
var embedded string

// Prices knows the prices of models: those that were set, then the embedded
// list. The zero value has the list alone. It may be used by many goroutines.
type Prices struct {
	mu  sync.RWMutex
	own map[string]Price
}

// Set says what a model costs, wherever it is asked; it goes before the list.
func (p *Prices) Set(model string, price Price) error {
	for _, x := range [...]struct {
		option string
		usd    float64
	}{{"input", price.Input}, {"output", price.Output}, {"cache-read", price.CacheRead}, {"cache-write", price.CacheWrite}} {
		if !(x.usd >= 0 && x.usd <= math.MaxFloat64) {
			return &OptionError{Option: x.option, Want: "a price of at least 0", Got: x.usd}
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.own == nil {
		p.own = map[string]Price{}
	}
	p.own[model] = price
	return nil
}

// Date returns the day of the embedded list, such as "2026-11-20".
func (p *Prices) Date() string { return strings.Fields(embedded)[1] }

// Cost returns what a reply cost in US dollars; known is false when the price or
// the usage is not known.
func (p *Prices) Cost(provider, model string, u *Usage) (usd float64, known bool) {
	if u == nil {
		return 0, false
	}
	price, known := p.Of(provider, model)
	return price.Cost(u), known
}

// Of returns the price of a provider's model. Models of providers that the list
// does not have, such as gateways and proxies, cost what their maker asks.
func (p *Prices) Of(provider, model string) (price Price, known bool) {
	if p == nil {
		return Price{}, false
	}
	p.mu.RLock()
	price, known = p.own[model]
	p.mu.RUnlock()
	if known {
		return price, true
	}
	for _, name := range modelNames(model) {
		if price, known = listed(provider + "/" + name); known {
			return price, true
		}
	}
	if provider == "ollama" || listsProvider(provider) {
		return Price{}, false
	}
	return ofMaker(model)
}

// ofMaker finds a model whose name alone is known, such as "gpt-4o" or
// "openai/gpt-4o".
func ofMaker(model string) (Price, bool) {
	for _, name := range modelNames(model) {
		if price, known := listed(name); known {
			return price, true
		}
		for _, maker := range [...]string{"openai", "anthropic", "gemini", "deepseek", "mistral", "xai", "moonshot"} {
			if price, known := listed(maker + "/" + name); known {
				return price, true
			}
		}
	}
	return Price{}, false
}

// modelNames are the names that a model may have in the list: a reply may name
// the dated version of what was asked for.
func modelNames(model string) []string {
	model = strings.TrimPrefix(model, "models/") // Gemini's
	names := []string{model}
	if bare := datedModel.ReplaceAllString(model, ""); bare != model {
		names = append(names, bare)
	}
	return names
}

// datedModel matches the end of "gpt-4o-2024-08-06", "claude-haiku-4-5-20251001",
// "mistral-large-latest" and "gemini-2.5-flash-preview-09-2025".
var datedModel = regexp.MustCompile(`(-\d{4}-\d{2}-\d{2}|-\d{8}|-latest|-preview-\d{2}-\d{4})$`)

// listed looks a name up in the list.
func listed(name string) (p Price, known bool) {
	line, ok := find(name + "\t")
	if !ok {
		return p, false
	}
	cells := strings.Split(line, "\t")
	if len(cells) != 5 {
		return p, false
	}
	p.Input, _ = strconv.ParseFloat(cells[1], 64)
	p.Output, _ = strconv.ParseFloat(cells[2], 64)
	p.CacheRead, p.CacheWrite = p.Input, p.Input
	if cells[3] != "" {
		p.CacheRead, _ = strconv.ParseFloat(cells[3], 64)
	}
	if cells[4] != "" {
		p.CacheWrite, _ = strconv.ParseFloat(cells[4], 64)
	}
	return p, true
}

func listsProvider(name string) bool {
	_, ok := find(name + "/")
	return name != "" && ok
}

// find returns the first line of the list that begins so.
func find(prefix string) (line string, ok bool) {
	lineAt := func(i int) string {
		start := strings.LastIndexByte(embedded[:i], '\n') + 1
		rest, _, _ := strings.Cut(embedded[start:], "\n")
		return rest
	}
	// Searching by bytes finds the end of the line before the first that is not
	// smaller; the comment at the top is smaller than all.
	at := sort.Search(len(embedded), func(i int) bool { return lineAt(i) >= prefix })
	if at == len(embedded) {
		return "", false
	}
	line = lineAt(at)
	return line, strings.HasPrefix(line, prefix)
}

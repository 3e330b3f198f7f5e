// Command pricegen writes the price list that package llm embeds, from the file
// of prices that the Python package litellm ships:
//
//	pip download --no-deps litellm && unzip litellm-*.whl 'litellm/model_prices*'
//	go run ./llm/internal/pricegen litellm/model_prices_and_context_window_backup.json 2026-11-20 >llm/prices.tsv
//
// The date is the day on which that package was published. Only facts are taken:
// provider, model, and the prices of a million tokens of input, output, cache
// reads and cache writes in US dollars; an empty cell is not known.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// providers maps the names of the source to ours.
func providers() map[string]string {
	return map[string]string{"openai": "openai", "anthropic": "anthropic", "gemini": "gemini", "groq": "groq", "xai": "xai",
		"moonshot": "moonshot", "deepseek": "deepseek", "mistral": "mistral", "together_ai": "together", "fireworks_ai": "fireworks",
		"cerebras": "cerebras", "sambanova": "sambanova", "perplexity": "perplexity"}
}

type model struct {
	Provider   string   `json:"litellm_provider"`
	Mode       string   `json:"mode"`
	Input      *float64 `json:"input_cost_per_token"`
	Output     *float64 `json:"output_cost_per_token"`
	CacheRead  *float64 `json:"cache_read_input_token_cost"`
	CacheWrite *float64 `json:"cache_creation_input_token_cost"`
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: pricegen FILE DATE")
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if err := write(os.Stdout, text, os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func write(w io.Writer, text []byte, date string) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	names, cells := providers(), map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		raw := all[id]
		var m model
		if json.Unmarshal(raw, &m) != nil { // the entry that documents the format
			continue
		}
		name := names[m.Provider]
		if name == "" || !slices.Contains([]string{"chat", "responses", "completion", "embedding"}, m.Mode) || m.Input == nil {
			continue
		}
		bare, prefixed := strings.CutPrefix(id, m.Provider+"/")
		key := name + "/" + bare
		if _, twice := cells[key]; !twice || prefixed { // some are listed with and without a prefix
			cells[key] = strings.Join([]string{key, cell(m.Input), cell(m.Output), cell(m.CacheRead), cell(m.CacheWrite)}, "\t")
		}
	}
	rows := slices.Sorted(maps.Values(cells))
	_, err := fmt.Fprintf(w, "# %s litellm: model, and US dollars per million tokens: input, output, cache read, cache write\n%s\n", date, strings.Join(rows, "\n"))
	return err
}

// cell is a price of a million tokens, without the dust of binary fractions.
func cell(perToken *float64) string {
	if perToken == nil || *perToken < 0 || math.IsNaN(*perToken) {
		return ""
	}
	return strconv.FormatFloat(math.Round(*perToken*1e12)/1e6, 'f', -1, 64)
}

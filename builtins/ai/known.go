package ai

import (
	"net"
	"slices"
	"strings"

	"github.com/gosema/gosema/llm/anthropic"
	"github.com/gosema/gosema/llm/gemini"
	"github.com/gosema/gosema/llm/ollama"
	"github.com/gosema/gosema/llm/openai"
)

// known is a provider that the language has a name for. Names, variables and
// default models are the reference's (its page on providers).
type known struct {
	name, env, baseURL, model string
	hostEnv                   string // says where the server is; it needs no key
}

// knownProviders are in the order in which the environment is searched: the
// first one found is the default.
func knownProviders() []known {
	return []known{
		{name: "anthropic", env: "ANTHROPIC_API_KEY", baseURL: anthropic.BaseURL, model: "claude-sonnet-4-6"},
		{name: "openai", env: "OPENAI_API_KEY", baseURL: openai.BaseURL, model: "gpt-5.5"},
		{name: "groq", env: "GROQ_API_KEY", baseURL: "https://api.groq.com/openai/v1", model: "llama-3.3-70b-versatile"},
		{name: "xai", env: "XAI_API_KEY", baseURL: "https://api.x.ai/v1", model: "grok-4.3"},
		{name: "mistral", env: "MISTRAL_API_KEY", baseURL: "https://api.mistral.ai/v1", model: "mistral-large-latest"},
		{name: "moonshot", env: "MOONSHOT_API_KEY", baseURL: "https://api.moonshot.ai/v1", model: "kimi-k2.6"},
		{name: "gemini", env: "GOOGLE_API_KEY", baseURL: gemini.BaseURL, model: "gemini-3.5-flash"},
		{name: "deepseek", env: "DEEPSEEK_API_KEY", baseURL: "https://api.deepseek.com/v1", model: "deepseek-v4-flash"},
		{name: "openrouter", env: "OPENROUTER_API_KEY", baseURL: "https://openrouter.ai/api/v1", model: "openai/gpt-5.2"},
		{name: "together", env: "TOGETHER_API_KEY", baseURL: "https://api.together.xyz/v1", model: "meta-llama/Llama-4-Scout-17B-16E-Instruct"},
		{name: "fireworks", env: "FIREWORKS_API_KEY", baseURL: "https://api.fireworks.ai/inference/v1", model: "accounts/fireworks/models/gpt-oss-120b"},
		{name: "cerebras", env: "CEREBRAS_API_KEY", baseURL: "https://api.cerebras.ai/v1", model: "gpt-oss-120b"},
		{name: "sambanova", env: "SAMBANOVA_API_KEY", baseURL: "https://api.sambanova.ai/v1", model: "Meta-Llama-3.3-70B-Instruct"},
		{name: "perplexity", env: "PERPLEXITY_API_KEY", baseURL: "https://api.perplexity.ai", model: "sonar-pro"},
		{name: "ollama", hostEnv: "OLLAMA_HOST", baseURL: ollama.BaseURL, model: "gemma4"},
	}
}

func knownProvider(name string) known {
	all := knownProviders()
	if i := slices.IndexFunc(all, func(k known) bool { return k.name == name }); i >= 0 {
		return all[i]
	}
	return known{name: name}
}

// knownNames are those that a program can use once there is a key.
func knownNames() (names []string) {
	for _, k := range knownProviders() {
		names = append(names, k.name)
	}
	return names
}

// missing says what to do about a provider that is not configured.
func (k known) missing() string {
	switch {
	case k.name == "ollama":
		return "it is not configured: call (llm/configure :ollama {}) for the one on this machine, or {:host \"http://...\"}, or set OLLAMA_HOST"
	case k.env != "":
		return "it is not configured: set " + k.env + " or call (llm/configure :" + k.name + " {:api-key ...})"
	}
	return "it is not configured: call (llm/configure :" + k.name + " {:base-url ... :api-key ...})"
}

// at is where the server of an Ollama's host is, which may be written as Ollama
// itself takes it: without a scheme, and then without its usual port too.
func (k known) at(host string) string {
	host = strings.TrimSpace(host)
	if host == "" {
		return k.baseURL
	}
	if strings.Contains(host, "://") {
		return host
	}
	if _, _, err := net.SplitHostPort(host); err != nil {
		host += ":" + ollama.Port
	}
	return "http://" + host
}

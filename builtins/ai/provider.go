package ai

import (
	"strings"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/anthropic"
	"github.com/gosema/gosema/llm/openai"
)

// provider is a configured provider: how to reach it, and the settings that
// llm/configure gave its calls.
type provider struct {
	llm.Provider
	settings settings
}

// known is a provider that the language has a name for. Names, variables and
// default models are the reference's (its page on providers).
type known struct {
	name, env, baseURL, model string
	later                     bool // its wire format is not built in yet
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
		{name: "gemini", env: "GOOGLE_API_KEY", model: "gemini-3.5-flash", later: true},
		{name: "deepseek", env: "DEEPSEEK_API_KEY", baseURL: "https://api.deepseek.com/v1", model: "deepseek-v4-flash"},
		{name: "openrouter", env: "OPENROUTER_API_KEY", baseURL: "https://openrouter.ai/api/v1", model: "openai/gpt-5.2"},
		{name: "together", env: "TOGETHER_API_KEY", baseURL: "https://api.together.xyz/v1", model: "meta-llama/Llama-4-Scout-17B-16E-Instruct"},
		{name: "fireworks", env: "FIREWORKS_API_KEY", baseURL: "https://api.fireworks.ai/inference/v1", model: "accounts/fireworks/models/gpt-oss-120b"},
		{name: "cerebras", env: "CEREBRAS_API_KEY", baseURL: "https://api.cerebras.ai/v1", model: "gpt-oss-120b"},
		{name: "sambanova", env: "SAMBANOVA_API_KEY", baseURL: "https://api.sambanova.ai/v1", model: "Meta-Llama-3.3-70B-Instruct"},
		{name: "perplexity", env: "PERPLEXITY_API_KEY", baseURL: "https://api.perplexity.ai", model: "sonar-pro"},
		{name: "ollama", model: "gemma4", later: true},
	}
}

func knownProvider(name string) known {
	for _, k := range knownProviders() {
		if k.name == name {
			return k
		}
	}
	return known{name: name}
}

// register makes a provider available, and the default if there is none yet.
func (s *state) register(name string, p *provider) {
	if s.providers == nil {
		s.providers = map[string]*provider{}
	}
	if s.providers[name] == nil {
		s.order = append(s.order, name)
	}
	s.providers[name] = p
}

// configureEnv registers the providers whose keys the environment has. It runs
// before the first call, so starting an interpreter costs nothing.
func (s *state) configureEnv() {
	if s.configured {
		return
	}
	s.configured = true
	if s.config.NoEnvironment {
		return
	}
	for _, k := range knownProviders() {
		key := ""
		if k.env != "" {
			key = s.config.Getenv(k.env)
		}
		if key == "" || k.later || s.providers[k.name] != nil {
			continue
		}
		p, err := s.connect(k, llm.Endpoint{Name: k.name, BaseURL: k.baseURL, APIKey: key, DefaultModel: k.model})
		if err != nil {
			continue // a key that cannot be sent: the error comes when the provider is asked for by name
		}
		s.register(k.name, &provider{Provider: p})
		if s.current == "" {
			s.current = k.name
		}
	}
	s.chooseFromEnv()
}

// chooseFromEnv honours SEMA_CHAT_PROVIDER.
func (s *state) chooseFromEnv() {
	if name := strings.ToLower(s.config.Getenv("SEMA_CHAT_PROVIDER")); s.providers[name] != nil {
		s.current = name
	}
}

// connect makes the provider of an endpoint: Anthropic's has its own wire
// format, all others are OpenAI-compatible.
func (s *state) connect(k known, e llm.Endpoint) (llm.Provider, error) {
	e.Client = s.config.HTTPClient
	if model := s.config.Getenv("SEMA_CHAT_MODEL"); model != "" && e.DefaultModel == k.model {
		e.DefaultModel = model
	}
	if k.name == "anthropic" {
		return anthropic.New(anthropic.Config{Endpoint: e})
	}
	return openai.New(openai.Config{Endpoint: e})
}

// lookup returns a provider by name; one that is not configured fails every
// call, so that a chain moves on from it.
func (s *state) lookup(name string) *provider {
	s.configureEnv()
	if p := s.providers[name]; p != nil {
		return p
	}
	k := knownProvider(name)
	reason := "it is not configured: call (llm/configure :" + name + " {:api-key ... :base-url ...})"
	switch {
	case k.later:
		reason = "its wire format is not built in yet; an OpenAI-compatible endpoint of it works under another name, with :base-url"
	case k.env != "":
		reason = "it is not configured: set " + k.env + " or call (llm/configure :" + name + " {:api-key ...})"
	}
	return &provider{Provider: llm.Missing(name, reason)}
}

// defaultProvider is the provider of calls outside of any chain.
func (s *state) defaultProvider() (*provider, error) {
	s.configureEnv()
	if p := s.providers[s.current]; p != nil {
		return p, nil
	}
	e := eval.Errorf(eval.KindLLM, "no LLM provider is configured")
	e.Hint = "set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, or call (llm/configure :name {:base-url ... :api-key ...}); " +
		"(llm/mock-server {:replies [\"hello\"]}) starts a local one for tests"
	return nil, e
}

func providerBuiltins() []eval.Builtin {
	const noRun = "needs a provider"
	return []eval.Builtin{
		{Name: "llm/configure", Arity: eval.Exactly(2), Fn: llmConfigure, Caps: eval.CapLLM,
			Doc: "(llm/configure :name {:api-key :base-url :default-model ...}) makes a provider available and the default. With :base-url any name is an " +
				"OpenAI-compatible provider; :anthropic keeps its own wire format. The retry options of llm/complete may be given here too.",
			Example: "(llm/configure :local {:base-url \"http://127.0.0.1:8000/v1\" :default-model \"m\"}) ; => nil"},
		{Name: "llm/auto-configure", Arity: eval.Exactly(0), Fn: llmAutoConfigure, Caps: eval.CapLLM,
			Doc: "(llm/auto-configure) configures the providers whose keys are in the environment, and answers the default one, or nil.", NoRun: noRun},
		{Name: "llm/list-providers", Aliases: []string{"llm/providers"}, Arity: eval.Exactly(0), Fn: llmListProviders, Caps: eval.CapLLM,
			Doc: "(llm/list-providers) lists the configured providers.", Example: "(llm/list-providers) ; => ()"},
		{Name: "llm/current-provider", Arity: eval.Exactly(0), Fn: llmCurrentProvider, Caps: eval.CapLLM,
			Doc: "(llm/current-provider) is {:name :model} of the default provider, or nil.", Example: "(llm/current-provider) ; => nil"},
		{Name: "llm/default-provider", Arity: eval.Exactly(0), Fn: llmDefaultProvider, Caps: eval.CapLLM,
			Doc: "(llm/default-provider) is the name of the default provider, or nil.", Example: "(llm/default-provider) ; => nil"},
		{Name: "llm/set-default", Arity: eval.Exactly(1), Fn: llmSetDefault, Caps: eval.CapLLM,
			Doc: "(llm/set-default :name) makes a configured provider the default.", NoRun: noRun},
		{Name: "llm/define-provider", Arity: eval.Exactly(2), Fn: llmDefineProvider, Caps: eval.CapLLM,
			Doc: "(llm/define-provider :name {:complete f :default-model \"m\"}) makes a provider of a function from a request map " +
				"{:model :messages :system :max-tokens :temperature} to a reply: a string or {:content :model :usage}.",
			Example: "(begin (llm/define-provider :echo {:complete (fn (req) (:content (first (:messages req))))}) (llm/complete \"hi\")) ; => \"hi\""},
	}
}

var endpointOptions = []string{"api-key", "base-url", "default-model", "host", "headers"}

func llmConfigure(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	name, err := providerName(args[0])
	if err != nil {
		return value.Nil, err
	}
	s := stateOf(t)
	o := eval.OptionsOf("llm/configure", args[1], append(append([]string(nil), endpointOptions...), settingOptions()...)...)
	k := knownProvider(name)
	e := llm.Endpoint{Name: name, BaseURL: o.String("base-url", k.baseURL), APIKey: o.String("api-key", ""),
		DefaultModel: o.String("default-model", k.model), Header: headerOption(o)}
	set := readSettings(o)
	if err := o.Err(); err != nil {
		return value.Nil, err
	}
	if e.BaseURL == "" {
		return value.Nil, noBaseURL(k)
	}
	if e.APIKey == "" && k.env != "" && !s.config.NoEnvironment {
		e.APIKey = s.config.Getenv(k.env)
	}
	p, err := s.connect(k, e)
	if err != nil {
		return value.Nil, &eval.Error{Kind: eval.KindEval, Message: "llm/configure: " + err.Error(), Cause: err}
	}
	s.configureEnv()
	s.register(name, &provider{p, set})
	s.current = name
	return value.Nil, nil
}

func noBaseURL(k known) error {
	e := eval.Errorf(eval.KindEval, "llm/configure: :%s needs a :base-url", k.name)
	e.Hint = "any OpenAI-compatible server will do, such as {:base-url \"http://localhost:8000/v1\" :api-key \"...\"}"
	if k.later {
		e.Message = "llm/configure: the wire format of :" + k.name + " is not built in yet"
		e.Hint = "its OpenAI-compatible endpoint works under another name: (llm/configure :my-" + k.name + " {:base-url ... :api-key ...})"
	}
	return e
}

// providerName takes :name or "name".
func providerName(v eval.Value) (string, error) {
	if n, ok := v.KeywordName(); ok {
		return n, nil
	}
	if n, ok := v.AsString(); ok {
		return n, nil
	}
	return "", eval.TypeError("a provider name such as :openai", v)
}

func llmAutoConfigure(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	s := stateOf(t)
	s.configured = false
	s.configureEnv()
	return llmDefaultProvider(t, args)
}

func llmListProviders(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	s := stateOf(t)
	s.configureEnv()
	var names []eval.Value
	for _, n := range s.order {
		names = append(names, value.Keyword(n))
	}
	return value.List(names...), nil
}

func llmCurrentProvider(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	s := stateOf(t)
	p, err := s.defaultProvider()
	if err != nil {
		return value.Nil, nil
	}
	return value.Map(value.Keyword("name"), value.Keyword(s.current), value.Keyword("model"), value.String(p.DefaultModel())), nil
}

func llmDefaultProvider(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	s := stateOf(t)
	if _, err := s.defaultProvider(); err != nil {
		return value.Nil, nil
	}
	return value.Keyword(s.current), nil
}

func llmSetDefault(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	name, err := providerName(args[0])
	if err != nil {
		return value.Nil, err
	}
	s := stateOf(t)
	s.configureEnv()
	if s.providers[name] == nil {
		e := eval.Errorf(eval.KindLLM, "the provider :%s is not configured", name)
		e.Hint = "configured are :" + strings.Join(s.order, " :")
		if near := eval.Nearest(name, s.order); near != "" {
			e.Hint = "did you mean :" + near + "?"
		}
		return value.Nil, e
	}
	s.current = name
	return value.Keyword(name), nil
}

// defaultTimeout bounds an attempt that nobody set a timeout for, so that a
// connection that hangs does not hang a program for ever.
const defaultTimeout = 10 * time.Minute

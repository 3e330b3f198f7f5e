package ai

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/anthropic"
	"github.com/gosema/gosema/llm/gemini"
	"github.com/gosema/gosema/llm/ollama"
	"github.com/gosema/gosema/llm/openai"
)

// defaultTimeout bounds an attempt that nobody set a timeout for, so that a
// connection that hangs does not hang a program for ever.
const defaultTimeout = 10 * time.Minute

// provider is a configured provider: how to reach it, and the settings that
// llm/configure gave its calls.
type provider struct {
	llm.Provider
	settings settings
}

// register makes a provider available.
func (s *state) register(name string, p *provider) {
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
	for _, k := range knownProviders() {
		key := ""
		if k.env != "" {
			key = s.getenv(k.env)
		}
		if s.providers[k.name] != nil {
			continue
		}
		if key != "" {
			s.registerEnv(k, key)
		} else if k.hostEnv != "" && s.getenv(k.hostEnv) != "" {
			s.registerEnv(k, "")
		}
	}
	s.chooseFromEnv()
}

func (s *state) registerEnv(k known, key string) {
	s.register(k.name, &provider{Provider: s.fromEnv(k, key)})
	if s.current == "" {
		s.current = k.name
	}
}

// fromEnv is a provider as the environment has it. What cannot be used, such as a
// key that cannot be sent, is told to whoever uses the provider.
func (s *state) fromEnv(k known, key string) llm.Provider {
	e := llm.Endpoint{Name: k.name, BaseURL: k.baseURL, APIKey: key, DefaultModel: s.modelFor(k)}
	what := "the key in " + k.env
	if k.hostEnv != "" {
		e.BaseURL, what = k.at(s.getenv(k.hostEnv)), k.hostEnv
	}
	p, err := s.connect(k.name, e)
	if err != nil {
		return llm.Missing(k.name, what+" cannot be used: "+err.Error())
	}
	return p
}

// chooseFromEnv honours SEMA_CHAT_PROVIDER. One that is not configured is
// chosen too: to ask another company instead would be worse than the error.
func (s *state) chooseFromEnv() {
	if name := s.chosen(); name != "" {
		s.current = name
	}
}

// chosen is the provider that SEMA_CHAT_PROVIDER names.
func (s *state) chosen() string {
	return strings.ToLower(strings.TrimSpace(s.getenv("SEMA_CHAT_PROVIDER")))
}

// getenv asks the environment, if it counts.
func (s *state) getenv(name string) string {
	if s.config.NoEnvironment {
		return ""
	}
	return s.config.Getenv(name)
}

// connect makes the provider of an endpoint: Anthropic, Gemini and Ollama have wire
// formats of their own, all others are OpenAI-compatible, as Ollama is under /v1.
// Its requests go through the client of all providers unless it has one.
func (s *state) connect(name string, e llm.Endpoint) (llm.Provider, error) {
	if e.Client == nil {
		e.Client = s.client()
	}
	switch {
	case name == "anthropic":
		return anthropic.New(anthropic.Config{Endpoint: e})
	case name == "gemini":
		return gemini.New(gemini.Config{Endpoint: e})
	case name == "ollama" && !strings.HasSuffix(strings.TrimRight(e.BaseURL, "/"), "/v1"):
		return ollama.New(ollama.Config{Endpoint: e})
	}
	return openai.New(openai.Config{Endpoint: e})
}

// maxIdle is how many connections to a provider are kept for the next calls:
// programs make many at a time.
const maxIdle = 64

// client makes the requests of all providers.
func (s *state) client() *http.Client {
	if s.config.HTTPClient == nil {
		s.config.HTTPClient = &http.Client{}
		if standard, ok := http.DefaultTransport.(*http.Transport); ok {
			own := standard.Clone()
			own.MaxIdleConns, own.MaxIdleConnsPerHost = 0, maxIdle
			if s.config.PublicOnly {
				own.DialContext, own.Proxy = publicDialer().DialContext, nil // a proxy would be one of ours
			}
			s.config.HTTPClient.Transport = own
			s.interp.OnClose(own.CloseIdleConnections)
		}
	}
	return s.config.HTTPClient
}

// find returns a configured provider, or nil. One that needs no key is there as
// soon as a program names it; it is no default by itself, since it may not run.
func (s *state) find(name string) *provider {
	s.configureEnv()
	if k := knownProvider(name); s.providers[name] == nil && k.hostEnv != "" && !s.config.NoEnvironment {
		s.register(name, &provider{Provider: s.fromEnv(k, "")})
	}
	return s.providers[name]
}

// lookup returns a provider by name; one that is not configured fails every
// call, so that a chain moves on from it.
func (s *state) lookup(name string) *provider {
	if p := s.find(name); p != nil {
		return p
	}
	k := knownProvider(name)
	reason := k.missing()
	if near := eval.Nearest(name, slices.Concat(s.order, knownNames())); near != "" && k.baseURL == "" {
		reason += "; or did you mean :" + near + "?"
	}
	return &provider{Provider: llm.Missing(name, reason)}
}

// defaultProvider is the provider of calls outside of any chain.
func (s *state) defaultProvider() (*provider, error) {
	s.configureEnv()
	if s.current != "" {
		return s.lookup(s.current), nil
	}
	e := eval.Errorf(eval.KindLLM, "no LLM provider is configured")
	e.Hint = "set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, or OLLAMA_HOST, or call (llm/configure :name {:base-url ... :api-key ...}); " +
		"(llm/mock-server {:replies [\"hello\"]}) starts a local one for tests"
	return nil, e
}

// modelFor is the default model of a provider whose configuration names none.
// SEMA_CHAT_MODEL counts for the default provider alone, since the others do not
// know that model, and for one that has no other.
func (s *state) modelFor(k known) string {
	model, chosen := s.getenv("SEMA_CHAT_MODEL"), s.chosen()
	byDefault := chosen == "" && (s.current == "" || s.current == k.name || k.model == "")
	if model != "" && (byDefault || chosen == k.name) {
		return model
	}
	return k.model
}

package ai

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

func providerBuiltins() []eval.Builtin {
	const noRun = "needs a provider"
	return []eval.Builtin{
		{Name: "llm/configure", Arity: eval.Exactly(2), Fn: llmConfigure, Caps: eval.CapLLM,
			Doc: "(llm/configure :name {:api-key :base-url :default-model :headers ...}) makes a provider available and the default. With :base-url any name is an " +
				"OpenAI-compatible provider; :anthropic keeps its own wire format. The retry options of llm/complete may be given here too.",
			Example: "(llm/configure :local {:base-url \"http://127.0.0.1:8000/v1\" :default-model \"m\"}) ; => nil"},
		{Name: "llm/auto-configure", Arity: eval.Exactly(0), Fn: llmAutoConfigure, Caps: eval.CapLLM,
			Doc: "(llm/auto-configure) configures the providers whose keys are in the environment, and Ollama where OLLAMA_HOST says, and answers the default one, or nil. " +
				"SEMA_CHAT_PROVIDER chooses the default, SEMA_CHAT_MODEL its model. It is done before the first call anyway.", NoRun: noRun},
		{Name: "llm/list-providers", Aliases: []string{"llm/providers"}, Arity: eval.Exactly(0), Fn: llmListProviders, Caps: eval.CapLLM,
			Doc: "(llm/list-providers) lists the names of the configured providers, sorted.", Example: "(llm/list-providers) ; => ()"},
		{Name: "llm/current-provider", Arity: eval.Exactly(0), Fn: llmCurrentProvider, Caps: eval.CapLLM,
			Doc: "(llm/current-provider) is {:name :model} of the default provider, or nil.", Example: "(llm/current-provider) ; => nil"},
		{Name: "llm/default-provider", Arity: eval.Exactly(0), Fn: llmDefaultProvider, Caps: eval.CapLLM,
			Doc: "(llm/default-provider) is the name of the default provider, or nil.", Example: "(llm/default-provider) ; => nil"},
		{Name: "llm/set-default", Arity: eval.Exactly(1), Fn: llmSetDefault, Caps: eval.CapLLM,
			Doc: "(llm/set-default :name) makes a configured provider the default.", NoRun: noRun},
		{Name: "llm/define-provider", Arity: eval.Exactly(2), Fn: llmDefineProvider, Caps: eval.CapLLM,
			Doc: "(llm/define-provider :name {:complete f :default-model \"m\"}) makes a provider of a function from a request map " +
				"{:model :messages :system :max-tokens :temperature :stop-sequences :tools} to a reply: a string or {:content :model :usage :stop-reason :tool-calls [{:id :name :arguments}]}.",
			Example: "(begin (llm/define-provider :echo {:complete (fn (req) (:content (first (:messages req))))}) (llm/complete \"hi\")) ; => \"hi\""},
	}
}

var configureOptions = slices.Concat([]string{"api-key", "base-url", "default-model", "host", "headers"}, settingOptions)

func llmConfigure(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	name, err := providerName(args[0])
	if err != nil {
		return value.Nil, err
	}
	if !args[1].IsMap() && !args[1].IsNil() { // its own error: the value may be a key
		return value.Nil, eval.Errorf(eval.KindType, "expected a map of options for llm/configure, got a %s", args[1].TypeName())
	}
	s, k := stateOf(t), knownProvider(name)
	s.configureEnv()
	o := eval.OptionsOf("llm/configure", args[1], configureOptions...)
	e := llm.Endpoint{Name: name, BaseURL: o.String("base-url", ""), APIKey: secretOption(o, "api-key"),
		DefaultModel: o.String("default-model", s.modelFor(k)), Header: headerOption(o)}
	set := readSettings(o)
	if err := o.Err(); err != nil {
		return value.Nil, err
	}
	if e, err = s.completeEndpoint(k, e, o); err != nil {
		return value.Nil, err
	}
	p, err := s.connect(name, e)
	if err != nil {
		return value.Nil, &eval.Error{Kind: eval.KindEval, Message: "llm/configure: " + err.Error(), Cause: err}
	}
	s.register(name, &provider{p, set})
	s.current = name
	return value.Nil, nil
}

// completeEndpoint fills in what is known of the provider. The key in the
// environment goes to the provider's own address only.
func (s *state) completeEndpoint(k known, e llm.Endpoint, o *eval.Options) (llm.Endpoint, error) {
	host := o.String("host", "")
	switch {
	case o.Err() != nil:
		return e, o.Err()
	case host != "" && k.name == "ollama":
		e.BaseURL = k.at(host)
		return e, nil
	case host != "":
		err := eval.Errorf(eval.KindEval, "llm/configure: :host is an option of :ollama")
		err.Hint = "other providers take :base-url"
		return e, err
	case e.BaseURL == "" && k.baseURL == "":
		err := eval.Errorf(eval.KindEval, "llm/configure: :%s needs a :base-url", k.name)
		err.Hint = "any OpenAI-compatible server will do, such as {:base-url \"http://localhost:8000/v1\" :api-key \"...\"}"
		if near := eval.Nearest(k.name, knownNames()); near != "" {
			err.Hint = "did you mean :" + near + "?"
		}
		return e, err
	}
	if e.BaseURL == "" && k.hostEnv != "" {
		e.BaseURL = k.at(s.getenv(k.hostEnv))
	} else if e.BaseURL == "" {
		e.BaseURL = k.baseURL
	}
	if e.APIKey == "" && k.env != "" && e.BaseURL == k.baseURL {
		e.APIKey = s.getenv(k.env)
	}
	return e, nil
}

// secretOption reads a string whose value must not get into an error.
func secretOption(o *eval.Options, name string) string {
	v, given := o.Get(name)
	text, ok := v.AsString()
	if given && !ok {
		o.Fail(eval.Errorf(eval.KindType, "expected a string for the option :%s, got a %s", name, v.TypeName()))
	}
	return text
}

// headerOption reads {:headers {"X-Name" "text"}}. Its errors do not show the
// texts, which may be secrets.
func headerOption(o *eval.Options) http.Header {
	v, given := o.Get("headers")
	if !given {
		return nil
	}
	if !v.IsMap() {
		o.Fail(eval.Errorf(eval.KindType, "expected a map of names and texts for the option :headers, got a %s", v.TypeName()))
		return nil
	}
	h := http.Header{}
	for k, x := range v.Entries() {
		name := plainName(k)
		if name == "" {
			o.Fail(eval.TypeError("the name of a header for the option :headers", k))
			return nil
		}
		h.Set(name, value.Display(x))
	}
	return h
}

// providerName takes :name or "name".
func providerName(v eval.Value) (string, error) {
	name := ""
	if !v.IsSymbol() {
		name = plainName(v)
	}
	if name == "" {
		return "", eval.TypeError("a provider name such as :openai", v)
	}
	return name, nil
}

func llmAutoConfigure(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	stateOf(t).configured = false
	return llmDefaultProvider(t, args)
}

func llmListProviders(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	s := stateOf(t)
	s.configureEnv()
	var names []eval.Value
	for _, n := range slices.Sorted(slices.Values(s.order)) {
		names = append(names, value.Keyword(n))
	}
	return value.List(names...), nil
}

func llmCurrentProvider(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	s := stateOf(t)
	s.configureEnv()
	if s.current == "" {
		return value.Nil, nil
	}
	model := s.lookup(s.current).DefaultModel()
	return value.Map(keyword("name"), keyword(s.current), keyword("model"), textOrNil(model)), nil
}

func llmDefaultProvider(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	s := stateOf(t)
	s.configureEnv()
	return keywordOrNil(s.current), nil
}

func llmSetDefault(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	name, err := providerName(args[0])
	if err != nil {
		return value.Nil, err
	}
	s := stateOf(t)
	if s.find(name) == nil {
		e := eval.Errorf(eval.KindLLM, "the provider :%s is not configured", name)
		if near := eval.Nearest(name, s.order); near != "" {
			e.Hint = "did you mean :" + near + "?"
		} else if len(s.order) > 0 {
			e.Hint = "configured are :" + strings.Join(s.order, " :")
		} else {
			e.Hint = knownProvider(name).missing()
		}
		return value.Nil, e
	}
	s.current = name
	return value.Keyword(name), nil
}

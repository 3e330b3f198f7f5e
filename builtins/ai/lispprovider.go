package ai

import (
	"context"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

// threadKey is the context key of the thread that makes a call, for providers
// that are functions of the program.
type threadKey struct{}

// lispProvider is a provider that a program defined. It runs on the calling
// thread, so it is a [llm.LocalProvider].
type lispProvider struct {
	name, model string
	fn          eval.Value
}

func (p *lispProvider) Name() string         { return p.name }
func (p *lispProvider) DefaultModel() string { return p.model }
func (p *lispProvider) Local()               {}

func (p *lispProvider) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	t := ctx.Value(threadKey{}).(*eval.Thread)
	v, err := t.WithContext(ctx, func() (eval.Value, error) { return t.Call(p.fn, requestMap(req)) })
	if err != nil {
		return nil, providerError(err)
	}
	return p.response(v)
}

// providerError keeps an LLM failure that the function passes on as one, so that
// retry and fallback treat it like any other; everything else is the program's
// own error.
func providerError(err error) error {
	if e, ok := eval.AsError(err).Cause.(*llm.Error); ok && e.Kind != llm.KindCancelled {
		return e
	}
	return &llm.CallbackError{Err: err}
}

func requestMap(req *llm.Request) eval.Value {
	var messages []eval.Value
	for _, m := range req.Messages {
		messages = append(messages, value.Map(keyword("role"), value.String(string(m.Role)), keyword("content"), value.String(m.Text())))
	}
	maxTokens, temperature := value.Nil, value.Nil
	if req.MaxTokens > 0 {
		maxTokens = value.Int(int64(req.MaxTokens))
	}
	if req.Temperature != nil {
		temperature = value.Float(*req.Temperature)
	}
	var stops []eval.Value
	for _, s := range req.StopSequences {
		stops = append(stops, value.String(s))
	}
	return value.Map(keyword("model"), textOrNil(req.Model), keyword("messages"), value.List(messages...), keyword("system"), textOrNil(req.System),
		keyword("max-tokens"), maxTokens, keyword("temperature"), temperature, keyword("stop-sequences"), value.List(stops...))
}

func (p *lispProvider) response(v eval.Value) (*llm.Response, error) {
	if text, ok := v.AsString(); ok {
		return &llm.Response{Text: text, StopReason: llm.StopEnd}, nil
	}
	if !v.IsMap() {
		return nil, &llm.CallbackError{Err: eval.TypeError("a reply from the provider :"+p.name+", a string or a map with :content", v)}
	}
	content, _ := v.Get(keyword("content"))
	model, _ := v.Get(keyword("model"))
	r := &llm.Response{StopReason: llm.StopEnd}
	r.Text, _ = content.AsString()
	r.Model, _ = model.AsString()
	if u, _ := v.Get(keyword("usage")); u.IsMap() {
		r.Usage = &llm.Usage{InputTokens: tokens(u, "prompt-tokens"), OutputTokens: tokens(u, "completion-tokens")}
	}
	return r, nil
}

func tokens(u eval.Value, name string) int {
	v, _ := u.Get(keyword(name))
	n, _ := v.AsInt()
	return int(n)
}

func llmDefineProvider(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	name, err := providerName(args[0])
	if err != nil {
		return value.Nil, err
	}
	o := eval.OptionsOf("llm/define-provider", args[1], append([]string{"complete", "default-model"}, settingOptions()...)...)
	fn, given := o.Func("complete")
	model := o.String("default-model", "default")
	set := readSettings(o)
	if err := o.Err(); err != nil {
		return value.Nil, err
	}
	if !given {
		return value.Nil, eval.Errorf(eval.KindEval, "llm/define-provider needs a function :complete")
	}
	s := stateOf(t)
	s.configureEnv()
	s.register(name, &provider{&lispProvider{name, model, fn}, set})
	s.current = name
	return value.Keyword(name), nil
}

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
	v, err := t.WithContext(ctx, func() (eval.Value, error) {
		return t.InScope(nested(t), func() (eval.Value, error) { return t.Call(p.fn, requestMap(req)) })
	})
	switch {
	case err == nil:
		return p.response(v)
	case eval.AsError(err).Kind == eval.KindTimeout && t.Interrupted() == nil: // of the attempt, not of the program
		return nil, &llm.Error{Kind: llm.KindTimeout, Retryable: true, Message: "no reply in time", Cause: ctx.Err()}
	}
	return nil, providerError(err)
}

// providerError keeps an LLM failure that the function passes on as one, so that
// retry and fallback treat it like any other; everything else is the program's
// own error.
func providerError(err error) error {
	own := eval.AsError(err)
	if e, ok := own.Cause.(*llm.Error); ok && own.Kind == eval.KindLLM && e.Kind != llm.KindCancelled {
		return e
	}
	return &llm.CallbackError{Err: err}
}

func requestMap(req *llm.Request) eval.Value {
	maxTokens, temperature := value.Nil, value.Nil
	if req.MaxTokens > 0 {
		maxTokens = value.Int(int64(req.MaxTokens))
	}
	if req.Temperature != nil {
		temperature = value.Float(*req.Temperature)
	}
	stops := value.Nil
	if len(req.StopSequences) > 0 {
		stops = stringList(req.StopSequences)
	}
	return value.Map(keyword("model"), textOrNil(req.Model), keyword("messages"), transcriptOf(llm.Repair(req.Messages)), keyword("system"), textOrNil(req.System),
		keyword("max-tokens"), maxTokens, keyword("temperature"), temperature, keyword("stop-sequences"), stops, keyword("tools"), toolSchemas(req.Tools))
}

// toolSchemas are the tools as maps, nil if there are none.
func toolSchemas(tools []llm.Tool) eval.Value {
	if len(tools) == 0 {
		return value.Nil
	}
	var all []eval.Value
	for _, t := range tools {
		parameters, _ := valueOfJSON(string(t.Parameters)) // nil where there are none
		all = append(all, value.Map(keyword("name"), value.String(t.Name), keyword("description"), value.String(t.Description), keyword("parameters"), parameters))
	}
	return value.List(all...)
}

func stringList(texts []string) eval.Value {
	var list []eval.Value
	for _, s := range texts {
		list = append(list, value.String(s))
	}
	return value.List(list...)
}

func (p *lispProvider) response(v eval.Value) (*llm.Response, error) {
	if text, ok := v.AsString(); ok {
		return &llm.Response{Text: text, StopReason: llm.StopEnd}, nil
	}
	if !v.IsMap() {
		return nil, &llm.CallbackError{Err: eval.TypeError("a reply from the provider :"+p.name+", a string or a map with :content", v)}
	}
	r := &llm.Response{StopReason: llm.StopEnd}
	for name, to := range map[string]*string{"content": &r.Text, "model": &r.Model} {
		field, _ := v.Get(keyword(name))
		text, ok := field.AsString()
		if !ok && !field.IsNil() {
			return nil, &llm.CallbackError{Err: eval.TypeError("a string for :"+name+" in a reply from the provider :"+p.name, field)}
		}
		*to = text
	}
	if u, _ := v.Get(keyword("usage")); u.IsMap() {
		r.Usage = readUsage(u)
	}
	return r, p.readEnding(r, v)
}

// readEnding reads the tool calls and the stop reason of a reply.
func (p *lispProvider) readEnding(r *llm.Response, v eval.Value) error {
	calls, _ := v.Get(keyword("tool-calls"))
	if !calls.IsNil() && !calls.IsSeq() {
		return &llm.CallbackError{Err: eval.TypeError("a list for :tool-calls in a reply from the provider :"+p.name, calls)}
	}
	if calls.IsSeq() {
		read, err := readToolCalls(calls.Slice(), "a tool call of the provider :"+p.name)
		if err != nil {
			return &llm.CallbackError{Err: err}
		}
		r.ToolCalls = read
	}
	reason, _ := v.Get(keyword("stop-reason"))
	switch name := plainName(reason); name {
	case "":
		if len(r.ToolCalls) > 0 {
			r.StopReason = llm.StopTools
		}
	case "end_turn":
	case "tool_use", "tool_calls":
		r.StopReason = llm.StopTools
	case "max_tokens":
		r.StopReason = llm.StopLength
	default:
		r.StopReason = llm.StopReason(name)
	}
	return nil
}

// readUsage reads {:prompt-tokens :completion-tokens}; without either the usage
// is unknown.
func readUsage(u eval.Value) *llm.Usage {
	in, known := tokens(u, "prompt-tokens")
	out, alsoKnown := tokens(u, "completion-tokens")
	if !known && !alsoKnown {
		return nil
	}
	return &llm.Usage{InputTokens: in, OutputTokens: out}
}

func tokens(u eval.Value, name string) (n int, known bool) {
	v, _ := u.Get(keyword(name))
	i, ok := wholeNumber(v)
	if !ok || i < 0 {
		return 0, false
	}
	return int(i), true
}

func llmDefineProvider(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	name, err := providerName(args[0])
	if err != nil {
		return value.Nil, err
	}
	o := eval.OptionsOf("llm/define-provider", args[1], append([]string{"complete", "default-model"}, settingOptions...)...)
	fn := callbackOption(o, "complete")
	model := o.String("default-model", "default")
	set := readSettings(o)
	if err := o.Err(); err != nil {
		return value.Nil, err
	}
	if !fn.given {
		return value.Nil, eval.Errorf(eval.KindEval, "llm/define-provider needs a function :complete")
	}
	s := stateOf(t)
	s.configureEnv()
	s.register(name, &provider{&lispProvider{name, model, fn.fn}, set})
	s.current = name
	return value.Keyword(name), nil
}

package ai

import (
	"context"
	"slices"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

func completionBuiltins() []eval.Builtin {
	const noRun = "needs a provider"
	return []eval.Builtin{
		{Name: "llm/complete", Arity: eval.Between(1, 2), Fn: llmChat("llm/complete"), Caps: eval.CapLLM,
			Doc: "(llm/complete prompt [{:model :max-tokens :temperature :system :timeout ...}]) asks a model and answers its text. prompt is a string, a " +
				"prompt value, or a list of messages as for llm/chat. Failures that may pass are retried: :retries (3), :retry-base-ms (500), :retry-cap-ms (30000), " +
				":retryable-statuses, :on-error (f of {:status :error :attempt :retryable? ...}; :retry retries), :on-retry, :deadline-ms for the whole call, " +
				":timeout in ms for one attempt (600000; 0 is none).",
			NoRun: noRun},
	}
}

// requestOptions are the options that shape the request itself.
var (
	requestOptions  = []string{"model", "max-tokens", "temperature", "system", "reasoning-effort", "stop-sequences", "tags", "metadata"}
	completeOptions = slices.Concat(requestOptions, settingOptions)
)

// complete makes a call with the settings of the call, the scope and the
// providers, and keeps its trace.
func complete(t *eval.Thread, req *llm.Request, own settings) (*llm.Response, error) {
	s := stateOf(t)
	call, err := newCall(t, s, own)
	if err != nil {
		return nil, err
	}
	reply, err := call.Complete(context.WithValue(t.Context(), threadKey{}, t), req)
	if err != nil {
		return nil, s.failed(t, err)
	}
	s.note(reply.Attempts, reply)
	return reply, nil
}

// newCall puts together all that is in force for a call.
func newCall(t *eval.Thread, s *state, own settings) (*llm.Call, error) {
	tape, err := tapeOf(t, s)
	if err != nil {
		return nil, err
	}
	entries, on, err := chainOf(t, s)
	if err != nil && tape == nil {
		return nil, err
	} else if err != nil { // a replay needs no provider
		entries = []resolvedEntry{{provider: &provider{Provider: llm.Missing("", explained(err))}}}
	}
	call := &llm.Call{Env: s.config.Env, On: on, Policy: llm.DefaultPolicy(), Limits: limitersOf(t), Breaker: breakerOf(t), Hedge: hedgeOf(t),
		RetryBudget: s.retries(), Budgets: budgetsOf(t, s), Prices: &s.prices, Unpriced: s.warnUnpriced, Tape: tape, Nested: isNested(t)}
	call.Block = t.BlockingContext
	if ttl, ok := t.Scope().Get(cacheKey{}).(time.Duration); ok {
		call.Cache, call.CacheFor = s.answers(), ttl
	}
	s.addEntries(t, call, entries, own.over(scopeSettings(t)))
	call.Deadline = earlier(call.Deadline, scopeDeadline(t))
	return call, nil
}

func (s *state) addEntries(t *eval.Thread, call *llm.Call, entries []resolvedEntry, near settings) {
	for _, e := range entries {
		all := near.over(e.provider.settings)
		entry := llm.Entry{Provider: e.provider.Provider, Model: e.model, Policy: all.policy(t), Timeout: defaultTimeout}
		set(&entry.Timeout, all.timeout)
		call.Chain = append(call.Chain, entry)
		if all.deadline != nil {
			call.Deadline = earlier(call.Deadline, s.now().Add(*all.deadline))
		}
	}
}

// explained is an error with its hint, in one line.
func explained(err error) string {
	e := eval.AsError(err)
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + ": " + e.Hint
}

func (s *state) now() time.Time {
	if s.config.Env.Clock != nil {
		return s.config.Env.Clock.Now()
	}
	return time.Now()
}

// earlier is the earlier of two times, of which zero is none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func readRequest(o *eval.Options) *llm.Request {
	req := &llm.Request{Model: o.String("model", ""), System: o.String("system", ""), MaxTokens: int(o.Int("max-tokens", 0))}
	if _, given := o.Get("max-tokens"); given && req.MaxTokens < 1 {
		o.Bad("max-tokens", "a number of tokens above 0")
	}
	if _, given := o.Get("temperature"); given {
		f := o.Float("temperature", 0)
		req.Temperature = &f
	}
	if v, given := o.Get("reasoning-effort"); given {
		if req.ReasoningEffort = plainName(v); req.ReasoningEffort == "" {
			o.Bad("reasoning-effort", "a keyword such as :low")
		}
	}
	for _, v := range o.Elems("stop-sequences") {
		text, ok := v.AsString()
		if !ok {
			o.Bad("stop-sequences", "a list of strings")
		}
		req.StopSequences = append(req.StopSequences, text)
	}
	for _, v := range o.Elems("tags") {
		req.Tags = append(req.Tags, plainName(v))
	}
	if v, given := o.Get("metadata"); given {
		readMetadata(o, req, v)
	}
	return req
}

func readMetadata(o *eval.Options, req *llm.Request, v eval.Value) {
	if !v.IsMap() {
		o.Bad("metadata", "a map")
		return
	}
	req.Metadata = map[string]string{}
	for k, x := range v.Entries() {
		req.Metadata[plainName(k)] = value.Display(x)
	}
}

// readPrompt takes a string, a prompt value or a list of messages.
func readPrompt(req *llm.Request, v eval.Value) error {
	if text, ok := v.AsString(); ok {
		req.Messages = []llm.Message{llm.User(text)}
		return nil
	}
	var messages []llm.Message
	if p, ok := promptOf(v); ok {
		for _, m := range p.messages {
			messages = append(messages, m.Message)
		}
	} else if v.IsNil() || !v.IsSeq() {
		return eval.TypeError("a prompt: a string, or a list of messages", v)
	} else {
		var err error
		if messages, err = readTranscript(v); err != nil {
			return err
		}
	}
	asks := false
	for _, m := range messages {
		if m.Role != llm.RoleSystem {
			asks = true
		} else if len(m.Images()) > 0 {
			e := eval.Errorf(eval.KindEval, "a message of the role :system cannot have an image")
			e.Hint = "put the image into a message of the role :user"
			return e
		}
	}
	if !asks {
		return eval.Errorf(eval.KindEval, "there is no message to send")
	}
	req.Messages = messages
	return nil
}

func readMessage(v eval.Value) (llm.Message, error) {
	const shape = "a message {:role :user :content \"...\"}"
	if m, ok := messageOf(v); ok {
		if m.Role == llm.RoleTool {
			e := eval.Errorf(eval.KindEval, "a message of the role :tool must say which call it answers")
			e.Hint = "as {:role \"tool\" :tool-call-id \"...\" :content \"...\"}"
			return llm.Message{}, e
		}
		return m.Message, nil
	}
	if !v.IsMap() {
		return llm.Message{}, eval.TypeError(shape, v)
	}
	role, _ := v.Get(keyword("role"))
	content, _ := v.Get(keyword("content"))
	text, ok := content.AsString()
	if !ok {
		return llm.Message{}, eval.TypeError(shape, v)
	}
	switch plainName(role) {
	case "user":
		return llm.User(text), nil
	case "assistant":
		return llm.Assistant(text), nil
	case "system":
		return llm.Message{Role: llm.RoleSystem, Parts: []llm.Part{{Text: text}}}, nil
	}
	e := eval.TypeError("the role :user, :assistant or :system", role)
	return llm.Message{}, e
}

package ai

import (
	"math"
	"net/url"
	"strings"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

func clientBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "client/create-client", Arity: eval.Exactly(1), Fn: clientCreate, Caps: eval.CapLLM,
			Doc: "(client/create-client {:base-url :model ...}) makes a client for client/run; it connects to nothing. :style is \"openai\" (default), \"anthropic\" or \"gemini\"; " +
				":api-key, without it the environment's for the provider's own address; :headers; :system-prompt; :max-turns (10) bounds the requests of a run. " +
				":retries (0) counts extra attempts after the first. Retried are failures without a response and 429, 500, 502, 503, 504, 529, and the statuses in " +
				":retryable-statuses too. The wait after attempt n, from 0, is :retry-base-ms (500) * 2^n plus 0 to 99 ms, or what a Retry-After in seconds says. " +
				":timeout-ms bounds each request; without it none does. :on-error is a function of {:error :status :attempt :retryable? ...} that is asked about each failed attempt: " +
				":retry retries while :retries lasts, anything else fails. :http-client (fn (url headers body) {:status :headers :body}) replaces the transport: " +
				"texts but for the map of headers; {:status nil :error :timeout} is a failure without a response. :store {:get (fn (id)) :save (fn (id messages))} keeps " +
				"conversations. :on-metric is called with {:event \"llm\" :model :status :ms :prompt_tokens :completion_tokens :error}, " +
				"{:event \"tool\" :tool :source :is_error :ms} and {:event \"run\" :model :turns :tool_calls :total_tokens :ms :error}.",
			Example: "(client/create-client {:base-url \"http://127.0.0.1:8000/v1\" :model \"m\"}) ; => <client openai m at http://127.0.0.1:8000>"},
		{Name: "client/run", Arity: eval.Between(2, 3), Fn: clientRun, Caps: eval.CapLLM,
			Doc: "(client/run client prompt [{:toolkit :history :conversation-id :on-event}]) asks the model and runs the tools that it calls, until it answers or :max-turns is reached. Answers " +
				"{:text :messages :tool-calls :tool-call-count :turns :usage :model :status}: :status is \"done\", or \"incomplete\" with :limit \"maxTurns\". :toolkit lists tools " +
				"{:name :description :parameters :fn}. :parameters is a JSON schema, or a map from names to {:type :description :optional :enum} or to a type; the function takes arguments " +
				"by the names of its parameters, or all as one map if it has one parameter of another name. What a tool raises, wrong arguments and unknown tools are results that the model " +
				"reads. Calls of one turn run at the same time. Only a failure of the model's request is raised, with :status, :error, :kind and :attempts. :history is a list of messages; " +
				"else :conversation-id takes them from the client's store, and saves them there at the end. :on-event is called with {:type \"tool_call\" :id :name :args}, " +
				"{:type \"tool_result\" :id :name :output :isError}, {:type \"usage\" :usage} and {:type \"done\" :result}.",
			Example: "(let ((s (llm/mock-server {:replies [\"hello\"]}))) (:text (client/run (client/create-client {:base-url (:url s) :model \"m\"}) \"hi\"))) ; => \"hello\""},
		{Name: "client/metrics", Arity: eval.Exactly(1), Fn: clientMetrics, Caps: eval.CapLLM,
			Doc:     "(client/metrics client) is what the client did so far in the text format of Prometheus: requests, tokens, tool calls, failed runs, and durations in seconds.",
			Example: "(string/starts-with? (client/metrics (client/create-client {:base-url \"http://127.0.0.1:8000\" :model \"m\"})) \"# HELP toolnexus_llm_requests_total\") ; => #t"},
		{Name: "client/in-memory-store", Arity: eval.Exactly(0), Fn: clientInMemoryStore,
			Doc:     "(client/in-memory-store) is a new store of conversations {:get (fn (id)) :save (fn (id messages))} that lasts as long as the program. Each client has its own, unless two are given one.",
			Example: "(let ((s (client/in-memory-store))) ((:save s) \"a\" [1 2]) (list ((:get s) \"a\") ((:get s) \"b\"))) ; => ([1 2] nil)"},
	}
}

var clientOptions = []string{"base-url", "style", "model", "api-key", "headers", "system-prompt", "retries", "retry-base-ms", "timeout-ms", "retryable-statuses", "on-error",
	"max-turns", "on-metric", "http-client", "store"}

const defaultMaxTurns = 10

// client is what client/create-client makes: a provider and a policy that have
// nothing to do with those of llm/*.
type client struct {
	model, system string
	provider      llm.Provider
	retry         settings
	timeout       time.Duration
	maxTurns      int
	onMetric      callback
	store         store
	counts        clientCounts
}

func clientCreate(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	const who = "client/create-client"
	if !args[0].IsMap() { // its own error: the value may be a key
		return value.Nil, eval.Errorf(eval.KindType, "expected a map of options for %s, got a %s", who, args[0].TypeName())
	}
	o := eval.OptionsOf(who, args[0], clientOptions...)
	c := &client{model: o.String("model", ""), system: o.String("system-prompt", ""), retry: readSettings(o), timeout: o.Millis("timeout-ms", 0),
		onMetric: callbackOption(o, "on-metric"), store: storeOption(o)}
	c.maxTurns = int(o.Int("max-turns", defaultMaxTurns))
	if c.maxTurns < 1 || c.maxTurns > math.MaxInt32 {
		o.Bad("max-turns", "a number of requests above 0")
	}
	e := llm.Endpoint{BaseURL: o.String("base-url", ""), APIKey: secretOption(o, "api-key"), DefaultModel: c.model, Header: headerOption(o)}
	transport := callbackOption(o, "http-client")
	style := styleOption(o)
	if err := o.Err(); err != nil {
		return value.Nil, err
	}
	for _, need := range [][2]string{{"base-url", e.BaseURL}, {"model", c.model}} {
		if need[1] == "" {
			return value.Nil, eval.Errorf(eval.KindEval, "%s needs a :%s", who, need[0])
		}
	}
	if err := c.connect(stateOf(t), style, e, transport); err != nil {
		return value.Nil, &eval.Error{Kind: eval.KindEval, Message: who + ": " + err.Error(), Cause: err}
	}
	text := "<client " + style + " " + c.model + " at " + originOf(e.BaseURL) + ">"
	return value.NewOpaque(&value.Opaque{Type: "client", Data: c, Text: text}), nil
}

func styleOption(o *eval.Options) string {
	v, given := o.Get("style")
	if !given {
		return "openai"
	}
	switch name := plainName(v); name {
	case "openai", "anthropic", "gemini":
		return name
	}
	o.Bad("style", `"openai", "anthropic" or "gemini"`)
	return ""
}

// connect makes the provider. Errors do not quote the URL, which may hold a
// secret.
func (c *client) connect(s *state, style string, e llm.Endpoint, transport callback) (err error) {
	if e.APIKey == "" {
		e.APIKey = s.keyFor(e.BaseURL)
	}
	e.Name = style
	if transport.given {
		e.Client = lispClient(transport.fn)
	}
	c.provider, err = s.connect(style, e)
	if err == nil && transport.given {
		c.provider = transported{c.provider}
	}
	return err
}

// keyFor finds the key of the environment that belongs to an address. It goes to
// its provider's own address only.
func (s *state) keyFor(base string) string {
	for _, k := range knownProviders() {
		if k.env != "" && originOf(k.baseURL) == originOf(base) {
			return s.getenv(k.env)
		}
	}
	return ""
}

// originOf is the scheme and host of a URL, in small letters.
func originOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// policy is the client's retry policy: the settings may not change more of it
// than the options of a client say.
func (c *client) policy(t *eval.Thread) llm.Policy {
	p := llm.ClientPolicy()
	set(&p.Retries, c.retry.retries)
	set(&p.Base, c.retry.base)
	p.Statuses = c.retry.statuses
	p.OnError = c.retry.onError.classifier(t)
	return p
}

// call is a request with the client's own policy. The limits, budgets, deadlines
// and tapes around it hold for it too; retry options, chains and caches of llm/*
// do not.
func (c *client) call(t *eval.Thread, s *state) (*llm.Call, error) {
	tape, err := tapeOf(t, s)
	if err != nil {
		return nil, err
	}
	call := &llm.Call{Env: s.config.Env, Policy: c.policy(t), Limits: limitersOf(t), Deadline: scopeDeadline(t), Budgets: budgetsOf(t, s), Prices: &s.prices,
		Unpriced: s.warnUnpriced, Tape: tape, Nested: isNested(t)}
	call.Chain = []llm.Entry{{Provider: c.provider, Timeout: c.timeout}}
	call.Block = t.BlockingContext
	return call, nil
}

// clientArg is an argument that must be a client.
func clientArg(v eval.Value) (*client, error) {
	if o, ok := v.AsOpaque(); ok {
		if c, ok := o.Data.(*client); ok {
			return c, nil
		}
	}
	return nil, eval.TypeError("a client, made by client/create-client", v)
}

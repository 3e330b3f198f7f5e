package ai

import (
	"context"
	"net/http"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

func serverBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "llm/mock-server", Arity: eval.Between(0, 1), Fn: llmMockServer, Caps: eval.CapLLM | eval.CapNetwork,
			Doc: "(llm/mock-server {:replies [reply ...]}) starts a real HTTP server on this machine that speaks the providers' wire formats, for tests of retry and fallback. " +
				"A reply is a text, or a map. An answer: {:text :tool-calls [{:name :arguments}] :usage {:prompt-tokens :completion-tokens}}. A failure: {:status :text :code :headers}. " +
				":body is sent as it is. Faults: :delay-ms before the reply; :fault :drop or :reset instead of it, :short for a body that ends too soon; :drop-after n closes the connection after n " +
				"bytes; :truncate n cuts the body to n bytes; :error \"text\" or {:text :code} is an error in place of the answer's end. Asked for a stream it sends events: :pace-ms apart, " +
				"or :piece bytes at a time; :hang #t keeps the connection open after them. :then :repeat repeats the last reply for ever. " +
				":paths {\"/a\" {:replies ...}} gives paths replies of their own. Answers {:url :requests :stop}: (:requests s) is a function that lists what was asked, as " +
				"{:method :path :query :headers :body :json :model :dialect} without keys; (:stop s) is one that stops the server.",
			Example: "(let ((s (llm/mock-server {:replies [\"hello\"]}))) (llm/configure :mock {:base-url (:url s) :default-model \"m\"}) (llm/complete \"hi\")) ; => \"hello\""},
	}
}

func llmMockServer(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	options := value.Nil
	if len(args) > 0 {
		options = args[0]
	}
	config, err := readServer(options)
	if err != nil {
		return value.Nil, err
	}
	var server *llmtest.Server
	err = t.Blocking(func(context.Context) (err error) {
		server, err = llmtest.Start(config)
		return err
	})
	if err != nil {
		return value.Nil, &eval.Error{Kind: eval.KindIO, Message: "llm/mock-server: " + err.Error(), Cause: err}
	}
	eval.InterpOf(t).OnClose(server.Close)
	requests := eval.NewFunction(eval.Builtin{Name: "requests", Arity: eval.Exactly(0), Fn: func(*eval.Thread, []eval.Value) (eval.Value, error) {
		return journal(server.Requests()), nil
	}})
	stop := eval.NewFunction(eval.Builtin{Name: "stop", Arity: eval.Exactly(0), Fn: func(t *eval.Thread, _ []eval.Value) (eval.Value, error) {
		return value.Nil, t.Blocking(func(context.Context) error { server.Close(); return nil })
	}})
	return value.Map(keyword("url"), value.String(server.URL), keyword("requests"), requests, keyword("stop"), stop), nil
}

// journal lists the requests that a server got.
func journal(rs []llmtest.Request) eval.Value {
	var out []eval.Value
	for _, r := range rs {
		headers := value.NewMapBuilder(value.KindMap, len(r.Header))
		for name := range r.Header {
			headers.Set(value.String(http.CanonicalHeaderKey(name)), value.String(r.Header.Get(name)))
		}
		out = append(out, value.Map(keyword("method"), value.String(r.Method), keyword("path"), value.String(r.Path),
			keyword("query"), value.String(r.Query),
			keyword("headers"), headers.Map(), keyword("body"), value.String(string(r.Body)), keyword("json"), decoded(r.Body),
			keyword("model"), textOrNil(r.Model), keyword("dialect"), keyword(string(r.Dialect))))
	}
	return value.List(out...)
}

// decoded is a body as data, nil if it is no JSON.
func decoded(body []byte) eval.Value {
	v, err := valueOfJSON(string(body))
	if err != nil {
		return value.Nil
	}
	return v
}

func readServer(v eval.Value) (llmtest.Config, error) {
	o := eval.OptionsOf("llm/mock-server", v, "replies", "then", "paths")
	config := llmtest.Config{Script: readScript(o)}
	paths, given := o.Get("paths")
	if given && !paths.IsMap() {
		o.Bad("paths", "a map of paths and their replies")
	} else if given {
		config.Paths = map[string]llmtest.Script{}
		for path, script := range paths.Entries() {
			sub := eval.OptionsOf("a path of llm/mock-server", script, "replies", "then")
			config.Paths[plainName(path)] = readScript(sub)
			if err := sub.Err(); err != nil {
				return config, err
			}
		}
	}
	if err := o.Err(); err != nil {
		return config, err
	}
	if err := config.Validate(); err != nil {
		return config, &eval.Error{Kind: eval.KindEval, Message: "llm/mock-server: " + err.Error(), Cause: err}
	}
	return config, nil
}

func readScript(o *eval.Options) llmtest.Script {
	s := llmtest.Script{}
	if v, given := o.Get("then"); given {
		name, _ := v.KeywordName()
		if s.Then = llmtest.Then(name); name != "repeat" && name != "refuse" {
			o.Bad("then", ":repeat or :refuse")
		}
	}
	for _, v := range o.Elems("replies") {
		r, err := readReply(v)
		if err != nil {
			o.Fail(err)
			break
		}
		s.Replies = append(s.Replies, r)
	}
	return s
}

func readReply(v eval.Value) (llmtest.Reply, error) {
	if text, ok := v.AsString(); ok {
		return llmtest.Reply{Text: text}, nil
	}
	if !v.IsMap() {
		return llmtest.Reply{}, eval.TypeError("a reply: a text, or a map with :text, :status and so on", v)
	}
	o := eval.OptionsOf("a reply of llm/mock-server", v, "text", "status", "headers", "body", "delay-ms", "fault", "code", "usage", "piece", "pace-ms", "hang", "tool-calls",
		"drop-after", "truncate", "error")
	r := llmtest.Reply{Text: o.String("text", ""), Status: int(o.Int("status", 0)), Header: headerOption(o), Code: o.String("code", ""),
		Delay: o.Millis("delay-ms", 0), Piece: int(o.Int("piece", 0)), Pace: o.Millis("pace-ms", 0), Hang: o.Bool("hang", false), Usage: usageOption(o),
		DropAfter: int(o.Int("drop-after", 0)), Truncate: int(o.Int("truncate", 0)), Break: breakOption(o)}
	if _, given := o.Get("body"); given {
		r.Body = []byte(o.String("body", ""))
	}
	if f, given := o.Get("fault"); given {
		r.Fault = llmtest.Fault(plainName(f))
	}
	r.ToolCalls = toolCallsOption(o)
	return r, o.Err()
}

// breakOption reads the error that comes in place of the end of an answer.
func breakOption(o *eval.Options) *llmtest.Break {
	v, given := o.Get("error")
	if !given {
		return nil
	}
	if text, ok := v.AsString(); ok {
		return &llmtest.Break{Text: text}
	}
	if !v.IsMap() {
		o.Bad("error", "a text or a map {:text :code}")
		return nil
	}
	sub := eval.OptionsOf("an error of llm/mock-server", v, "text", "code")
	b := &llmtest.Break{Text: sub.String("text", ""), Code: sub.String("code", "")}
	o.Fail(sub.Err())
	return b
}

// toolCallsOption reads the calls that a model is made to wish for.
func toolCallsOption(o *eval.Options) []llm.ToolCall {
	calls, err := readToolCalls(o.Elems("tool-calls"), "a tool call of llm/mock-server")
	o.Fail(err)
	return calls
}

func usageOption(o *eval.Options) *llm.Usage {
	v, given := o.Get("usage")
	if !given {
		return nil
	}
	if !v.IsMap() {
		o.Bad("usage", "a map {:prompt-tokens :completion-tokens}")
		return nil
	}
	return readUsage(v)
}

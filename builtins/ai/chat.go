package ai

import (
	"context"
	"fmt"
	"slices"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

func chatBuiltins() []eval.Builtin {
	const noRun = "needs a provider"
	return []eval.Builtin{
		{Name: "llm/chat", Arity: eval.Between(1, 2), Fn: llmChat("llm/chat"), Caps: eval.CapLLM,
			Doc: "(llm/chat messages [options]) asks a model to go on with a conversation and answers its text. A message is made by (message :user \"...\") or is a map {:role :user :content \"...\"}. " +
				"The options are those of llm/complete. With :tools, a list of {:name :description :parameters :fn}, the model may call these functions until it answers: " +
				":max-tool-rounds (10) bounds its requests, and five failing calls in a row or three rounds that are the same end it too, as an error that says so. " +
				"{:tool-mode :none} shows the tools without running them.",
			NoRun: noRun},
		{Name: "llm/send", Arity: eval.Between(1, 2), Fn: llmSend, Caps: eval.CapLLM,
			Doc:   "(llm/send prompt [options]) is llm/chat of a prompt value: (llm/send (prompt (system \"Be brief.\") (user \"Hi\"))).",
			NoRun: noRun},
		{Name: "llm/summarize", Arity: eval.Between(1, 2), Fn: llmSummarize, Caps: eval.CapLLM,
			Doc: "(llm/summarize text [{:max-length :style ...}]) asks a model for a summary of about :max-length words, in the :style \"paragraph\", \"bullet-points\" or \"one-line\". " +
				"The other options are those of llm/complete.",
			NoRun: noRun},
		{Name: "llm/compare", Arity: eval.Between(2, 3), Fn: llmCompare, Caps: eval.CapLLM,
			Doc: "(llm/compare a b [options]) asks a model to compare two texts: {:similarity 0.8 :differences (\"...\") :summary \"...\"}, with a similarity between 0 and 1. " +
				"The options are those of llm/complete. A reply that is nothing of the kind is an error of the :kind :parse with the reply at :response.",
			NoRun: noRun},
	}
}

var chatOptions = slices.Concat(completeOptions, []string{"tools", "tool-mode", "max-tool-rounds"})

// asking is a request with what it takes to get its answer.
type asking struct {
	req    *llm.Request
	own    settings
	tools  toolset
	rounds int
}

func (a *asking) readTools(o *eval.Options) {
	list, _ := o.Get("tools")
	tools, err := readTools(list)
	o.Fail(err)
	a.req.Tools = tools.tools()
	a.rounds = int(o.Int("max-tool-rounds", 10))
	if a.rounds < 1 || a.rounds > maxRetries {
		o.Bad("max-tool-rounds", "a number of requests above 0")
	}
	a.tools = tools
	if v, given := o.Get("tool-mode"); given {
		switch name, _ := v.KeywordName(); name {
		case "none":
			a.tools = nil
		case "auto":
		default:
			o.Bad("tool-mode", ":auto or :none")
		}
	}
}

func readAsking(who string, prompt, options eval.Value, known []string, more func(*eval.Options)) (*asking, error) {
	o := eval.OptionsOf(who, options, known...)
	a := &asking{req: readRequest(o), own: readSettings(o)}
	if slices.Contains(known, "tools") {
		a.readTools(o)
	}
	if more != nil {
		more(o)
	}
	if err := o.Err(); err != nil {
		return nil, err
	}
	return a, readPrompt(a.req, prompt)
}

// optionsAt is the options argument, if it is there.
func optionsAt(args []eval.Value, i int) eval.Value {
	if i < len(args) {
		return args[i]
	}
	return value.Nil
}

func llmChat(who string) func(*eval.Thread, []eval.Value) (eval.Value, error) {
	return func(t *eval.Thread, args []eval.Value) (eval.Value, error) {
		a, err := readAsking(who, args[0], optionsAt(args, 1), chatOptions, nil)
		if err != nil {
			return value.Nil, err
		}
		reply, err := a.answer(t)
		if err != nil {
			return value.Nil, err
		}
		return value.String(reply.Text), nil
	}
}

func llmSend(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	if _, err := promptArg(args[0]); err != nil {
		return value.Nil, err
	}
	return llmChat("llm/send")(t, args)
}

const (
	maxToolFailures = 5 // in a row
	maxToolRepeats  = 3 // rounds in a row that are the same
)

// answer asks the model, and runs its tools until it answers.
func (a *asking) answer(t *eval.Thread) (*llm.Response, error) {
	if len(a.tools) == 0 {
		return complete(t, a.req, a.own)
	}
	runner := toolRunner{tools: a.tools, state: stateOf(t)}
	loop := llm.ToolLoop{MaxTurns: a.rounds, MaxFailures: maxToolFailures, MaxRepeats: maxToolRepeats,
		Ask: func(_ context.Context, req *llm.Request) (*llm.Response, error) { return complete(t, req, a.own) },
		Run: func(_ context.Context, asked []llm.ToolCall) ([]llm.ToolResult, error) {
			calls, err := runner.run(t, asked)
			if err != nil {
				return nil, err
			}
			return resultsOf(calls), nil
		}}
	run, err := loop.Do(t.Context(), a.req)
	if err != nil {
		return nil, err
	}
	if run.Ending != llm.EndAnswered {
		return nil, stoppedLoop(run)
	}
	return run.Reply, nil
}

// stoppedLoop is the error of a model that goes on calling tools.
func stoppedLoop(run *llm.ToolRun) error {
	why := fmt.Sprintf("it was asked %d times and still called tools", run.Turns)
	switch run.Ending {
	case llm.EndFailures:
		why = fmt.Sprintf("%d tool calls in a row failed", maxToolFailures)
	case llm.EndRepeats:
		why = fmt.Sprintf("it called the same tools with the same arguments %d times in a row", maxToolRepeats)
	}
	e := eval.Errorf(eval.KindLLM, "the model gave no answer: %s", why)
	e.Hint = "(catch e ...) has the conversation at (:messages e); :max-tool-rounds allows more requests"
	e.Fields = []eval.Value{keyword("kind"), keyword("tool-loop"), keyword("reason"), keyword(string(run.Ending)), keyword("messages"), transcriptOf(run.Messages),
		keyword("response"), responseValue(run.Reply)}
	return e
}

func llmSummarize(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	text := eval.ArgsOf(args)
	body := text.String(0)
	if err := text.Err(); err != nil {
		return value.Nil, err
	}
	words, style := int64(0), "paragraph"
	a, err := readAsking("llm/summarize", value.String("-"), optionsAt(args, 1), slices.Concat(completeOptions, []string{"max-length", "style"}), func(o *eval.Options) {
		words = o.Int("max-length", 0)
		if _, given := o.Get("max-length"); given && words < 1 {
			o.Bad("max-length", "a number of words above 0")
		}
		if v, given := o.Get("style"); given {
			style = plainName(v)
		}
		if styleWords(style) == "" {
			o.Bad("style", `"paragraph", "bullet-points" or "one-line"`)
		}
	})
	if err != nil {
		return value.Nil, err
	}
	task := "Summarize the text below as " + styleWords(style)
	if words > 0 {
		task += fmt.Sprintf(", in about %d words", words)
	}
	a.req.Messages = []llm.Message{llm.User(task + ". Answer with the summary alone.\n\n" + body)}
	reply, err := complete(t, a.req, a.own)
	if err != nil {
		return value.Nil, err
	}
	return value.String(reply.Text), nil
}

// styleWords describes a style; "" is none that is known.
func styleWords(style string) string {
	switch style {
	case "paragraph":
		return "one paragraph"
	case "bullet-points", "bullets":
		return "a list of points, each on a line that begins with \"- \""
	case "one-line":
		return "a single sentence"
	}
	return ""
}

func llmCompare(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	texts := eval.ArgsOf(args)
	one, two := texts.String(0), texts.String(1)
	if err := texts.Err(); err != nil {
		return value.Nil, err
	}
	a, err := readAsking("llm/compare", value.String("-"), optionsAt(args, 2), completeOptions, nil)
	if err != nil {
		return value.Nil, err
	}
	a.req.Messages = []llm.Message{llm.User("Compare text A with text B. Answer with a JSON object alone: \"similarity\", a number from 0 (nothing in common) to 1 (the same), " +
		"\"differences\", a list of strings, and \"summary\", a string of one or two sentences.\n\nText A:\n" + one + "\n\nText B:\n" + two)}
	reply, err := complete(t, a.req, a.own)
	if err != nil {
		return value.Nil, err
	}
	return comparison(reply)
}

// comparison reads the model's answer.
func comparison(reply *llm.Response) (eval.Value, error) {
	object, ok := llm.FindJSON(reply.Text)
	if !ok {
		return value.Nil, noJSON(reply)
	}
	v, err := valueOfJSON(object)
	if err != nil {
		return value.Nil, noJSON(reply)
	}
	for _, name := range []string{"similarity", "differences", "summary"} {
		if _, has := v.Get(keyword(name)); !has {
			e := noJSON(reply)
			e.Message = "the model's comparison has no \"" + name + "\""
			return value.Nil, e
		}
	}
	return v, nil
}

// noJSON is the error of a reply that is not what was asked for. It is paid for,
// and comes along.
func noJSON(reply *llm.Response) *eval.Error {
	e := eval.Errorf(eval.KindLLM, "the model did not answer with a JSON object")
	if reply.StopReason == llm.StopLength {
		e.Message += ": its reply was cut off"
		e.Hint = "allow a longer reply with :max-tokens"
	}
	e.Fields = []eval.Value{keyword("kind"), keyword(string(llm.KindParse)), keyword("response"), value.String(reply.Text)}
	return e
}

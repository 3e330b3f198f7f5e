package ai

import (
	"context"
	"slices"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

// clientJob is a client/run on its way. Its fields are used under the lock.
type clientJob struct {
	*client
	t            *eval.Thread
	state        *state
	tools        toolRunner
	calls        []*toolCall
	usage        *llm.Usage // of all turns so far
	onEvent      callback
	conversation eval.Value
}

func clientRun(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	c, err := clientArg(args[0])
	if err != nil {
		return value.Nil, err
	}
	j := &clientJob{client: c, t: t, state: stateOf(t)}
	options := value.Nil
	if len(args) > 2 {
		options = args[2]
	}
	req, err := j.read(args[1], options)
	if err != nil {
		return value.Nil, err
	}
	start := j.state.now()
	run, err := j.loop().Do(context.WithValue(t.Context(), threadKey{}, t), req)
	took := j.state.now().Sub(start)
	c.counts.run(c.model, err)
	if told := j.tell(t, func() eval.Value { return j.runMetric(run, took, err) }); err == nil {
		err = told
	}
	if err != nil {
		return value.Nil, err
	}
	return j.finish(run)
}

// loop is the client's: it is bounded by :max-turns and nothing else.
func (j *clientJob) loop() *llm.ToolLoop {
	return &llm.ToolLoop{Ask: j.ask, MaxTurns: j.maxTurns, Run: func(_ context.Context, asked []llm.ToolCall) ([]llm.ToolResult, error) {
		calls, err := j.tools.run(j.t, asked)
		if err != nil {
			return nil, err
		}
		j.calls = append(j.calls, calls...)
		return resultsOf(calls), nil
	}}
}

// read makes the first request.
func (j *clientJob) read(prompt, options eval.Value) (*llm.Request, error) {
	o := eval.OptionsOf("client/run", options, "toolkit", "history", "conversation-id", "on-event")
	toolkit, _ := o.Get("toolkit")
	history, given := o.Get("history")
	j.conversation, _ = o.Get("conversation-id")
	j.onEvent = callbackOption(o, "on-event")
	if err := o.Err(); err != nil {
		return nil, err
	}
	set, err := readTools(toolkit)
	if err != nil {
		return nil, err
	}
	j.tools = toolRunner{tools: set, state: j.state, began: j.began, ended: j.ended}
	asked := &llm.Request{}
	if err := readPrompt(asked, prompt); err != nil {
		return nil, err
	}
	if !given && !j.conversation.IsNil() {
		if history, err = j.t.Call(j.store.get, j.conversation); err != nil {
			return nil, err
		}
	}
	messages, err := readTranscript(history)
	if err != nil {
		return nil, err
	}
	req := &llm.Request{Model: j.model, System: joined(j.system, asked.System), Tools: set.tools()}
	for _, m := range append(messages, asked.Messages...) {
		if m.Role == llm.RoleSystem {
			req.System = joined(req.System, m.Text())
			continue
		}
		req.Messages = append(req.Messages, m)
	}
	return req, nil
}

// joined puts an empty line between texts that are not empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

// ask makes one request, with the client's retries.
func (j *clientJob) ask(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	call, err := j.client.call(j.t, j.state)
	if err != nil {
		return nil, err
	}
	start := j.state.now()
	reply, err := call.Complete(ctx, req)
	took := j.state.now().Sub(start)
	j.counts.request(j.model, took, reply)
	if told := j.tell(j.t, func() eval.Value { return j.requestMetric(reply, took, err) }); err == nil {
		err = told
	}
	if err != nil {
		return nil, clientError(j.state.failed(j.t, err))
	}
	j.state.note(reply.Attempts, reply)
	if reply.Usage != nil {
		if j.usage == nil {
			j.usage = &llm.Usage{}
		}
		j.usage.Add(reply.Usage)
	}
	return reply, j.emit(j.t, "usage", keyword("usage"), tokenMap(j.usage))
}

// clientError adds :error to a failure of the model's request: the body of the
// response, or why none came.
func clientError(err error) error {
	e, ok := err.(*eval.Error)
	if !ok {
		return err
	}
	cause, ok := e.Cause.(*llm.Error)
	if !ok || e.Kind != eval.KindLLM {
		return err
	}
	own := *e
	own.Fields = append(slices.Clip(e.Fields), keyword("error"), errorValue(llm.Failure{Err: cause, Kind: cause.Kind}))
	return &own
}

func (j *clientJob) began(t *eval.Thread, c *toolCall) error {
	return j.emit(t, "tool_call", keyword("id"), value.String(c.ID), keyword("name"), value.String(c.Name), keyword("args"), c.args)
}

func (j *clientJob) ended(t *eval.Thread, c *toolCall) error {
	j.counts.tool(c)
	if err := j.tell(t, func() eval.Value { return toolMetric(c) }); err != nil {
		return err
	}
	return j.emit(t, "tool_result", keyword("id"), value.String(c.ID), keyword("name"), value.String(c.Name), keyword("output"), value.String(c.output),
		keyword("isError"), value.Bool(c.failed))
}

// emit tells :on-event, if there is one.
func (j *clientJob) emit(t *eval.Thread, kind string, kvs ...eval.Value) error {
	if !j.onEvent.given {
		return nil
	}
	_, err := t.Call(j.onEvent.fn, value.Map(append(kvs, keyword("type"), value.String(kind))...))
	return err
}

// finish saves the conversation and makes the result.
func (j *clientJob) finish(run *llm.ToolRun) (eval.Value, error) {
	messages := transcriptOf(run.Messages)
	if !j.conversation.IsNil() {
		if _, err := j.t.Call(j.store.save, j.conversation, messages); err != nil {
			return value.Nil, err
		}
	}
	result := value.Map(keyword("text"), value.String(run.Reply.Text), keyword("messages"), messages, keyword("tool-calls"), callList(j.calls),
		keyword("tool-call-count"), value.Int(int64(len(j.calls))), keyword("turns"), value.Int(int64(run.Turns)), keyword("usage"), tokenMap(run.Usage),
		keyword("model"), value.String(j.model), keyword("status"), value.String("done"))
	if run.Ending == llm.EndMaxTurns {
		result = result.Assoc(keyword("status"), value.String("incomplete")).Assoc(keyword("limit"), value.String("maxTurns"))
	}
	return result, j.emit(j.t, "done", keyword("result"), result)
}

func callList(calls []*toolCall) eval.Value {
	all := make([]eval.Value, len(calls))
	for i, c := range calls {
		all[i] = value.Map(keyword("id"), value.String(c.ID), keyword("name"), value.String(c.Name), keyword("args"), c.args, keyword("output"), value.String(c.output),
			keyword("isError"), value.Bool(c.failed), keyword("ms"), ms(c.took))
	}
	return value.List(all...)
}

// tokenMap is usage as programs see it; unknown is nil.
func tokenMap(u *llm.Usage) eval.Value {
	prompt, completion, total := value.Nil, value.Nil, value.Nil
	if u != nil {
		prompt, completion, total = value.Int(int64(u.PromptTokens())), value.Int(int64(u.OutputTokens)), value.Int(int64(u.TotalTokens()))
	}
	return value.Map(keyword("prompt-tokens"), prompt, keyword("completion-tokens"), completion, keyword("total-tokens"), total)
}

// tell calls :on-metric; without one the event is not made.
func (j *clientJob) tell(t *eval.Thread, event func() eval.Value) error {
	if !j.onMetric.given {
		return nil
	}
	_, err := t.Call(j.onMetric.fn, event())
	return err
}

func (j *clientJob) requestMetric(reply *llm.Response, took time.Duration, err error) eval.Value {
	status, usage := value.Nil, tokenMap(nil)
	if reply != nil {
		status, usage = statusValue(reply.Status), tokenMap(reply.Usage)
	} else if e, ok := err.(*llm.Error); ok {
		status = statusValue(e.Status)
	}
	prompt, _ := usage.Get(keyword("prompt-tokens"))
	completion, _ := usage.Get(keyword("completion-tokens"))
	return value.Map(keyword("event"), value.String("llm"), keyword("model"), value.String(j.model), keyword("status"), status, keyword("ms"), ms(took),
		keyword("prompt_tokens"), prompt, keyword("completion_tokens"), completion, keyword("error"), errorText(err))
}

func toolMetric(c *toolCall) eval.Value {
	name, source := c.label()
	return value.Map(keyword("event"), value.String("tool"), keyword("tool"), value.String(name), keyword("source"), value.String(source),
		keyword("is_error"), value.Bool(c.failed), keyword("ms"), ms(c.took))
}

// label is what metrics call the tool of a call. Names that the model made up are
// one, or there would be no end of them.
func (c *toolCall) label() (name, source string) {
	if c.tool == nil {
		return "unknown", "unknown"
	}
	return c.Name, "native"
}

func (j *clientJob) runMetric(run *llm.ToolRun, took time.Duration, err error) eval.Value {
	total, _ := tokenMap(run.Usage).Get(keyword("total-tokens"))
	return value.Map(keyword("event"), value.String("run"), keyword("model"), value.String(j.model), keyword("turns"), value.Int(int64(run.Turns)),
		keyword("tool_calls"), value.Int(int64(len(j.calls))), keyword("total_tokens"), total, keyword("ms"), ms(took), keyword("error"), errorText(err))
}

func errorText(err error) eval.Value {
	if err == nil {
		return value.Nil
	}
	return value.String(err.Error())
}

package ai

import (
	"fmt"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

// toolCall is one call of a tool by the model, and what came of it.
type toolCall struct {
	llm.ToolCall
	tool    *tool // nil: there is none of that name
	args    eval.Value
	problem string // why it is not run; ""
	output  string
	failed  bool
	took    time.Duration
}

// toolRunner runs the tool calls of a turn.
type toolRunner struct {
	tools toolset
	state *state
	// began is told of each call before any of them runs, ended of each result
	// as it lands. Their errors end the run. Both may be nil.
	began, ended func(t *eval.Thread, c *toolCall) error
}

// maxToolThreads bounds how many calls of a turn run at the same time.
const maxToolThreads = 16

// run runs calls at the same time and returns them in their order. Its error
// ends the run: it is not the tool's, which is a result.
func (r *toolRunner) run(t *eval.Thread, asked []llm.ToolCall) ([]*toolCall, error) {
	calls := make([]*toolCall, len(asked))
	for i, c := range asked {
		calls[i] = r.prepare(c)
		if r.began != nil {
			if err := r.began(t, calls[i]); err != nil {
				return nil, err
			}
		}
	}
	if len(calls) == 1 {
		return calls, r.perform(t, calls[0])
	}
	return calls, r.together(t, calls)
}

// together runs calls on threads of their own. They begin in their order.
func (r *toolRunner) together(t *eval.Thread, calls []*toolCall) error {
	next := 0
	return inThreads(t, min(len(calls), maxToolThreads), nil, func(t *eval.Thread) (again bool, err error) {
		if next == len(calls) {
			return false, nil
		}
		next++
		return true, r.perform(t, calls[next-1])
	})
}

// prepare looks the tool up and reads the arguments.
func (r *toolRunner) prepare(asked llm.ToolCall) *toolCall {
	c := &toolCall{ToolCall: asked, tool: r.tools.find(asked.Name), args: value.EmptyMap()}
	if c.tool == nil {
		c.problem = "tool not found: " + asked.Name
		return c
	}
	if asked.Arguments == "" {
		asked.Arguments = "{}"
	}
	args, err := valueOfJSON(asked.Arguments)
	switch {
	case err != nil:
		c.problem = "the arguments are not valid JSON: " + err.Error()
	case args.IsNil():
	case !args.IsMap():
		c.problem = "the arguments must be a JSON object"
	default:
		c.args = args
	}
	if c.problem == "" {
		c.problem = c.tool.check(c.args)
	}
	return c
}

// perform calls the tool. What it raises is its result, except what no program
// may catch.
func (r *toolRunner) perform(t *eval.Thread, c *toolCall) error {
	start := r.state.now()
	if c.problem != "" {
		c.fail(c.problem)
	} else if v, err := t.Call(c.tool.fn, c.tool.arguments(c.args)...); err == nil {
		c.output = toolText(v)
	} else if own := eval.AsError(err); own.Fatal() {
		return own
	} else {
		c.fail(own.Error())
	}
	c.took = r.state.now().Sub(start)
	if r.ended != nil {
		return r.ended(t, c)
	}
	return nil
}

// fail makes an error the result, in words that also say so where the wire format
// cannot.
func (c *toolCall) fail(message string) { c.output, c.failed = "Error: "+message, true }

// toolText is a result as the model reads it: text as it is, data as JSON.
func toolText(v eval.Value) string {
	if text, ok := v.AsString(); ok {
		return text
	}
	if v.IsNil() {
		return "nil"
	}
	if text, err := jsonOf(v); err == nil {
		return string(text)
	}
	return value.Write(v)
}

func resultsOf(calls []*toolCall) []llm.ToolResult {
	results := make([]llm.ToolResult, len(calls))
	for i, c := range calls {
		results[i] = llm.ToolResult{ID: c.ID, Content: c.output, IsError: c.failed}
	}
	return results
}

// readToolCalls reads {:id :name :arguments} as a program writes them. Arguments
// that are text stay as they are, valid or not; ids are made up where there is
// none.
func readToolCalls(list []eval.Value, who string) (calls []llm.ToolCall, err error) {
	for i, v := range list {
		o := eval.OptionsOf(who, v, "id", "name", "arguments")
		c := llm.ToolCall{ID: o.String("id", fmt.Sprintf("call_%d", i+1)), Arguments: "{}"}
		name, _ := o.Get("name")
		if c.Name = plainName(name); c.Name == "" {
			o.Bad("name", "the name of a tool")
		}
		arguments, given := o.Get("arguments")
		if text, ok := arguments.AsString(); ok {
			c.Arguments = text
		} else if given {
			text, err := jsonOf(arguments)
			o.Fail(err)
			c.Arguments = string(text)
		}
		if err := o.Err(); err != nil {
			return nil, err
		}
		calls = append(calls, c)
	}
	return calls, nil
}

package llm

import (
	"context"
	"slices"
	"strings"
)

// ToolLoop lets a model call tools until it answers.
type ToolLoop struct {
	// Ask makes one request to the model, as [Call.Complete] does. Its error ends
	// the loop.
	Ask func(ctx context.Context, req *Request) (*Response, error)
	// Run runs the calls of one turn and returns their results in the order of the
	// calls. What a tool fails with is a result that says so: an error of Run ends
	// the loop, such as a cancellation.
	Run func(ctx context.Context, calls []ToolCall) ([]ToolResult, error)
	// MaxTurns bounds the requests; 0 does not.
	MaxTurns int
	// MaxFailures ends the loop after so many failed calls in a row; 0 does not.
	MaxFailures int
	// MaxRepeats ends the loop after so many turns in a row that called the same
	// tools with the same arguments and got the same results; 0 does not.
	MaxRepeats int
}

// Ending says why a [ToolLoop] ended.
type Ending string

const (
	EndAnswered Ending = "answered"  // the model called no tool
	EndMaxTurns Ending = "max-turns" // the last request called tools too; they were run
	EndFailures Ending = "failures"  // too many calls failed in a row
	EndRepeats  Ending = "repeats"   // the model went round in a circle
)

// ToolRun is what came of a [ToolLoop].
type ToolRun struct {
	Ending   Ending    // "" when an error ended the loop
	Reply    *Response // the last; nil when there was none
	Messages []Message // those of the request and all that followed; calls have their results
	Turns    int       // requests that were answered
	Usage    *Usage    // of all turns whose usage is known; nil when none is

	failures, repeats int
	last              string // the last turn's calls and results
}

// Do runs the loop. Beside an error the run tells how far it came.
func (l *ToolLoop) Do(ctx context.Context, req *Request) (*ToolRun, error) {
	run := &ToolRun{Messages: slices.Clone(req.Messages)}
	for run.Ending == "" {
		own := *req
		own.Messages = slices.Clip(run.Messages)
		reply, err := l.Ask(ctx, &own)
		if err != nil {
			return run, err
		}
		run.add(reply)
		if len(reply.ToolCalls) == 0 {
			run.Ending = EndAnswered
			return run, nil
		}
		results, err := l.Run(ctx, reply.ToolCalls)
		if err != nil {
			return run, err
		}
		run.answer(reply.ToolCalls, results)
		run.Ending = l.ending(run)
	}
	return run, nil
}

func (r *ToolRun) add(reply *Response) {
	r.Turns++
	r.Reply = reply
	r.Messages = append(r.Messages, reply.Message())
	if u := reply.Usage; u != nil {
		if r.Usage == nil {
			r.Usage = &Usage{}
		}
		r.Usage.Add(u)
	}
}

// answer adds the results of a turn's calls, and counts what goes wrong.
func (r *ToolRun) answer(calls []ToolCall, results []ToolResult) {
	m := Message{Role: RoleTool}
	var turn strings.Builder
	for i := range results {
		m.Parts = append(m.Parts, Part{ToolResult: &results[i]})
		if r.failures++; !results[i].IsError {
			r.failures = 0
		}
		for _, s := range []string{calls[i].Name, calls[i].Arguments, results[i].Content} {
			turn.WriteString(s + "\x00")
		}
	}
	r.Messages = append(r.Messages, m)
	if r.repeats++; turn.String() != r.last {
		r.repeats, r.last = 1, turn.String()
	}
}

func (l *ToolLoop) ending(r *ToolRun) Ending {
	switch {
	case l.MaxFailures > 0 && r.failures >= l.MaxFailures:
		return EndFailures
	case l.MaxRepeats > 0 && r.repeats >= l.MaxRepeats:
		return EndRepeats
	case l.MaxTurns > 0 && r.Turns >= l.MaxTurns:
		return EndMaxTurns
	}
	return ""
}

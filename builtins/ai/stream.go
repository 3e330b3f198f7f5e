package ai

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func streamBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "llm/stream", Arity: eval.Between(1, 3), Fn: llmStream, Caps: eval.CapLLM,
			Doc: "(llm/stream prompt [f] [options]) asks like llm/complete and calls (f text) with each piece of the answer as it comes; without f it prints them. " +
				"It answers the whole text. Until the first piece failures are retried and fall over; after it they are raised, with the text so far at :partial. " +
				":first-token-timeout-ms and :idle-timeout-ms bound how long it may be silent.",
			NoRun: "needs a provider"},
	}
}

var streamOptions = slices.Concat(completeOptions, []string{"first-token-timeout-ms", "idle-timeout-ms"})

func llmStream(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	sink, options, err := streamArgs(t, args[1:])
	if err != nil {
		return value.Nil, err
	}
	var first, idle time.Duration
	a, err := readAsking("llm/stream", args[0], options, streamOptions, func(o *eval.Options) {
		first, idle = o.Millis("first-token-timeout-ms", 0), o.Millis("idle-timeout-ms", 0)
	})
	if err != nil {
		return value.Nil, err
	}
	a.req.FirstTokenTimeout, a.req.IdleTimeout = first, idle
	s := stateOf(t)
	call, err := newCall(t, s, a.own)
	if err != nil {
		return value.Nil, err
	}
	reply, err := call.Stream(context.WithValue(t.Context(), threadKey{}, t), a.req, sink)
	if err != nil {
		return value.Nil, s.failed(t, err)
	}
	s.note(reply.Attempts, reply)
	return value.String(reply.Text), nil
}

// streamArgs tells the function, where the pieces go, from the options.
func streamArgs(t *eval.Thread, rest []eval.Value) (sink func(string) error, options eval.Value, err error) {
	sink = func(piece string) error {
		_, err := io.WriteString(eval.InterpOf(t).Stdout(), piece)
		return err
	}
	if len(rest) > 0 && isFunction(rest[0]) {
		f, inside := rest[0], nested(t)
		sink = func(piece string) error {
			_, err := t.InScope(inside, func() (eval.Value, error) { return t.Call(f, value.String(piece)) })
			return err
		}
		rest = rest[1:]
	}
	switch {
	case len(rest) == 0:
		return sink, value.Nil, nil
	case len(rest) > 1:
		return nil, value.Nil, eval.TypeError("a function of a piece of text before the options", rest[0])
	}
	return sink, rest[0], nil
}

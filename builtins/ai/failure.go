package ai

import (
	"errors"
	"slices"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

// failed turns what a call returned into the error that the program sees, and
// keeps the trace.
func (s *state) failed(t *eval.Thread, err error) error {
	switch e := err.(type) {
	case *llm.CallbackError:
		s.note(e.Attempts, nil)
		return scriptError(e)
	case *llm.Error:
		s.note(e.Attempts, e.Response)
		if err := t.Interrupted(); err != nil {
			return err
		}
		return llmError(e)
	case *llm.OptionError:
		return &eval.Error{Kind: eval.KindEval, Message: e.Error(), Cause: e}
	}
	return err
}

// note keeps what the program may ask about the last call.
func (s *state) note(attempts []llm.Attempt, paid *llm.Response) {
	s.trace, s.usage = attempts, nil
	if paid != nil {
		s.usage = s.billFor(paid)
		s.session.add(s.usage)
	}
}

// scriptError is an error that the script's own callback raised: it ends the
// call as itself, with the failure it was asked about as its cause.
func scriptError(c *llm.CallbackError) error {
	e := eval.AsError(c.Err)
	if c.Cause == nil || e.Fatal() {
		return e
	}
	own := *e
	own.Cause = causes{c.Cause, e.Cause}
	own.Fields = append(slices.Clip(e.Fields), keyword("cause"), causeMap(c.Cause))
	if own.Note == "" {
		own.Note = "raised by a callback that was asked about: " + c.Cause.Error()
	}
	return &own
}

// causes are what a callback was asked about, and what made it raise an error.
type causes struct{ asked, own error }

func (c causes) Error() string { return c.asked.Error() }

func (c causes) Unwrap() []error {
	if c.own == nil {
		return []error{c.asked}
	}
	return []error{c.asked, c.own}
}

func causeMap(err error) eval.Value {
	if e, ok := err.(*llm.Error); ok {
		return llmError(e).Map()
	}
	return eval.AsError(err).Map()
}

// llmError carries the fields that LLM.md section 2.9 lists.
func llmError(e *llm.Error) *eval.Error {
	out := &eval.Error{Kind: eval.KindLLM, Message: e.Error(), Cause: e, Hint: hintFor(e)}
	out.Fields = []eval.Value{
		keyword("kind"), keyword(string(e.Kind)),
		keyword("provider"), keywordOrNil(e.Provider),
		keyword("model"), textOrNil(e.Model),
		keyword("status"), statusValue(e.Status),
		keyword("code"), textOrNil(e.Code),
		keyword("retry-after-ms"), hintValue(e.RetryAfter),
		keyword("attempts"), attemptList(e.Attempts),
		keyword("partial"), textOrNil(e.Partial),
		keyword("response"), responseValue(e.Response),
	}
	return out
}

func responseValue(r *llm.Response) eval.Value {
	if r == nil {
		return value.Nil
	}
	return value.String(r.Text)
}

func keywordOrNil(s string) eval.Value {
	if s == "" {
		return value.Nil
	}
	return keyword(s)
}

func textOrNil(s string) eval.Value {
	if s == "" {
		return value.Nil
	}
	return value.String(s)
}

func statusValue(status int) eval.Value {
	if status == 0 {
		return value.Nil
	}
	return value.Int(int64(status))
}

func hintValue(h llm.Hint) eval.Value {
	if !h.Known {
		return value.Nil
	}
	return ms(h.Wait)
}

// ms is a time in milliseconds, rounded up so that a short wait is not none.
func ms(d time.Duration) eval.Value {
	n := d / time.Millisecond
	if d > n*time.Millisecond {
		n++
	}
	return value.Int(int64(n))
}

func attemptList(log []llm.Attempt) eval.Value {
	var out []eval.Value
	for _, a := range log {
		out = append(out, value.Map(
			keyword("provider"), keywordOrNil(a.Provider), keyword("model"), textOrNil(a.Model), keyword("status"), statusValue(a.Status),
			keyword("kind"), keywordOrNil(string(a.Kind)), keyword("wait-ms"), ms(a.Wait), keyword("ms"), ms(a.Duration)))
	}
	return value.List(out...)
}

// failureMap is what :on-error and :on-retry are told.
func failureMap(f llm.Failure, retry bool) eval.Value {
	kvs := []eval.Value{
		keyword("error"), errorValue(f), keyword("status"), statusValue(f.Status),
		keyword("attempt"), value.Int(int64(f.Attempt)), keyword("retryable?"), value.Bool(f.Retryable),
		keyword("provider"), keywordOrNil(f.Provider), keyword("model"), textOrNil(f.Model),
		keyword("kind"), keywordOrNil(string(f.Kind)), keyword("retry-after-ms"), hintValue(f.RetryAfter),
		keyword("elapsed-ms"), ms(f.Elapsed),
	}
	if retry {
		kvs = append(kvs, keyword("wait-ms"), ms(f.Wait))
	}
	return value.Map(kvs...)
}

// errorValue is the response body, or a keyword where there was no response.
func errorValue(f llm.Failure) eval.Value {
	e, ok := errors.AsType[*llm.Error](f.Err)
	switch {
	case ok && e.Status != 0:
		return value.String(e.Body)
	case f.Kind == llm.KindNetwork:
		return keyword("connection")
	case f.Kind == "":
		return value.String(f.Err.Error())
	}
	return keyword(string(f.Kind))
}

func traceBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "llm/last-trace", Arity: eval.Exactly(0), Fn: llmLastTrace, Caps: eval.CapLLM,
			Doc: "(llm/last-trace) lists the attempts of the last call, first to last: {:provider :model :status :kind :wait-ms :ms}; :kind is nil for the one that " +
				"succeeded, :wait-ms is the wait after it. Of llm/batch and llm/pmap it has the attempts of all items, in their order.",
			Example: "(llm/last-trace) ; => ()"},
		{Name: "llm/explain", Arity: eval.Exactly(0), Fn: llmExplain, Caps: eval.CapLLM,
			Doc: "(llm/explain) is the attempts of the last call as a table to print, at most 80 columns wide: provider, model, status, outcome, the time that the request took, " +
				"and the wait after it. The last line says who answered. Of llm/batch and llm/pmap it has the attempts of all items, in their order.", Example: "(llm/explain) ; => \"no attempt was made\\n\""},
	}
}

func llmLastTrace(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	return attemptList(stateOf(t).trace), nil
}

func llmExplain(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	return value.String(llm.Explain(stateOf(t).trace)), nil
}

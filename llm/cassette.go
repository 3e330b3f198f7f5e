package llm

import (
	"context"
	"fmt"
	"slices"
)

// taped answers from the tape if it can, and records what the chain answers.
func (r *run) taped(ctx context.Context, req *Request) (*Response, error) {
	if r.Tape == nil {
		return r.walk(ctx, req)
	}
	kind := tapeComplete
	if r.onText != nil {
		kind = tapeStream
	}
	key := r.tapeKey(req)
	if line := r.Tape.find(kind, key); line != nil {
		return r.replay(ctx, req, line)
	}
	if r.Tape.mode == TapeReplay {
		return nil, r.miss(req, kind, key)
	}
	return r.record(ctx, req, &tapeLine{Kind: kind, Key: key})
}

// tapeKey is the hash of a call. It has the models that the call asks for, not
// the defaults of providers: a replay knows no provider.
func (r *run) tapeKey(req *Request) string {
	var models []string
	for _, e := range r.Chain {
		model := e.Model
		if model == "" {
			model = req.Model
		}
		if !slices.Contains(models, model) {
			models = append(models, model)
		}
	}
	own := *req
	own.Model = ""
	return own.Fingerprint(models...)
}

// replay gives a recorded answer, at its recorded price.
func (r *run) replay(ctx context.Context, req *Request, line *tapeLine) (*Response, error) {
	return r.spend(ctx, line.Provider, req, func(context.Context) (*Response, error) {
		reply := line.response()
		if r.onText == nil {
			return reply, nil
		}
		for _, chunk := range line.Chunks {
			if err := called(r.onText(chunk)); err != nil {
				return reply, err
			}
		}
		return reply, nil
	})
}

func (r *run) miss(req *Request, kind, key string) *Error {
	asked := ""
	if n := len(req.Messages); n > 0 {
		asked = excerpt(req.Messages[n-1].Text())
	}
	return &Error{Kind: KindOther, Model: req.Model, Code: CodeCassetteMiss,
		Message: fmt.Sprintf("cassette miss in :replay mode: %s has no answer for the %s call %q (key %.12s…); record it with :auto or :record", r.Tape.path, kind, asked, key)}
}

// CodeCassetteMiss is the [Error.Code] of a call that is not on a tape which
// only replays.
const CodeCassetteMiss = "cassette-miss"

// excerpt is the beginning of a text.
func excerpt(text string) string {
	const longest = 60
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}

// record makes the call and puts its answer on the tape, also one that went
// beyond a budget: it is paid for.
func (r *run) record(ctx context.Context, req *Request, line *tapeLine) (*Response, error) {
	if sink := r.onText; sink != nil {
		r.onText = func(piece string) error {
			line.Chunks = append(line.Chunks, piece)
			return sink(piece)
		}
	}
	reply, err := r.walk(ctx, req)
	paid := reply
	if e, ok := err.(*Error); ok && e.Kind == KindBudget {
		paid = e.Response
	}
	if paid == nil {
		return nil, err
	}
	line.answer = answerOf(paid)
	refused := r.block(ctx, func(context.Context) error {
		r.Tape.record(line)
		return nil
	})
	if err == nil && refused != nil {
		err = refused
	}
	if err != nil {
		return nil, err
	}
	return reply, nil
}

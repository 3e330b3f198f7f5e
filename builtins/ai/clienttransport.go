package ai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

// lispTransport makes requests with a function of the program. It runs on the
// goroutine of the call, which net/http keeps to, under the interpreter's lock.
type lispTransport struct{ fn eval.Value }

func lispClient(fn eval.Value) *http.Client { return &http.Client{Transport: lispTransport{fn}} }

// transported is a provider whose requests a function of the program makes.
type transported struct{ llm.Provider }

// Local says that the provider runs the program's code.
func (transported) Local() {}

// raisedKey is the context key of a *raised.
type raisedKey struct{}

// raised keeps the error of a transport, which net/http would wrap.
type raised struct{ err error }

// Complete sends the request through the function. An error of the program's own
// ends the call, unless it says that the request failed.
func (p transported) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	own := &raised{}
	reply, err := p.Provider.Complete(context.WithValue(ctx, raisedKey{}, own), req)
	if own.err != nil {
		return nil, own.err
	}
	return reply, err
}

// RoundTrip calls the function. Errors that it returns alone, without keeping
// them, are those of a connection, whose text is cleared of keys.
func (l lispTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	t := ctx.Value(threadKey{}).(*eval.Thread)
	fail := func(err error) (*http.Response, error) {
		ctx.Value(raisedKey{}).(*raised).err = err
		return nil, err
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	v, err := t.InScope(nested(t), func() (eval.Value, error) {
		return t.WithContext(ctx, func() (eval.Value, error) {
			return t.Call(l.fn, value.String(req.URL.String()), headerValue(req.Header), value.String(string(body)))
		})
	})
	if err != nil {
		failed := eval.AsError(err)
		if failed.Kind == eval.KindIO {
			return nil, errors.New(failed.Message)
		}
		return fail(transportFailure(t, failed))
	}
	if why, ok := noResponse(v); ok {
		return nil, why
	}
	resp, err := responseOf(v)
	if err != nil {
		return fail(err)
	}
	resp.Request = req
	return resp, nil
}

// transportFailure tells a time that ran out from errors of the program.
func transportFailure(t *eval.Thread, err *eval.Error) error {
	if err.Kind == eval.KindTimeout && t.Interrupted() == nil { // of the attempt, not of the program
		return &llm.Error{Kind: llm.KindTimeout, Message: "no reply in time", Cause: context.DeadlineExceeded}
	}
	return providerError(err)
}

func headerValue(h http.Header) eval.Value {
	m := value.NewMapBuilder(value.KindMap, len(h))
	for name := range h {
		m.Set(value.String(strings.ToLower(name)), value.String(h.Get(name)))
	}
	return m.Map()
}

// noResponse reads {:status nil :error :timeout}: no response came, and :error
// says why.
func noResponse(v eval.Value) (error, bool) {
	if !v.IsMap() {
		return nil, false
	}
	status, _ := v.Get(keyword("status"))
	why, _ := v.Get(keyword("error"))
	switch {
	case !status.IsNil() || why.IsNil():
		return nil, false
	case plainName(why) == "timeout":
		return timedOut{}, true
	}
	return errors.New("no response: " + value.Display(why)), true
}

// timedOut is a [net.Error].
type timedOut struct{}

func (timedOut) Error() string   { return "the transport says so" }
func (timedOut) Timeout() bool   { return true }
func (timedOut) Temporary() bool { return true }

// responseOf reads {:status :headers :body}.
func responseOf(v eval.Value) (*http.Response, error) {
	const shape = "a response from :http-client, {:status 200 :headers {...} :body \"...\"} or {:status nil :error :timeout}"
	wrong := func(v eval.Value) error { return &llm.CallbackError{Err: eval.TypeError(shape, v)} }
	if !v.IsMap() {
		return nil, wrong(v)
	}
	field := func(name string) eval.Value {
		x, _ := v.Get(keyword(name))
		return x
	}
	status, ok := wholeNumber(field("status"))
	if !ok || status < 100 || status > 999 {
		return nil, wrong(field("status"))
	}
	body, ok := field("body").AsString()
	if !ok && !field("body").IsNil() {
		return nil, wrong(field("body"))
	}
	header := http.Header{}
	if h := field("headers"); h.IsMap() {
		for k, x := range h.Entries() {
			header.Set(plainName(k), value.Display(x))
		}
	} else if !h.IsNil() {
		return nil, wrong(h)
	}
	return &http.Response{StatusCode: int(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}, nil
}

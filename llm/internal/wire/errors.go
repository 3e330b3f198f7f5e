package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gosema/gosema/llm"
)

// transportError maps an error of net/http.
func (c *Client) transportError(ctx context.Context, err error) *llm.Error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // the text of a url.Error quotes the URL
	}
	e := &llm.Error{Kind: llm.KindNetwork, Retryable: true}
	timeout, _ := errors.AsType[net.Error](err)
	switch {
	case ctx.Err() == context.Canceled:
		e.Kind, e.Retryable = llm.KindCancelled, false
	case ctx.Err() == context.DeadlineExceeded, timeout != nil && timeout.Timeout():
		e.Kind = llm.KindTimeout
	case isCertificate(err):
		e.Retryable = false
	}
	e.Message, e.Cause = c.scrub.text(err.Error()), c.scrub.err(err)
	if e.Kind == llm.KindTimeout {
		e.Message = "no reply in time: " + e.Message
	}
	return e
}

// isCertificate reports a handshake that failed over a certificate, ours or
// theirs. An alert from the other side has no type of its own.
func isCertificate(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "remote error" && strings.Contains(op.Error(), "certificate")
}

// bodyError maps an error in the middle of a body with a good status. The
// status is dropped: the response never became complete.
func (c *Client) bodyError(ctx context.Context, status int, err error) *llm.Error {
	if large, ok := err.(errTooLarge); ok {
		return &llm.Error{Kind: llm.KindParse, Status: status, Message: large.Error(), Cause: err}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) && ctx.Err() == nil {
		return c.cutError(err)
	}
	return c.transportError(ctx, err)
}

func (c *Client) cutError(err error) *llm.Error {
	return &llm.Error{Kind: llm.KindNetwork, Retryable: true, Message: "the reply was cut short", Cause: err}
}

// statusError maps a response with a bad status.
func (c *Client) statusError(status int, header http.Header, raw []byte) *llm.Error {
	if status >= 300 && status < 400 {
		return &llm.Error{Kind: llm.KindBadRequest, Status: status, Message: c.redirectMessage(header)}
	}
	hint := llm.ParseHint(header, time.Now())
	hint.Header = c.scrub.text(hint.Header)
	return c.failure(status, hint, raw)
}

func (c *Client) redirectMessage(header http.Header) string {
	to, err := c.base.Parse(header.Get("Location"))
	if err != nil || to.Host == "" {
		return "an unexpected redirect"
	}
	return c.scrub.text("a redirect to " + to.Scheme + "://" + to.Host + " was not followed")
}

// Failure maps an error object that came as the body of a good status: to the
// status that it gives itself, or that its type would have had.
func (c *Client) Failure(reply *Reply) *llm.Error {
	d := parseDetail(reply.Body)
	status, err := strconv.Atoi(d.code)
	if err != nil || status < 400 || status > 599 {
		status = statusOf(cmp.Or(d.kind, d.code))
	}
	if status != 0 {
		return c.failure(status, llm.Hint{}, reply.Body)
	}
	e := c.failure(reply.Status, llm.Hint{}, reply.Body)
	if e.Kind == llm.KindBadRequest { // all that the good status had to say
		e.Kind = llm.KindServer
	}
	return e
}

// statusOf is the status that goes with an error type; 0 for unknown ones.
func statusOf(kind string) int {
	switch strings.ToLower(kind) {
	case "overloaded_error":
		return 529
	case "rate_limit_error", "rate_limit_exceeded", "resource_exhausted":
		return 429
	case "api_error", "server_error", "internal":
		return 500
	case "unavailable":
		return 503
	case "timeout_error", "deadline_exceeded":
		return 504
	case "invalid_request_error", "invalid_argument":
		return 400
	case "authentication_error", "unauthenticated":
		return 401
	case "billing_error":
		return 402
	case "permission_error", "permission_denied":
		return 403
	case "not_found_error", "not_found":
		return 404
	case "request_too_large":
		return 413
	}
	return 0
}

func (c *Client) failure(status int, hint llm.Hint, raw []byte) *llm.Error {
	d := parseDetail(raw)
	body := c.scrub.text(string(raw))
	if d.message == "" {
		d.message = snippet(body)
	}
	if d.message == "" {
		d.message = http.StatusText(status)
	}
	if !hint.Known && d.retryDelay != nil {
		hint.Wait, hint.Known = *d.retryDelay, true
	}
	codes := []string{d.code, d.kind}
	if d.dayIsSpent {
		codes = append(codes, "insufficient_quota")
	}
	kind, retryable := llm.Classify(status, d.message, codes...)
	return &llm.Error{
		Kind: kind, Retryable: retryable, Status: status, Code: c.scrub.text(cmp.Or(d.code, d.kind)),
		RetryAfter: hint, Message: c.scrub.text(d.message), Body: bounded(body),
	}
}

// detail is what the known error bodies have in common.
type detail struct {
	message, code, kind string
	retryDelay          *time.Duration
	dayIsSpent          bool // no retry helps before tomorrow, whatever the delay says
}

// parseDetail reads {"error": {...}}, {"error": "text"}, {"message": ...},
// {"detail": ...}, and a list of any of these.
func parseDetail(raw []byte) detail {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
		raw = list[0]
	}
	var top map[string]json.RawMessage
	if json.Unmarshal(raw, &top) != nil {
		return detail{}
	}
	fields := top
	if inner, ok := top["error"]; ok {
		var object map[string]json.RawMessage
		if json.Unmarshal(inner, &object) != nil || object == nil {
			return detail{message: text(inner), code: text(top["code"])}
		}
		fields = object
	}
	return detail{
		message:    cmp.Or(text(fields["message"]), text(fields["detail"])),
		code:       text(fields["code"]),
		kind:       cmp.Or(text(fields["type"]), text(fields["status"])),
		retryDelay: retryDelay(fields["details"]),
		dayIsSpent: isDailyQuota(fields["details"]),
	}
}

// retryDelay finds Google's RetryInfo in the details of an error.
func retryDelay(raw json.RawMessage) *time.Duration {
	var details []struct {
		RetryDelay string `json:"retryDelay"`
	}
	if json.Unmarshal(raw, &details) != nil {
		return nil
	}
	for _, d := range details {
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil && wait >= 0 {
			return &wait
		}
	}
	return nil
}

// isDailyQuota finds a quota of the day among Google's QuotaFailures.
func isDailyQuota(raw json.RawMessage) bool {
	var details []struct {
		Violations []struct {
			ID string `json:"quotaId"`
		} `json:"violations"`
	}
	if json.Unmarshal(raw, &details) != nil {
		return false
	}
	for _, d := range details {
		for _, v := range d.Violations {
			if strings.Contains(v.ID, "PerDay") {
				return true
			}
		}
	}
	return false
}

// text is a JSON string's text, a number's digits, nothing for null, and a
// snippet of anything else.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s // "" for null
	}
	return snippet(string(raw))
}

// Scrub blots out the endpoint's secrets in a text that goes into an error.
func (c *Client) Scrub(text string) string { return c.scrub.text(text) }

// Named fills provider and model into an error of this package.
func Named(err error, provider, model string) error {
	if e, ok := err.(*llm.Error); ok {
		e.Provider, e.Model = provider, model
	}
	return err
}

// NoModel is the error of a request that names no model.
func NoModel() *llm.Error {
	return &llm.Error{Kind: llm.KindNotFound, Message: "no model is given, and the provider has no default"}
}

// Blocked is the error of a reply that a filter stopped. It is paid for, so
// that the reply goes with it.
func Blocked(resp *llm.Response, message string) *llm.Error {
	return &llm.Error{
		Kind: llm.KindContentFilter, Status: resp.Status, Message: message,
		Partial: resp.Text, Response: resp,
	}
}

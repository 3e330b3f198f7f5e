package llm

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Kind is the class of a failure.
type Kind string

const (
	KindAuth            Kind = "auth"       // the key is missing, wrong or not allowed this
	KindQuota           Kind = "quota"      // the money or the allowance is spent
	KindRateLimit       Kind = "rate-limit" // too many requests just now
	KindOverloaded      Kind = "overloaded"
	KindServer          Kind = "server"
	KindNetwork         Kind = "network" // no connection, or it broke
	KindTimeout         Kind = "timeout" // of an attempt, or of the whole call
	KindBadRequest      Kind = "bad-request"
	KindNotFound        Kind = "not-found"
	KindContextLength   Kind = "context-length"
	KindContentFilter   Kind = "content-filter"
	KindParse           Kind = "parse" // a complete reply that makes no sense
	KindStreamTruncated Kind = "stream-truncated"
	KindBudget          Kind = "budget"
	KindCancelled       Kind = "cancelled"
	// KindOther is an error of a provider that is not an [*Error].
	KindOther Kind = "other"
)

// Valid reports whether k is one of the constants.
func (k Kind) Valid() bool {
	switch k {
	case KindAuth, KindQuota, KindRateLimit, KindOverloaded, KindServer, KindNetwork,
		KindTimeout, KindBadRequest, KindNotFound, KindContextLength, KindContentFilter,
		KindParse, KindStreamTruncated, KindBudget, KindCancelled, KindOther:
		return true
	}
	return false
}

// Error is a failed attempt, or a failed call with all its attempts.
type Error struct {
	Kind     Kind
	Provider string
	Model    string // as requested
	Status   int    // HTTP status; 0 when no complete response came
	Code     string // the provider's own code, or its error type
	// RetryAfter is the server's hint, also one that was too long to be followed.
	RetryAfter Hint
	// Retryable is the provider's verdict; a [Policy] may decide otherwise.
	Retryable bool
	Message   string // the provider's text; its keys are blotted out
	Body      string // the reply as it came, at most [MaxErrorBody] bytes, keys blotted out
	Partial   string // text received before the failure
	// Response is the reply of a failure that came with one, which is paid for:
	// a blocked answer has its usage here.
	Response *Response

	// Attempts is all that was tried by the call, in order, over all providers.
	Attempts []Attempt
	// Failures has the last error of each provider when a chain failed. The
	// class and the other fields above are those of the first.
	Failures []*Error
	Cause    error
}

// MaxErrorBody bounds [Error.Body], in bytes.
const MaxErrorBody = 16 << 10

// Attempt is an entry of the attempt log.
type Attempt struct {
	Provider string
	Model    string
	Status   int           // 0 when no complete response came
	Kind     Kind          // "" when it succeeded
	Wait     time.Duration // the wait that followed it, before the next at the same provider
	Duration time.Duration // of the request, without rate limits
}

// Error returns one line: who, what class, what status, and the message.
func (e *Error) Error() string {
	if len(e.Failures) > 0 {
		return e.Message
	}
	var b strings.Builder
	b.WriteString(strings.TrimSpace(e.Provider + " " + e.Model))
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	b.WriteString(string(e.Kind))
	if e.Status != 0 {
		fmt.Fprintf(&b, " (status %d)", e.Status)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	if n := len(e.Attempts); n > 1 {
		fmt.Fprintf(&b, " (%d attempts)", n)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Is makes a cancelled call an error of the context, whatever its cause says.
func (e *Error) Is(target error) bool {
	return e.Kind == KindCancelled && target == context.Canceled
}

// CallbackError is an error that a callback of the caller returned: OnError,
// OnRetry, or a provider that runs the caller's own code. It ends the call at
// once, and no chain moves on after it.
type CallbackError struct {
	Err      error     // the callback's own
	Cause    error     // the failure that the callback was asked about; may be nil
	Attempts []Attempt // all that was tried by the call
}

// Error returns the callback's message.
func (e *CallbackError) Error() string { return e.Err.Error() }

// Unwrap returns the callback's error and the cause.
func (e *CallbackError) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.Cause}
}

// stopped is the error of a call whose context has ended.
func stopped(ctx context.Context) *Error {
	e := &Error{Kind: KindCancelled, Message: "the call was cancelled", Cause: context.Cause(ctx)}
	if ctx.Err() == context.DeadlineExceeded {
		e.Kind, e.Message = KindTimeout, "the time for the call ran out"
	}
	return e
}

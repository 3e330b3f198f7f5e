package llm

import (
	"math"
	"slices"
	"time"
)

// Policy holds the settings of automatic retry. Make one with [DefaultPolicy]
// or [ClientPolicy] and change what differs: a zero field is a zero, not a
// default.
type Policy struct {
	Rule    Rule
	Retries int           // attempts after the first, at each provider
	Base    time.Duration // of the backoff
	Cap     time.Duration // of the backoff
	HintCap time.Duration // longer hints are not waited for
	// Statuses are retried beside those that the rule names.
	Statuses []int
	OnError  func(Failure) (Verdict, error) // see [Loop]; may be nil
	OnRetry  func(Failure) error            // see [Loop]; may be nil
}

// Rule is the part of a policy that settings do not reach.
type Rule interface {
	// Retryable is the default verdict on a failure.
	Retryable(p *Policy, e *Error) bool
	// Wait is the wait after attempt n, from zero; ok is false to give the
	// provider up. Next says that another provider stands by.
	Wait(p *Policy, n int, e *Error, next bool, rand func() float64) (d time.Duration, ok bool)
}

// hintCapNext bounds the hints that are waited for while another provider
// stands by.
const hintCapNext = 30 * time.Second

// DefaultPolicy retries what its provider calls retryable three times, with
// capped exponential backoff and full jitter (base 500 ms, cap 30 s), and
// never sooner than the server asks, up to 120 s.
func DefaultPolicy() Policy {
	return Policy{
		Rule:    standardRule{},
		Retries: 3,
		Base:    500 * time.Millisecond,
		Cap:     30 * time.Second,
		HintCap: 120 * time.Second,
	}
}

// ClientPolicy is the policy of client/create-client: no retries unless asked
// for; a transport failure or one of 429, 500, 502, 503, 504 and 529 is
// retried and nothing else; waits are base*2^n plus 0 to 99 ms, without a cap;
// a Retry-After in seconds replaces them, 0 included, and a date does not.
func ClientPolicy() Policy {
	return Policy{Rule: clientRule{}, Base: 500 * time.Millisecond}
}

// Validate reports the first setting that makes no sense, as an [*OptionError].
func (p *Policy) Validate() error {
	switch {
	case p.Rule == nil:
		return &OptionError{Option: "retry", Want: "made by DefaultPolicy or ClientPolicy", Got: "a policy without a rule"}
	case p.Retries < 0:
		return &OptionError{Option: "retries", Want: "a whole number of at least 0", Got: p.Retries}
	case p.Base < 0:
		return &OptionError{Option: "retry-base-ms", Want: "a time of at least 0", Got: p.Base}
	case p.Cap < 0:
		return &OptionError{Option: "retry-cap-ms", Want: "a time of at least 0", Got: p.Cap}
	case p.HintCap < 0:
		return &OptionError{Option: "retry-after-cap-ms", Want: "a time of at least 0", Got: p.HintCap}
	}
	for _, status := range p.Statuses {
		if status < 100 || status > 999 {
			return &OptionError{Option: "retryable-statuses", Want: "HTTP statuses", Got: status}
		}
	}
	return nil
}

// lists reports whether the status was added to those that are retried. A
// success is not a failure to retry, even when it held nonsense.
func (p *Policy) lists(e *Error) bool {
	return e.Status >= 300 && slices.Contains(p.Statuses, e.Status)
}

type standardRule struct{}

// Retryable leaves a spent quota alone under every status but 402: there the
// status alone may have made it one, so that listing it means something.
func (standardRule) Retryable(p *Policy, e *Error) bool {
	if e.Kind == KindQuota && e.Status != 402 {
		return false
	}
	return e.Retryable || p.lists(e)
}

func (standardRule) Wait(p *Policy, n int, e *Error, next bool, rand func() float64) (time.Duration, bool) {
	longest := p.HintCap
	if next {
		longest = min(longest, hintCapNext)
	}
	if e.RetryAfter.Wait > longest {
		return 0, false
	}
	// A cap of 0 is a cap: it makes retries follow at once.
	backoff := Backoff{Base: min(p.Base, p.Cap), Max: p.Cap, Jitter: true}
	return max(backoff.Wait(n, rand), e.RetryAfter.Wait), true
}

type clientRule struct{}

func (clientRule) Retryable(p *Policy, e *Error) bool {
	switch e.Status {
	case 0:
		return e.Kind == KindNetwork || e.Kind == KindTimeout
	case 429, 500, 502, 503, 504, 529:
		return true
	}
	return p.lists(e)
}

func (clientRule) Wait(p *Policy, n int, e *Error, _ bool, rand func() float64) (time.Duration, bool) {
	if d, ok := parseDelay(e.RetryAfter.Header, time.Second); ok {
		return d, true
	}
	wait := Backoff{Base: p.Base}.Wait(n, rand)
	jitter := time.Duration(rand()*100) * time.Millisecond
	return min(wait, math.MaxInt64-jitter) + jitter, true
}

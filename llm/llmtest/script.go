package llmtest

import (
	"fmt"
	"net/http"
	"time"

	"github.com/gosema/gosema/llm"
)

// Fault is a way in which a reply breaks below HTTP.
type Fault string

const (
	Drop  Fault = "drop"  // the connection is closed without a reply
	Reset Fault = "reset" // the connection is reset (TCP RST) without a reply
	Short Fault = "short" // Content-Length promises more than the body has
)

// Reply is what one request gets. The zero value is status 200 with an empty
// text.
type Reply struct {
	Status int // 0 is 200
	Header http.Header
	// Body is sent as it is. When it is nil the body is Text in the dialect of
	// the path: an answer, or at status 400 and above an error.
	Body      []byte
	Text      string
	Code      string // code or type of a rendered error; "" fits the status
	ToolCalls []llm.ToolCall
	Usage     *llm.Usage // of a rendered answer; nil says nothing of usage

	// Break is an error in place of the end of the answer: of a stream, behind its
	// text; of a whole answer, instead of it, at status 200.
	Break *Break

	Delay time.Duration // before the reply begins
	Fault Fault
	// DropAfter closes the connection after so many bytes of the body; 0 does not.
	DropAfter int
	// Truncate cuts the body to so many bytes, and ends it as if that was all; 0
	// does not.
	Truncate int
	Piece    int           // the body is written and flushed in pieces of so many bytes; 0 is whole
	Pace     time.Duration // between the pieces; of a stream without Piece, between its events
	Hang     bool          // the connection stays open behind the body of a stream
}

// Break is an error that comes as an event, or in a reply of status 200.
type Break struct {
	Code string // code or type; "" is that of an overloaded server
	Text string
}

// Validate reports what cannot be sent.
func (r Reply) Validate() error {
	switch {
	case r.Status != 0 && (r.Status < 200 || r.Status > 999):
		return fmt.Errorf("status must be between 200 and 999, got %d", r.Status)
	case r.Delay < 0:
		return fmt.Errorf("delay must not be negative, got %v", r.Delay)
	case r.Pace < 0:
		return fmt.Errorf("pace must not be negative, got %v", r.Pace)
	case r.DropAfter < 0:
		return fmt.Errorf("drop-after must not be negative, got %d", r.DropAfter)
	case r.Truncate < 0:
		return fmt.Errorf("truncate must not be negative, got %d", r.Truncate)
	case r.Break != nil && (r.Body != nil || r.Status >= 400):
		return fmt.Errorf("an error event goes with a rendered answer")
	case r.Piece < 0:
		return fmt.Errorf("piece must not be negative, got %d", r.Piece)
	case r.Body != nil && (r.Text != "" || len(r.ToolCalls) > 0):
		return fmt.Errorf("a reply has a raw body or a rendered one, not both")
	}
	switch r.Fault {
	case "", Drop, Reset, Short:
		return nil
	}
	return fmt.Errorf("fault must be drop, reset or short, got %q", r.Fault)
}

// Then says what happens after the last reply of a script.
type Then string

const (
	Refuse Then = "refuse" // status 500 with a message that says so; also ""
	Repeat Then = "repeat" // the last reply again
)

// Script is a sequence of replies.
type Script struct {
	Replies []Reply
	Then    Then
}

// Validate reports the first reply that cannot be sent, counted from one.
func (s Script) Validate() error {
	for i, r := range s.Replies {
		if err := r.Validate(); err != nil {
			return fmt.Errorf("reply %d: %w", i+1, err)
		}
	}
	switch s.Then {
	case "", Refuse:
		return nil
	case Repeat:
		if len(s.Replies) == 0 {
			return fmt.Errorf("a script without replies has none to repeat")
		}
		return nil
	}
	return fmt.Errorf("then must be refuse or repeat, got %q", s.Then)
}

// player is a script on its way.
type player struct {
	script Script
	played int
}

// next takes the next reply.
func (p *player) next() Reply {
	p.played++
	n := len(p.script.Replies)
	switch {
	case p.played <= n:
		return p.script.Replies[p.played-1]
	case p.script.Then == Repeat:
		return p.script.Replies[n-1]
	}
	return Reply{
		Status: http.StatusInternalServerError, Code: "script_exhausted",
		Text: fmt.Sprintf("llmtest: request %d came, the script has %d", p.played, n),
	}
}

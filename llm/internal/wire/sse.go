package wire

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// Events reads server-sent events, as the HTML standard has them (section 9.2):
// lines end in CR, LF or both, and a blank line ends an event. Unlike there, the
// end of the body ends an event too: servers forget the last blank line.
type Events struct {
	r       *bufio.Reader
	limit   int // bytes of one event
	line    []byte
	event   []byte
	data    []byte
	hasData bool
	afterCR bool
	started bool
	ended   bool
	cut     bool // the body ended within a line
}

// NewEvents reads events of at most limit bytes.
func NewEvents(r io.Reader, limit int) *Events {
	return &Events{r: bufio.NewReader(r), limit: limit}
}

// errLongEvent is the error of an event beyond the limit.
type errLongEvent int

func (e errLongEvent) Error() string {
	return fmt.Sprintf("an event of the stream is larger than the limit of %d bytes", int(e))
}

// Next returns the type and the data of the next event that has data, both valid
// until it is called again; io.EOF after the last.
func (e *Events) Next() (event string, data []byte, err error) {
	if e.ended {
		return "", nil, io.EOF
	}
	e.event, e.data, e.hasData = e.event[:0], e.data[:0], false
	for {
		line, err := e.readLine()
		switch {
		case err == io.EOF:
			e.ended = true
			if e.cut = len(line) > 0; e.cut {
				e.field(line)
			}
			if !e.hasData {
				return "", nil, io.EOF
			}
			return string(e.event), e.data, nil
		case err != nil:
			return "", nil, err
		case len(line) > 0:
			e.field(line)
			if len(e.data) > e.limit {
				return "", nil, errLongEvent(e.limit)
			}
		case e.hasData:
			return string(e.event), e.data, nil
		default:
			e.event = e.event[:0] // an event without data is none
		}
	}
}

// NextLine returns the next line that is not blank, for streams of lines; io.EOF
// after the last.
func (e *Events) NextLine() ([]byte, error) {
	for !e.ended {
		line, err := e.readLine()
		if err == io.EOF {
			e.ended, e.cut, err = true, len(line) > 0, nil
		}
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return line, nil
		}
	}
	return nil, io.EOF
}

// field takes one line of an event. Comments, ids and retry times say nothing
// that matters here.
func (e *Events) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "event":
		e.event = append(e.event[:0], value...)
	case "data":
		if e.hasData {
			e.data = append(e.data, '\n')
		}
		e.data = append(e.data, value...)
		e.hasData = true
	}
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// readLine returns a line without its end. With io.EOF it returns what the body
// ended with.
func (e *Events) readLine() ([]byte, error) {
	e.line = e.line[:0]
	if !e.started {
		e.started = true
		if head, _ := e.r.Peek(len(byteOrderMark)); bytes.Equal(head, byteOrderMark) {
			e.discard(len(head))
		}
	}
	for {
		if _, err := e.r.Peek(1); err != nil {
			return e.line, err
		}
		chunk, _ := e.r.Peek(e.r.Buffered())
		if e.afterCR && chunk[0] == '\n' { // the second half of CRLF
			e.afterCR = false
			e.discard(1)
			continue
		}
		e.afterCR = false
		end := bytes.IndexAny(chunk, "\r\n")
		if end >= 0 {
			e.line = append(e.line, chunk[:end]...)
			e.afterCR = chunk[end] == '\r'
			e.discard(end + 1)
			return e.line, nil
		}
		e.line = append(e.line, chunk...)
		e.discard(len(chunk))
		if len(e.line) > e.limit {
			return nil, errLongEvent(e.limit)
		}
	}
}

// discard drops bytes that were peeked at.
func (e *Events) discard(n int) { _, _ = e.r.Discard(n) }

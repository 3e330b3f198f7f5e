// Package events holds our reader of server-sent events against go-sse. It is a
// package of its own so that its fuzzer does not build the SDKs anew.
package events

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmaxmax/go-sse"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/openai"
)

// choices makes decisions of bytes, so that a fuzzer can steer them. Behind the
// last byte it always takes the first possibility.
type choices struct{ bytes []byte }

func (c *choices) below(n int) int {
	if len(c.bytes) == 0 {
		return 0
	}
	b := c.bytes[0]
	c.bytes = c.bytes[1:]
	return int(b) % n
}

func pick[T any](c *choices, from ...T) T { return from[c.below(len(from))] }

// events writes a stream of server-sent events in all the ways in which the
// standard lets it be written.
type events struct {
	choices
	out    bytes.Buffer
	end    string // of the last line
	usesOf string // the line end that the whole stream keeps to; "" mixes them
}

// line writes a line. Its end and the next one must not read as one.
func (e *events) line(text string) {
	end := e.usesOf
	if end == "" {
		end = pick(&e.choices, "\n", "\r\n", "\r")
	}
	if text == "" && e.end == "\r" && end == "\n" {
		end = "\r\n"
		if e.usesOf == "" {
			end = "\r"
		}
	}
	e.out.WriteString(text + end)
	e.end = end
}

// noise writes what is no data: comments, other fields, and what only looks like
// a field with data.
func (e *events) noise() {
	for range e.below(3) {
		text := pick(&e.choices,
			": a comment", ":", ":data: no", "event: message", "event", "id: 7", "id", "id: a\x00b", "retry: 10", "retry: soon",
			"unknown: field", "unknown", "Data: {}", "DATA:{}", " data: {}", "\tdata: {}", "data : {}", "dataa: {}", "dat: {}",
			"\ufeffdata: {}", "\u2028", "event: \ufeff", "a line without any colon that is longer than the names of all fields",
		)
		if e.out.Len() > 0 || !strings.HasPrefix(text, "\ufeff") { // there it is a byte order mark
			e.line(text)
		}
	}
}

// event writes an event with a JSON document for data, whose tokens may be on
// lines of their own.
func (e *events) event(tokens ...string) {
	e.noise()
	line := ""
	flush := func() {
		e.line(pick(&e.choices, "data: ", "data:", "data:  ", "data:\t") + line)
		line = ""
		e.noise()
		if e.below(8) == 1 {
			e.line(pick(&e.choices, "data", "data:", "data: "))
		}
	}
	for i, token := range tokens {
		line += token
		if i < len(tokens)-1 && e.below(4) == 1 {
			flush()
		}
	}
	flush()
	e.line("")
	for range e.below(4) { // blank lines, and events without data
		if e.below(2) == 1 {
			e.noise()
		}
		e.line("")
	}
}

func (e *events) text() string {
	words := []string{
		"a", " ", "data: x", "\n", "\r\n", ":", "\"", "\\", "\u2028", "\u0085", "\ufeff", "ü", "🙂", "\x7f", "[DONE]", "{}", "\t",
		strings.Repeat("long ", 900), "\ufffd",
	}
	text := ""
	for range e.below(6) {
		text += pick(&e.choices, words...)
	}
	return text
}

// quoted is a JSON string with as little escaped as can be.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text) + `"`
}

// generate writes a whole stream, and returns the texts in it.
func generate(seed []byte) (stream []byte, texts []string) {
	e := &events{choices: choices{seed}}
	e.usesOf = pick(&e.choices, "", "\n", "\r\n", "\r")
	if e.below(4) == 1 {
		e.out.WriteString("\ufeff")
	}
	for range e.below(12) {
		text := e.text()
		e.event("{", `"choices"`, ":", "[{", `"delta"`, ":{", `"content"`, ":", quoted(text), "}", "}]", "}")
		if text != "" {
			texts = append(texts, text)
		}
	}
	e.event("{", `"choices":`, "[{", `"delta":{},`, `"finish_reason"`, ":", `"stop"`, "}]}")
	e.event("[DONE]")
	return e.out.Bytes(), texts
}

// theirs are the texts as go-sse and encoding/json read them.
func theirs(t *testing.T, stream []byte) (texts []string) {
	t.Helper()
	for event, err := range sse.Read(bytes.NewReader(stream), &sse.ReadConfig{MaxEventSize: 1 << 20}) {
		require.NoError(t, err)
		switch strings.TrimSpace(event.Data) {
		case "": // no event, by the standard
			continue
		case "[DONE]":
			return texts
		}
		var chunk struct {
			Choices []struct{ Delta struct{ Content string } }
		}
		require.NoError(t, json.Unmarshal([]byte(event.Data), &chunk))
		if text := chunk.Choices[0].Delta.Content; text != "" {
			texts = append(texts, text)
		}
	}
	require.Fail(t, "go-sse did not see the end")
	return nil
}

// canned answers every request with a stream, in reads of a size.
type canned struct {
	stream []byte
	size   int
}

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r, ContentLength: -1,
		Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body:   io.NopCloser(&pieces{bytes.NewReader(c.stream), c.size}),
	}, nil
}

// pieces reads at most so many bytes at once.
type pieces struct {
	from *bytes.Reader
	size int
}

func (p *pieces) Read(into []byte) (int, error) { return p.from.Read(into[:min(len(into), p.size)]) }

// ours are the texts as our client reads them.
func ours(t *testing.T, stream []byte, size int) (texts []string) {
	t.Helper()
	p, err := openai.New(openai.Config{Endpoint: llm.Endpoint{
		BaseURL: "http://server.test", Client: &http.Client{Transport: canned{stream, size}},
	}})
	require.NoError(t, err)
	s, err := p.Open(t.Context(), &llm.Request{Model: "m", Messages: []llm.Message{llm.User("hi")}})
	require.NoError(t, err)
	defer s.Close()
	for {
		text, err := s.Next()
		if err == io.EOF {
			return texts
		}
		require.NoError(t, err)
		texts = append(texts, text)
	}
}

// checkEvents: both read the same of a stream, which is what was written.
func checkEvents(t *testing.T, seed []byte, size int) {
	t.Helper()
	stream, texts := generate(seed)
	require.Equal(t, texts, theirs(t, stream), "go-sse of %q", stream)
	require.Equal(t, texts, ours(t, stream, size), "ours of %q", stream)
}

func TestEventsLikeGoSSE(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	lengths := map[int]bool{}
	for range 3000 {
		seed := make([]byte, random.IntN(400))
		for i := range seed {
			seed[i] = byte(random.Uint32())
		}
		checkEvents(t, seed, 1+random.IntN(40))
		_, texts := generate(seed)
		lengths[len(texts)] = true
	}
	assert.GreaterOrEqual(t, len(lengths), 8, "the streams are too much alike")
}

func FuzzEventsLikeGoSSE(f *testing.F) {
	f.Add([]byte(nil), uint8(0))
	f.Add([]byte{3, 1, 2, 5, 4, 7, 2, 19, 1, 0, 3, 3, 3}, uint8(1))
	f.Add(slices.Repeat([]byte{1, 2, 3, 5, 7, 11, 13}, 30), uint8(7))
	f.Fuzz(func(t *testing.T, seed []byte, size uint8) { checkEvents(t, seed, 1+int(size)) })
}

package llm_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// pieceText is what each stream of these tests says before its fault.
const pieceText = "grüße 😀"

// parts are what streams of a dialect are made of.
type parts struct {
	meta     string                // says nothing of the content
	text     string                // pieceText
	call     string                // a tool call
	end      string                // the finish reason
	done     string                // what comes after it; servers forget it
	failed   func(m string) string // an error of the kind that 529 has
	unknown  string                // an error that says nothing of its kind
	ping     string
	overload int // the status of failed
}

func event(data string) string { return "data: " + data + "\n\n" }

func partsOf(dialect llmtest.Dialect) parts {
	text, _ := json.Marshal(pieceText)
	switch dialect {
	case llmtest.Anthropic:
		named := func(name, data string) string {
			return fmt.Sprintf("event: %s\ndata: {\"type\":%q,%s}\n\n", name, name, data)
		}
		return parts{
			meta: named("message_start", `"message":{"model":"m","usage":{"input_tokens":1}}`) + named("content_block_start", `"index":0,"content_block":{"type":"text","text":""}`),
			text: named("content_block_delta", `"index":0,"delta":{"type":"text_delta","text":`+string(text)+`}`),
			call: named("content_block_start", `"index":1,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}`) +
				named("content_block_delta", `"index":1,"delta":{"type":"input_json_delta","partial_json":"{\"x\":1}"}`),
			end: named("message_delta", `"delta":{"stop_reason":"end_turn"}`), done: named("message_stop", `"x":1`),
			failed: func(m string) string {
				return named("error", fmt.Sprintf(`"error":{"type":"overloaded_error","message":%q}`, m))
			},
			unknown: named("error", `"error":{"message":"odd"}`), ping: named("ping", `"x":1`), overload: 529,
		}
	case llmtest.Gemini:
		chunk := func(parts, more string) string {
			return event(`{"candidates":[{"content":{"role":"model","parts":[` + parts + `]}` + more + `}]}`)
		}
		return parts{
			meta: event(`{"modelVersion":"m","usageMetadata":{"promptTokenCount":1}}`), text: chunk(`{"text":`+string(text)+`}`, ""),
			call: chunk(`{"functionCall":{"name":"f","args":{"x":1}}}`, ""), end: chunk("", `,"finishReason":"STOP"`),
			failed: func(m string) string {
				return event(fmt.Sprintf(`{"error":{"code":503,"status":"UNAVAILABLE","message":%q}}`, m))
			},
			unknown: event(`{"error":{"message":"odd"}}`), ping: ": ping\n\n", overload: 503,
		}
	case llmtest.Ollama:
		line := func(message, more string) string {
			return `{"model":"m","message":{"role":"assistant",` + message + `},` + more + "}\n"
		}
		return parts{
			meta: line(`"content":""`, `"done":false`), text: line(`"content":`+string(text), `"done":false`),
			call: line(`"content":"","tool_calls":[{"function":{"name":"f","arguments":{"x":1}}}]`, `"done":false`),
			end:  line(`"content":""`, `"done":true,"done_reason":"stop"`),
			failed: func(m string) string {
				return fmt.Sprintf("{\"error\":%q}\n", m)
			},
			unknown: "{\"error\":\"odd\"}\n", ping: "\n", overload: 200,
		}
	}
	chunk := func(delta, finish string) string {
		return event(`{"choices":[{"index":0,"delta":{` + delta + `},"finish_reason":` + finish + `}]}`)
	}
	return parts{
		meta: event(`{"choices":[],"prompt_filter_results":[]}`) + chunk(`"role":"assistant","content":""`, "null"), text: chunk(`"content":`+string(text), "null"),
		call: chunk(`"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}]`, "null"), end: chunk("", `"stop"`), done: event("[DONE]"),
		failed: func(m string) string {
			return event(fmt.Sprintf(`{"choices":[],"error":{"type":"overloaded_error","message":%q}}`, m))
		},
		unknown: event(`{"choices":[],"error":{"message":"odd"}}`), ping: ": ping\n\n", overload: 529,
	}
}

// everyWay runs a test for all dialects and ways of cutting the body.
func everyWay(t *testing.T, f func(t *testing.T, dialect llmtest.Dialect, p parts, cut func(body string) llmtest.Reply)) {
	allDialects(t, func(t *testing.T, dialect llmtest.Dialect) {
		for _, piece := range []int{0, 1, 13} {
			t.Run(fmt.Sprint(piece), func(t *testing.T) {
				f(t, dialect, partsOf(dialect), func(body string) llmtest.Reply { return llmtest.Reply{Body: []byte(body), Piece: piece} })
			})
		}
	})
}

func startStream(t *testing.T, dialect llmtest.Dialect, replies ...llmtest.Reply) rig {
	return newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: replies}})
}

// Before any text a failure is retried by its kind, and what is delivered comes
// from the second attempt alone, once.
func TestStreamFailsBeforeText(t *testing.T) {
	everyWay(t, func(t *testing.T, dialect llmtest.Dialect, p parts, cut func(string) llmtest.Reply) {
		for name, body := range map[string]string{
			"error first": p.failed("busy"), "metadata, then an error": p.meta + p.failed("busy"), "pings, then an error": p.ping + p.ping + p.failed("busy"),
			"unknown error": p.meta + p.unknown, "end after metadata": p.meta, "nothing": "", "only pings": p.ping + p.ping,
			"cut in an event": p.meta + p.text[:len(p.text)/2],
		} {
			r := startStream(t, dialect, cut(body), cut(p.meta+p.text+p.text+p.end+p.done))
			h := r.listen(t, question(), nil)
			if strings.HasPrefix(name, "cut") && h.err != nil { // the half is nonsense, and nonsense is not retried
				require.Contains(t, []llm.Kind{llm.KindParse, llm.KindStreamTruncated}, asError(t, h.err).Kind, name)
				require.Empty(t, h.pieces, name)
				continue
			}
			require.NoError(t, h.err, name)
			require.Equal(t, []string{pieceText, pieceText}, h.pieces, name)
			require.Len(t, h.reply.Attempts, 2, name)
			first := h.reply.Attempts[0]
			switch name {
			case "error first", "metadata, then an error", "pings, then an error":
				require.Equal(t, p.overload, first.Status, name)
			case "end after metadata", "only pings":
				require.Equal(t, llm.KindStreamTruncated, first.Kind, name)
			}
		}
	})
}

// The same failures move along a chain.
func TestStreamFallsOverBeforeText(t *testing.T) {
	everyWay(t, func(t *testing.T, dialect llmtest.Dialect, p parts, cut func(string) llmtest.Reply) {
		for _, body := range []string{p.meta + p.failed("busy"), p.meta, p.meta + p.unknown} {
			r := startStream(t, dialect, cut(body))
			h := r.listen(t, question(), func(call *llm.Call) {
				call.Policy.Retries = 0
				call.Chain = append(call.Chain, llm.Entry{Provider: llmtest.NewProvider("next", llmtest.Step{Text: "other"})})
			})
			require.NoError(t, h.err)
			require.Equal(t, []string{"other"}, h.pieces)
			require.Equal(t, "next", h.reply.Provider)
		}
	})
}

// After text a failure ends the call, with what came; tool calls that were on
// their way are not handed on.
func TestStreamFailsAfterText(t *testing.T) {
	everyWay(t, func(t *testing.T, dialect llmtest.Dialect, p parts, cut func(string) llmtest.Reply) {
		for name, c := range map[string]struct{ body, message string }{
			"error": {p.meta + p.text + p.failed("busy"), "busy"}, "unknown error": {p.text + p.unknown, "odd"},
			"end": {p.meta + p.text, "ended before"}, "end with a tool call": {p.text + p.call, "ended before"},
			"error after a tool call": {p.text + p.call + p.failed("busy"), "busy"},
		} {
			r := startStream(t, dialect, cut(c.body))
			h := r.listen(t, question(), func(call *llm.Call) {
				call.Chain = append(call.Chain, llm.Entry{Provider: llmtest.NewProvider("next", llmtest.Step{Text: "other"})})
			})
			e := asError(t, h.err)
			require.Equal(t, pieceText, e.Partial, name)
			require.Equal(t, []string{pieceText}, h.pieces, name)
			require.Contains(t, e.Message, c.message, name)
			if e.Response != nil { // paid for
				require.Equal(t, pieceText, e.Response.Text, name)
				require.Empty(t, e.Response.ToolCalls, name)
			}
			require.Nil(t, h.reply, name)
			require.Len(t, r.Requests(), 1, name)
			if strings.HasPrefix(name, "end") {
				require.Equal(t, llm.KindStreamTruncated, e.Kind, name)
			}
		}
	})
}

// A tool call of a stream that ends without its end is not delivered either when
// there was no text: the attempt is made again.
func TestStreamToolCallCut(t *testing.T) {
	everyWay(t, func(t *testing.T, dialect llmtest.Dialect, p parts, cut func(string) llmtest.Reply) {
		r := startStream(t, dialect, cut(p.meta+p.call), cut(p.meta+p.call+p.end+p.done))
		h := r.listen(t, question(), nil)
		require.NoError(t, h.err)
		require.Len(t, h.reply.ToolCalls, 1)
		require.Equal(t, "f", h.reply.ToolCalls[0].Name)
		require.JSONEq(t, `{"x":1}`, h.reply.ToolCalls[0].Arguments)
		require.Len(t, h.reply.Attempts, 2)
	})
}

// What ends a reply, and what may stand around its events.
func TestStreamIsComplete(t *testing.T) {
	everyWay(t, func(t *testing.T, dialect llmtest.Dialect, p parts, cut func(string) llmtest.Reply) {
		whole := p.meta + p.text + p.end + p.done
		bodies := map[string]string{
			"plain": whole, "finish reason alone": p.text + p.end, "no line break at the end": strings.TrimRight(whole, "\n"),
			"CRLF": strings.ReplaceAll(whole, "\n", "\r\n"), "pings": p.ping + p.meta + p.ping + p.text + p.ping + p.end + p.done,
		}
		if dialect != llmtest.Ollama {
			bodies["CR"] = strings.ReplaceAll(whole, "\n", "\r")
			bodies["CR and LF mixed"] = strings.Replace(strings.ReplaceAll(whole, "\n\n", "\r\n\r"), "\r\n\r", "\n\r\n", 1)
			bodies["comments and retry times"] = ": hi\nretry: 5\nid: 7\n\n" + strings.ReplaceAll(whole, "data: ", ": comment\nid: 1\nretry: 9\ndata:")
			bodies["a BOM"] = "\xef\xbb\xbf" + whole
		} else {
			bodies["blank lines"] = "\n\n" + strings.ReplaceAll(whole, "\n", "\n\n \n")
		}
		for name, body := range bodies {
			r := startStream(t, dialect, cut(body))
			h := r.listen(t, question(), nil)
			require.NoError(t, h.err, name)
			require.Equal(t, []string{pieceText}, h.pieces, name)
			require.Equal(t, pieceText, h.reply.Text, name)
			require.Equal(t, llm.StopEnd, h.reply.StopReason, name)
			require.Equal(t, "m", h.reply.Model, name)
			require.Len(t, h.reply.Attempts, 1, name)
		}
	})
}

// A server that says that it is done need not close the connection.
func TestStreamLeftOpen(t *testing.T) {
	everyWay(t, func(t *testing.T, dialect llmtest.Dialect, p parts, cut func(string) llmtest.Reply) {
		if dialect == llmtest.Gemini {
			t.Skip("nothing but the end of the body says that it is the end")
		}
		reply := cut(p.text + p.end + p.done)
		reply.Hang = true
		r := startStream(t, dialect, reply)
		h := r.listen(t, question(), func(call *llm.Call) { call.Deadline = r.clock.Now().Add(time.Minute) })
		require.NoError(t, h.err)
		require.Equal(t, pieceText, h.text())
	})
}

// A server that answers a request for a stream with an error in plain JSON: its
// message is the error's.
func TestStreamOfPlainJSON(t *testing.T) {
	everyWay(t, func(t *testing.T, dialect llmtest.Dialect, _ parts, cut func(string) llmtest.Reply) {
		for body, want := range map[string]string{
			`{"error":{"message":"no such model here","type":"invalid_request_error","code":404}}`: "no such model here",
			`{"error":"just a text"}`: "just a text",
			"\n  {\"type\":\"error\",\"error\":{\"type\":\"authentication_error\",\"message\":\"who are you\"}}\n": "who are you",
		} {
			r := startStream(t, dialect, cut(body))
			h := r.listen(t, question(), func(call *llm.Call) { call.Policy.Retries = 0 })
			require.Contains(t, asError(t, h.err).Message, want)
			require.Empty(t, h.pieces)
		}
	})
}

// Long events are fine, up to a limit.
func TestStreamLongEvent(t *testing.T) {
	allDialects(t, func(t *testing.T, dialect llmtest.Dialect) {
		long := strings.Repeat("x", 4<<20)
		p := partsOf(dialect)
		body := strings.Replace(p.text, pieceText, long, 1) + p.end + p.done
		for _, piece := range []int{0, 4099} {
			r := startStream(t, dialect, llmtest.Reply{Body: []byte(body), Piece: piece})
			h := r.listen(t, question(), nil)
			require.NoError(t, h.err)
			require.Equal(t, long, h.text())
		}
		beyond := strings.Replace(p.text, pieceText, strings.Repeat("x", 33<<20), 1)
		r := startStream(t, dialect, llmtest.Reply{Body: []byte(beyond)})
		h := r.listen(t, question(), nil)
		e := asError(t, h.err)
		require.Equal(t, llm.KindParse, e.Kind)
		require.Contains(t, e.Message, "larger than the limit of 33554432 bytes")
		require.Len(t, r.Requests(), 1)
	})
}

// Pings and comments do not count as progress, in any dialect.
func TestStreamOnlyPings(t *testing.T) {
	allDialects(t, func(t *testing.T, dialect llmtest.Dialect) {
		p := partsOf(dialect)
		for _, body := range []string{p.text + strings.Repeat(p.ping, 60), p.text + strings.Repeat(p.meta, 60)} {
			r := startStream(t, dialect, llmtest.Reply{Body: []byte(body), Pace: 10 * time.Millisecond})
			req := question()
			req.IdleTimeout = 50 * time.Millisecond
			h := r.listen(t, req, nil)
			e := asError(t, h.err)
			require.Equal(t, llm.KindTimeout, e.Kind, body[:40])
			require.Equal(t, pieceText, e.Partial)
			require.Contains(t, e.Message, "nothing more came within 50ms")
		}
	})
}

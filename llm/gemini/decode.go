package gemini

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/internal/wire"
)

// reply is a complete reply, or a chunk of one that comes as a stream.
type reply struct {
	Candidates []candidate     `json:"candidates"`
	Usage      *usage          `json:"usageMetadata"`
	Model      string          `json:"modelVersion"`
	Error      json.RawMessage `json:"error"`
	Feedback   struct {
		Block string `json:"blockReason"`
	} `json:"promptFeedback"`
}

type candidate struct {
	Content struct {
		Parts []part `json:"parts"`
	} `json:"content"`
	FinishReason string `json:"finishReason"`
}

type part struct {
	Text    string `json:"text"`
	Thought bool   `json:"thought"`
	Signed  string `json:"thoughtSignature"`
	Call    *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
}

type usage struct {
	Prompt     wire.Count `json:"promptTokenCount"`
	Cached     wire.Count `json:"cachedContentTokenCount"`
	Candidates wire.Count `json:"candidatesTokenCount"`
	Thoughts   wire.Count `json:"thoughtsTokenCount"`
}

// decode reads a complete reply: one that is a list is a stream whose chunks came
// at once.
func (p *Provider) decode(raw *wire.Reply) (*llm.Response, error) {
	f := &format{p: p}
	f.reply = llm.Response{Provider: p.Name(), Status: raw.Status}
	chunks, err := p.chunks(raw)
	if err != nil {
		return nil, err
	}
	candidates := 0
	for i := range chunks {
		r := &chunks[i]
		if isSet(r.Error) {
			return nil, p.client.Failure(raw)
		}
		candidates += len(r.Candidates)
		f.take(r)
	}
	if candidates == 0 && f.block == "" {
		return nil, p.client.ParseError(raw, "the reply has no candidates")
	}
	resp := f.Response()
	if why := f.Blocked(); why != "" {
		return nil, wire.Blocked(resp, why)
	}
	return resp, nil
}

// chunks reads a reply, or a list of its chunks.
func (p *Provider) chunks(raw *wire.Reply) ([]reply, error) {
	if body := bytes.TrimLeft(raw.Body, " \t\r\n"); len(body) > 0 && body[0] == '[' {
		var list []reply
		err := p.client.Decode(raw, &list)
		return list, err
	}
	var one reply
	err := p.client.Decode(raw, &one)
	return []reply{one}, err
}

// isSet reports a field that says something.
func isSet(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// format is a reply on its way: chunks with parts.
type format struct {
	p      *Provider
	in     *wire.Incoming // nil for a complete reply
	reply  llm.Response
	text   strings.Builder
	finish string
	block  string
}

// Decode reads the reply of a server that did not stream.
func (f *format) Decode(raw *wire.Reply) (*llm.Response, error) { return f.p.decode(raw) }

// Finished is true behind a finish reason: there is no event for the end.
func (f *format) Finished() bool { return f.finish != "" || f.block != "" }

// Blocked says why a filter stopped the prompt or the reply.
func (f *format) Blocked() string {
	switch {
	case f.block != "":
		return "the prompt was blocked: " + f.block
	case stopReason(f.finish) == llm.StopFilter:
		return "the reply was blocked: " + f.finish
	}
	return ""
}

// Response is the reply as far as it has come.
func (f *format) Response() *llm.Response {
	r := f.reply
	r.Text = f.text.String()
	r.StopReason = stopReason(f.finish)
	if len(r.ToolCalls) > 0 && r.StopReason == llm.StopEnd {
		r.StopReason = llm.StopTools
	}
	return &r
}

// Take reads one chunk. None of them says that it is the last: the body ends.
func (f *format) Take(data []byte) (piece string, progress, last bool, err error) {
	var r reply
	if err := json.Unmarshal(data, &r); err != nil {
		return "", false, false, f.in.Bad(data, "an event of the stream cannot be read: "+err.Error())
	}
	if isSet(r.Error) {
		return "", false, false, f.in.Failure(data)
	}
	piece, progress = f.take(&r)
	return piece, progress, false, nil
}

func (f *format) take(r *reply) (piece string, progress bool) {
	if r.Model != "" {
		f.reply.Model = r.Model
	}
	if u := usageOf(r.Usage); u != nil {
		f.reply.Usage = u
	}
	if r.Feedback.Block != "" {
		f.block = f.p.client.Scrub(r.Feedback.Block)
	}
	if len(r.Candidates) == 0 {
		return "", false
	}
	first := r.Candidates[0]
	if first.FinishReason != "" {
		f.finish = first.FinishReason
	}
	for _, x := range first.Content.Parts {
		switch {
		case x.Call != nil:
			f.call(x)
			progress = true
		case !x.Thought:
			piece += x.Text
		}
	}
	f.text.WriteString(piece)
	return piece, progress || piece != ""
}

func (f *format) call(x part) {
	n := len(f.reply.ToolCalls)
	id := x.Call.ID
	if id == "" {
		id = wire.CallID([]byte(x.Call.Name+string(x.Call.Args)), n)
	}
	f.reply.ToolCalls = append(f.reply.ToolCalls, llm.ToolCall{ID: id, Name: x.Call.Name, Arguments: wire.Arguments(x.Call.Args), Signature: x.Signed})
}

func stopReason(word string) llm.StopReason {
	switch word {
	case "STOP", "":
		return llm.StopEnd
	case "MAX_TOKENS":
		return llm.StopLength
	case "FUNCTION_CALL": // of servers that imitate Google's, which has no word for it
		return llm.StopTools
	case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "MODEL_ARMOR":
		return llm.StopFilter
	}
	return llm.StopReason(strings.ToLower(strings.ReplaceAll(word, "_", "-")))
}

// usageOf reads the counts; what cannot be read is unknown, not zero.
func usageOf(u *usage) *llm.Usage {
	if u == nil || !u.Prompt.Known && !u.Candidates.Known {
		return nil
	}
	cached := min(u.Cached.N, u.Prompt.N)
	return &llm.Usage{
		InputTokens: u.Prompt.N - cached, CacheReadTokens: cached,
		OutputTokens: u.Candidates.N + u.Thoughts.N, ReasoningTokens: u.Thoughts.N,
	}
}

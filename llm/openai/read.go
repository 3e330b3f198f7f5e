package openai

import (
	"encoding/json"

	"github.com/gosema/gosema/llm/internal/wire"
)

// read reads a reply the quick way. It reports whether the reply was of the
// usual shape; if not, what it read is worth nothing.
func (c *completion) read(r *wire.Reader) bool {
	readReply(r, &c.Model, &c.Usage, &c.Error, func() {
		c.Choices = append(c.Choices, choice{})
		c.Choices[len(c.Choices)-1].read(r)
	})
	return r.Done()
}

// read is the same for a chunk of a stream. Chunks with pieces of tool calls are
// left to encoding/json: their fields tell missing from null.
func (c *chunk) read(r *wire.Reader) bool {
	usual := true
	readReply(r, &c.Model, &c.Usage, &c.Error, func() {
		c.Choices = append(c.Choices, chunkChoice{})
		usual = c.Choices[len(c.Choices)-1].read(r) && usual
	})
	return r.Done() && usual
}

// readReply reads what replies and chunks have in common; elem reads a choice.
func readReply(r *wire.Reader, model *string, used **usage, failure *json.RawMessage, elem func()) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "model":
			r.Same(model)
		case "choices":
			r.Array(elem)
		case "usage":
			if !r.Null() {
				*used = &usage{}
				(*used).read(r)
			}
		case "error":
			*failure = r.Raw()
		default:
			r.Skip()
		}
	})
}

func (c *chunkChoice) read(r *wire.Reader) (usual bool) {
	usual = true
	r.Object(func(name []byte) {
		switch string(name) {
		case "delta":
			r.Object(func(name []byte) {
				switch string(name) {
				case "content":
					r.String((*string)(&c.Delta.Content))
				case "refusal":
					r.String(&c.Delta.Refusal)
				case "tool_calls":
					usual = r.Null() && usual
				default:
					r.Skip()
				}
			})
		case "finish_reason":
			r.String(&c.FinishReason)
		case "error":
			c.Error = r.Raw()
		default:
			r.Skip()
		}
	})
	return usual
}

func (c *choice) read(r *wire.Reader) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "message":
			if !r.Null() {
				c.Message = &answer{}
				c.Message.read(r)
			}
		case "finish_reason":
			r.String(&c.FinishReason)
		case "error":
			c.Error = r.Raw()
		default:
			r.Skip()
		}
	})
}

func (a *answer) read(r *wire.Reader) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "content":
			r.String((*string)(&a.Content)) // a list of parts is rare
		case "refusal":
			r.String(&a.Refusal)
		case "tool_calls":
			r.Array(func() {
				a.ToolCalls = append(a.ToolCalls, call{})
				a.ToolCalls[len(a.ToolCalls)-1].read(r)
			})
		default:
			r.Skip()
		}
	})
}

func (c *call) read(r *wire.Reader) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "id":
			r.String(&c.ID)
		case "function":
			r.Object(func(name []byte) {
				switch string(name) {
				case "name":
					r.String(&c.Function.Name)
				case "arguments":
					c.Function.Arguments = r.Raw()
				default:
					r.Skip()
				}
			})
		default:
			r.Skip()
		}
	})
}

func (u *usage) read(r *wire.Reader) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "prompt_tokens":
			u.Prompt = r.Count()
		case "completion_tokens":
			u.Completion = r.Count()
		case "prompt_tokens_details":
			r.Object(countOf(r, "cached_tokens", &u.In.Cached))
		case "completion_tokens_details":
			r.Object(countOf(r, "reasoning_tokens", &u.Out.Reasoning))
		default:
			r.Skip()
		}
	})
}

// countOf reads one count out of an object.
func countOf(r *wire.Reader, wanted string, to *wire.Count) func(name []byte) {
	return func(name []byte) {
		if string(name) == wanted {
			*to = r.Count()
		} else {
			r.Skip()
		}
	}
}

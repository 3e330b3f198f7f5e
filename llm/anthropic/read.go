package anthropic

import "github.com/gosema/gosema/llm/internal/wire"

// read reads a reply the quick way. It reports whether the reply was of the
// usual shape; if not, what it read is worth nothing.
func (m *reply) read(r *wire.Reader) bool {
	r.Object(func(name []byte) {
		switch string(name) {
		case "type":
			r.String(&m.Type)
		case "model":
			r.String(&m.Model)
		case "stop_reason":
			r.String(&m.StopReason)
		case "content":
			if !r.Null() {
				m.readContent(r)
			}
		case "usage":
			if !r.Null() {
				m.Usage = &usage{}
				m.Usage.read(r)
			}
		default:
			r.Skip()
		}
	})
	return r.Done()
}

// read is the same for the events that a stream is full of, which are pieces of
// content; others are left to encoding/json.
func (e *event) read(r *wire.Reader) bool {
	usual, typed := true, false
	r.Object(func(name []byte) {
		switch string(name) {
		case "type":
			e.Type, typed = pieceOfContent, true // nearly always
			r.Same(&e.Type)
		case "index":
			e.Index = r.Count().N
		case "delta":
			e.Delta.read(r)
		default:
			usual = false
			r.Skip()
		}
	})
	return r.Done() && usual && typed && e.Type == pieceOfContent
}

const pieceOfContent = "content_block_delta"

func (d *eventDelta) read(r *wire.Reader) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "type":
			d.Type = "text_delta" // likewise
			r.Same(&d.Type)
		case "text":
			r.String(&d.Text)
		case "partial_json":
			r.String(&d.JSON)
		default:
			r.Skip()
		}
	})
}

func (m *reply) readContent(r *wire.Reader) {
	m.Content = []content{} // not nil: the reply has one
	r.Array(func() {
		m.Content = append(m.Content, content{})
		m.Content[len(m.Content)-1].read(r)
	})
}

func (c *content) read(r *wire.Reader) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "type":
			r.String(&c.Type)
		case "text":
			r.String(&c.Text)
		case "id":
			r.String(&c.ID)
		case "name":
			r.String(&c.Name)
		case "input":
			c.Input = r.Raw()
		default:
			r.Skip()
		}
	})
}

func (u *usage) read(r *wire.Reader) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "input_tokens":
			u.Input = r.Count()
		case "output_tokens":
			u.Output = r.Count()
		case "cache_read_input_tokens":
			u.CacheRead = r.Count()
		case "cache_creation_input_tokens":
			u.CacheWrite = r.Count()
		default:
			r.Skip()
		}
	})
}

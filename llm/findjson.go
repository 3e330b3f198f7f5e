package llm

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// FindJSON finds the JSON object in a model's reply: the reply as a whole, what
// stands in a fence, or the first object in prose. What is valid is returned as
// it stands; nothing is repaired.
func FindJSON(reply string) (object string, ok bool) {
	reply = strings.TrimSpace(reply)
	if object, ok = decodes(reply); ok {
		return object, true
	}
	for _, block := range fenced(reply) {
		if object, ok = decodes(block); ok {
			return object, true
		}
	}
	const most = 64 // tries: prose has few braces
	for tries, rest := 0, reply; tries < most; tries++ {
		at := strings.IndexByte(rest, '{')
		if at < 0 {
			return "", false
		}
		object, err := firstObject(rest[at:])
		if err == nil {
			return object, true
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return "", false // cut off: a part of it would be another answer
		}
		rest = rest[at+1:]
	}
	return "", false
}

// decodes reports whether text is one object and nothing else.
func decodes(text string) (string, bool) {
	text = strings.TrimSpace(text)
	return text, strings.HasPrefix(text, "{") && json.Valid([]byte(text))
}

// fenced are what may stand between fences: from the first one to each of those
// behind it, the last first, since a string in the JSON may hold fences too.
func fenced(reply string) (blocks []string) {
	const fence, most = "```", 16
	_, rest, found := strings.Cut(reply, fence)
	if !found {
		return nil
	}
	if _, body, ok := strings.Cut(rest, "\n"); ok { // behind the word "json"
		rest = body
	}
	for end := strings.LastIndex(rest, fence); end >= 0 && len(blocks) < most; end = strings.LastIndex(rest[:end], fence) {
		blocks = append(blocks, rest[:end])
	}
	return blocks
}

// firstObject is the object that text begins with.
func firstObject(text string) (string, error) {
	var raw json.RawMessage
	err := json.NewDecoder(strings.NewReader(text)).Decode(&raw)
	return string(raw), err
}

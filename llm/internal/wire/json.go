package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
)

// Arguments normalises the arguments of a tool call, which come as an object
// or as a string with JSON in it: the JSON text, "{}" for none.
func Arguments(raw json.RawMessage) string {
	s := string(bytes.TrimSpace(raw))
	if strings.HasPrefix(s, `"`) {
		var inner string
		if json.Unmarshal(raw, &inner) == nil {
			s = strings.TrimSpace(inner)
		}
	}
	if s == "" || s == "null" {
		return "{}"
	}
	return s
}

// Object returns arguments as the JSON object that a dialect with objects
// wants. A model may have written something else; what was wrong with it is in
// the tool's result, so that an empty object does here.
func Object(arguments string) json.RawMessage {
	clean := []byte(Sanitize(arguments))
	if !json.Valid(clean) || !bytes.HasPrefix(bytes.TrimSpace(clean), []byte("{")) {
		return json.RawMessage("{}")
	}
	return clean
}

// Sanitize replaces escapes of lone surrogates in JSON text, which servers
// refuse together with the whole conversation they are in. Everything else
// stays as it is, digit for digit.
func Sanitize(text string) string {
	if !strings.Contains(text, `\u`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		unit := surrogate(text, i)
		low := surrogate(text, i+6)
		switch {
		case unit == 0 && text[i] == '\\' && i+1 < len(text):
			b.WriteString(text[i : i+2]) // another escape, perhaps of a backslash
			i += 2
		case unit == 0:
			b.WriteByte(text[i])
			i++
		case unit < 0xDC00 && low >= 0xDC00:
			b.WriteString(text[i : i+12])
			i += 12
		default:
			b.WriteString(`\ufffd`)
			i += 6
		}
	}
	return b.String()
}

// surrogate returns the surrogate that is escaped at i, or 0.
func surrogate(text string, i int) rune {
	if i+6 > len(text) || text[i] != '\\' || text[i+1] != 'u' {
		return 0
	}
	n, err := strconv.ParseUint(text[i+2:i+6], 16, 16)
	if err != nil || n < 0xD800 || n > 0xDFFF {
		return 0
	}
	return rune(n)
}

// CallID makes up the id of the nth tool call of a reply that gave none.
func CallID(body []byte, n int) string {
	h := fnv.New32a()
	h.Write(body)
	return fmt.Sprintf("call_%08x_%d", h.Sum32(), n)
}

// Count is a number of tokens in a reply. One that is missing or makes no
// sense is unknown, and never an error.
type Count struct {
	N     int
	Known bool
}

// UnmarshalJSON reads any JSON.
func (c *Count) UnmarshalJSON(raw []byte) error {
	if n, ok := smallInt(raw); ok {
		c.N, c.Known = n, true
		return nil
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	if err == nil && n >= 0 && n < math.MaxInt32 {
		c.N, c.Known = int(n), true
	}
	return nil
}

// smallInt reads a few digits.
func smallInt(raw []byte) (n int, ok bool) {
	if len(raw) == 0 || len(raw) > 9 {
		return 0, false
	}
	for _, c := range raw {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

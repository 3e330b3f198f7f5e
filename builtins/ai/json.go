package ai

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// jsonOf is a value as JSON on one line.
func jsonOf(v eval.Value) (json.RawMessage, error) {
	plain, err := value.ToGo(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(plain); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// valueOfJSON reads JSON: objects become maps with keywords, and integers keep
// all their digits.
func valueOfJSON(text string) (eval.Value, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var plain any
	if err := d.Decode(&plain); err != nil {
		return value.Nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return value.Nil, errors.New("there is more behind the JSON")
	}
	return value.From(plain)
}

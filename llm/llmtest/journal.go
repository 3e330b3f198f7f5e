package llmtest

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gosema/gosema/llm/internal/wire"
)

// Request is an entry of the journal. Headers and parameters that carry
// secrets have "[redacted]" for a value.
type Request struct {
	Method  string
	Path    string
	Query   string
	Header  http.Header
	Body    []byte
	Dialect Dialect
	Model   string // "" when none is named
	Time    time.Time
}

const redacted = "[redacted]"

func journalEntry(r *http.Request, body []byte) Request {
	header := r.Header.Clone()
	for name := range header {
		if wire.IsSecretHeader(name) {
			header[name] = []string{redacted}
		}
	}
	model, _ := asked(r.URL.Path, body)
	return Request{
		Model: model, Method: r.Method, Path: r.URL.Path, Query: redactQuery(r.URL.Query()), Header: header,
		Body: body, Dialect: dialectOf(r.URL.Path), Time: time.Now(),
	}
}

func redactQuery(query url.Values) string {
	for name := range query {
		if strings.Contains(strings.ToLower(name), "key") || wire.IsSecretHeader(name) {
			query.Set(name, redacted)
		}
	}
	return query.Encode()
}

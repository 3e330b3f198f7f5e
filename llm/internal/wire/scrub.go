package wire

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/llm"
)

// scrubber blots out secrets in texts that came from elsewhere: servers like
// to quote the key that they refuse.
type scrubber struct{ secrets []string }

// minSecret keeps placeholders such as "none" from blotting out plain words.
const minSecret = 8

func newScrubber(key string, header http.Header) scrubber {
	var s scrubber
	s.add(key)
	for name, values := range header {
		if !IsSecretHeader(name) {
			continue
		}
		for _, v := range values {
			s.add(v)
			_, token, _ := strings.Cut(v, " ") // "Bearer token"
			s.add(token)
		}
	}
	return s
}

func (s *scrubber) add(secret string) {
	if len(secret) < minSecret {
		return
	}
	quoted, _ := json.Marshal(secret)
	s.secrets = append(s.secrets, secret, url.QueryEscape(secret), strings.Trim(string(quoted), `"`))
}

func (s scrubber) text(text string) string {
	for _, secret := range s.secrets {
		text = strings.ReplaceAll(text, secret, "[redacted]")
	}
	return text
}

// err gives up the chain of an error that holds a secret.
func (s scrubber) err(err error) error {
	if clean := s.text(err.Error()); clean != err.Error() {
		return errors.New(clean)
	}
	return err
}

// IsSecretHeader reports whether headers of this name carry secrets.
func IsSecretHeader(name string) bool {
	name = strings.ToLower(name)
	for _, word := range [...]string{"auth", "key", "token", "secret", "cookie", "password", "credential"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

const maxSnippet = 200

// snippet is a short line out of a body: the title of a page of HTML,
// otherwise the beginning.
func snippet(body string) string {
	if title, ok := htmlTitle(body); ok {
		body = title
	}
	if len(body) > 8*maxSnippet { // enough to fill the line after the blanks are gone
		body = body[:8*maxSnippet]
	}
	line := strings.Join(strings.Fields(strings.ToValidUTF8(body, "\uFFFD")), " ")
	return cut(line, maxSnippet, "...")
}

func htmlTitle(body string) (string, bool) {
	_, rest, ok := strings.Cut(body, "<title>")
	if !ok || !strings.HasPrefix(strings.TrimSpace(body), "<") {
		return "", false
	}
	title, _, ok := strings.Cut(rest, "</title>")
	return title, ok && strings.TrimSpace(title) != ""
}

func bounded(body string) string { return cut(body, llm.MaxErrorBody, "") }

// cut shortens s to n bytes at most, at the border of a character.
func cut(s string, n int, more string) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + more
}

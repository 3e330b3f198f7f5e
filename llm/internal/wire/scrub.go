package wire

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gosema/gosema/llm"
)

// scrubber blots out secrets in texts that came from elsewhere: servers like
// to quote the key that they refuse, in whole or in part, as it is or encoded.
// It keeps what it knows in a function, where no printing of it gets at.
type scrubber struct{ secrets func() []disguise }

// minSecret keeps placeholders such as "none" from blotting out plain words.
const minSecret = 8

func newScrubber(key string, header http.Header) scrubber {
	secrets := []string{key}
	for name, values := range header {
		if !IsSecretHeader(name) {
			continue
		}
		for _, v := range values {
			_, token, _ := strings.Cut(v, " ") // "Bearer token"
			secrets = append(secrets, cmp.Or(token, v))
		}
	}
	slices.Sort(secrets)
	secrets = slices.Compact(secrets)
	return scrubber{sync.OnceValue(func() (all []disguise) {
		for _, s := range secrets {
			if len(s) >= minSecret {
				all = append(all, disguises(s)...)
			}
		}
		return all
	})}
}

// maxScrubbed bounds the texts that errors are made of, in bytes: more is cut
// off before it is searched.
const maxScrubbed = 64 << 10

func (s scrubber) text(text string) string {
	text = cut(text, maxScrubbed, "")
	lower := lowerASCII(text)
	var found []span
	masks := findMasks(lower)
	for _, d := range s.secrets() {
		found = append(found, d.find(lower)...)
		if d.least > partial {
			continue // nobody masks what is encoded
		}
		for _, m := range masks {
			if around, ok := m.around(lower, d); ok {
				found = append(found, around)
			}
		}
	}
	return blot(text, found)
}

const redacted = "[redacted]"

// blot replaces the spans, which may overlap.
func blot(text string, found []span) string {
	if len(found) == 0 {
		return text
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var b strings.Builder
	at := 0
	for i, f := range found {
		if f.from > at || i == 0 {
			b.WriteString(text[at:max(at, f.from)] + redacted)
		}
		at = max(at, f.to)
	}
	b.WriteString(text[at:])
	return b.String()
}

// mask is a run of characters that stand for others, as in "sk-ab***yz".
type mask struct {
	span
	least int // letters of a secret that must stand around it
}

// findMasks finds the masks of a text in lower case.
func findMasks(text string) (all []mask) {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		end := at + size
		for end < len(text) && strings.HasPrefix(text[end:], text[at:at+size]) {
			end += size
		}
		n := (end - at) / size
		switch {
		case r == '…' || n >= 2 && strings.ContainsRune("*•█●", r) || n >= 3 && r == '.':
			all = append(all, mask{span{at, end}, 4})
		case n >= 3 && r == 'x': // also a part of words
			all = append(all, mask{span{at, end}, 6})
		}
		at = end
	}
	return all
}

// maxShown bounds the search on one side of a mask.
const maxShown = 32

// around is the mask with what a text shows of a secret on both sides of it; ok
// is false if that is too little to be one.
func (m mask) around(text string, d disguise) (all span, ok bool) {
	left, right := 0, 0
	for n := min(len(d.text), m.from, maxShown); n > 0 && left == 0; n-- {
		if strings.HasSuffix(text[:m.from], d.text[:n]) {
			left = n
		}
	}
	for n := min(len(d.text), len(text)-m.to, maxShown); n > 0 && right == 0; n-- {
		if strings.HasPrefix(text[m.to:], d.text[len(d.text)-n:]) {
			right = n
		}
	}
	return span{m.from - left, m.to + right}, left+right >= m.least
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

package wire

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
)

// disguise is a secret as a text may show it, in lower case, in which texts are
// searched for it. A start or an end of it counts from least bytes on.
type disguise struct {
	text  string
	least int
}

// partial is how much of a secret may be shown: names of kinds of keys, such as
// "sk-ant", are no secret, and too much would be blotted out with less.
const partial = 8

// disguises are the ways to write a secret.
func disguises(secret string) (all []disguise) {
	add := func(text string, perByte int) {
		text = lowerASCII(text)
		for _, d := range all {
			if d.text == text {
				return
			}
		}
		all = append(all, disguise{text, min(partial*perByte, len(text))})
	}
	quoted, _ := json.Marshal(secret) // a string
	inJSON := strings.Trim(string(quoted), `"`)
	percent, unicode, escaped := "", "", ""
	for _, b := range []byte(secret) {
		percent += fmt.Sprintf("%%%02x", b)
		unicode += fmt.Sprintf(`\u%04x`, b)
		if isAlphanumeric(b) {
			escaped += string(rune(b))
		} else {
			escaped += fmt.Sprintf(`\u%04x`, b)
		}
	}
	for _, text := range []string{secret, inJSON, strings.ReplaceAll(inJSON, "/", `\/`), strings.Trim(fmt.Sprintf("%q", secret), `"`), escaped,
		url.QueryEscape(secret), url.PathEscape(secret), html.EscapeString(secret)} {
		add(text, 1)
	}
	add(percent, 3)
	add(unicode, 6)
	add(hex.EncodeToString([]byte(secret)), 2)
	for _, text := range inBase64(secret) {
		add(text, 2)
	}
	return all
}

// inBase64 is what a secret looks like inside of anything that is encoded, such
// as "user:secret": it may begin at each of three places in a group of bytes.
func inBase64(secret string) (all []string) {
	for shift := range 3 {
		raw := append(make([]byte, shift), secret...)
		from, to := (shift*8+5)/6, len(raw)*8/6 // characters that nothing else has a part in
		for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			if encoded := encoding.EncodeToString(raw); to-from >= partial {
				all = append(all, encoded[from:to])
			}
		}
	}
	return all
}

func isAlphanumeric(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// lowerASCII leaves all other bytes as they are, unlike strings.ToLower.
func lowerASCII(s string) string {
	lower := []byte(s)
	for i, b := range lower {
		if b >= 'A' && b <= 'Z' {
			lower[i] = b + 'a' - 'A'
		}
	}
	return string(lower)
}

// span is a part of a text, from its first byte to behind its last.
type span struct{ from, to int }

// find returns where a text shows d, or enough of its start or its end.
func (d disguise) find(text string) (found []span) {
	var heads, tails []span
	each(text, d.text[:d.least], func(at int) {
		heads = append(heads, span{at, at + common(text[at:], d.text)})
	})
	each(text, d.text[len(d.text)-d.least:], func(at int) {
		end := at + d.least
		tails = append(tails, span{end - commonEnd(text[:end], d.text), end})
	})
	// A start and an end with something between that nobody could read is one.
	for _, h := range heads {
		for len(tails) > 0 && tails[0].to <= h.to {
			found, tails = append(found, tails[0]), tails[1:]
		}
		if len(tails) > 0 && tails[0].from-h.to < 6*len(d.text) {
			h.to, tails = max(h.to, tails[0].to), tails[1:]
		}
		found = append(found, h)
	}
	return append(found, tails...)
}

// each calls f with the places of part in text.
func each(text, part string, f func(at int)) {
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return
		}
		f(from + i)
		from += i + len(part)
	}
}

// common is the length of what two texts begin with.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// commonEnd is the length of what two texts end with.
func commonEnd(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

package wire

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestScrub(t *testing.T) {
	const key = "sk-proj-AbCd1234/+efGH"
	s := newScrubber(key, http.Header{"X-Token": {"Token gateway-secret"}, "X-Team": {"the blue team"}, "Cookie": {"none"}})
	for text, want := range map[string]string{
		"":                             "",
		"nothing to see":               "nothing to see",
		"key " + key + ".":             "key [redacted].",
		key + key:                      "[redacted]",
		"SK-PROJ-ABCD1234/+EFGH":       "[redacted]",
		"a sk-proj-AbCd1234%2F%2BefGH": "a [redacted]",
		`"sk-proj-AbCd1234\/+efGH"`:    `"[redacted]"`,
		`sk\u002dproj\u002dAbCd1234\u002f\u002befGH!`: "[redacted]!",
		"begins with sk-proj-AbC, you know":           "begins with [redacted], you know",
		"ends in d1234/+efGH":                         "ends in [redacted]",
		"sk-proj-AbC~~~~1234/+efGH":                   "[redacted]",
		"sk-proj-*****efGH":                           "[redacted]",
		"sk-p**H":                                     "[redacted]",
		"sk-pr...efGH is wrong":                       "[redacted] is wrong",
		"sk-p… is wrong":                              "[redacted] is wrong",
		"keys look like sk-...":                       "keys look like sk-...",
		"wait... sk-ant":                              "wait... sk-ant",
		"**bold** xxx s***k":                          "**bold** xxx s***k",
		"skXXXXXXgh":                                  "skXXXXXXgh",
		"sk-pXXXXXXgh":                                "[redacted]",
		"Basic dXNlcjpzay1wcm9qLUFiQ2QxMjM0LytlZkdI is no key": "Basic dXNlcjp[redacted] is no key",
		"gateway-secret by the blue team for none":             "[redacted] by the blue team for none",
		"é\xff" + key + "ü":                                    "é\xff[redacted]ü",
	} {
		assert.Equal(t, want, s.text(text), text)
	}
	long := s.text(strings.Repeat("x", maxScrubbed-10) + key)
	assert.NotContains(t, long, "sk-proj")
	assert.NotContains(t, s.text(strings.Repeat("**sk-p", 40_000)), "sk-p**")
	assert.Equal(t, "short keys are placeholders", newScrubber("short", nil).text("short keys are placeholders"))
}

func FuzzScrub(f *testing.F) {
	f.Add("sk-ab***yz", "sk-abcdefghyz")
	f.Add("\xff…\u212a", "\u212aey-\xff-12345")
	f.Fuzz(func(t *testing.T, text, key string) {
		s := newScrubber(key, nil)
		if len(key) >= minSecret && len(text) < 1000 {
			if got := s.text(text + key + text); strings.Contains(got, key) && !strings.Contains("[redacted]", key) && !strings.Contains(text, key) {
				t.Errorf("%q is in %q", key, got)
			}
		}
		s.text(text)
	})
}

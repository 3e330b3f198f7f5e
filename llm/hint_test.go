package llm_test

import (
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// What hints are waited for, alone and with a next provider.
func TestHints(t *testing.T) {
	const backoff = 250 * time.Millisecond
	never := time.Duration(-1)
	cases := []struct {
		name     string
		header   http.Header
		body     string
		alone    time.Duration // the wait, or never
		withNext time.Duration
		hint     time.Duration // in the error
	}{
		{"beyond the cap", header("Retry-After", "300"), "", never, never, 300 * time.Second},
		{"beyond the cap with next", header("Retry-After", "45"), "", 45 * time.Second, never, 45 * time.Second},
		{"at the cap", header("Retry-After", "120"), "", 120 * time.Second, never, 120 * time.Second},
		{"at the cap with next", header("Retry-After", "30"), "", 30 * time.Second, 30 * time.Second, 30 * time.Second},
		{"far date", header("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"), "", never, never, 1<<63 - 1},
		{"near date", header("Retry-After", "Mon, 01 Jan 2024 00:00:07 GMT", "Date", "Mon, 01 Jan 2024 00:00:00 GMT"), "", 7 * time.Second, 7 * time.Second, 7 * time.Second},
		{"past date", header("Retry-After", "Mon, 01 Jan 2001 00:00:00 GMT"), "", backoff, backoff, 0},
		{"fraction", header("Retry-After", "5.9"), "", 5900 * time.Millisecond, 5900 * time.Millisecond, 5900 * time.Millisecond},
		{"below the backoff", header("Retry-After", "0"), "", backoff, backoff, 0},
		{"negative", header("Retry-After", "-1"), "", backoff, backoff, 0},
		{"too large a number", header("Retry-After", "99999999999999999999"), "", backoff, backoff, 0},
		{"milliseconds first", header("Retry-After-Ms", "1500", "Retry-After", "9"), "", 1500 * time.Millisecond, 1500 * time.Millisecond, 1500 * time.Millisecond},
		{"header before body text", header("Retry-After", "2"), `{"error":{"message":"try again in 33s"}}`, 2 * time.Second, 2 * time.Second, 2 * time.Second},
		{"retry info", header(), `[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"m","details":[
			{"@type":"type.googleapis.com/google.rpc.Help"},
			{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"25.837906927s"}]}}]`,
			25837906927, 25837906927, 25837906927},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			limited := llmtest.Reply{Status: 429, Header: c.header, Text: "slow"}
			if c.body != "" {
				limited.Text, limited.Body = "", []byte(c.body)
			}
			config := llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{limited, {Text: "first"}}}}

			r := newRig(t, llmtest.OpenAI, config)
			resp, err := r.call().Complete(t.Context(), hello())
			if c.alone == never {
				e := asError(t, err)
				assert.Equal(t, llm.KindRateLimit, e.Kind)
				assert.Equal(t, c.hint, e.RetryAfter.Wait)
				assert.Empty(t, r.clock.Sleeps())
			} else {
				require.NoError(t, err)
				assert.Equal(t, []time.Duration{c.alone}, r.clock.Sleeps())
				assert.Equal(t, c.alone, resp.Attempts[0].Wait)
			}

			r = newRig(t, llmtest.OpenAI, config)
			call := r.call()
			call.Chain = append(call.Chain, llm.Entry{Provider: llmtest.NewProvider("b", llmtest.Step{Text: "second"})})
			resp, err = call.Complete(t.Context(), hello())
			require.NoError(t, err)
			if c.withNext == never {
				assert.Equal(t, "second", resp.Text)
				assert.Empty(t, r.clock.Sleeps())
			} else {
				assert.Equal(t, "first", resp.Text)
				assert.Equal(t, []time.Duration{c.withNext}, r.clock.Sleeps())
			}
		})
	}
}

func TestParseHint(t *testing.T) {
	now := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	none := time.Duration(-1)
	cases := []struct {
		millis, after string
		want          time.Duration
	}{
		{"", "", none},
		{"", "0", 0},
		{"", "7", 7 * time.Second},
		{"", " 3 ", 3 * time.Second},
		{"", "5.9", 5900 * time.Millisecond},
		{"", ".5", 500 * time.Millisecond},
		{"", "-1", none},
		{"", "+1", none},
		{"", "NaN", none},
		{"", "Inf", none},
		{"", "1e999", none},
		{"", "1e3", none},
		{"", "0x10", none},
		{"", "1.2.3", none},
		{"", ".", none},
		{"", "soon", none},
		{"", "99999999999999999999", none},
		{"", "9999999999999", math.MaxInt64}, // longer than a Duration, but a number of milliseconds
		{"1500", "9", 1500 * time.Millisecond},
		{"0.5", "9", 500 * time.Microsecond},
		{"-5", "9", 9 * time.Second},
		{"nonsense", "", none},
		{"", "Wed, 01 May 2024 12:00:45 GMT", 45 * time.Second},
		{"", "Wed, 01 May 2024 11:00:00 GMT", 0},
		{"", "Wednesday, 01-May-24 12:00:45 GMT", 45 * time.Second},
		{"", "Fri, 31 Dec 9999 23:59:59 GMT", math.MaxInt64},
		{"", "Wed, 45 May 2024 12:00:45 GMT", none},
	}
	for _, c := range cases {
		got := llm.ParseHint(header("Retry-After-Ms", c.millis, "Retry-After", c.after), now)
		assert.Equal(t, c.want != none, got.Known, "%+v", c)
		assert.Equal(t, max(0, c.want), got.Wait, "%+v", c)
		assert.Equal(t, c.after, got.Header)
	}
	skewed := header("Retry-After", "Wed, 01 May 2024 12:00:45 GMT", "Date", "Wed, 01 May 2024 12:00:40 GMT")
	assert.Equal(t, 5*time.Second, llm.ParseHint(skewed, now).Wait)
}

func FuzzParseHint(f *testing.F) {
	for _, s := range []string{"", "0", "5.9", "-1", "NaN", "1e999", "99999999999999999999", " 3 ", "Fri, 31 Dec 9999 23:59:59 GMT"} {
		f.Add(s, s, "Wed, 01 May 2024 12:00:40 GMT")
	}
	f.Fuzz(func(t *testing.T, millis, after, date string) {
		h := http.Header{"Retry-After-Ms": {millis}, "Retry-After": {after}, "Date": {date}}
		hint := llm.ParseHint(h, time.Now())
		if hint.Wait < 0 || !hint.Known && hint.Wait != 0 {
			t.Fatalf("%+v", hint)
		}
	})
}

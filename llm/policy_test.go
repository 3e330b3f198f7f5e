package llm_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

func TestDefaultPolicyWaits(t *testing.T) {
	p := llm.DefaultPolicy()
	wait := func(n int, r float64) time.Duration {
		d, ok := p.Rule.Wait(&p, n, &llm.Error{}, false, func() float64 { return r })
		require.True(t, ok)
		return d
	}
	assert.Equal(t, 500*time.Millisecond, wait(0, 1))
	assert.Equal(t, 2*time.Second, wait(2, 1))
	assert.Equal(t, 30*time.Second, wait(6, 1))
	assert.Equal(t, 30*time.Second, wait(6000, 1))
	assert.Zero(t, wait(3, 0))
	p.Cap = 0
	assert.Zero(t, wait(3, 1))
}

// The second seed's table of default verdicts, on real responses.
func TestClientPolicyVerdicts(t *testing.T) {
	retried := map[int]bool{429: true, 500: true, 502: true, 503: true, 504: true, 529: true}
	for _, status := range []int{400, 401, 404, 408, 409, 429, 500, 501, 502, 503, 504, 505, 507, 520, 524, 527, 529} {
		for _, extra := range [][]int{nil, {409, 524}} {
			p := llm.ClientPolicy()
			p.Statuses = extra
			kind, retryable := llm.Classify(status, "")
			e := &llm.Error{Kind: kind, Status: status, Retryable: retryable}
			want := retried[status] || extra != nil && (status == 409 || status == 524)
			assert.Equal(t, want, p.Rule.Retryable(&p, e), "%d %v", status, extra)
		}
	}
	p := llm.ClientPolicy()
	assert.True(t, p.Rule.Retryable(&p, &llm.Error{Kind: llm.KindTimeout}))
	assert.True(t, p.Rule.Retryable(&p, &llm.Error{Kind: llm.KindNetwork}), "any transport failure")
	assert.False(t, p.Rule.Retryable(&p, &llm.Error{Kind: llm.KindParse, Status: 200}))
	assert.True(t, p.Rule.Retryable(&p, &llm.Error{Kind: llm.KindQuota, Status: 429}), "it knows no codes")
}

func TestClientPolicyWaits(t *testing.T) {
	p := llm.ClientPolicy()
	cases := []struct {
		n      int
		header string
		rand   float64
		want   time.Duration
	}{
		{0, "", 0, 500 * time.Millisecond},
		{1, "", 0.999, 1099 * time.Millisecond},
		{2, "", 0.5, 2050 * time.Millisecond},
		{10, "", 0, 512 * time.Second},
		{5000, "", 0.999, math.MaxInt64},
		{0, "0", 0, 0},
		{0, "7", 0.5, 7 * time.Second},
		{3, "300", 0, 300 * time.Second},
		{0, "Fri, 31 Dec 9999 23:59:59 GMT", 0, 500 * time.Millisecond},
		{0, "-1", 0, 500 * time.Millisecond},
	}
	for _, c := range cases {
		hint := llm.ParseHint(header("Retry-After", c.header), time.Now())
		got, ok := p.Rule.Wait(&p, c.n, &llm.Error{RetryAfter: hint}, true, func() float64 { return c.rand })
		assert.True(t, ok)
		assert.Equal(t, c.want, got, "%+v", c)
	}
}

func TestClientPolicyCall(t *testing.T) {
	replies := []llmtest.Reply{
		{Status: 429}, {Status: 429, Header: header("Retry-After", "3")}, {Text: "ok"},
	}
	r := newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: replies}})
	call := r.call()
	call.Policy = llm.ClientPolicy()
	_, err := call.Complete(t.Context(), hello())
	require.Error(t, err, "no retries by default")
	assert.Len(t, r.Requests(), 1)

	r = newRig(t, llmtest.OpenAI, llmtest.Config{Script: llmtest.Script{Replies: replies}})
	call = r.call()
	call.Policy = llm.ClientPolicy()
	call.Policy.Retries = 3
	resp, err := call.Complete(t.Context(), hello())
	require.NoError(t, err)
	assert.Equal(t, "ok", resp.Text)
	assert.Equal(t, []time.Duration{550 * time.Millisecond, 3 * time.Second}, r.clock.Sleeps())
}

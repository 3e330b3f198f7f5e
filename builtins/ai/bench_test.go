package ai_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// BenchmarkOverhead compares llm/complete, from the language, with a bare POST
// of net/http: the same bodies, the same server on loopback, turn by turn, so
// that a noisy machine troubles both alike.
func BenchmarkOverhead(b *testing.B) {
	answer := strings.Repeat("A line of \"text\".\n", 40)
	for name, reply := range map[string]llmtest.Reply{
		"short": {Text: "ok"},
		"long":  {Text: answer, Usage: &llm.Usage{InputTokens: 100, OutputTokens: 100}},
	} {
		b.Run(name, func(b *testing.B) { benchOverhead(b, reply) })
	}
}

func benchOverhead(b *testing.B, reply llmtest.Reply) {
	r := newRig(b, realTime)
	s := r.repeating("a", reply)
	program := `(fn () (llm/complete "` + strings.Repeat("question ", 100) + `" {:system "be brief"}))`
	fn, err := r.eval(b.Context(), program)
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context()) // as a program that can be stopped has
	defer cancel()
	call := func() error {
		_, err := r.in.Call(ctx, fn)
		return err
	}
	if err := call(); err != nil {
		b.Fatal(err)
	}
	post := barePost(b, s.URL+"/v1/chat/completions", s.Requests()[0].Body)
	turns := map[string][]float64{}
	for b.Loop() {
		for name, f := range map[string]func() error{"call": call, "post": post} {
			turns[name] = append(turns[name], perTurn(b, f))
		}
	}
	for _, us := range turns {
		slices.Sort(us)
	}
	low := func(name string) float64 { return turns[name][len(turns[name])/10] }
	b.ReportMetric(low("call"), "µs/call")
	b.ReportMetric(low("post"), "µs/post")
	b.ReportMetric(low("call")/low("post"), "ratio")
}

// perTurn is how long f takes, in microseconds.
func perTurn(b *testing.B, f func() error) float64 {
	const n = 20
	start := time.Now()
	for range n {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
	return float64(time.Since(start).Nanoseconds()) / n / 1000
}

func barePost(b *testing.B, url string, body []byte) func() error {
	transport := &http.Transport{}
	b.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	return func() error {
		resp, err := client.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.ReadAll(resp.Body)
		return err
	}
}

// BenchmarkDefined is a call without a network: what the bindings and the loop
// cost by themselves.
func BenchmarkDefined(b *testing.B) {
	r := newRig(b, realTime)
	r.ok(`(llm/define-provider :p {:complete (fn (req) "ok")})`)
	fn, err := r.eval(b.Context(), `(fn () (llm/complete "x" {:system "be brief"}))`)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.in.Call(b.Context(), fn); err != nil {
			b.Fatal(err)
		}
	}
}

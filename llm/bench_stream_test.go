package llm_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/openai"
)

// streamBody is a stream of so many events, each with a piece of text.
func streamBody(events int) []byte {
	var b bytes.Buffer
	for i := range events {
		fmt.Fprintf(&b, "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"piece %d \"},\"finish_reason\":null}]}\n\n", i)
	}
	b.WriteString("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	return b.Bytes()
}

// fromMemory answers every request with one body.
type fromMemory struct{ body []byte }

func (m fromMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, r.Body)
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(bytes.NewReader(m.body)), Request: r}, nil
}

// scanned decodes a stream with bufio.Scanner and encoding/json, as simple
// clients do.
func scanned(body []byte) (text int, err error) {
	lines := bufio.NewScanner(bytes.NewReader(body))
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok || string(data) == "[DONE]" {
			continue
		}
		var event struct {
			Choices []struct {
				Delta struct {
					Content string `json:"content"`
				} `json:"delta"`
			} `json:"choices"`
		}
		if err := json.Unmarshal(data, &event); err != nil {
			return text, err
		}
		for _, c := range event.Choices {
			text += len(c.Delta.Content)
		}
	}
	return text, lines.Err()
}

// BenchmarkStreamDecoding compares a call of a stream of 1e5 events with the
// simple loop, turn by turn.
func BenchmarkStreamDecoding(b *testing.B) {
	const events = 100_000
	body := streamBody(events)
	p, err := openai.New(openai.Config{Endpoint: llm.Endpoint{BaseURL: "http://127.0.0.1", DefaultModel: "m", Client: &http.Client{Transport: fromMemory{body}}}})
	if err != nil {
		b.Fatal(err)
	}
	call := &llm.Call{Chain: []llm.Entry{{Provider: p}}, Policy: llm.DefaultPolicy()}
	var turns [2][]float64
	sizes := [2]int{}
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		sizes[0] = 0
		if _, err := call.Stream(b.Context(), question(), func(piece string) error { sizes[0] += len(piece); return nil }); err != nil {
			b.Fatal(err)
		}
		turns[0] = append(turns[0], time.Since(start).Seconds())
		start = time.Now()
		if sizes[1], err = scanned(body); err != nil {
			b.Fatal(err)
		}
		turns[1] = append(turns[1], time.Since(start).Seconds())
	}
	if sizes[0] != sizes[1] {
		b.Fatalf("%d bytes of text against %d", sizes[0], sizes[1])
	}
	for i := range turns {
		slices.Sort(turns[i])
	}
	ours, simple := turns[0][len(turns[0])/2], turns[1][len(turns[1])/2]
	b.ReportMetric(events/ours, "events/s")
	b.ReportMetric(simple/ours, "speed/simple")
}

// BenchmarkConcurrent makes 1000 calls at the same time to a server that answers
// after 100 ms, and as many bare posts.
func BenchmarkConcurrent(b *testing.B) {
	const calls, answer = 1000, 100 * time.Millisecond
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		time.Sleep(answer)
		io.WriteString(w, `{"model":"m","choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`)
	}))
	b.Cleanup(s.Close)
	transport := &http.Transport{MaxIdleConnsPerHost: calls}
	b.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	p, err := openai.New(openai.Config{Endpoint: llm.Endpoint{BaseURL: s.URL, DefaultModel: "m", Client: client}})
	if err != nil {
		b.Fatal(err)
	}
	call := &llm.Call{Chain: []llm.Entry{{Provider: p}}, Policy: llm.DefaultPolicy()}
	ours := func() error { _, err := call.Complete(b.Context(), question()); return err }
	body := []byte(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`)
	bare := func() error {
		resp, err := client.Post(s.URL, "application/json", bytes.NewReader(body))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	var turns [2][]float64
	var memory [2]float64
	for b.Loop() {
		for i, f := range []func() error{ours, bare} {
			took, used := together(b, calls, answer/2, f)
			turns[i] = append(turns[i], took.Seconds())
			memory[i] = max(memory[i], used)
		}
	}
	for i := range turns {
		slices.Sort(turns[i])
	}
	median := func(i int) float64 { return turns[i][len(turns[i])/2] }
	b.ReportMetric(median(0)*1e3, "ms/1000-calls")
	b.ReportMetric(median(1)*1e3, "ms/1000-posts")
	b.ReportMetric(median(0)/median(1), "ratio")
	b.ReportMetric(memory[0]/calls, "B/call-in-flight")
	b.ReportMetric(memory[1]/calls, "B/post-in-flight")
}

// together runs f so many times at once, and measures the memory that is in use
// in the middle, both ends of the connections included.
func together(b *testing.B, n int, middle time.Duration, f func() error) (took time.Duration, used float64) {
	runtime.GC()
	var before, during runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			if err := f(); err != nil {
				b.Error(err)
			}
		})
	}
	time.Sleep(middle)
	runtime.ReadMemStats(&during)
	all.Wait()
	return time.Since(start), float64(during.HeapInuse+during.StackInuse) - float64(before.HeapInuse+before.StackInuse)
}

package llm_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/openai"
)

// benchServer answers every request with one body, and hands on the request's.
func benchServer(b *testing.B) (url string, request []byte) {
	answer, _ := json.Marshal(map[string]any{
		"model":   "m",
		"choices": []any{map[string]any{"message": map[string]any{"content": strings.Repeat("answer ", 100)}, "finish_reason": "stop"}},
		"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 100},
	})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if request == nil {
			request = body
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer)
	}))
	b.Cleanup(s.Close)
	call, req := benchCall(b, s.URL)
	if _, err := call.Complete(b.Context(), req); err != nil {
		b.Fatal(err)
	}
	return s.URL, request
}

func benchCall(b *testing.B, url string) (*llm.Call, *llm.Request) {
	transport := &http.Transport{}
	b.Cleanup(transport.CloseIdleConnections)
	p, err := openai.New(openai.Config{Endpoint: llm.Endpoint{
		BaseURL: url, APIKey: "sk-123456789", DefaultModel: "m", Client: &http.Client{Transport: transport},
	}})
	if err != nil {
		b.Fatal(err)
	}
	call := &llm.Call{Chain: []llm.Entry{{Provider: p}}, Policy: llm.DefaultPolicy(), Deadline: time.Now().Add(time.Hour)}
	req := &llm.Request{System: "be brief", Messages: []llm.Message{llm.User(strings.Repeat("question ", 100))}, Timeout: time.Minute}
	return call, req
}

// BenchmarkComplete is a whole call, with a deadline and a timeout.
func BenchmarkComplete(b *testing.B) {
	url, _ := benchServer(b)
	call, req := benchCall(b, url)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := call.Complete(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBarePost is net/http alone, with the same bodies and no JSON.
func BenchmarkBarePost(b *testing.B) {
	url, body := benchServer(b)
	benchPost(b, url, func() []byte { return body }, func([]byte) error { return nil })
}

// BenchmarkBareJSON is net/http and encoding/json into plain structs, with the
// same bodies: the least that a program does.
func BenchmarkBareJSON(b *testing.B) {
	url, body := benchServer(b)
	encode, decode := plainJSON(b, body)
	benchPost(b, url, encode, decode)
}

// plainJSON encodes the request that is in body, and decodes replies.
func plainJSON(b *testing.B, body []byte) (encode func() []byte, decode func([]byte) error) {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	var req struct {
		Model    string    `json:"model"`
		Messages []message `json:"messages"`
	}
	if err := json.Unmarshal(body, &req); err != nil {
		b.Fatal(err)
	}
	encode = func() []byte {
		raw, _ := json.Marshal(req)
		return raw
	}
	return encode, func(raw []byte) error {
		var reply struct {
			Model   string `json:"model"`
			Choices []struct {
				Message message `json:"message"`
				Finish  string  `json:"finish_reason"`
			} `json:"choices"`
			Usage struct {
				Prompt     int `json:"prompt_tokens"`
				Completion int `json:"completion_tokens"`
			} `json:"usage"`
		}
		return json.Unmarshal(raw, &reply)
	}
}

func benchPost(b *testing.B, url string, encode func() []byte, decode func([]byte) error) {
	post := poster(b, url, encode, decode)
	b.ReportAllocs()
	for b.Loop() {
		if err := post(); err != nil {
			b.Fatal(err)
		}
	}
}

func poster(b *testing.B, url string, encode func() []byte, decode func([]byte) error) func() error {
	transport := &http.Transport{}
	b.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	return func() error {
		resp, err := client.Post(url, "application/json", bytes.NewReader(encode()))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		raw, err := io.ReadAll(resp.Body)
		if err != nil {
			return err
		}
		return decode(raw)
	}
}

// BenchmarkOverhead compares a call with a bare client that makes the same
// request, reads the same reply and knows no JSON, and with one that encodes and
// decodes it; turn by turn, so that a noisy machine troubles all alike.
func BenchmarkOverhead(b *testing.B) {
	url, body := benchServer(b)
	call, req := benchCall(b, url)
	encode, decode := plainJSON(b, body)
	contenders := []func() error{
		func() error { _, err := call.Complete(b.Context(), req); return err },
		poster(b, url, func() []byte { return body }, func([]byte) error { return nil }),
		poster(b, url, encode, decode),
	}
	turns := make([][]float64, len(contenders))
	for b.Loop() {
		for i, f := range contenders {
			start := time.Now()
			for range 20 {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
			turns[i] = append(turns[i], float64(time.Since(start).Microseconds())/20)
		}
	}
	low := func(i int) float64 { // what the machine can do when it is left alone
		slices.Sort(turns[i])
		return turns[i][len(turns[i])/10]
	}
	b.ReportMetric(low(0), "µs/call")
	b.ReportMetric(low(0)/low(1), "call/post")
	b.ReportMetric(low(0)/low(2), "call/post-with-JSON")
}

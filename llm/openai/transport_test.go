package openai_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/openai"
)

const (
	whole    = `{"model":"m","choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`
	streamed = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
)

// serve answers every path by its name, and counts connections.
func serve(t *testing.T, http2 bool) (call func(path string) *llm.Call, conns *atomic.Int32) {
	t.Helper()
	conns = &atomic.Int32{}
	handler := func(w http.ResponseWriter, r *http.Request) {
		if http2 && r.ProtoMajor != 2 {
			t.Errorf("%s came over %s", r.URL.Path, r.Proto)
		}
		_, _ = io.Copy(io.Discard, r.Body)
		switch r.URL.Path {
		case "/whole/chat/completions":
			io.WriteString(w, whole)
		case "/packed/chat/completions":
			if r.Header.Get("Accept-Encoding") != "gzip" {
				t.Errorf("packing was not offered: %v", r.Header)
			}
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.WriteString(z, whole)
			z.Close()
		case "/fails/chat/completions":
			w.WriteHeader(503)
			fmt.Fprintf(w, "%0100000d", 1)
		case "/stream/chat/completions":
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, streamed)
		}
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(handler))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			conns.Add(1)
		}
	}
	server.EnableHTTP2 = http2
	if http2 {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return func(path string) *llm.Call {
		p, err := openai.New(openai.Config{Endpoint: llm.Endpoint{Name: "p", BaseURL: server.URL + path, DefaultModel: "m", Client: server.Client()}})
		require.NoError(t, err)
		c := &llm.Call{Chain: []llm.Entry{{Provider: p}}, Policy: llm.DefaultPolicy()}
		c.Policy.Retries = 0
		return c
	}, conns
}

// TestConnectionsAreReused: after whole replies, packed ones, failures and
// streams, over both protocols.
func TestConnectionsAreReused(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		t.Run(fmt.Sprintf("HTTP/2 is %v", http2), func(t *testing.T) {
			call, conns := serve(t, http2)
			req := &llm.Request{Messages: []llm.Message{llm.User("hello")}}
			for range 20 {
				for _, path := range []string{"/whole", "/packed"} {
					reply, err := call(path).Complete(t.Context(), req)
					require.NoError(t, err)
					require.Equal(t, "hi", reply.Text)
				}
				_, err := call("/fails").Complete(t.Context(), req)
				require.ErrorContains(t, err, "503")
				reply, err := call("/stream").Stream(t.Context(), req, func(string) error { return nil })
				require.NoError(t, err)
				require.Equal(t, "hi", reply.Text)
			}
			assert.LessOrEqual(t, conns.Load(), int32(3), "of 80 requests")
		})
	}
}

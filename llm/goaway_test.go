package llm_test

import (
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
	"github.com/gosema/gosema/llm/openai"
)

// h2server is a real HTTP/2 server over TLS, but for its first connection, which
// sends frames of the test's own.
type h2server struct {
	net.Listener
	server *httptest.Server
	first  func(conn net.Conn)
	once   sync.Once

	mu     sync.Mutex
	bodies []string
}

// Accept keeps the first connection for itself.
func (s *h2server) Accept() (net.Conn, error) {
	conn, err := s.Listener.Accept()
	mine := false
	if err == nil {
		s.once.Do(func() { mine = true })
	}
	if !mine {
		return conn, err
	}
	go func() {
		defer conn.Close()
		secure := tls.Server(conn, s.server.TLS)
		if secure.Handshake() == nil {
			s.first(secure)
		}
	}()
	return s.Accept()
}

func (s *h2server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bodies = append(s.bodies, string(body))
	io.WriteString(w, `{"choices":[{"message":{"content":"`+r.Proto+`"},"finish_reason":"stop"}]}`)
}

func newH2(t *testing.T, first func(conn net.Conn)) (*h2server, *llm.Call) {
	s := &h2server{first: first}
	s.server = httptest.NewUnstartedServer(s)
	s.Listener, s.server.Listener = s.server.Listener, s
	s.server.EnableHTTP2 = true
	s.server.StartTLS()
	t.Cleanup(s.server.Close)
	p, err := openai.New(openai.Config{Endpoint: llm.Endpoint{BaseURL: s.server.URL, DefaultModel: "m", Client: s.server.Client()}})
	require.NoError(t, err)
	return s, &llm.Call{Env: llm.Env{Clock: llmtest.NewClock()}, Chain: []llm.Entry{{Provider: p}}, Policy: llm.DefaultPolicy()}
}

const (
	frameData     = 0
	frameHeaders  = 1
	frameSettings = 4
	frameGoAway   = 7
	endOfHeaders  = 4
)

func frame(kind, flags byte, stream uint32, payload []byte) []byte {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(payload)))[1:]
	head = binary.BigEndian.AppendUint32(append(head, kind, flags), stream)
	return append(head, payload...)
}

// goAway says which streams were seen up to last, and why it leaves.
func goAway(last, code uint32) []byte {
	return frame(frameGoAway, 0, 0, binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, last), code))
}

// behindRequest sends frames when the headers of a request are there, and then
// leaves, or waits for the client to.
func behindRequest(leave bool, frames ...[]byte) func(net.Conn) {
	return func(conn net.Conn) {
		io.ReadFull(conn, make([]byte, len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")))
		conn.Write(frame(frameSettings, 0, 0, nil))
		for head := make([]byte, 9); head[3] != frameHeaders; {
			if _, err := io.ReadFull(conn, head); err != nil {
				return
			}
			io.CopyN(io.Discard, conn, int64(head[0])<<16|int64(head[1])<<8|int64(head[2]))
		}
		for _, f := range frames {
			conn.Write(f)
		}
		if !leave {
			io.Copy(io.Discard, conn)
		}
	}
}

// A server that goes away is asked again, on another connection, with the same
// bytes. Net/http itself repeats what the server says it has not looked at.
func TestGoAway(t *testing.T) {
	const noError, internalError, enhanceYourCalm = 0, 2, 11
	for name, c := range map[string]struct {
		frame    []byte
		attempts int
	}{
		"not looked at": {goAway(0, noError), 1}, "in the middle": {goAway(1, internalError), 2}, "too many requests": {goAway(1, enhanceYourCalm), 2},
	} {
		s, call := newH2(t, behindRequest(c.attempts > 1, c.frame))
		reply, err := call.Complete(t.Context(), hello())
		require.NoError(t, err, name)
		assert.Equal(t, "HTTP/2.0", reply.Text)
		require.Len(t, reply.Attempts, c.attempts, name)
		if c.attempts > 1 {
			assert.Equal(t, llm.KindNetwork, reply.Attempts[0].Kind, name)
		}
		assert.Equal(t, []string{`{"model":"m","messages":[{"role":"user","content":"hello"}]}`}, s.bodies)
	}
}

// In the middle of a stream what came before is kept, and nothing is repeated.
func TestGoAwayInStream(t *testing.T) {
	status200 := []byte{0x88} // of HPACK's static table
	s, call := newH2(t, behindRequest(true, frame(frameHeaders, endOfHeaders, 1, status200), frame(frameData, 0, 1, []byte(openaiText)), goAway(1, 2)))
	var pieces []string
	_, err := call.Stream(t.Context(), hello(), func(piece string) error {
		pieces = append(pieces, piece)
		return nil
	})
	e := asError(t, err)
	assert.Equal(t, llm.KindNetwork, e.Kind)
	assert.Equal(t, "par", e.Partial)
	assert.Equal(t, []string{"par"}, pieces)
	assert.Empty(t, s.bodies)
}

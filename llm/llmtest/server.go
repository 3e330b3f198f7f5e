package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Config is what a server plays.
type Config struct {
	Script // for paths that have no script of their own
	// Paths has scripts for paths by their prefix; the longest fitting one counts.
	Paths map[string]Script
}

// Validate reports the first script that cannot be played.
func (c Config) Validate() error {
	if err := c.Script.Validate(); err != nil {
		return err
	}
	for prefix, script := range c.Paths {
		if !strings.HasPrefix(prefix, "/") {
			return fmt.Errorf("path %q must begin with a slash", prefix)
		}
		if err := script.Validate(); err != nil {
			return fmt.Errorf("path %q: %w", prefix, err)
		}
	}
	return nil
}

// Server is a scripted HTTP server on loopback.
type Server struct {
	URL string // such as "http://127.0.0.1:34567", without a slash at the end

	http   http.Server
	closed chan struct{}
	done   sync.WaitGroup // connections, and the goroutine that accepts them

	mu      sync.Mutex
	players map[string]*player // by prefix; "" is for the rest
	journal []Request
}

// NewServer starts a server that plays the replies and then refuses.
func NewServer(replies ...Reply) (*Server, error) {
	return Start(Config{Script: Script{Replies: replies}})
}

// Start starts a server.
func Start(c Config) (*Server, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("llmtest: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("llmtest: %w", err)
	}
	s := &Server{
		URL:     "http://" + listener.Addr().String(),
		closed:  make(chan struct{}),
		players: map[string]*player{"": {script: c.Script}},
	}
	for prefix, script := range c.Paths {
		s.players[prefix] = &player{script: script}
	}
	s.http.Handler = http.HandlerFunc(s.serve)
	s.http.ConnState = s.track
	s.done.Go(func() { s.http.Serve(listener) })
	return s, nil
}

// track counts connections. A hijacked one is closed by its handler, and one
// that came in just as Close looked round is closed here.
func (s *Server) track(conn net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.done.Add(1)
		select {
		case <-s.closed:
			conn.Close()
		default:
		}
	case http.StateClosed, http.StateHijacked:
		s.done.Done()
	}
}

// Close ends all connections, delayed replies too, and waits for them. It may
// be called again.
func (s *Server) Close() {
	s.mu.Lock()
	select {
	case <-s.closed:
	default:
		close(s.closed)
	}
	s.mu.Unlock()
	s.http.Close()
	s.done.Wait()
}

// Requests returns a copy of the journal, in order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.journal)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away while it asked
	}
	reply := s.enter(r, body)
	if !s.wait(r, reply.Delay) {
		panic(http.ErrAbortHandler) // a plain return would answer
	}
	switch reply.Fault {
	case Drop, Reset:
		hangUp(w, reply.Fault == Reset)
	default:
		model, streamed := asked(r.URL.Path, body)
		if streamed {
			s.stream(w, r, reply, reply.renderStream(dialectOf(r.URL.Path), model))
			return
		}
		s.send(w, r, reply, reply.render(dialectOf(r.URL.Path), model))
	}
}

// enter puts the request into the journal and takes its reply.
func (s *Server) enter(r *http.Request, body []byte) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.journal = append(s.journal, journalEntry(r, body))
	best := ""
	for prefix := range s.players {
		if len(prefix) > len(best) && strings.HasPrefix(r.URL.Path, prefix) {
			best = prefix
		}
	}
	return s.players[best].next()
}

// wait delays a reply, unless the client or the server goes away.
func (s *Server) wait(r *http.Request, d time.Duration) bool {
	if d == 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-s.closed:
	}
	return false
}

// hangUp closes the connection without a reply.
func hangUp(w http.ResponseWriter, reset bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		tcp.SetLinger(0)
	}
	conn.Close()
}

// cut is the part of a body that is sent, and whether the connection ends behind
// it.
func (r Reply) cut(body []byte) (sent []byte, drop bool) {
	if r.Truncate > 0 {
		body = body[:min(r.Truncate, len(body))]
	}
	if r.DropAfter > 0 {
		return body[:min(r.DropAfter, len(body))], true
	}
	return body, r.Fault == Short
}

func (s *Server) send(w http.ResponseWriter, r *http.Request, reply Reply, body []byte) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	body, drop := reply.cut(body)
	length := len(body)
	if drop {
		length += 100
	}
	header.Set("Content-Length", strconv.Itoa(length))
	for name, values := range reply.Header {
		header[http.CanonicalHeaderKey(name)] = values
	}
	if reply.Status == 0 {
		reply.Status = http.StatusOK
	}
	w.WriteHeader(reply.Status)
	s.write(w, r, body, reply.Piece)
	if drop {
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler) // closes the connection without more words
	}
}

// stream answers a request for a stream: without a length, each event by itself.
// A fault Short ends the connection before the body's end is announced.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, reply Reply, body []byte) {
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	if reply.Status >= 400 {
		header.Set("Content-Type", "application/json")
	}
	for name, values := range reply.Header {
		header[http.CanonicalHeaderKey(name)] = values
	}
	if reply.Status == 0 {
		reply.Status = http.StatusOK
	}
	w.WriteHeader(reply.Status)
	body, drop := reply.cut(body)
	end := "\n\n"
	if dialectOf(r.URL.Path) == Ollama {
		end = "\n"
	}
	parts := bytes.SplitAfter(body, []byte(end))
	if reply.Piece > 0 {
		parts = slices.Collect(slices.Chunk(body, reply.Piece))
	}
	s.pieces(w, r, parts, reply.Pace)
	switch {
	case drop:
		panic(http.ErrAbortHandler)
	case reply.Hang:
		select {
		case <-r.Context().Done():
		case <-s.closed:
		}
	}
}

// write sends the body, in pieces when piece is positive.
func (s *Server) write(w http.ResponseWriter, r *http.Request, body []byte, piece int) {
	if piece == 0 {
		w.Write(body)
		return
	}
	s.pieces(w, r, slices.Collect(slices.Chunk(body, piece)), 0)
}

func (s *Server) pieces(w http.ResponseWriter, r *http.Request, parts [][]byte, pace time.Duration) {
	flusher := http.NewResponseController(w)
	for i, part := range parts {
		if i > 0 && !s.wait(r, pace) {
			return
		}
		if _, err := w.Write(part); err != nil || r.Context().Err() != nil {
			return
		}
		flusher.Flush()
	}
}

// asked is the model that a request names, to be named in the reply, and whether
// it wants a stream.
func asked(path string, body []byte) (model string, streamed bool) {
	if dialectOf(path) == Gemini { // .../models/MODEL:METHOD
		name, method, _ := strings.Cut(path[strings.LastIndexByte(path, '/')+1:], ":")
		return name, strings.HasPrefix(method, "stream")
	}
	var request struct {
		Model  string `json:"model"`
		Stream bool   `json:"stream"`
	}
	json.Unmarshal(body, &request)
	return request.Model, request.Stream
}

package ai_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm/llmtest"
)

// gem is a key with characters that every encoding writes in its own way.
const gem = "sk-canary/47+11=do&not\"tell<me>"

// disguises are the ways in which servers were seen to show a key, or might.
func disguises(key string) map[string]string {
	percent := ""
	for _, b := range []byte(key) {
		percent += fmt.Sprintf("%%%02x", b)
	}
	n := len(key)
	return map[string]string{
		"plain": key, "upper case": strings.ToUpper(key), "bearer": "Bearer " + key,
		"query": url.QueryEscape(key), "path": url.PathEscape(key), "percent": percent, "lower query": strings.ToLower(url.QueryEscape(key)),
		"base64": base64.StdEncoding.EncodeToString([]byte(key)), "base64 url": base64.RawURLEncoding.EncodeToString([]byte(key)),
		"basic":     base64.StdEncoding.EncodeToString([]byte("u:" + key)),
		"bearer 64": base64.StdEncoding.EncodeToString([]byte("Bearer " + key + "\n")),
		"hex":       hex.EncodeToString([]byte(key)), "html": strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;").Replace(key),
		"go": fmt.Sprintf("%q", key), "stars": key[:6] + "***" + key[n-3:], "many stars": key[:8] + strings.Repeat("*", 20) + key[n-4:],
		"dots": key[:7] + "..." + key[n-4:], "ellipsis": key[:7] + "…" + key[n-4:], "bullets": key[:3] + "••••" + key[n-4:],
		"start": key[:12], "start and dots": key[:10] + "...", "end": "..." + key[n-9:], "xxxx": key[:5] + "XXXXXX" + key[n-4:],
	}
}

// leaks returns what a text tells of a key: six characters of it in a row, or of
// one of its disguises, or what is left around a mask.
func leaks(text, key string) string {
	lower := strings.ToLower(text)
	shown := []string{}
	for i := 0; i+8 <= len(key); i++ {
		shown = append(shown, key[i:i+8])
	}
	all := disguises(key)
	for _, name := range []string{"percent", "base64", "base64 url", "hex", "query", "html"} {
		d := all[name]
		shown = append(shown, d[:14], d[len(d)-14:], d[6:20])
	}
	shown = append(shown, key[:6], key[:5]+"x", key[:3]+"•", "*"+key[len(key)-3:], "x"+key[len(key)-4:], "."+key[len(key)-4:], "…"+key[len(key)-4:])
	for _, s := range shown {
		if strings.Contains(lower, strings.ToLower(s)) {
			return s
		}
	}
	return ""
}

func TestLeaksFindsDisguises(t *testing.T) {
	for _, key := range []string{canary, gem} {
		for name, d := range disguises(key) {
			if name != "basic" && name != "bearer 64" { // parts of these have another alignment
				assert.NotEmpty(t, leaks("key "+d+" is wrong", key), "%s: %s", name, d)
			}
		}
		assert.Empty(t, leaks("Incorrect API key provided: [redacted]. You can find your API key at https://platform.openai.com/account/api-keys.", key))
	}
}

// canaryNames are providers of every dialect.
var canaryNames = []string{"openai", "anthropic", "gemini", "ollama", "other"}

// canaryRig has a provider with a key of its own, and a program that fails with
// it in every way in which a program can look at a failure.
type canaryRig struct {
	*rig
	key string
}

func (c canaryRig) configure(name, base string) {
	c.t.Helper()
	require.NoError(c.t, c.define("key", c.key))
	address := fmt.Sprintf(":base-url %q", base)
	if name == "ollama" {
		address = fmt.Sprintf(":host %q", strings.TrimSuffix(base, "/v1"))
	}
	c.ok(fmt.Sprintf(`(llm/configure :%s {%s :api-key key :default-model "m"})`, name, address))
}

// look evaluates calls that fail, or not, and collects all that can be seen of
// them. A brief look makes the first two.
func (c canaryRig) look(brief bool) string {
	var seen strings.Builder
	calls := []string{
		`(llm/complete "x" {:timeout 40 :retries 1 :on-error (fn (i) (println i) (if (:retryable? i) :retry :fail)) :on-retry println})`,
		`(llm/stream "x" (fn (s) nil) {:timeout 40 :retries 1 :on-retry println})`,
		`(llm/with-fallback (list (llm/default-provider) (llm/default-provider)) (fn () (llm/complete "x" {:timeout 40 :retries 0})))`,
		`(llm/batch ["x" "y"] {:timeout 40 :retries 0 :on-item-error :collect})`,
		`(llm/batch ["x" "y"] {:timeout 40 :retries 0})`,
		`(retry (fn () (llm/complete "x" {:timeout 40 :retries 0})) {:max-attempts 2 :on-error (fn (i) (println i) :retry) :on-retry println})`,
		`(llm/complete "x" {:timeout 40 :retries 0 :on-error (fn (i) (throw i))})`,
	}
	if brief {
		calls = calls[:2]
	}
	for _, call := range calls {
		v, err := c.eval(c.t.Context(), call)
		fmt.Fprintln(&seen, value.Write(v), value.Display(v))
		if err != nil {
			e := eval.AsError(err)
			fmt.Fprintln(&seen, e.Render(), e.Map(), value.Write(e.Map()))
			for cause := error(e); cause != nil; cause = errors.Unwrap(cause) {
				fmt.Fprintf(&seen, "%v\n%+v\n%#v\n", cause, cause, cause)
			}
		}
		c.ok(fmt.Sprintf(`(println (try %s (catch e (list e (:message e) (:attempts e) (:partial e)))))`, call))
		c.ok(`(begin (println (llm/last-trace)) (display (llm/explain)) (println (llm/last-usage) (llm/list-providers) (llm/current-provider)))`)
	}
	seen.WriteString(c.out.String())
	return seen.String()
}

func newCanary(t *testing.T, key string, change ...func(*ai.Config)) canaryRig {
	return canaryRig{newRig(t, change...), key}
}

// echoes are the replies in which a server shows a key.
func echoes(shown string) map[string]llmtest.Reply {
	quoted := fmt.Sprintf("%q", shown)
	text := "Incorrect API key provided: " + shown + ". You can find your key at https://example.com."
	headers := http.Header{}
	for _, name := range []string{"Retry-After", "Retry-After-Ms", "X-Request-Id", "Www-Authenticate", "Set-Cookie", "Content-Type", "X-Echo"} {
		headers.Set(name, strings.ReplaceAll(shown, "•", "*"))
	}
	replies := map[string]llmtest.Reply{}
	for _, status := range []int{400, 401, 402, 403, 404, 408, 422, 429, 500, 503, 529} {
		replies[fmt.Sprint(status)] = llmtest.Reply{Status: status, Text: text, Header: headers}
	}
	more := map[string]string{
		"not JSON": text, "html": "<html><title>" + text + "</title>", "error text": `{"error":` + quoted + `}`, "error list": `[{"error":{"message":` + quoted + `}}]`,
		"detail": `{"detail":[{"input":` + quoted + `}]}`, "wrong type": `{"choices":` + quoted + `,"content":` + quoted + `,"candidates":` + quoted + `,"message":` + quoted + `}`,
		"wrong types": `{"choices":[{"message":` + quoted + `}],"content":[` + quoted + `],"candidates":[` + quoted + `],"message":{"content":[` + quoted + `]}}`,
		"cut":         `{"error":{"message":` + quoted, "block": `{"promptFeedback":{"blockReason":` + quoted + `}}`, "status as text": `{"error":{"code":` + quoted + `,"type":` + quoted + `,"status":` + quoted + `}}`,
		"finish": `{"candidates":[{"finishReason":` + quoted + `}],"choices":[],"content":[],"stop_reason":` + quoted + `}`,
		"event":  "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":" + quoted + "}}\n\n", "bad event": "data: {" + text + "\n\n",
		"after text": openaiPart + "data: {\"choices\":[],\"error\":{\"message\":" + quoted + ",\"code\":" + quoted + "}}\n\n", "bad event after text": openaiPart + "data: " + text + "\n\n",
		"anthropic after text": anthropicPart + "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":" + quoted + "}}\n\n",
		"ollama after text":    `{"message":{"content":"par"}}` + "\n" + `{"error":` + quoted + "}\n", "gemini after text": geminiPart + "data: {\"error\":{\"message\":" + quoted + "}}\n\n",
	}
	for name, body := range more {
		replies[name] = llmtest.Reply{Body: []byte(body)}
		replies[name+" 500"] = llmtest.Reply{Status: 500, Body: []byte(body)}
	}
	replies["short"] = llmtest.Reply{Status: 401, Text: text, Fault: llmtest.Short}
	replies["code"] = llmtest.Reply{Status: 400, Text: "x", Code: shown}
	for _, to := range []string{"https://other.example/" + url.PathEscape(shown), "http://u:" + url.QueryEscape(shown) + "@other.example/", "//" + shown + "/x", "https://x/?key=" + shown} {
		replies["redirect to "+to] = llmtest.Reply{Status: 307, Header: http.Header{"Location": {to}}}
	}
	return replies
}

const (
	openaiPart    = `data: {"choices":[{"delta":{"content":"par"}}]}` + "\n\n"
	anthropicPart = `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"par"}}` + "\n\n"
	geminiPart    = `data: {"candidates":[{"content":{"parts":[{"text":"par"}]}}]}` + "\n\n"
)

// TestCanary: whatever a server says, and in whatever disguise, nothing that a
// program or a person can look at tells the key.
func TestCanary(t *testing.T) {
	for _, key := range []string{canary, gem} {
		for disguise, shown := range disguises(key) {
			replies := echoes(shown)
			for i, name := range canaryNames {
				t.Run(disguise+" "+name, func(t *testing.T) {
					for what, reply := range replies {
						if (disguise != "plain" && disguise != "stars") && (len(what)+len(disguise)+i)%29 != 0 {
							continue // each disguise meets each reply at one of the dialects or another
						}
						c := newCanary(t, key)
						s, err := llmtest.Start(llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{reply}, Then: llmtest.Repeat}})
						require.NoError(t, err)
						c.configure(name, s.URL+"/v1")
						seen := c.look(key != canary || disguise != "plain")
						s.Close()
						if found := leaks(seen, key); found != "" {
							at := strings.Index(strings.ToLower(seen), strings.ToLower(found))
							t.Errorf("%s, %s: %q is in ...%s", what, shown, found, seen[max(0, at-300):min(len(seen), at+100)])
							return
						}
					}
				})
			}
		}
	}
}

// rawServer answers every connection with bytes that are no HTTP.
func rawServer(t *testing.T, reply string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				buf := make([]byte, 64<<10)
				conn.Read(buf)
				conn.Write([]byte(reply))
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// TestCanaryTransport: failures below and around HTTP.
func TestCanaryTransport(t *testing.T) {
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	self := httptest.NewUnstartedServer(http.NotFoundHandler())
	self.Config.ErrorLog = nil
	self.StartTLS()
	t.Cleanup(self.Close)
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	slow, err := llmtest.Start(llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Delay: time.Minute}}, Then: llmtest.Repeat}})
	require.NoError(t, err)
	t.Cleanup(slow.Close)
	for _, fault := range []llmtest.Fault{llmtest.Drop, llmtest.Reset, llmtest.Short} {
		s, err := llmtest.Start(llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Text: "", Fault: fault}}, Then: llmtest.Repeat}})
		require.NoError(t, err)
		t.Cleanup(s.Close)
		checkCanary(t, string(fault), canary, s.URL+"/v1")
	}
	for what, base := range map[string]string{
		"TLS to a plain server": strings.Replace(plain.URL, "http:", "https:", 1), "unknown authority": self.URL, "refused": closed.URL, "timeout": slow.URL,
		"no such host": "http://" + canary + ".invalid/v1", "key in path": closed.URL + "/" + canary, "key in query": closed.URL + "/v1?key=" + canary,
		"not HTTP": rawServer(t, canary+" says no\r\n\r\n"), "bad status": rawServer(t, "HTTP/1.1 "+canary+" NO\r\n\r\n"), "bad header": rawServer(t, "HTTP/1.1 200 OK\r\n"+canary+"\r\n\r\n"),
		"bad length":   rawServer(t, "HTTP/1.1 200 OK\r\nContent-Length: "+canary+"\r\n\r\n"),
		"bad encoding": rawServer(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: "+canary+"\r\n\r\n"), "bad chunk": rawServer(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+canary+"\r\n"),
		"trailer": rawServer(t, "HTTP/1.1 401 "+canary+"\r\nTrailer: "+canary+"\r\nContent-Length: 0\r\n\r\n"),
	} {
		checkCanary(t, what, canary, base)
	}
}

func checkCanary(t *testing.T, what, key, base string) {
	for _, name := range canaryNames {
		t.Run(what+" "+name, func(t *testing.T) {
			c := newCanary(t, key, func(c *ai.Config) { c.HTTPClient.Transport.(*http.Transport).DialContext = dialKnown })
			c.configure(name, base)
			seen := c.look(what == "timeout")
			assert.Empty(t, leaks(seen, key), "%s", seen)
		})
	}
}

// dialKnown knows no names, without asking any server for them.
func dialKnown(ctx context.Context, network, address string) (net.Conn, error) {
	if host, _, _ := net.SplitHostPort(address); net.ParseIP(host) == nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}}
	}
	return (&net.Dialer{}).DialContext(ctx, network, address)
}

// TestCanaryInJournal: what a mock server's journal shows to programs, and the
// REPL of a value that is a provider.
func TestCanaryInJournal(t *testing.T) {
	for _, name := range canaryNames {
		c := newCanary(t, canary)
		c.ok(`(define s (llm/mock-server {:replies ["ok"] :then :repeat}))`)
		url := strings.Trim(c.ok(`(:url s)`), `"`)
		c.configure(name, url)
		c.ok(`(begin (llm/complete "x") (llm/stream "x" (fn (s) nil)) (println ((:requests s)) s (llm/current-provider)))`)
		assert.Contains(t, c.out.String(), ":body")
		assert.Empty(t, leaks(c.out.String(), canary))
	}
}

// TestCanaryFromEnvironment: keys that come from the environment are no different.
func TestCanaryFromEnvironment(t *testing.T) {
	var asked atomic.Int32
	transport := roundTripper(func(r *http.Request) (*http.Response, error) {
		asked.Add(1)
		return nil, fmt.Errorf("no way to %s with %v", r.URL, r.Header)
	})
	c := newCanary(t, canary, func(c *ai.Config) {
		c.Getenv = func(name string) string {
			if strings.HasSuffix(name, "_API_KEY") {
				return canary
			}
			return ""
		}
		c.HTTPClient = &http.Client{Transport: transport}
	})
	providers := strings.Fields(strings.Trim(c.ok("(llm/list-providers)"), "()"))
	require.Greater(t, len(providers), 10)
	for _, name := range providers {
		c.ok(fmt.Sprintf(`(llm/set-default %s)`, name))
		assert.Empty(t, leaks(c.look(false), canary), name)
	}
	assert.Positive(t, asked.Load())
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

package ai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// calls is a reply in which the model calls the tools at once, each without
// arguments.
func calls(names ...string) (r llmtest.Reply) {
	for i, n := range names {
		r.ToolCalls = append(r.ToolCalls, llm.ToolCall{ID: fmt.Sprintf("call_%d", i+1), Name: n, Arguments: "{}"})
	}
	return r
}

func used(r llmtest.Reply, in, out int) llmtest.Reply {
	r.Usage = &llm.Usage{InputTokens: in, OutputTokens: out}
	return r
}

func TestClientRunResult(t *testing.T) {
	r := newRig(t)
	r.client("", used(asks("add", `{"a":1,"b":2}`), 10, 4), used(text("three"), 20, 3))
	r.checks(`
		(define tools [{:name "add" :description "adds" :parameters {:a :number :b :number} :fn (fn (a b) (+ a b))}]) ; => nil
		(define r (client/run c "1 + 2?" {:toolkit tools})) ; => nil
		(keys r) ; => (:messages :model :status :text :tool-call-count :tool-calls :turns :usage)
		(list (:text r) (:status r) (:turns r) (:tool-call-count r) (:model r) (:limit r)) ; => ("three" "done" 2 1 "m" nil)
		(:usage r) ; => {:completion-tokens 7 :prompt-tokens 30 :total-tokens 37}
		(first (:tool-calls r)) ; => {:args {:a 1 :b 2} :id "call_1" :isError #f :ms 0 :name "add" :output "3"}
		(map :role (:messages r)) ; => ("user" "assistant" "tool" "assistant")
		(nth (:messages r) 2) ; => {:content "3" :is-error #f :name "add" :role "tool" :tool-call-id "call_1"}
	`)
	r.client("", text("hello"))
	r.checks(`
		(:usage (client/run c "hi")) ; => {:completion-tokens nil :prompt-tokens nil :total-tokens nil}
	`)
}

// :max-turns bounds the requests of a run; ten by default.
func TestClientMaxTurns(t *testing.T) {
	for options, turns := range map[string]int{"": 10, ":max-turns 5": 5, ":max-turns 1": 1, ":max-turns nil": 10} {
		r := newRig(t)
		s := r.clientOf(options, llmtest.Script{Replies: []llmtest.Reply{calls("f")}, Then: llmtest.Repeat})
		r.checks(`
			(define n 0) ; => nil
			(define r (client/run c "go" {:toolkit [{:name "f" :fn (fn () (set! n (+ n 1)) "more")}]})) ; => nil
			(list (:status r) (:limit r)) ; => ("incomplete" "maxTurns")
		`)
		assert.Equal(t, fmt.Sprint(turns), r.ok("(:turns r)"), options)
		assert.Equal(t, fmt.Sprint(turns), r.ok("n"), "every call has its result")
		assert.Len(t, s.Requests(), turns, options)
	}
}

// Only the model's request raises. What goes wrong with a tool is for the model
// to read, and no reason for the client to try again.
func TestClientToolErrors(t *testing.T) {
	for _, c := range []struct {
		call          llmtest.Reply
		tool, message string
	}{
		{calls("f"), `:fn (fn () (error "bang"))`, "Error: bang"},
		{calls("f"), `:fn (fn () (throw {:code 7}))`, "Error: "},
		{calls("f"), `:fn (fn () (car 5))`, "Error: expected a list"},
		{calls("f"), `:fn (fn () (llm/complete "x" {:retries 0}))`, "Error: no LLM provider is configured"},
		{calls("g"), `:fn (fn () 1)`, "Error: tool not found: g"},
		{asks("f", `{"a":`), `:parameters {:a :string} :fn (fn (a) a)`, "Error: the arguments are not valid JSON"},
		{asks("f", `[1]`), `:parameters {:a :string} :fn (fn (a) a)`, "Error: the arguments must be a JSON object"},
		{asks("f", `{} {}`), `:fn (fn () 1)`, "Error: the arguments are not valid JSON: there is more behind"},
		{asks("f", `{}`), `:parameters {:a :string :b :int} :fn (fn (a b) a)`, "Error: invalid arguments for tool 'f': missing key: a; missing key: b"},
		{asks("f", `{"a":1}`), `:parameters {:a :string} :fn (fn (a) a)`, "Error: invalid arguments for tool 'f': key a: expected string, got integer"},
		{asks("f", `{"a":1.5}`), `:parameters {:a :integer} :fn (fn (a) a)`, "Error: invalid arguments for tool 'f': key a: expected integer, got number"},
		{asks("f", `{"a":"x"}`), `:parameters {:a {:type :string :enum [:b "c"]}} :fn (fn (a) a)`, `Error: invalid arguments for tool 'f': key a: expected one of b, c, got "x"`},
		{asks("f", `{"a":{}}`), `:parameters {:type "object" :properties {:a {:type "array"}}} :fn (fn (a) a)`, "Error: invalid arguments for tool 'f': key a: expected array, got object"},
	} {
		r := newRig(t)
		s := r.client(":retries 3", c.call, text("I see"))
		r.ok(`(define n 0)`)
		assert.Equal(t, `("done" "I see" 2 #t)`, r.ok(`(define r (client/run c "go" {:toolkit [{:name "f" `+c.tool+`}]}))
			(list (:status r) (:text r) (:turns r) (:isError (first (:tool-calls r))))`), c.message)
		require.Len(t, s.Requests(), 2)
		assert.Contains(t, r.ok("(:output (first (:tool-calls r)))"), strings.ReplaceAll(c.message, `"`, `\"`))
		var body struct {
			Messages []struct{ Role, Content string }
		}
		require.NoError(t, json.Unmarshal(s.Requests()[1].Body, &body))
		assert.Contains(t, body.Messages[2].Content, c.message, "the model reads it")
		assert.Empty(t, r.waits())
	}
	r := newRig(t)
	s := r.client("", calls("f"), status(500))
	r.checks(`(client/run c "go" {:toolkit [{:name "f" :fn (fn () 1)}]}) ; !! server (status 500)`)
	assert.Len(t, s.Requests(), 2)
}

// A function gets its arguments by the names of its parameters, whatever their
// order; what is missing is nil; integers keep their digits.
func TestToolArguments(t *testing.T) {
	for _, c := range [][3]string{
		{`{"a":1,"b":2}`, `:parameters {:a :number :b :number} :fn (fn (a b) (list a b))`, `[1,2]`},
		{`{"a":1,"b":2}`, `:parameters {:a :number :b :number} :fn (fn (b a) (list b a))`, `[2,1]`},
		{`{"a":1,"b":2}`, `:parameters {:a :number :b :number} :fn (fn (b) b)`, `2`},
		{`{"a":1,"b":2}`, `:parameters {:a :number :b :number} :fn (fn (x y) (list x y))`, `[1,2]`},
		{`{"a":1,"b":2}`, `:parameters {:a :number :b :number} :fn (fn (args) args)`, `{"a":1,"b":2}`},
		{`{"a":1,"b":2}`, `:parameters {:a :number :b :number} :fn (fn ({:keys [a b]}) (- a b))`, `-1`},
		{`{"a":1,"b":2}`, `:parameters {:a :number :b :number} :fn list`, `[1,2]`},
		{`{"a":1,"b":2}`, `:parameters {:a :number :b :number} :fn (fn (b . more) (list b more))`, `[2,[]]`},
		{`{"city":"Oslo"}`, `:parameters {:city :string} :fn (fn (c) c)`, `Oslo`},
		{`{"city":"Oslo"}`, `:parameters {:city :string} :fn (fn ({:keys [city]}) city)`, `Oslo`},
		{`{"city":"Oslo"}`, `:fn (fn (args) (:city args))`, `Oslo`},
		{`{}`, `:fn (fn () :yes)`, `"yes"`},
		{`{"a":1}`, `:parameters {:a :number :b {:type :number :optional #t} :c {:type :number :required #f} :d {:type :number :default 4}} :fn (fn (a b c d) (list a b c d))`, `[1,null,null,null]`},
		{`{"a":null}`, `:parameters {:a {:type :number :optional #t}} :fn (fn (a) (list a))`, `[null]`},
		{`{"n":123456789012345678901234567890}`, `:parameters {:n :integer} :fn (fn (n) (+ n 1))`, `123456789012345678901234567891`},
		{`{"n":9007199254740993}`, `:parameters {:n :number} :fn (fn (n) n)`, `9007199254740993`},
		{`{"n":3.0}`, `:parameters {:n :integer} :fn (fn (n) (+ n 1))`, `4`},
		{`{"l":["x",{"y":1}]}`, `:parameters {:l {:type :list}} :fn (fn (l) (list (first l) (:y (nth l 1))))`, `["x",1]`},
		{`{"type":"t"}`, `:parameters {:type {:type :string}} :fn (fn (type) type)`, `t`},
		{`{"x":"<&>"}`, `:parameters {:type :object :properties {:x {:type "string"}} :required ["x"]} :fn (fn (x) {:x x})`, `{"x":"<&>"}`},
		{`{}`, `:fn (fn () nil)`, `nil`},
		{`{}`, `:fn (fn () "text")`, `text`},
		{`{}`, `:fn (fn () car)`, `car`},
	} {
		r := newRig(t)
		r.client("", asks("f", c[0]), text("ok"))
		got := r.ok(`(:output (first (:tool-calls (client/run c "go" {:toolkit [{:name "f" ` + c[1] + `}]}))))`)
		var text string
		require.NoError(t, json.Unmarshal([]byte(got), &text))
		assert.Contains(t, text, c[2], c[1])
	}
}

// The short form of :parameters is sent as a JSON schema.
func TestToolSchema(t *testing.T) {
	for parameters, want := range map[string]string{
		"nil": `{"type":"object","properties":{}}`,
		"{}":  `{"type":"object","properties":{}}`,
		`{:city {:type :string :description "where"} :days {:type :int :optional #t} :unit {:type :string :enum [:c :f] :default "c"}}`: `{"type":"object","properties":{"city":{"type":"string","description":"where"},
			"days":{"type":"integer"},"unit":{"type":"string","enum":["c","f"],"default":"c"}},"required":["city"]}`,
		`{:o {:type :object :properties {:x {:type "string"}} :required ["x"]}}`:      `{"type":"object","properties":{"o":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}},"required":["o"]}`,
		`{:type "object" :properties {:a {:type "string"}} :additionalProperties #f}`: `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`,
	} {
		r := newRig(t)
		s := r.client("", text("ok"))
		r.ok(`(client/run c "go" {:toolkit [{:name "get weather!" :description "d" :parameters ` + parameters + ` :fn (fn args 1)}]})`)
		var body struct {
			Tools []struct {
				Function struct {
					Name       string
					Parameters json.RawMessage
				}
			}
		}
		require.NoError(t, json.Unmarshal(s.Requests()[0].Body, &body))
		assert.Equal(t, "get_weather_", body.Tools[0].Function.Name)
		assert.JSONEq(t, want, string(body.Tools[0].Function.Parameters), parameters)
	}
}

// The calls of one turn run at the same time; their results keep their order.
func TestToolCallsRunTogether(t *testing.T) {
	r := newRig(t)
	s := r.client("", calls("f", "g", "h", "f"), text("ok"))
	var all sync.WaitGroup
	all.Add(4)
	r.in.DefineBuiltin(eval.Builtin{Name: "meet", Arity: eval.Exactly(0), Fn: func(t *eval.Thread, _ []eval.Value) (eval.Value, error) {
		return value.Nil, t.Blocking(func(ctx context.Context) error {
			all.Done()
			all.Wait() // for ever, unless all come
			return nil
		})
	}})
	r.checks(`
		(define begun '()) ; => nil
		(define (tool name wait) {:name name :fn (fn () (set! begun (append begun (list name))) (meet) (sleep wait) name)}) ; => nil
		(define r (client/run c "go" {:toolkit [(tool "f" 20) (tool "g" 0) (tool "h" 10)]})) ; => nil
		begun ; => ("f" "g" "h" "f")
		(map :output (:tool-calls r)) ; => ("f" "g" "h" "f")
		(map :tool-call-id (filter (fn (m) (= (:role m) "tool")) (:messages r))) ; => ("call_1" "call_2" "call_3" "call_4")
	`)
	assert.Len(t, s.Requests(), 2)
}

// Many calls of a turn all run, a few at a time, in the scope of the run.
func TestManyToolCalls(t *testing.T) {
	r := newRig(t)
	r.client("", calls(slices.Repeat([]string{"f"}, 100)...), text("ok"))
	r.checks(`
		(define n 0) ; => nil
		(define p (make-parameter 1)) ; => nil
		(define r (parameterize ((p 2)) (client/run c "go" {:toolkit [{:name "f" :fn (fn () (set! n (+ n 1)) (sleep 0) (p))}]}))) ; => nil
		(list n (:tool-call-count r) (frequencies (map :output (:tool-calls r)))) ; => (100 100 {"2" 100})
	`)
}

// Cancelling ends tools and requests at once, and leaves nothing behind.
func TestClientRunIsCancelled(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, first := range []llmtest.Reply{calls("f"), calls("f", "f", "f"), {Text: "late", Delay: time.Hour}, status(503)} {
		r := newRig(t, realTime)
		s := r.client(":retries 3 :retry-base-ms 1000000", first, text("ok"))
		ctx, cancel := context.WithCancel(t.Context())
		r.in.DefineBuiltin(eval.Builtin{Name: "stop", Arity: eval.AtLeast(0), Fn: func(*eval.Thread, []eval.Value) (eval.Value, error) {
			cancel()
			return value.Nil, nil
		}})
		if first.Delay > 0 || first.Status != 0 {
			time.AfterFunc(50*time.Millisecond, cancel)
		}
		_, err := r.eval(ctx, `(client/run c "go" {:toolkit [{:name "f" :fn (fn () (stop) (while #t 1))}]})`)
		require.Error(t, err)
		assert.Equal(t, eval.KindCancelled, eval.AsError(err).Kind)
		assert.Len(t, s.Requests(), 1)
		assert.Equal(t, "42", r.ok("42"))
		s.Close()
		r.in.Close()
		cancel()
	}
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+10 }, 10*time.Second, 10*time.Millisecond)
}

// A tool may use the same client: a run within a run.
func TestClientRunInATool(t *testing.T) {
	r := newRig(t)
	r.client("", calls("deeper", "deeper"), text("inner"), text("inner"), text("outer"))
	r.checks(`
		(define r (client/run c "go" {:toolkit [{:name "deeper" :fn (fn () (:text (client/run c "inside")))}]})) ; => nil
		(list (:text r) (map :output (:tool-calls r))) ; => ("outer" ("inner" "inner"))
	`)
}

// :on-event hears of the run as it goes.
func TestClientEvents(t *testing.T) {
	r := newRig(t)
	r.client("", used(asks("f", `{"n":1}`), 3, 2), used(text("ok"), 4, 1))
	r.checks(`
		(define events '()) ; => nil
		(define (keep e) (set! events (append events (list e)))) ; => nil
		(define r (client/run c "go" {:toolkit [{:name "f" :parameters {:n :integer} :fn (fn (n) (+ n 1))}] :on-event keep})) ; => nil
		(map :type events) ; => ("usage" "tool_call" "tool_result" "usage" "done")
		(nth events 1) ; => {:args {:n 1} :id "call_1" :name "f" :type "tool_call"}
		(nth events 2) ; => {:id "call_1" :isError #f :name "f" :output "2" :type "tool_result"}
		(:usage (nth events 3)) ; => {:completion-tokens 3 :prompt-tokens 7 :total-tokens 10}
		(= (:result (last events)) r) ; => #t
	`)
	for kind := range strings.SplitSeq("usage tool_call tool_result done", " ") {
		r.client("", calls("f"), text("ok"))
		r.checks(`(client/run c "go" {:toolkit [{:name "f" :fn (fn () 1)}] :on-event (fn (e) (when (= (:type e) "` + kind + `") (error "mine")))}) ; !! mine`)
	}
}

// A conversation is loaded before a run and saved after it, if it has an id.
func TestClientConversations(t *testing.T) {
	r := newRig(t)
	s := r.clientOf(`:system-prompt "sys"`, llmtest.Script{Replies: []llmtest.Reply{text("one"), calls("f"), text("two"), text("three"), text("four")}})
	r.checks(`
		(define tk [{:name "f" :fn (fn () "did")}]) ; => nil
		(define (say text id) (length (:messages (client/run c text {:toolkit tk :conversation-id id})))) ; => nil
		(say "my name is Ada" "a") ; => 2
		(say "do it" "a") ; => 6
		(say "hello" "b") ; => 2
		(length (:messages (client/run c "no id" {}))) ; => 2
	`)
	got := bodies(s)
	assert.Contains(t, got[1], "my name is Ada")
	assert.Contains(t, got[2], "my name is Ada")
	assert.NotContains(t, got[3], "Ada")
	assert.NotContains(t, got[4], "hello")
	for _, b := range got {
		assert.Equal(t, 1, strings.Count(b, `"sys"`), "the system prompt is no part of the conversation")
	}
}

func TestClientStores(t *testing.T) {
	r := newRig(t)
	r.ok(`
		(define log '())
		(define kept {})
		(define mine {:get (fn (id) (set! log (append log (list (list :get id)))) (when (get kept id) (json/decode (get kept id))))
		              :save (fn (id ms) (set! log (append log (list (list :save id (length ms))))) (set! kept (assoc kept id (json/encode ms))))})
	`)
	s := r.client(":max-turns 2 :store mine", calls("f"), calls("f"), text("ok"), text("ok"), status(400))
	r.checks(`
		(define tk [{:name "f" :fn (fn () "did")}]) ; => nil
		(:status (client/run c "go" {:toolkit tk :conversation-id :x})) ; => "incomplete"
		(:status (client/run c "on" {:toolkit tk :conversation-id :x})) ; => "done"
		log ; => ((:get :x) (:save :x 5) (:get :x) (:save :x 7))
		(:status (client/run c "new" {:conversation-id :x :history [{:role :user :content "older"} {:role "assistant" :content "yes"}]})) ; => "done"
		(drop 4 log) ; => ((:save :x 4))
		(client/run c "fails" {:conversation-id :x}) ; !! 400
		(drop 5 log) ; => ((:get :x))
	`)
	assert.Contains(t, bodies(s)[2], "did", "what was kept as JSON is read again")
	assert.Contains(t, bodies(s)[3], "older")
	assert.NotContains(t, bodies(s)[3], "go")

	r.checks(`
		(define shared (client/in-memory-store)) ; => nil
		((:get shared) "x") ; => nil
		(define server (llm/mock-server {:replies ["a" "b"]})) ; => nil
		(define (new model) (client/create-client {:base-url (:url server) :model model :store shared})) ; => nil
		(:text (client/run (new "fast") "one" {:conversation-id "x"})) ; => "a"
		(length (:messages (client/run (new "smart") "two" {:conversation-id "x"}))) ; => 4
		(map :content ((:get shared) "x")) ; => ("one" "a" "two" "b")
		(define c (client/create-client {:base-url (:url server) :model "m" :store {:get (fn (id) (error "no disk")) :save (fn (id m) nil)}})) ; => nil
		(client/run c "x" {:conversation-id 1}) ; !! no disk
	`)
}

// :messages of a run are the :history of the next, tool calls and all digits
// included, also by way of JSON.
func TestClientHistory(t *testing.T) {
	for _, way := range []string{"(:messages r)", "(json/decode (json/encode (:messages r)))"} {
		r := newRig(t)
		s := r.client("", asks("f", `{"n": 123456789012345678901234567890}`), text("ok"), text("again"))
		r.checks(`
			(define r (client/run c "go" {:toolkit [{:name "f" :parameters {:n :integer} :fn (fn (n) (error "no"))}]})) ; => nil
			(length (:messages (client/run c "more" {:history ` + way + `}))) ; => 6
		`)
		second, third := bodies(s)[1], bodies(s)[2]
		messages := func(body string) string { return body[strings.Index(body, `"messages":[`):] }
		before := strings.TrimSuffix(strings.Split(messages(second), `],"tools"`)[0], "]}")
		assert.True(t, strings.HasPrefix(messages(third), before), "%s\n%s", before, third)
	}
}

// :http-client makes the requests, under the client's own policy.
func TestHTTPClient(t *testing.T) {
	r := newRig(t, rand0)
	r.ok(`
		(define seen '())
		(define replies '())
		(define (transport url headers body)
		  (set! seen (append seen (list (list url headers (json/decode body)))))
		  (let ((reply (first replies))) (set! replies (rest replies)) (if (procedure? reply) (reply) reply)))`)
	r.checks(`
		(define (new options) (client/create-client (merge {:base-url "http://gateway.internal/v1" :model "m" :api-key "k1" :http-client transport} options))) ; => nil
		(define ok {:status 200 :headers {:content-type "application/json"} :body "{\"choices\":[{\"message\":{\"content\":\"hi\"}}]}"}) ; => nil
		(define (go options . rs) (set! seen '()) (set! replies rs) (try (:text (client/run (new options) "x")) (catch e (or (:status e) (:error e) (:message e))))) ; => nil
		(go {} ok) ; => "hi"
		(first (first seen)) ; => "http://gateway.internal/v1/chat/completions"
		(get (nth (first seen) 1) "authorization") ; => "Bearer k1"
		(:model (nth (first seen) 2)) ; => "m"
		(go {} {:status 429}) ; => 429
		(length seen) ; => 1
		(go {:retries 2} {:status 429 :headers {"Retry-After" 3} :body "slow"} {:status nil :error :timeout} ok) ; => "hi"
		(length seen) ; => 3
		(go {} {:status nil :error :timeout}) ; => :timeout
		(go {} {:status nil :error :refused}) ; => :connection
		(go {:retries 1} (fn () (file/read "/does/not/exist")) ok) ; => "hi"
		(go {:retries 5} (fn () (error "a bug")) ok) ; => "a bug"
		(length seen) ; => 1
		(go {:on-error (fn (i) (println (:status i) (:error i)) :fail)} {:status 409 :body "busy"}) ; => 409
		(go {:retries 3} 5 ok) ; => "expected a response from :http-client, {:status 200 :headers {...} :body \"...\"} or {:status nil :error :timeout}, got 5"
		(go {:retries 3} {:status "200"} ok) ; => "expected a response from :http-client, {:status 200 :headers {...} :body \"...\"} or {:status nil :error :timeout}, got \"200\""
		(length seen) ; => 1
		(go {} {:status 200 :body 5}) ; => "expected a response from :http-client, {:status 200 :headers {...} :body \"...\"} or {:status nil :error :timeout}, got 5"
		(go {:timeout-ms 20} (fn () (sleep 60000))) ; => :timeout
	`)
	assert.Equal(t, []int{3000, 1000, 500}, r.waits())
	assert.Equal(t, "409 busy\n", r.out.String())
}

// What a transport says about a connection may hold the key; errors do not.
func TestHTTPClientFailuresAreClearedOfKeys(t *testing.T) {
	r := newRig(t)
	for _, body := range []string{`(file/read (get headers "authorization"))`, `{:status nil :error (get headers "authorization")}`, `{:status 401 :body (get headers "authorization")}`} {
		r.ok(fmt.Sprintf(`(define c (client/create-client {:base-url "http://x" :model "m" :api-key %q :http-client (fn (url headers body) %s)}))`, canary, body))
		e := r.fails(`(client/run c "x")`)
		shown := r.ok(`(try (client/run c "x") (catch e (str e (:cause e))))`)
		assert.NotContains(t, e.Render()+shown, canary, body)
		assert.Contains(t, shown, "[", "something was blotted out")
	}
}

// A transport may keep a circuit breaker, or ask elsewhere: it is any function.
func TestHTTPClientAroundAnotherCall(t *testing.T) {
	r := newRig(t)
	r.provider("a", text("from a"))
	r.ok(`(define c (client/create-client {:base-url "http://x" :model "m" :http-client
		  (fn (url headers body) {:status 200 :body (json/encode {:choices [{:message {:content (llm/complete "inside")}}]})})}))`)
	assert.Equal(t, `"from a"`, r.ok(`(:text (client/run c "x"))`))
}

// :on-metric gets one map for each request with its retries, each tool call and
// each run.
func TestClientOnMetric(t *testing.T) {
	r := newRig(t, rand0)
	r.checks(`
		(define events '()) ; => nil
		(define (keep m) (set! events (append events (list m)))) ; => nil
		(define tk [{:name "f" :fn (fn () "did")}]) ; => nil
	`)
	r.client(":retries 1 :on-metric keep", status(503), used(calls("f"), 3, 2), used(text("ok"), 4, 1))
	r.checks(`
		(:status (client/run c "go" {:toolkit tk})) ; => "done"
		(nth events 0) ; => {:completion_tokens 2 :error nil :event "llm" :model "m" :ms 500 :prompt_tokens 3 :status 200}
		(nth events 1) ; => {:event "tool" :is_error #f :ms 0 :source "native" :tool "f"}
		(nth events 2) ; => {:completion_tokens 1 :error nil :event "llm" :model "m" :ms 0 :prompt_tokens 4 :status 200}
		(nth events 3) ; => {:error nil :event "run" :model "m" :ms 500 :tool_calls 1 :total_tokens 10 :turns 2}
		(length events) ; => 4
	`)
	r.client(":on-metric keep", calls("made-up"), status(401))
	r.checks(`
		(define events '()) ; => nil
		(client/run c "go" {:toolkit tk}) ; !! 401
		(map :event events) ; => ("llm" "tool" "llm" "run")
		(:tool (nth events 1)) ; => "unknown"
		(:status (nth events 2)) ; => 401
		(list (:turns (last events)) (:tool_calls (last events)) (:total_tokens (last events))) ; => (1 1 nil)
		(string/contains? (:error (last events)) "401") ; => #t
	`)
	r.client(`:on-metric (fn (m) (when (= (:event m) "run") (println "run took" (:ms m) "ms over" (:turns m) "turns")))`, text("ok"))
	r.ok(`(client/run c "go")`)
	assert.Equal(t, "run took 0 ms over 1 turns\n", r.out.String())
}

func TestClientMetrics(t *testing.T) {
	r := newRig(t, rand0)
	r.client(":retries 1", status(503), used(calls("f", "made-up", "made-up-too"), 3, 2), text("ok"), status(400))
	r.checks(`
		(define tk [{:name "f" :fn (fn () "did")}]) ; => nil
		(:status (client/run c "go" {:toolkit tk})) ; => "done"
		(client/run c "go") ; !! 400
	`)
	v, err := r.eval(t.Context(), "(client/metrics c)")
	require.NoError(t, err)
	got, _ := v.AsString()
	checkExposition(t, got)
	for _, line := range []string{
		`toolnexus_llm_requests_total{model="m",status="ok"} 2`, `toolnexus_llm_requests_total{model="m",status="error"} 1`,
		`toolnexus_llm_tokens_total{type="prompt"} 3`, `toolnexus_llm_tokens_total{type="completion"} 2`,
		`toolnexus_llm_request_duration_seconds_bucket{model="m",le="0.25"} 2`, `toolnexus_llm_request_duration_seconds_bucket{model="m",le="0.5"} 3`,
		`toolnexus_llm_request_duration_seconds_bucket{model="m",le="+Inf"} 3`, `toolnexus_llm_request_duration_seconds_sum{model="m"} 0.5`,
		`toolnexus_llm_request_duration_seconds_count{model="m"} 3`, `toolnexus_tool_calls_total{tool="f",source="native",is_error="false"} 1`,
		`toolnexus_tool_calls_total{tool="unknown",source="unknown",is_error="true"} 2`, `toolnexus_run_errors_total{model="m"} 1`,
	} {
		assert.Contains(t, got, line+"\n")
	}
	r.checks(`
		(define odd (client/create-client {:base-url "http://x" :model "a\"b\\c\nd" :http-client (fn (u h b) {:status 200 :body "{\"choices\":[{\"message\":{\"content\":\"hi\"}}]}"})})) ; => nil
		(:text (client/run odd "x")) ; => "hi"
		(string/contains? (client/metrics odd) "{model=\"a\\\"b\\\\c\\nd\",status=\"ok\"} 1\n") ; => #t
	`)
	v, err = r.eval(t.Context(), "(client/metrics odd)")
	require.NoError(t, err)
	got, _ = v.AsString()
	checkExposition(t, got)
	v, err = r.eval(t.Context(), `(client/metrics (client/create-client {:base-url "http://x" :model "m"}))`)
	require.NoError(t, err)
	got, _ = v.AsString()
	checkExposition(t, got)
	assert.Equal(t, 12, strings.Count(got, "\n"), "only what there is to count")
}

// checkExposition checks text against the grammar of Prometheus' text format.
func checkExposition(t *testing.T, text string) {
	t.Helper()
	require.True(t, strings.HasSuffix(text, "\n"))
	help := regexp.MustCompile(`^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) [^\n]+$`)
	kind := regexp.MustCompile(`^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|histogram)$`)
	label := `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`
	sample := regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)\{` + label + `(?:,` + label + `)*\} [0-9.e+-]+$`)
	current, seen := "", map[string]bool{}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		switch {
		case help.MatchString(line):
			current = help.FindStringSubmatch(line)[1]
			assert.False(t, seen[current], "one block for each metric")
			seen[current] = true
		case kind.MatchString(line):
			assert.Equal(t, current, kind.FindStringSubmatch(line)[1], "line %d", i+1)
		default:
			require.Regexp(t, sample, line)
			assert.True(t, strings.HasPrefix(sample.FindStringSubmatch(line)[1], current))
			series := line[:strings.LastIndexByte(line, ' ')]
			assert.False(t, seen[series], "one line for each series: %s", series)
			seen[series] = true
		}
	}
}

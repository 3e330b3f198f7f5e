package ai_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
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

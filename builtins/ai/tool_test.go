package ai_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm/llmtest"
)

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

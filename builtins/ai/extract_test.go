package ai_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm/llmtest"
)

// cutOff is a reply that its limit of tokens ended.
func cutOff(text string) llmtest.Reply {
	return llmtest.Reply{Body: []byte(`{"model":"m","choices":[{"message":{"content":` + quote(text) + `},"finish_reason":"length"}]}`)}
}

func quote(s string) string {
	quoted := []byte{'"'}
	for _, c := range []byte(s) {
		if c == '"' || c == '\\' {
			quoted = append(quoted, '\\')
		}
		quoted = append(quoted, c)
	}
	return string(append(quoted, '"'))
}

func TestExtract(t *testing.T) {
	r := newRig(t)
	s := r.provider("a", text(`{"vendor":"Blue Bottle","amount":4.5}`), text("```json\n{\"vendor\":\"say ```hi```\",\"amount\":1e+10}\n```"), text(`[ {"vendor":"x","amount":12345678901234567890}`),
		text(`{'vendor': 'x', 'amount': 1,}`))
	r.ok(`(define schema {:vendor {:type :string} :amount {:type :number}})`)
	r.checks(`
		(llm/extract schema "coffee for $4.50 at Blue Bottle") ; => {:amount 4.5 :vendor "Blue Bottle"}
		(llm/last-extraction) ; => {:attempts 1 :problems () :repaired? #f}
		(llm/extract schema "x") ; => {:amount 10000000000.0 :vendor "say ` + "```hi```" + `"}
		(llm/extract schema "x") ; => {:amount 12345678901234567890 :vendor "x"}
		(:repaired? (llm/last-extraction)) ; => #f
		(llm/extract schema "x") ; => {:amount 1 :vendor "x"}
		(:repaired? (llm/last-extraction)) ; => #t
	`)
	assert.Contains(t, bodies(s)[0], `{\n  \"amount\": number,\n  \"vendor\": string\n}\n\nText:\ncoffee for $4.50 at Blue Bottle`)
}

func TestExtractAsksAgain(t *testing.T) {
	r := newRig(t)
	s := r.provider("a", text(`{"n":"one"}`), text("no idea"), text(`{"n":1,"age":-5}`), text(`{"n":1,"age":5}`),
		text(`{"n":1}`), text(`{"n":1,"age":5}`), text(`{"n":"x"}`), text(`{"n":"x"}`))
	r.ok(`(define schema {:n {:type :number} :age {:type :number :validate (fn (x) (> x 0)) :message "age must be positive"}})`)
	r.checks(`
		(llm/extract schema "x" {:retries 3}) ; => {:age 5 :n 1}
		(llm/last-extraction) ; => {:attempts 4 :problems ("missing key: age; key n: expected number, got string" "the reply has no JSON object" "key age: age must be positive") :repaired? #f}
		(llm/extract schema "x" {:reask? #f}) ; => {:age 5 :n 1}
		(try (llm/extract schema "x" {:retries 0}) (catch e (list (:kind e) (:response e) (:problems e)))) ; => (:parse "{\"n\":\"x\"}" ("missing key: age; key n: expected number, got string"))
		(llm/extract schema "x" {:validate #f}) ; => {:n "x"}
		(:total-tokens (llm/session-usage)) ; => 0
	`)
	sent := bodies(s)
	require.Len(t, sent, 8)
	assert.Contains(t, sent[1], `That does not fit: missing key: age; key n: expected number, got string. Answer again`)
	assert.Contains(t, sent[1], `"role":"assistant","content":"{\"n\":\"one\"}"`)
	assert.NotContains(t, sent[3], `no idea`, "only the last reply is sent back")
	assert.Equal(t, sent[4], sent[5], "without :reask? the question stays the same")
}

// A reply that its limit cut off is not asked for again at the same limit.
func TestExtractTruncated(t *testing.T) {
	r := newRig(t)
	s := r.provider("a", cutOff(`{"a":{"b":1}, "c": "lo`), cutOff(`{"a":1}`))
	r.checks(`
		(try (llm/extract {:a {:type :map}} "x" {:max-tokens 5}) (catch e (list (:kind e) (:response e)))) ; => (:truncated "{\"a\":{\"b\":1}, \"c\": \"lo")
		(llm/extract {:a {:type :number}} "x" {:max-tokens 5}) ; => {:a 1}
	`)
	assert.Len(t, s.Requests(), 2)
}

func TestExtractShapes(t *testing.T) {
	r := newRig(t)
	r.checks(`
		(define (reply text) (llm/define-provider :mine {:complete (fn (req) text)})) ; => nil
		(define (check schema text) (reply text) (try (llm/extract schema "x" {:retries 0}) (catch e (first (:problems e))))) ; => nil
		(check {:a :number} "{\"a\":\"not checked\"}") ; => {:a "not checked"}
		(check {:a :number} "{}") ; => "missing key: a"
		(check {:a {:type :number :optional #t}} "{}") ; => {}
		(check {:a {:type :number :optional #t}} "{\"a\":null}") ; => {:a nil}
		(check {:a {:type :boolean}} "{\"a\":1}") ; => "key a: expected boolean, got integer"
		(check {:a {:type :list}} "{\"a\":{}}") ; => "key a: expected array, got object"
		(check {:a {:type :int}} "{\"a\":1.5}") ; => "key a: expected integer, got number"
		(check {:a {:type :number :validate positive?}} "{\"a\":-5}") ; => "key a: custom validation failed for value -5"
		(check {:who {:name {:type :string}}} "{\"who\":{\"name\":5}}") ; => "key who: key name: expected string, got integer"
		(check {:who {:name :string}} "{\"who\":5}") ; => "key who: expected object, got integer"
		(check {:tags [{:type :string}]} "{\"tags\":[\"a\",5]}") ; => "key tags: expected string, got integer"
		(check {:tags [:string]} "{\"tags\":[\"a\"]}") ; => {:tags ("a")}
		(check {:type {:type :string}} "{\"type\":\"a key like any other\"}") ; => {:type "a key like any other"}
		(begin (reply "{\"a\":\"x\"}") (llm/extract {:a {:type :string :validate (fn (x) (throw :mine))}} "x")) ; !! :mine
		(llm/extract {:a :nothing} "x") ; !! a type in a schema
		(llm/extract {:a [:string :number]} "x") ; !! a list of one type
		(llm/extract {:a {:type :string :optinal #t}} "x") ; !! :optional
		(llm/extract :string "x") ; !! a schema, a map
		(llm/extract {:a :string} 5) ; !! expected a string
		(llm/extract {:a :string} "x" {:retries -1}) ; !! :retries
		(llm/extract {:a :string} "x" {:valdiate #f}) ; !! :validate
	`)
}

func TestExtractFromImage(t *testing.T) {
	r := newRig(t)
	s := r.repeating("a", text(`{"total":"12"}`))
	path := filepath.Join(t.TempDir(), "a.png")
	require.NoError(t, os.WriteFile(path, []byte("\x89PNG\r\n\x1a\nrest"), 0o600))
	require.NoError(t, r.define("path", path))
	r.checks(`
		(llm/extract-from-image {:total :string} path) ; => {:total "12"}
		(llm/extract-from-image {:total :string} (file/read-bytes path)) ; => {:total "12"}
		(llm/extract-from-image {:total :string} "/no/such/file") ; !! no such file
		(llm/extract-from-image {:total :string} (bytevector 1 2)) ; !! :media-type must be one of
		(llm/extract-from-image {:total :string} 5) ; !! expected a bytevector
	`)
	require.Len(t, s.Requests(), 2)
	assert.Contains(t, bodies(s)[0], base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\nrest")))
	assert.Equal(t, bodies(s)[0], bodies(s)[1])
}

func TestClassify(t *testing.T) {
	r := newRig(t)
	s := r.provider("a", text("positive"), text("**Positive.**"), text("The category is: negative"), text("positive or negative"), text("neither"), text("not-spam"), text("spam"))
	r.checks(`
		(define moods '(:positive :negative :neutral)) ; => nil
		(llm/classify moods "great!") ; => :positive
		(llm/classify moods "great!" {:model "small"}) ; => :positive
		(llm/classify moods "bad") ; => :negative
		(try (llm/classify moods "so so") (catch e (list (:kind e) (:response e)))) ; => (:parse "positive or negative")
		(llm/classify moods "?") ; !! named none of the categories positive, negative, neutral
		(llm/classify ["spam" "not-spam"] "x") ; => "not-spam"
		(llm/classify ["spam" "not-spam"] "x") ; => "spam"
		(llm/classify [] "x") ; !! at least one category
		(llm/classify [5] "x") ; !! a category
		(llm/classify moods 5) ; !! expected a string
	`)
	assert.Len(t, s.Requests(), 7)
}

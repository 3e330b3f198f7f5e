package ai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm/llmtest"
)

func TestChatMessagesAndPrompts(t *testing.T) {
	r := newRig(t)
	s := r.repeating("a", text("ok"))
	r.checks(`
		(llm/chat (list (message :system "brief") (message :user "hi") (message :assistant "yes?") {:role :user :content "go"})) ; => "ok"
		(llm/send (prompt (system "brief") (user "hi")) {:max-tokens 5}) ; => "ok"
		(llm/complete (prompt (user "hi"))) ; => "ok"
		(llm/stream (prompt (system "s") (user "hi")) (fn (p) p)) ; => "ok"
		(llm/batch (list (prompt (user "a")) "b")) ; => ("ok" "ok")
		(llm/chat (list (message/with-image :user "what?" (bytevector 137 80 78 71 13 10 26 10)))) ; => "ok"
	`)
	sent := bodies(s)
	assert.Contains(t, sent[0], `[{"role":"system","content":"brief"},{"role":"user","content":"hi"},{"role":"assistant","content":"yes?"},{"role":"user","content":"go"}]`)
	assert.Contains(t, sent[1], `[{"role":"system","content":"brief"},{"role":"user","content":"hi"}],"max_tokens":5`)
	assert.Contains(t, sent[6], `"image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}`)
	r.checks(`
		(llm/send "text") ; !! expected a prompt, made by
		(llm/send (prompt)) ; !! there is no message to send
		(llm/chat (list (message :tool "t"))) ; !! which call it answers
		(llm/chat (list (prompt (user "x")))) ; !! a message
		(llm/chat 5) ; !! a prompt
	`)
	assert.Len(t, s.Requests(), 7)
}

const weather = `(define weather {:name "weather" :description "The weather of a city" :parameters {:city {:type :string}} :fn (fn (city) (if (= city "Atlantis") (error "no such city") (str "sunny in " city)))})`

func TestChatRunsTools(t *testing.T) {
	r := newRig(t)
	s := r.provider("a", asks("weather", `{"city":"Oslo"}`), asks("weather", `{"city":"Atlantis"}`), asks("wether", `{}`), text("It is sunny."), asks("weather", `{}`))
	r.ok(weather)
	r.checks(`
		(llm/chat "What's the weather in Oslo?" {:tools (list weather)}) ; => "It is sunny."
		(llm/chat "And now?" {:tools (list weather) :tool-mode :none}) ; => ""
	`)
	sent := bodies(s)
	require.Len(t, sent, 5)
	assert.Contains(t, sent[0], `"name":"weather","description":"The weather of a city"`)
	assert.Contains(t, sent[1], `"content":"sunny in Oslo"`)
	assert.Contains(t, sent[2], `no such city`)
	assert.Contains(t, sent[3], `tool not found: wether`)
}

// TestChatStopsAModelThatGoesRoundInCircles, and says why.
func TestChatStopsAModelThatGoesRoundInCircles(t *testing.T) {
	r := newRig(t)
	r.ok(weather)
	same := r.repeating("same", asks("weather", `{"city":"Oslo"}`))
	r.checks(`
		(define e (try (llm/chat "x" {:tools (list weather)}) (catch e e))) ; => nil
		(:message e) ; => "the model gave no answer: it called the same tools with the same arguments 3 times in a row"
		(list (:kind e) (:reason e) (length (:messages e))) ; => (:tool-loop :repeats 7)
	`)
	assert.Len(t, same.Requests(), 3)
	failing := r.repeating("failing", asks("weather", `{"city":"Atlantis"}`))
	r.checks(`(llm/chat "x" {:tools (list (assoc weather :fn (let ((n 0)) (fn (city) (set! n (+ n 1)) (error (str "try " n))))))}) ; !! 5 tool calls in a row failed`)
	assert.Len(t, failing.Requests(), 5)
	busy := r.repeating("busy", asks("weather", `{"city":"Oslo"}`))
	r.checks(`(llm/chat "x" {:tools (list (assoc weather :fn (let ((n 0)) (fn (city) (set! n (+ n 1)) n)))) :max-tool-rounds 4}) ; !! it was asked 4 times and still called tools`)
	assert.Len(t, busy.Requests(), 4)
	r.checks(`
		(llm/chat "x" {:tools 5}) ; !! a list of tools
		(llm/chat "x" {:tools (list weather) :max-tool-rounds 0}) ; !! :max-tool-rounds
		(llm/chat "x" {:tool-mode :maybe}) ; !! :auto or :none
		(llm/stream "x" {:tools (list weather)}) ; !! has no option :tools
	`)
}

func TestSummarizeAndCompare(t *testing.T) {
	r := newRig(t)
	s := r.provider("a", text("short"), text("- short"), text("```json\n{\"similarity\": 0.5, \"differences\": [\"a\"], \"summary\": \"s\"}\n```"),
		text("They differ."), text(`{"similarity":1}`), llmtest.Reply{Body: []byte(`{"choices":[{"message":{"content":"{\"simil"},"finish_reason":"length"}]}`)})
	r.checks(`
		(llm/summarize "A long text.") ; => "short"
		(llm/summarize "A long text." {:style "bullets" :max-length 20 :model "other" :max-tokens 50}) ; => "- short"
		(llm/compare "text one" "text two") ; => {:differences ("a") :similarity 0.5 :summary "s"}
		(try (llm/compare "a" "b") (catch e (list (:kind e) (:response e)))) ; => (:parse "They differ.")
		(llm/compare "a" "b") ; !! has no "differences"
		(llm/compare "a" "b" {:max-tokens 3}) ; !! its reply was cut off
		(llm/summarize 5) ; !! expected a string
		(llm/summarize "x" {:style :haiku}) ; !! "paragraph", "bullet-points" or "one-line"
		(llm/summarize "x" {:max-length 0}) ; !! :max-length
		(llm/compare "x" 5) ; !! expected a string
		(llm/compare "x" "y" {:style :haiku}) ; !! has no option :style
	`)
	sent := bodies(s)
	require.Len(t, sent, 6)
	assert.Contains(t, sent[0], `one paragraph. Answer with the summary alone.\n\nA long text.`)
	assert.Contains(t, sent[1], `in about 20 words`)
	var body struct {
		Model    string
		Messages []struct{ Content string }
	}
	require.NoError(t, json.Unmarshal([]byte(sent[2]), &body))
	assert.True(t, strings.HasSuffix(body.Messages[0].Content, "Text A:\ntext one\n\nText B:\ntext two"))
}

// What Gemini signed is in the transcript, and goes back to it.
func TestSignaturesInTranscripts(t *testing.T) {
	r := newRig(t)
	r.ok(weather)
	s := r.repeating("gemini", llmtest.Reply{Body: []byte(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"weather","args":{"city":"Oslo"}},"thoughtSignature":"c2lnbmVk"}]},"finishReason":"STOP"}]}`)})
	r.checks(`
		(define e (try (llm/chat "x" {:tools (list weather) :max-tool-rounds 1}) (catch e e))) ; => nil
		(:signature (first (:tool-calls (nth (:messages e) 1)))) ; => "c2lnbmVk"
		(llm/chat (:messages e)) ; => ""
	`)
	assert.Contains(t, bodies(s)[1], `"thoughtSignature":"c2lnbmVk"`)
}

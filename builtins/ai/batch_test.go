package ai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// echo is a server that answers a prompt with itself in capitals, or as its
// function says. It knows how many requests it had at the same time.
type echo struct {
	mu             sync.Mutex
	now, most, all int
	prompts        []string
	answer         func(e *echo, prompt string) (status int, text string)
}

func (r *rig) echo(answer func(e *echo, prompt string) (int, string)) *echo {
	e := &echo{answer: answer}
	s := httptest.NewServer(e)
	r.t.Cleanup(s.Close)
	r.ok(fmt.Sprintf(`(llm/configure :echo {:base-url %q :api-key %q :default-model "m"})`, s.URL, canary))
	return e
}

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Messages []struct{ Content string }
	}
	_ = json.NewDecoder(r.Body).Decode(&body)
	prompt := body.Messages[len(body.Messages)-1].Content
	e.enter(prompt)
	defer e.leave()
	status, text := 200, strings.ToUpper(prompt)
	if e.answer != nil {
		status, text = e.answer(e, prompt)
	}
	w.WriteHeader(status)
	if status >= 400 {
		fmt.Fprintf(w, `{"error":{"message":%q}}`, text)
		return
	}
	fmt.Fprintf(w, `{"choices":[{"message":{"content":%q},"finish_reason":"stop"}]}`, text)
}

func (e *echo) enter(prompt string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.now++
	e.all++
	e.most = max(e.most, e.now)
	e.prompts = append(e.prompts, prompt)
}

func (e *echo) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.now--
}

// gate lets requests through when n of them wait, the last first.
func gate(n int) func(*echo, string) (int, string) {
	var mu sync.Mutex
	var waiting []chan struct{}
	return func(_ *echo, prompt string) (int, string) {
		mine := make(chan struct{})
		mu.Lock()
		if waiting = append(waiting, mine); len(waiting) == n {
			go func(group []chan struct{}) {
				for i := range group {
					close(group[n-1-i])
				}
			}(waiting)
			waiting = nil
		}
		mu.Unlock()
		<-mine
		return 200, strings.ToUpper(prompt)
	}
}

// Items run at the same time, as many as asked for, and answers come in the
// order of the prompts whichever is ready first.
func TestBatchOrderAndConcurrency(t *testing.T) {
	for options, n := range map[string]int{"": 8, "{:concurrency 1}": 1, "{:concurrency 3}": 3, "{:concurrency 24}": 24, "{:concurrency 1000}": 24} {
		r := newRig(t)
		e := r.echo(gate(n))
		var prompts, want []string
		for i := range 24 {
			prompts = append(prompts, fmt.Sprintf(`"p%d"`, i))
			want = append(want, fmt.Sprintf(`"P%d"`, i))
		}
		got := r.ok("(llm/batch (list " + strings.Join(prompts, " ") + ") " + options + ")")
		assert.Equal(t, "("+strings.Join(want, " ")+")", got, options)
		assert.Equal(t, n, e.most, options)
	}
}

func TestBatchOfPrompts(t *testing.T) {
	r := newRig(t)
	e := r.echo(nil)
	r.checks(`
		(llm/batch ["a" "b"]) ; => ("A" "B")
		(llm/batch '()) ; => ()
		(llm/batch nil) ; => ()
		(llm/last-trace) ; => ()
		(llm/batch (list "a" (list {:role :system :content "s"} {:role :user :content "u"}))) ; => ("A" "U")
		(llm/pmap (fn (n) (str "item " n)) '(1 2 3)) ; => ("ITEM 1" "ITEM 2" "ITEM 3")
		(llm/pmap :text [{:text "x"} {:text "y"}] {:max-tokens 9 :temperature 0.5 :system "s" :model "other"}) ; => ("X" "Y")
		(map :model (llm/last-trace)) ; => ("other" "other")
		(llm/pmap (fn (x) x) []) ; => ()
		(llm/pmap (fn (x) (llm/complete (str x "!"))) '("a" "b")) ; => ("A!" "B!")
		(map (fn (x) (* 2 (length x))) (llm/pmap (fn (xs) (first (llm/batch xs))) [["ab"] ["c"]])) ; => (4 2)
	`)
	assert.Equal(t, 17, e.all)
}

func TestBatchWrongUse(t *testing.T) {
	r := newRig(t)
	e := r.echo(nil)
	r.checks(`
		(llm/batch "a") ; !! expected a list or a vector, got "a"
		(llm/batch ["a" 5]) ; !! expected a prompt: a string, or a list of messages, got 5
		(try (llm/batch ["a" 5]) (catch e (:index e))) ; => 1
		(llm/batch ["a"] {:concurency 3}) ; !! did you mean :concurrency?
		(llm/batch ["a"] {:concurrency 0}) ; !! expected a number of calls at a time, 1 to 1024, for the option :concurrency, got 0
		(llm/batch ["a"] {:concurrency 2.5}) ; !! expected an integer for the option :concurrency
		(llm/batch ["a"] {:on-item-error :ignore}) ; !! expected :raise or :collect for the option :on-item-error, got :ignore
		(llm/batch ["a"] {:retries -1}) ; !! :retries
		(llm/batch ["a"] 5) ; !! expected a map of options for llm/batch, got 5
		(llm/pmap "f" ["a"]) ; !! expected a function, got "f"
		(llm/pmap (fn (x) x) 5) ; !! expected a list or a vector, got 5
		(llm/pmap (fn (x) x)) ; !! llm/pmap expects 2 to 3 arguments, got 1
		(llm/batch) ; !! llm/batch expects 1 to 2 arguments, got 0
	`)
	assert.Zero(t, e.all)
}

// One item fails: the others' answers are kept, with the place of what failed.
func TestBatchItemFails(t *testing.T) {
	r := newRig(t)
	e := r.echo(func(_ *echo, prompt string) (int, string) {
		if strings.HasPrefix(prompt, "bad") {
			return 400, "no " + prompt
		}
		return 200, strings.ToUpper(prompt)
	})
	r.checks(`
		(define e (try (llm/batch ["a" "bad" "c"]) (catch e e))) ; => nil
		(list (:type e) (:kind e) (:status e) (:index e)) ; => (:llm :bad-request 400 1)
		(:results e) ; => ("A" nil "C")
		(map (fn (x) (list (:index x) (:kind x) (:message x))) (:errors e)) ; => ((1 :bad-request "echo m: bad-request (status 400): no bad"))
		(:message e) ; => "llm/batch: the item at index 1 failed: echo m: bad-request (status 400): no bad"
		(length (:attempts e)) ; => 1
		(map :status (llm/last-trace)) ; => (200 400 200)
		(define e (try (llm/batch ["bad1" "b" "bad2"]) (catch e e))) ; => nil
		(list (:index e) (:results e) (map :index (:errors e))) ; => (0 (nil "B" nil) (0 2))
		(:message e) ; => "llm/batch: 2 of 3 items failed, that at index 0: echo m: bad-request (status 400): no bad1"
		(map (fn (x) (if (map? x) (list (:index x) (:status x)) x)) (llm/batch ["a" "bad" "c"] {:on-item-error :collect})) ; => ("A" (1 400) "C")
		(llm/batch ["a"] {:on-item-error :collect}) ; => ("A")
		(llm/batch ["bad"] {:on-item-error :raise}) ; !! the item at index 0 failed
	`)
	assert.Equal(t, 11, e.all)
	assert.Contains(t, r.fails(`(llm/batch ["a" "bad"])`).Render(), "hint: (catch e ...) has the answers at (:results e)")
}

// An error of pmap's function is like any other of an item.
func TestPmapFunctionFails(t *testing.T) {
	r := newRig(t)
	e := r.echo(nil)
	r.checks(`
		(define (f x) (if (= x 2) (throw {:odd x}) (str x))) ; => nil
		(define e (try (llm/pmap f '(1 2 3)) (catch e e))) ; => nil
		(list (:type e) (:value e) (:index e) (:results e)) ; => (:user {:odd 2} 1 ("1" nil "3"))
		(:message e) ; => "llm/pmap: the item at index 1 failed: {:odd 2}"
		(define xs (llm/pmap f '(1 2 3) {:on-item-error :collect})) ; => nil
		(list (first xs) (:value (nth xs 1)) (:index (nth xs 1))) ; => ("1" {:odd 2} 1)
		(:type (nth (llm/pmap (fn (x) (if (= x 2) (car 5) "p")) '(1 2) {:on-item-error :collect}) 1)) ; => :type-error
		(:message (first (llm/pmap (fn (x) 5) '(1) {:on-item-error :collect}))) ; => "expected a prompt: a string, or a list of messages, got 5"
	`)
	assert.Equal(t, 2+2+1, e.all)
	before := e.all
	err := r.fails(`(llm/pmap (fn (x) (if (= x 1) (exit 3) "p")) '(1 2 3 4) {:concurrency 1 :on-item-error :collect})`)
	assert.Equal(t, eval.KindExit, err.Kind, "what no program may catch is not collected")
	assert.Equal(t, before, e.all)
}

// The settings of the scope around apply to the items, and are shared by them.
func TestBatchInScopes(t *testing.T) {
	r := newRig(t)
	r.provider("spare", times(3, text("spare"))...)
	tries := map[string]int{}
	e := r.echo(func(e *echo, prompt string) (int, string) {
		e.mu.Lock()
		defer e.mu.Unlock()
		if tries[prompt]++; tries[prompt] == 1 {
			return 503, "busy"
		}
		return 200, strings.ToUpper(prompt)
	})
	assert.Equal(t, `("A" "B" "C")`, r.ok(`(llm/with-retry {:retries 1 :retry-base-ms 0} (fn () (llm/batch ["a" "b" "c"])))`))
	assert.Equal(t, 6, e.all)
	assert.Equal(t, `("spare" "spare" "spare")`,
		r.ok(`(llm/with-fallback [:echo :spare] (fn () (llm/batch ["d" "e" "f"] {:retries 0})))`))
	start := r.clock.Now()
	r.ok(`(llm/with-rate-limit 10 (fn () (llm/batch ["a" "b" "c" "d" "e"])))`)
	assert.GreaterOrEqual(t, r.clock.Now().Sub(start), 400*time.Millisecond, "five calls of one bucket")
	count := e.all
	assert.Equal(t, "(:timeout :timeout)", r.ok(`(llm/with-deadline 0 (fn () (map :kind (llm/batch ["x" "y"] {:on-item-error :collect}))))`))
	assert.Equal(t, count, e.all)
	asked := `(let ((n 0)) (try (llm/with-retry {:on-error (fn (i) (set! n (+ n 1)) :fail)} (fn () (llm/batch ["u" "v" "w"]))) (catch e n)))`
	assert.Equal(t, "3", r.ok(asked))
}

// A budget that is spent stops what has not begun; what was paid for is kept.
func TestBatchBudget(t *testing.T) {
	steps := func() (steps []llmtest.Step) {
		for range 3 {
			steps = append(steps, llmtest.Step{Text: "ok"})
		}
		spent := &llm.Error{Kind: llm.KindBudget, Message: "budget exceeded", Response: &llm.Response{Text: "paid"}}
		return append(steps, llmtest.Step{Err: spent}, llmtest.Step{Text: "too much"})
	}
	for _, options := range []string{":on-item-error :collect", ""} {
		r := newRig(t)
		p := llmtest.NewProvider("p", steps()...)
		ai.Register(r.in, "p", p)
		r.ok(fmt.Sprintf(`(define out (try (llm/batch ["a" "b" "c" "d" "e" "f"] {:concurrency 1 %s}) (catch e e)))`, options))
		if options != "" {
			r.checks(`
				(take 3 out) ; => ("ok" "ok" "ok")
				(map (fn (e) (list (:index e) (:kind e) (:response e))) (drop 3 out)) ; => ((3 :budget "paid") (4 :budget nil) (5 :budget nil))
				(:message (nth out 5)) ; => "not started: the budget is spent"
			`)
		} else {
			r.checks(`
				(list (:kind out) (:index out) (:results out) (map :index (:errors out))) ; => (:budget 3 ("ok" "ok" "ok" nil nil nil) (3 4 5))
				(:message out) ; => "llm/batch: 2 of 6 items were not started; the item at index 3 failed: p default: budget: budget exceeded"
			`)
		}
		assert.Len(t, p.Calls(), 4)
	}
}

// Cancelling ends the calls on their way, and no other begins. No goroutine is
// left behind.
func TestBatchCancelled(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("", testBatchCancelled)
	for range 400 { // not assert.Eventually, which has a goroutine of its own
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

func testBatchCancelled(t *testing.T) {
	r := newRig(t)
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	e := r.echo(func(e *echo, _ string) (int, string) {
		e.mu.Lock()
		if e.now == 2 {
			cancel()
		}
		e.mu.Unlock()
		<-release
		return 200, "late"
	})
	_, err := r.eval(ctx, `(llm/batch ["a" "b" "c" "d"] {:concurrency 2 :on-item-error :collect})`)
	require.Equal(t, eval.KindCancelled, eval.AsError(err).Kind)
	close(release)
	assert.Equal(t, 2, e.all)
	_, err = r.eval(ctx, `(llm/batch ["a"])`)
	require.Error(t, err)
	r.echo(nil)
	assert.Equal(t, `("A")`, r.ok(`(llm/batch ["a"])`), "the interpreter goes on")
}

// Threads of a batch have no more steps than the program.
func TestPmapStepLimit(t *testing.T) {
	in := eval.New(eval.Config{Library: library(), Limits: eval.Limits{Steps: 100_000}})
	ai.Setup(in, ai.Config{NoEnvironment: true})
	r := &rig{t: t, in: in}
	ai.Register(in, "p", llmtest.NewProvider("p"))
	e := r.fails(`(llm/pmap (fn (x) (while #t 1)) '(1 2 3) {:on-item-error :collect})`)
	assert.Equal(t, eval.KindLimit, e.Kind)
}

// Whatever they are given, they end in an error of the language or an answer.
func TestBatchAbuse(t *testing.T) {
	r := newRig(t)
	r.echo(nil)
	odd := []string{"nil", "#t", "0", "-1", "2.5", "1e300", "math/nan", "1/3", `""`, `"a"`, "'(1)", `'("a" ("b"))`, "[]", `["a" nil]`, "{}", "{:concurrency nil}",
		"{1 2}", "{:concurrency 1e30}", "{:on-item-error 5 :progress 5}", "{:on-item-error nil :concurrency 2.0}", ":kw", "'sym", "car", "(fn (x) x)", "(fn () 1)", "(fn (x) (throw x))", "(delay 1)", "'({:role 5})"}
	for _, a := range odd {
		for _, b := range odd {
			for _, call := range []string{"(llm/batch %s %s)", "(llm/pmap %s %s)", `(llm/pmap (fn (x) (str x)) %s %s)`} {
				program := fmt.Sprintf(call, a, b)
				if _, err := r.eval(t.Context(), program); err != nil {
					assert.NotEqual(t, eval.KindInternal, eval.AsError(err).Kind, program)
				}
			}
		}
	}
}

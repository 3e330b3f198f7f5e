package ai_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/llm/llmtest"
)

func TestWithCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	inDir := func(c *ai.Config) { c.CacheDir = dir }
	r := newRig(t, inDir)
	s := r.provider("a", paid("one", 60), text("two"), text("three"))
	r.checks(`
		(llm/with-cache (fn () (list (llm/complete "q") (llm/complete "q")))) ; => ("one" "one")
		(:total-tokens (llm/last-usage)) ; => 0
		(:cost-usd (llm/last-usage)) ; => 0.0
		(:total-tokens (llm/session-usage)) ; => 1060
		(llm/cache-stats) ; => {:hits 1 :misses 1 :size 1}
		(llm/complete "q") ; => "two"
		(llm/with-cache {:ttl 0} (fn () (llm/complete "q"))) ; => "three"
		(llm/with-budget {:max-tokens 1} (fn () (llm/with-cache (fn () (llm/complete "q"))))) ; => "three"
		(= (llm/cache-key "q") (llm/cache-key "q" {})) ; => #t
		(= (llm/cache-key "q") (llm/cache-key "q" {:max-tokens 5})) ; => #f
	`)
	assert.Len(t, s.Requests(), 3)
	key := r.ok(`(llm/cache-key "q")`)
	_, err := os.Stat(filepath.Join(dir, key[1:len(key)-1]+".json"))
	require.NoError(t, err, "the file that the key names")

	other := newRig(t, inDir)
	other.ok(`(llm/configure :a {:base-url "` + s.URL + `/v1" :default-model "model-a"})`)
	other.checks(`
		(llm/with-cache (fn () (llm/complete "q"))) ; => "three"
		(llm/cache-clear) ; => 1
		(llm/with-cache (fn () (llm/complete "q" {:retries 0}))) ; !! request 4 came
	`)
}

func TestCacheMistakes(t *testing.T) {
	newRig(t).checks(`
		(llm/with-cache (fn () 1) {:ttl 1}) ; !! before the function
		(llm/with-cache {:tll 1} (fn () 1)) ; !! :ttl
		(llm/with-cache {:ttl -1} (fn () 1)) ; !! not negative
		(llm/with-cache 1) ; !! a function without parameters
		(llm/cache-key 5) ; !! a prompt
		(llm/cache-key "q" {:modle "m"}) ; !! :model
		(llm/cache-clear) ; => 0
		(string-length (llm/cache-key "no provider is needed")) ; => 64
	`)
}

func TestCacheInACallback(t *testing.T) {
	r := newRig(t)
	r.server("a", "", llmtest.Script{Replies: []llmtest.Reply{status(500), text("inner"), text("outer")}})
	r.checks(`
		(define inner nil) ; => nil
		(llm/with-cache (fn () (llm/complete "q" {:on-error (fn (e) (set! inner (llm/complete "q")) :retry)}))) ; => "outer"
		inner ; => "inner"
	`)
}

func TestCassettes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tapes", "a.jsonl")
	r := newRig(t)
	s := r.provider("a", paid("one", 60), text("two"), text("three"))
	require.NoError(t, r.define("path", path))
	r.checks(`
		(llm/with-cassette path (fn () (list (llm/complete "q") (llm/complete "q")))) ; => ("one" "one")
		(:total-tokens (llm/session-usage)) ; => 2120
		(llm/with-cassette path {:mode :auto} (fn () (let ((all '())) (llm/stream "q" (fn (p) (set! all (cons p all)))) (llm/with-cache (fn () (llm/complete "q")))))) ; => "one"
		(llm/with-cassette path {:mode "record"} (fn () (llm/complete "q"))) ; => "three"
		(llm/cassette-save) ; => #f
		(llm/cassette-load path {:mode :replay}) ; => nil
		(llm/complete "q") ; => "three"
		(llm/stream "q" (fn (p) p)) ; => "two"
		(llm/complete "another") ; !! cassette miss in :replay mode
		(llm/cassette-save) ; => #t
		(llm/cassette-eject) ; => #t
		(llm/cassette-eject) ; => #f
		(llm/cache-stats) ; => {:hits 0 :misses 0 :size 0}
	`)
	assert.Len(t, s.Requests(), 3)
	tape, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotContains(t, string(tape), canary)

	bare := newRig(t) // without any provider
	require.NoError(t, bare.define("path", path))
	bare.checks(`
		(llm/with-cassette path {:mode :replay} (fn () (llm/complete "q"))) ; => "three"
		(llm/with-cassette path {:mode :replay} (fn () (try (llm/complete "new") (catch e (:code e))))) ; => "cassette-miss"
		(llm/with-cassette path (fn () (llm/complete "new"))) ; !! set a key such as ANTHROPIC_API_KEY
		(llm/complete "q") ; !! no LLM provider is configured
	`)
}

func TestCassetteOfTheEnvironment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	recorder := newRig(t)
	recorder.provider("a", text("one"))
	require.NoError(t, recorder.define("path", path))
	recorder.ok(`(llm/with-cassette path (fn () (llm/complete "q")))`)

	env := map[string]string{"SEMA_LLM_CASSETTE": path, "SEMA_LLM_CASSETTE_MODE": "replay"}
	getenv := func(c *ai.Config) { c.Getenv = func(name string) string { return env[name] } }
	newRig(t, getenv).checks(`
		(llm/complete "q") ; => "one"
		(llm/complete "new") ; !! cassette miss
		(llm/cassette-eject) ; => #t
		(llm/complete "q") ; !! no LLM provider is configured
	`)
	newRig(t, getenv, func(c *ai.Config) { c.NoFiles = true }).checks(`
		(llm/complete "q") ; !! no LLM provider is configured
	`)
	env["SEMA_LLM_CASSETTE_MODE"] = "sideways"
	newRig(t, getenv).checks(`
		(llm/complete "q") ; !! :auto, :record or :replay
	`)
}

func TestCassetteMistakes(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.jsonl")
	require.NoError(t, os.WriteFile(bad, []byte("nonsense\nmore\n"), 0o600))
	r := newRig(t)
	require.NoError(t, r.define("bad", bad))
	require.NoError(t, r.define("dir", dir))
	r.checks(`
		(llm/with-cassette "" (fn () 1)) ; !! the path of a tape
		(llm/with-cassette bad (fn () 1)) ; !! line 1
		(llm/with-cassette dir (fn () 1)) ; !! llm/with-cassette
		(llm/with-cassette "x" {:mode :rewind} (fn () 1)) ; !! :auto, :record or :replay
		(llm/with-cassette "x" {:modes :auto} (fn () 1)) ; !! :mode
		(llm/with-cassette "x" {:mode :auto} 5) ; !! a function without parameters
		(llm/cassette-load 5) ; !! the path of a tape
	`)
}

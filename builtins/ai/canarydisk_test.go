package ai_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

// TestCanaryOnDisk: with all scopes around a call, neither what they print nor
// what they write to files has the key, whether the call answers or not.
func TestCanaryOnDisk(t *testing.T) {
	echo := "key " + canary + " or sk-can***tell"
	good := llmtest.Reply{Text: "fine", Usage: &llm.Usage{InputTokens: 10, OutputTokens: 10}}
	for _, name := range canaryNames {
		for what, reply := range map[string]llmtest.Reply{"answer": good, "refused": {Status: 401, Text: echo}, "busy": {Status: 503, Text: echo},
			"dropped": {Fault: llmtest.Drop}, "nonsense": {Body: []byte(echo)}} {
			dir := t.TempDir()
			c := newCanary(t, canary, func(c *ai.Config) { c.CacheDir = filepath.Join(dir, "cache") })
			require.NoError(t, c.define("tape", filepath.Join(dir, "tape.jsonl")))
			s, err := llmtest.Start(llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{reply}, Then: llmtest.Repeat}})
			require.NoError(t, err)
			c.configure(name, s.URL+"/v1")
			for _, call := range []string{`(llm/complete "x" {:retries 1})`, `(llm/stream "x" (fn (p) nil) {:retries 1})`, `(llm/batch ["y" "z"] {:retries 0 :on-item-error :collect})`} {
				for _, scope := range []string{"(llm/with-cassette tape (fn () %s))", "(llm/with-cassette tape {:mode :record} (fn () %s))", "(llm/with-cassette tape {:mode :replay} (fn () %s))",
					"(llm/with-cache (fn () %s))", "(llm/with-budget {:max-tokens 15} (fn () %s))", "(llm/with-breaker {:failures 1} (fn () %s))", "(llm/with-hedge {:delay-ms 0} (fn () %s))"} {
					program := fmt.Sprintf(scope, call)
					c.ok(fmt.Sprintf(`(begin (println (try %s (catch e e))) (println (llm/last-trace) (llm/last-usage) (llm/session-usage)) (display (llm/explain)))`, program))
					if _, err := c.eval(t.Context(), program); err != nil {
						fmt.Fprintf(c.out, "%+v\n%s", err, asRendered(err))
					}
				}
			}
			c.ok(`(println (llm/cache-key "x") (llm/cache-stats) (llm/pricing-status))`)
			s.Close()
			require.Empty(t, leaks(c.out.String(), canary), "%s %s", name, what)
			written := readAll(t, dir)
			if what == "answer" {
				assert.Contains(t, written, "fine")
			}
			require.Empty(t, leaks(written, canary), "%s %s: %s", name, what, written)
		}
	}
}

// readAll is the names and the contents of all files below a directory.
func readAll(t *testing.T, dir string) (all string) {
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all += d.Name() + "\n" + string(text) + "\n"
		return err
	}))
	return all
}

func asRendered(err error) string { return eval.AsError(err).Render() }

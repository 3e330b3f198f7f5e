package cli

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCanary: neither the REPL nor the command shows a key that a server quotes,
// on the way to a terminal or into a file.
func TestCanary(t *testing.T) {
	const key = "sk-canary-4711-do-not-tell"
	program := `
(define said (string-append "Incorrect API key provided: " (env "SOME_KEY") " or sk-can***tell"))
(define s (llm/mock-server {:replies [{:status 401 :text said}] :then :repeat}))
(llm/configure :mock {:base-url (:url s) :default-model "m" :api-key (env "SOME_KEY")})
(llm/complete "x")
*e
(llm/stream "x")
(llm/batch ["x" "y"])
(try (llm/complete "x") (catch e e))
(llm/last-trace)
(display (llm/explain))
((:requests s))
`
	for _, args := range [][]string{{}, {"-i"}, {"-e", strings.ReplaceAll(program, "*e", "")}} {
		c := exec.Command(filepath.Join(binDir, "gosema"), args...)
		c.Env, c.Dir = append(environment(t.TempDir()), "SOME_KEY="+key), t.TempDir()
		c.Stdin = strings.NewReader(program)
		out, _ := c.CombinedOutput()
		require.Contains(t, string(out), "mock m: auth (status 401): Incorrect API key provided: [redacted] or [redacted]", args)
		for _, part := range []string{"sk-can", "4711", "*tell"} {
			require.NotContains(t, string(out), part, args)
		}
	}
}

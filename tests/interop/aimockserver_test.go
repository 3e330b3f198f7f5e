package interop

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// startAimock starts the mock server from npm and returns its URL. It ends with
// the test.
func startAimock(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		missing(t, "Node 20 is not installed")
	}
	if _, err := os.Stat("node_modules/@copilotkit/aimock"); err != nil {
		missing(t, "aimock is not installed: run npm ci in tests/interop")
	}
	server := exec.Command(node, "testdata/aimock.mjs")
	server.Stderr = os.Stderr
	input, err := server.StdinPipe()
	require.NoError(t, err)
	output, err := server.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		input.Close() // which ends it
		server.Wait()
	})
	line, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err, "aimock did not start")
	return strings.TrimSpace(line)
}

// missing skips the test, but not where everything must be there.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// The headers that make aimock fail one request.
func chaos(what, value string) http.Header {
	return http.Header{"X-Aimock-Chaos-" + what: {value}}
}

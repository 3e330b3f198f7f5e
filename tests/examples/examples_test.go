package examples

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema"
)

var update = flag.Bool("update", false, "write testdata/*.out")

// root is where users start the examples.
const root = "../.."

func TestExamples(t *testing.T) {
	scripts, err := filepath.Glob(root + "/examples/*.sema")
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	t.Chdir(root)
	for _, script := range scripts {
		name := strings.TrimSuffix(filepath.Base(script), ".sema")
		t.Run(name, func(t *testing.T) { check(t, name) })
	}
}

func check(t *testing.T, name string) {
	out := "tests/examples/testdata/" + name + ".out"
	got := run(t, name)
	if *update {
		require.NoError(t, os.WriteFile(out, []byte(got), 0o644))
	}
	want, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

// run is what a script prints, and what of it differs from run to run made the
// same.
func run(t *testing.T, name string) string {
	t.Helper()
	t.Setenv("EXAMPLE_DIR", t.TempDir()) // for files of the setup
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	setup := "tests/examples/testdata/" + name + ".setup.sema"
	var args []string
	if _, err := os.Stat(setup); err == nil {
		args = argsOf(ctx, t, setup)
	}
	var out bytes.Buffer
	stdin, _ := os.ReadFile("tests/examples/testdata/" + name + ".in") // empty where there is none
	in, err := gosema.New(gosema.Config{Stdin: bytes.NewReader(stdin), Stdout: &out, Stderr: &out, Args: args, CacheDir: t.TempDir(),
		Getenv: func(name string) string {
			if name == "EXAMPLE_DIR" {
				return os.Getenv(name)
			}
			return "" // no keys of whoever runs the test
		}})
	require.NoError(t, err)
	defer in.Close()
	if args != nil {
		_, err = in.EvalFile(ctx, setup)
		require.NoError(t, err)
	}
	if _, err := in.EvalFile(ctx, "examples/"+name+".sema"); err != nil {
		out.WriteString("error: " + err.Error() + "\n")
	}
	return steady(out.String())
}

// argsOf runs a setup for the arguments that it defines.
func argsOf(ctx context.Context, t *testing.T, setup string) []string {
	in, err := gosema.New(gosema.Config{})
	require.NoError(t, err)
	defer in.Close()
	_, err = in.EvalFile(ctx, setup)
	require.NoError(t, err)
	v, err := in.Eval(ctx, "args")
	require.NoError(t, err)
	args := []string{}
	for x := range v.Elems() {
		s, _ := x.AsString()
		args = append(args, s)
	}
	return args
}

// steady replaces what differs between runs.
func steady(out string) string {
	for _, x := range [...]struct{ pattern, with string }{
		{`127\.0\.0\.1:\d+`, "127.0.0.1:PORT"},
		{`\b\d+(\.\d+)? ?(ms|µs)\b|\b\d+\.\d+ ?s\b`, "TIME"},
		{`   +`, "  "}, // columns are as wide as their widest time
	} {
		out = regexp.MustCompile(x.pattern).ReplaceAllString(out, x.with)
	}
	return out
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

const commandDeadline = 30 * time.Second

func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) {
			t.Parallel()
			testTranscript(t, f)
		})
	}
}

func testTranscript(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	dir := t.TempDir()
	for _, f := range archive.Files {
		name := filepath.Join(dir, f.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, f.Data, 0o755))
	}
	steps := parseTranscript(string(archive.Comment))
	require.NotEmpty(t, steps)
	for _, s := range steps {
		if got := s.run(t, dir); !matches(s.want, got) {
			t.Errorf("%s:%d: $ %s\nwant:\n%s\ngot:\n%s", path, s.line, s.command,
				indent(strings.Join(s.want, "\n")), indent(strings.Join(got, "\n")))
		}
	}
}

// step is one command of a transcript and what comes behind it.
type step struct {
	line    int
	command string
	want    []string
}

func parseTranscript(text string) []step {
	var steps []step
	for i, line := range strings.Split(text, "\n") {
		switch command, ok := strings.CutPrefix(line, "$ "); {
		case ok:
			steps = append(steps, step{line: i + 1, command: command})
		case strings.HasPrefix(line, "# ") || len(steps) == 0:
		default:
			last := &steps[len(steps)-1]
			last.want = append(last.want, strings.TrimRight(line, " "))
		}
	}
	for i := range steps {
		steps[i].want = trimBlank(steps[i].want)
	}
	return steps
}

func trimBlank(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// lines splits text, without the spaces that an editor would drop from a
// transcript.
func lines(text, prefix string) []string {
	all := trimBlank(strings.Split(text, "\n"))
	for i, line := range all {
		all[i] = strings.TrimRight(prefix+line, " ")
	}
	return all
}

// run runs the command and returns what came, as a transcript has it.
func (s step) run(t *testing.T, dir string) []string {
	ctx, cancel := context.WithTimeout(context.Background(), commandDeadline)
	defer cancel()
	var stdout, stderr strings.Builder
	c := exec.CommandContext(ctx, "sh", "-c", s.command)
	c.Dir, c.Env, c.Stdout, c.Stderr = dir, environment(dir), &stdout, &stderr
	err := c.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatalf("$ %s\n%v", s.command, err)
	}
	got := lines(stdout.String(), "")
	got = append(got, lines(stderr.String(), "! ")...)
	if code := c.ProcessState.ExitCode(); code != 0 {
		got = append(got, fmt.Sprintf("[%s]", strconv.Itoa(code)))
	}
	return got
}

func matches(want, got []string) bool {
	if len(want) != len(got) {
		return false
	}
	for i, w := range want {
		if pattern, ok := strings.CutSuffix(w, " (re)"); ok {
			if !regexp.MustCompile("^(?:" + pattern + ")$").MatchString(got[i]) {
				return false
			}
		} else if w != got[i] {
			return false
		}
	}
	return true
}

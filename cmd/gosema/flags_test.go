package main

import (
	"testing"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/stretchr/testify/require"
)

func TestParseFlags(t *testing.T) {
	text := func(kind programKind, s string) program { return program{kind, s} }
	for _, c := range []struct {
		line []string
		want options
	}{
		{[]string{}, options{}},
		{[]string{"-qi"}, options{quiet: true, interactive: true}},
		{[]string{"-e", "1", "-p2", "--eval=3"}, options{programs: []program{text(evalText, "1"), text(printText, "2"), text(evalText, "3")}}},
		{[]string{"-qe", "1"}, options{quiet: true, programs: []program{text(evalText, "1")}}},
		{[]string{"-e", "--help"}, options{programs: []program{text(evalText, "--help")}}},
		{[]string{"--eval=a=b"}, options{programs: []program{text(evalText, "a=b")}}},
		{[]string{"f", "-q", "--help"}, options{programs: []program{text(runFile, "f")}, args: []string{"-q", "--help"}}},
		{[]string{"f", "--", "-q"}, options{programs: []program{text(runFile, "f")}, args: []string{"--", "-q"}}},
		{[]string{"--", "f"}, options{args: []string{"--", "f"}}},
		{[]string{"-", "x"}, options{programs: []program{{kind: runStdin}}, args: []string{"x"}}},
		{[]string{"-e", "1", "x"}, options{programs: []program{text(evalText, "1")}, args: []string{"x"}}},
		{[]string{"--timeout", "1m30s", "--no-llm"}, options{timeout: 90 * time.Second, noLLM: true}},
		{[]string{"--sandbox=shell", "--sandbox=no-llm"}, options{deny: eval.CapShell | eval.CapLLM}},
	} {
		got, err := parseFlags(c.line)
		require.NoError(t, err, c.line)
		if len(got.args) == 0 {
			got.args = nil
		}
		require.Equal(t, &c.want, got, c.line)
	}
}

func TestParseFlagsRefuses(t *testing.T) {
	for _, line := range [][]string{
		{"--x"}, {"-x"}, {"-é"}, {"-qx"}, {"-e"}, {"-qp"}, {"--load"}, {"--interactive=1"},
		{"--timeout", "0s"}, {"--timeout", "soon"}, {"--sandbox", ""}, {"--sandbox", "strict,all"},
	} {
		_, err := parseFlags(line)
		require.Error(t, err, line)
	}
}

func TestCompleteDependsOnStdin(t *testing.T) {
	for _, c := range []struct {
		line        []string
		terminal    bool
		programs    int
		interactive bool
	}{
		{nil, true, 0, true},
		{nil, false, 1, false},
		{[]string{"-i"}, false, 0, true},
		{[]string{"-l", "f"}, true, 1, true},
		{[]string{"-l", "f"}, false, 2, false},
		{[]string{"-e", "1"}, true, 1, false},
		{[]string{"f"}, true, 1, false},
	} {
		o, err := parseFlags(c.line)
		require.NoError(t, err)
		o.complete(c.terminal)
		require.Len(t, o.programs, c.programs, c.line)
		require.Equal(t, c.interactive, o.interactive, c.line)
	}
}

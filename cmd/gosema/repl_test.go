package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gosema/gosema/eval"
	"github.com/stretchr/testify/require"
)

func TestIncomplete(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "1": false, "(": true, "(f)": false, `"a`: true, "'": true, ")": false, "(f ; x": true, "(]": false,
		",time (": true, ",time (f)": false, ",doc (": false, ",quit": false, ",nope (": false, "#|": true,
	} {
		require.Equal(t, want, incomplete(text), text)
	}
}

func TestFindCommand(t *testing.T) {
	for name, want := range map[string]string{"help": "help", "h": "help", "q": "quit", "d": "doc", "": "", "x": "", "helpx": ""} {
		got := ""
		if c := findCommand(name); c != nil {
			got = c.name
		}
		require.Equal(t, want, got, name)
	}
}

func TestCompleter(t *testing.T) {
	names := []string{",doc", ",help", "car", "cons", "string/join", "string/trim"}
	c := &completer{names: func() []string { return names }, screen: func() (int, int) { return 80, 24 }}
	for line, want := range map[string]string{
		"": "", "(": "", "(c": "ar ons", "(ca": "r", "x": "", "'string/": "join trim", ",h": "elp", "  ,d": "oc", "(f ,c": "ar ons",
		"(list (car": "", ",": "doc help", "(f (ca": "r",
	} {
		rest, length := c.Do([]rune(line), len(line))
		var got []string
		for _, r := range rest {
			got = append(got, string(r))
		}
		require.Equal(t, strings.TrimSpace(want), strings.TrimSpace(strings.Join(got, " ")), line)
		if len(rest) > 0 {
			require.Equal(t, len(lastWord(line)), length, line)
		}
	}
}

func TestCompleterFitsTheScreen(t *testing.T) {
	var names []string
	for i := range 1000 {
		names = append(names, "name-"+strconv.Itoa(i))
	}
	c := &completer{names: func() []string { return names }, screen: func() (int, int) { return 40, 10 }}
	require.LessOrEqual(t, len(c.candidates("name")), 40)
	names = []string{strings.Repeat("x", 50), "xy"}
	require.Equal(t, []string{"xy"}, c.candidates("x"))
}

func TestHistoryLines(t *testing.T) {
	for entry, want := range map[string][]string{
		"(+ 1 2)":         {"(+ 1 2)"},
		"(f\n  1\n\n  2)": {"(f 1 2)"},
		"(f ; one\n 2)":   {"(f ; one", "2)"},
		"(f \"a\nb\")":    {"(f \"a", "b\")"},
		")":               {")"},
		",time (f\n  1)":  {",time (f 1)"},
		"  (f)  ":         {"(f)"},
	} {
		require.Equal(t, want, historyLines(entry), entry)
	}
}

func TestHistoryFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dir", "history")
	h := openHistory(path)
	require.Empty(t, h.lines)
	for i := range historyLimit + 10 {
		h.add(strconv.Itoa(i))
	}
	h.close()
	require.NoError(t, os.Chmod(path, 0o644))

	h = openHistory(path)
	require.Len(t, h.lines, historyLimit)
	require.Equal(t, strconv.Itoa(historyLimit+9), h.lines[historyLimit-1])
	h.add("last")
	h.close()
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	h = openHistory(path)
	defer h.close()
	require.Equal(t, "last", h.lines[len(h.lines)-1])
}

func TestHistoryDoesWithoutAFile(t *testing.T) {
	h := openHistory(filepath.Join(os.DevNull, "x"))
	h.add("x")
	h.close()
	openHistory("").close()
}

func TestRoundDuration(t *testing.T) {
	require.Equal(t, "123ms", roundDuration(123_456_789).String())
	require.Equal(t, "1.23ms", roundDuration(1_234_567).String())
	require.Equal(t, "12ns", roundDuration(12).String())
}

func TestPercentFor(t *testing.T) {
	require.Equal(t, lazyPercent, percentFor(0))
	require.Equal(t, lazyPercent, percentFor(headroom/4))
	require.Equal(t, 200, percentFor(headroom/2))
	require.Equal(t, plainPercent, percentFor(headroom))
	require.Equal(t, plainPercent, percentFor(100*headroom))
}

func TestParseSandbox(t *testing.T) {
	caps, err := parseSandbox("strict")
	require.NoError(t, err)
	require.Zero(t, caps&(eval.CapFSRead|eval.CapEnvRead))
	require.Equal(t, eval.CapAll, caps|eval.CapFSRead|eval.CapEnvRead)
	caps, err = parseSandbox("no-shell, network")
	require.NoError(t, err)
	require.Equal(t, eval.CapShell|eval.CapNetwork, caps)
}

// Package coverage shows how much of the documented pure standard library is
// here. documented.tsv lists the documented names, missing.tsv says why those
// that are not here are not, and names.md, which the test keeps, sets ours
// beside them:
//
//	go test ./tests/coverage -update
package coverage

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/builtins/core"
	"github.com/gosema/gosema/builtins/sys"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/stdlib"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write names.md anew")

// entry is one documented name.
type entry struct{ module, name string }

func TestDocumentedNames(t *testing.T) {
	entries, missing, ours := documented(t), reasons(t), newInventory()
	for _, e := range entries {
		_, excused := missing[e.name]
		switch here := ours.describe(e.name) != ""; {
		case !here && !excused:
			t.Errorf("%s (%s) is not here, and missing.tsv does not say why", e.name, e.module)
		case here && excused:
			t.Errorf("%s is here: take its line out of missing.tsv", e.name)
		}
	}
	text := report(entries, missing, ours)
	if *update {
		require.NoError(t, os.WriteFile("names.md", []byte(text), 0o644))
	}
	kept, err := os.ReadFile("names.md")
	require.NoError(t, err)
	if string(kept) != text {
		t.Error("names.md is not what the tables say: go test ./tests/coverage -update")
	}
}

// TestMissingNamesAreDocumented: a reason for what nobody documents is a slip.
func TestMissingNamesAreDocumented(t *testing.T) {
	known := map[string]bool{}
	for _, e := range documented(t) {
		known[e.name] = true
	}
	for name := range reasons(t) {
		if !known[name] {
			t.Errorf("missing.tsv has %s, which documented.tsv does not have", name)
		}
	}
}

func documented(t *testing.T) (entries []entry) {
	for _, f := range rows(t, "documented.tsv") {
		entries = append(entries, entry{f[0], f[1]})
	}
	return entries
}

func reasons(t *testing.T) map[string]string {
	byName := map[string]string{}
	for _, f := range rows(t, "missing.tsv") {
		byName[f[0]] = f[1]
	}
	return byName
}

// rows reads a file of fields between tabs, without its comments.
func rows(t *testing.T, file string) (fields [][]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		require.Greater(t, len(f), 1, "%s:%d", file, i+1)
		fields = append(fields, f)
	}
	return fields
}

// inventory is what this interpreter has.
type inventory struct {
	library *eval.Library
	owner   map[string]string // package of a builtin, by its name
	names   map[string]bool   // all that is bound
	forms   map[string]bool
}

func newInventory() *inventory {
	inv := &inventory{owner: map[string]string{}, names: map[string]bool{}, forms: map[string]bool{}}
	tables := map[string][]eval.Builtin{"core": core.Builtins(), "sys": sys.Builtins(), "ai": ai.Builtins()}
	for pkg, table := range tables {
		for _, b := range table {
			inv.owner[b.Name] = pkg
		}
	}
	inv.library = stdlib.Load(eval.NewLibrary(core.Builtins(), sys.Builtins(), ai.Builtins()).
		WithConstants(core.Constants()).WithConstants(sys.Constants()))
	for _, n := range eval.New(eval.Config{Library: inv.library}).Names() {
		inv.names[n] = true
	}
	for _, f := range eval.Forms() {
		inv.forms[f.Name] = true
	}
	return inv
}

// describe says what name is here, "" if nothing.
func (inv *inventory) describe(name string) string {
	b, builtin := inv.library.Lookup(name)
	switch {
	case inv.forms[name]:
		return "special form"
	case builtin && b.Name != name:
		return "alias of `" + b.Name + "`"
	case builtin:
		return "builtin, " + inv.owner[name]
	case inv.names[name]:
		return "prelude"
	}
	return ""
}

func report(entries []entry, missing map[string]string, ours *inventory) string {
	var out strings.Builder
	out.WriteString("# Documented names, and ours\n\nWritten by `go test ./tests/coverage -update`.\n")
	module, here := "", 0
	for _, e := range entries {
		if e.module != module {
			module = e.module
			fmt.Fprintf(&out, "\n## %s\n\n| documented | here |\n|---|---|\n", module)
		}
		what := ours.describe(e.name)
		if what == "" {
			what = "none: " + missing[e.name]
		} else {
			here++
		}
		fmt.Fprintf(&out, "| `%s` | %s |\n", e.name, what)
	}
	fmt.Fprintf(&out, "\n%d of %d names are here.\n", here, len(entries))
	return out.String()
}

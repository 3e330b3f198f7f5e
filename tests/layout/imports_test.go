// Package layout checks the rules of the repository that no compiler does.
package layout

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/gosema/gosema"

// allowed says which packages of ours a package may import; a trailing slash
// stands for all below. The direction is one way: data, reader, machine,
// interpreter, builtins, wiring. The root, cmd and tests may import anything.
var allowed = map[string][]string{
	"eval/value":    {},
	"reader":        {"eval/value"},
	"eval/vm":       {"eval/value"},
	"eval/vm/gen":   {},
	"eval":          {"eval/value", "eval/vm", "reader"},
	"builtins/core": {"eval", "eval/value", "reader"},
	"builtins/sys":  {"eval", "eval/value"},
	"builtins/ai":   {"eval", "eval/value", "llm", "llm/"},
	"stdlib":        {"eval", "eval/value"},
	"llm":           {},
	"llm/":          {"llm", "llm/internal/"},
	"llm/llmtest":   {"llm", "llm/internal/"},
	"":              {"eval", "eval/value", "builtins/", "stdlib"},
	"cmd/gosema":    {"", "eval", "eval/value", "reader", "builtins/sys"},
	"tests/":        {"", "eval", "eval/value", "eval/vm", "reader", "builtins/", "stdlib", "llm", "llm/"},
	"llm/internal/": {"llm"},
}

// thirdParty says who may import what is neither ours nor Go's, outside of
// tests.
var thirdParty = map[string]string{"github.com/chzyer/readline": "cmd/gosema", "golang.org/x/sys": "cmd/gosema",
	"github.com/BurntSushi/toml": "builtins/sys", "golang.org/x/text": "builtins/core",
	"golang.org/x/net": "builtins/core", "github.com/andybalholm/cascadia": "builtins/core", "github.com/yuin/goldmark": "builtins/core",
	"golang.org/x/term": "builtins/sys", "golang.org/x/time": "llm", "github.com/kaptinlin/jsonrepair": "llm",
	"github.com/ncruces/go-strftime": "builtins/sys"}

type pkg struct {
	ImportPath string
	Standard   bool
	Imports    []string
}

func packages(t *testing.T) (pkgs []pkg) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Standard,Imports", module+"/...").Output()
	require.NoError(t, err)
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

func local(path string) (string, bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

// rule finds the imports that a package may have.
func rule(name string) ([]string, bool) {
	if r, ok := allowed[name]; ok {
		return r, true
	}
	for prefix := name; ; {
		i := strings.LastIndexByte(strings.TrimSuffix(prefix, "/"), '/')
		if i < 0 {
			return nil, false
		}
		prefix = prefix[:i+1]
		if r, ok := allowed[prefix]; ok {
			return r, true
		}
	}
}

func permits(rules []string, name string) bool {
	return slices.ContainsFunc(rules, func(r string) bool {
		return r == name || strings.HasSuffix(r, "/") && strings.HasPrefix(name, r)
	})
}

func TestImportsGoOneWay(t *testing.T) {
	for _, p := range packages(t) {
		name, _ := local(p.ImportPath)
		rules, ok := rule(name)
		require.True(t, ok, "the table has no rule for package %q", name)
		for _, imp := range p.Imports {
			if ours, ok := local(imp); ok {
				require.True(t, permits(rules, ours), "%s must not import %s", name, ours)
			} else if strings.Contains(strings.Split(imp, "/")[0], ".") {
				require.Equal(t, name, thirdParty[moduleOf(imp)], "%s must not import %s", name, imp)
			}
		}
	}
}

// moduleOf is the first three elements of an import path.
func moduleOf(path string) string {
	parts := strings.SplitN(path, "/", 4)
	return strings.Join(parts[:min(3, len(parts))], "/")
}

func TestBuiltinsNeverImportEachOther(t *testing.T) {
	for _, p := range packages(t) {
		name, _ := local(p.ImportPath)
		if !strings.HasPrefix(name, "builtins/") {
			continue
		}
		for _, imp := range p.Imports {
			ours, ok := local(imp)
			require.False(t, ok && strings.HasPrefix(ours, "builtins/"), "%s imports %s", name, ours)
		}
	}
}

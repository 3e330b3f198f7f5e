package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// binDir holds the command under test.
var binDir string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "gosema-cli-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	args := []string{"build", "-o", filepath.Join(dir, "gosema")}
	if raceEnabled {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, "../../cmd/gosema")...).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	binDir = dir
	return m.Run()
}

// environment is what commands under test see: nothing that a developer's shell
// may hold, such as keys of LLM providers.
func environment(home string) []string {
	return []string{
		"PATH=" + binDir + string(filepath.ListSeparator) + os.Getenv("PATH"),
		"HOME=" + home, "LANG=C.UTF-8", "LC_ALL=C.UTF-8",
		"TMPDIR=" + os.TempDir(), "GORACE=halt_on_error=1",
	}
}

// indent sets a text off in a message.
func indent(text string) string {
	return "\t" + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n\t")
}

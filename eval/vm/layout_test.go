package vm

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

// Package value prints closures and builtins by looking at their first words.
func TestLayoutsAgree(t *testing.T) {
	require.Equal(t, unsafe.Sizeof(value.ClosureHeader{}), unsafe.Sizeof(Closure{}))
	require.Equal(t, unsafe.Offsetof(value.ClosureHeader{}.Info), unsafe.Offsetof(Closure{}.proto))
	require.EqualValues(t, 8, unsafe.Sizeof(Ins{}))
	require.Zero(t, unsafe.Offsetof(Code{}.info))
	require.Zero(t, unsafe.Offsetof(Builtin{}.info))
	require.Zero(t, closureHeader%16, "captured values are cells")
}

func TestOpcodesPairUp(t *testing.T) {
	for op := Op(opcodeJLT); op <= opcodeJNEQQ; op += 2 {
		require.Equal(t, op+1, Negate(op))
		require.Equal(t, "L"+opNames[op][1:], opNames[LoopForm(op)])
		require.Equal(t, "N"+opNames[op][1:], opNames[op+1][1:])
	}
}

// The generated files must be what the generator makes of loop.tmpl.
func TestGeneratedFilesAreUpToDate(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("go", "run", "./gen", dir)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	for _, name := range []string{"loop.go", "ops.go"} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		require.True(t, string(want) == string(got), "%s is out of date: run go generate", name)
	}
}

package eval_test

import (
	"context"
	"testing"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
	"github.com/stretchr/testify/require"
)

// The pairs that make calls fast must be found: a change of the generator that
// loses one would go unnoticed by every other test.
func TestCallsAreFused(t *testing.T) {
	in := eval.New(eval.Config{Library: eval.NewLibrary()})
	_, err := in.Eval(context.Background(), &value.Source{Name: "fib", Text: "(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))"})
	require.NoError(t, err)
	fib, ok := in.Global("fib")
	require.True(t, ok)
	code, ok := vm.CodeOf(fib)
	require.True(t, ok)
	for _, op := range []string{"JNLTI_RET", "ADDI_CALLG", "ADD_RET"} {
		require.Contains(t, code.Disassemble(), op)
	}
	_, ok = vm.CodeOf(value.Int(1))
	require.False(t, ok)
}

// The benchmark programs: how long a fresh interpreter takes for each of them,
// and that each gives its documented value. cpu-ms/op is processor time of the
// whole process, garbage collection included; ns/op is wall time, which means
// little on a busy machine.
package bench_test

import (
	"context"
	"testing"
	"time"

	"github.com/gosema/gosema"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/tests/bench"
)

// newInterp starts a full interpreter, but for the keys in the environment.
func newInterp(tb testing.TB) *eval.Interp {
	tb.Helper()
	in, err := gosema.New(gosema.Config{NoLLM: true})
	if err != nil {
		tb.Fatal(err)
	}
	return in.Interp()
}

// evaluate fails the test with the rendered error if text has one.
func evaluate(tb testing.TB, in *eval.Interp, ctx context.Context, text string) eval.Value {
	tb.Helper()
	v, err := in.Eval(ctx, &value.Source{Name: tb.Name(), Text: text})
	if err != nil {
		tb.Fatal(eval.AsError(err).Render())
	}
	return v
}

func runProgram(tb testing.TB, ctx context.Context, p bench.Program) {
	tb.Helper()
	if got := value.Write(evaluate(tb, newInterp(tb), ctx, p.Text)); got != p.Want {
		tb.Fatalf("%s gives %s, not %s", p.Name, got, p.Want)
	}
}

// reportCPU adds the processor time of an iteration to what b reports, when
// the function that it returns is called.
func reportCPU(b *testing.B, unit time.Duration, name string) func() {
	start := bench.CPUTime()
	return func() {
		used := bench.CPUTime() - start
		b.ReportMetric(float64(used)/float64(unit)/float64(b.N), name)
	}
}

func TestPrograms(t *testing.T) {
	for _, p := range bench.Programs() {
		t.Run(p.Name, func(t *testing.T) { runProgram(t, context.Background(), p) })
	}
}

func BenchmarkProgram(b *testing.B) {
	for _, p := range bench.Programs() {
		b.Run(p.Name, func(b *testing.B) {
			b.ReportAllocs()
			defer reportCPU(b, time.Millisecond, "cpu-ms/op")()
			for b.Loop() {
				runProgram(b, context.Background(), p)
			}
		})
	}
}

// BenchmarkContext compares the same loops under a context that can be
// cancelled and one that cannot.
func BenchmarkContext(b *testing.B) {
	cancellable, cancel := context.WithCancel(context.Background())
	defer cancel()
	contexts := []struct {
		name string
		ctx  context.Context
	}{{"background", context.Background()}, {"cancellable", cancellable}}
	for _, name := range []string{"fib", "sumloop", "callbacks"} {
		p, err := bench.Lookup(name)
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range contexts {
			b.Run(name+"/"+c.name, func(b *testing.B) {
				defer reportCPU(b, time.Millisecond, "cpu-ms/op")()
				for b.Loop() {
					runProgram(b, c.ctx, p)
				}
			})
		}
	}
}

package core_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

// TestArrayVersions changes and reads versions of arrays in any order, and compares
// them with copies.
func TestArrayVersions(t *testing.T) {
	in, _ := newInterp(eval.Limits{})
	call := func(name string, args ...Value) Value {
		v, err := in.Call(context.Background(), must(in.Global(name)), args...)
		require.NoError(t, err)
		return v
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 7, 100, 1000} {
		arrays, models := []Value{call("i64-array/make", value.Int(int64(n)))}, [][]int64{make([]int64, n)}
		for step := range 3000 {
			k := len(arrays) - 1
			if random.IntN(10) == 0 {
				k = random.IntN(len(arrays))
			}
			i := random.IntN(n)
			switch random.IntN(20) {
			case 0:
				require.Equal(t, shown(models[k]), value.Write(arrays[k]))
			case 1:
				require.Equal(t, value.Int(models[k][i]), call("i64-array/ref", arrays[k], value.Int(int64(i))))
			default:
				model := append([]int64(nil), models[k]...)
				model[i] = int64(step)
				models = append(models, model)
				arrays = append(arrays, call("i64-array/set!", arrays[k], value.Int(int64(i)), value.Int(int64(step))))
			}
		}
		for k := range arrays {
			require.Equal(t, shown(models[k]), value.Write(arrays[k]))
		}
	}
}

func shown(xs []int64) string {
	s := fmt.Sprint(xs)
	return "#i64(" + s[1:len(s)-1] + ")"
}

// TestArraysReadElsewhere: a value that a program gave away can be read while the
// program goes on to change it.
func TestArraysReadElsewhere(t *testing.T) {
	in, _ := newInterp(eval.Limits{})
	v, err := run(in, "(define a (f64-array/make 100 1.0)) a")
	require.NoError(t, err)
	want := value.Write(v)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 100 {
			if got := value.Write(v); got != want {
				t.Error(got)
			}
		}
	})
	_, err = run(in, "(do ((i 0 (+ i 1))) ((= i 1000)) (set! a (f64-array/set! a (mod i 100) 2.0)))")
	require.NoError(t, err)
	wg.Wait()
}

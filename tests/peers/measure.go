package main

import (
	"runtime"
	"slices"
	"time"

	"github.com/gosema/gosema/tests/bench"
)

// cost is what one call of a measured function took.
type cost struct {
	time   time.Duration // of the processor
	bytes  float64       // allocated
	allocs float64
}

// measure runs f, which does something n times.
func measure(n int, f func() error) (cost, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := bench.CPUTime()
	err := f()
	used := bench.CPUTime() - start
	runtime.ReadMemStats(&after)
	return cost{
		time:   used / time.Duration(n),
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / float64(n),
		allocs: float64(after.Mallocs-before.Mallocs) / float64(n),
	}, err
}

// measureProgram returns the costs of each run on each engine, nil for an engine
// that cannot run it. The engines take turns, so that they share the noise.
func measureProgram(p program, runs int) ([][]cost, error) {
	es := engines()
	all := make([][]cost, len(es))
	for range runs {
		for i, e := range es {
			if p.texts[e.ext] == "" {
				continue
			}
			c, err := measure(1, func() error { return p.run(e) })
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], c)
		}
	}
	return all, nil
}

// times are the processor times of costs, in units.
func times(costs []cost, unit time.Duration) []float64 {
	var ts []float64
	for _, c := range costs {
		ts = append(ts, float64(c.time)/float64(unit))
	}
	return ts
}

func minimum(xs []float64) float64 { return slices.Min(xs) }

func middle(xs []float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	return sorted[len(sorted)/2]
}

// column picks a number for each engine; -1 where there is none.
func column(all [][]cost, pick func([]cost) float64) []float64 {
	out := make([]float64, len(all))
	for i, costs := range all {
		out[i] = -1
		if len(costs) > 0 {
			out[i] = pick(costs)
		}
	}
	return out
}

func milliseconds(all [][]cost, pick func([]float64) float64) []float64 {
	return column(all, func(cs []cost) float64 { return pick(times(cs, time.Millisecond)) })
}

func nanoseconds(all [][]cost, pick func([]float64) float64) []float64 {
	return column(all, func(cs []cost) float64 { return max(0, pick(times(cs, 1))) })
}

func bytesAllocated(all [][]cost) []float64 {
	return column(all, func(cs []cost) float64 { return cs[len(cs)-1].bytes })
}

func allocations(all [][]cost) []float64 {
	return column(all, func(cs []cost) float64 { return cs[len(cs)-1].allocs })
}

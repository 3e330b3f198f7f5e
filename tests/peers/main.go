// Command peers runs the benchmark programs on gosema and on other embeddable
// interpreters in Go, in one process, and prints the processor time that each
// takes and how it compares with gosema. All must give the same value.
//
//	go run . [-n 3] [-median] [program ... | embedding]
//
// Without programs it runs all, which takes ten minutes, and then measures what
// embedding costs; "embedding" measures that alone.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	runs := flag.Int("n", 3, "runs of each program")
	median := flag.Bool("median", false, "print the median of the runs instead of the minimum")
	flag.Parse()
	if err := compare(flag.Args(), *runs, *median); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func compare(names []string, runs int, median bool) error {
	pick, what := minimum, "minimum"
	if median {
		pick, what = middle, "median"
	}
	fmt.Printf("Processor time, %s of %d; in brackets: times gosema.\n\n", what, runs)
	onlyEmbedding := len(names) == 1 && names[0] == "embedding"
	if !onlyEmbedding {
		if err := comparePrograms(names, runs, pick); err != nil {
			return err
		}
	}
	if onlyEmbedding || len(names) == 0 {
		return compareEmbedding(runs, pick)
	}
	return nil
}

func comparePrograms(names []string, runs int, pick func([]float64) float64) error {
	ps, err := programs(names)
	if err != nil {
		return err
	}
	t := newTable("program, ms", engineNames())
	for _, p := range ps {
		costs, err := measureProgram(p, runs)
		if err != nil {
			return err
		}
		t.row(p.name, milliseconds(costs, pick))
	}
	fmt.Println()
	return nil
}

func compareEmbedding(runs int, pick func([]float64) float64) error {
	t := newTable("embedding", engineNames())
	for _, c := range embeddingCases() {
		costs, err := measureCase(c, runs)
		if err != nil {
			return err
		}
		t.row(c.name+", ns", nanoseconds(costs, pick))
		t.row(c.name+", bytes", bytesAllocated(costs))
		t.row(c.name+", allocations", allocations(costs))
	}
	return nil
}

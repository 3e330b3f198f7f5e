package main

// embeddingCase is something that hosts do often. measure returns the cost of
// doing it once; ok is false for an engine that cannot.
type embeddingCase struct {
	name    string
	measure func(e engine) (c cost, ok bool, err error)
}

func embeddingCases() []embeddingCase {
	return []embeddingCase{
		{"start and 1+2", measureStart},
		{"call of a script's function from Go", measureIntoScript},
		{"call of a Go function from a script", measureIntoGo},
	}
}

const (
	starts = 500
	calls  = 1_000_000
)

// measureCase returns the costs of each run on each engine.
func measureCase(c embeddingCase, runs int) ([][]cost, error) {
	es := engines()
	all := make([][]cost, len(es))
	for range runs {
		for i, e := range es {
			cost, ok, err := c.measure(e)
			if err != nil {
				return nil, err
			}
			if ok {
				all[i] = append(all[i], cost)
			}
		}
	}
	return all, nil
}

// repeat measures n calls of f.
func repeat(n int, f func() error) (cost, error) {
	return measure(n, func() error {
		for range n {
			if err := f(); err != nil {
				return err
			}
		}
		return nil
	})
}

func measureStart(e engine) (cost, bool, error) {
	c, err := repeat(starts, e.start)
	return c, true, err
}

func measureIntoScript(e engine) (cost, bool, error) {
	if e.intoScript == nil {
		return cost{}, false, nil
	}
	call, err := e.intoScript()
	if err != nil {
		return cost{}, false, err
	}
	c, err := repeat(calls, call)
	return c, true, err
}

// measureIntoGo is a loop of calls without what the loop itself takes.
func measureIntoGo(e engine) (cost, bool, error) {
	if e.intoGo == nil {
		return cost{}, false, nil
	}
	calling, empty, err := e.intoGo()
	if err != nil {
		return cost{}, false, err
	}
	full, err := measure(calls, func() error { return calling(calls) })
	if err != nil {
		return cost{}, false, err
	}
	loop, err := measure(calls, func() error { return empty(calls) })
	return cost{time: full.time - loop.time, bytes: full.bytes - loop.bytes, allocs: full.allocs - loop.allocs}, true, err
}

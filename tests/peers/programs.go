package main

import (
	"embed"
	"fmt"
	"regexp"
	"strconv"

	"github.com/gosema/gosema/tests/bench"
)

// The peers' programs are as their users would write them. One that is missing
// cannot be expressed, or the engine is not made for it: tengo calls 1024 deep,
// starlark-go exhausts the Go stack, and goja takes more than a minute for
// deep, as it copies its stack every 1024 slots; tengo cannot call back from Go,
// and neither it nor starlark-go can throw and catch.
//
//go:embed programs
var peerPrograms embed.FS

// program is one benchmark program in all languages.
type program struct {
	name      string
	want      string
	small     []size // what the tests replace to run it quickly
	smallWant string
	texts     map[string]string // by extension
}

// size is a number in a program and its replacement.
type size struct{ full, small int }

var smallSizes = map[string]struct {
	sizes []size
	want  string
}{
	"callbacks":  {[]size{{1000, 3}}, "149985000"},
	"counter":    {[]size{{20000000, 2000}}, "2001"},
	"deep":       {[]size{{1000000, 3000}}, "3000"},
	"fib":        {[]size{{35, 15}}, "610"},
	"hashmap":    {[]size{{1000000, 2000}}, "1000"},
	"lists":      {[]size{{1000000, 3000}}, "2997000"},
	"mandelbrot": {[]size{{400, 40}}, "27831"},
	"nqueens":    {[]size{{9, 6}}, "4"},
	"strings":    {[]size{{1000000, 1000}}, "7890"},
	"sumloop":    {[]size{{100000000, 1000}}, "499500"},
	"tak":        {[]size{{24, 12}, {16, 8}, {8, 4}}, "4"},
	"throw":      {[]size{{1000000, 1000}}, "500500"},
}

// programs returns those of the given names, or all.
func programs(names []string) ([]program, error) {
	var ps []program
	if len(names) == 0 {
		for _, b := range bench.Programs() {
			names = append(names, b.Name)
		}
	}
	for _, n := range names {
		b, err := bench.Lookup(n)
		if err != nil {
			return nil, err
		}
		ps = append(ps, newProgram(b))
	}
	return ps, nil
}

func newProgram(b bench.Program) program {
	small := smallSizes[b.Name]
	p := program{name: b.Name, want: b.Want, small: small.sizes, smallWant: small.want, texts: map[string]string{"sema": b.Text}}
	for dir, ext := range map[string]string{"lua": "lua", "goja": "js", "starlark": "star", "tengo": "tengo"} {
		if text, err := peerPrograms.ReadFile("programs/" + dir + "/" + b.Name + "." + ext); err == nil {
			p.texts[ext] = string(text)
		}
	}
	return p
}

// run runs the program on e and checks its value.
func (p program) run(e engine) error {
	return p.check(e, p.texts[e.ext], p.want)
}

// runSmall is run for a smaller input.
func (p program) runSmall(e engine) error {
	text := p.texts[e.ext]
	for _, s := range p.small {
		text = regexp.MustCompile(`\b`+strconv.Itoa(s.full)+`\b`).ReplaceAllString(text, strconv.Itoa(s.small))
	}
	return p.check(e, text, p.smallWant)
}

func (p program) check(e engine, text, want string) error {
	got, err := e.run(p.name, text)
	if err != nil {
		return fmt.Errorf("%s on %s: %w", p.name, e.name, err)
	}
	if got != want {
		return fmt.Errorf("%s on %s gives %s, not %s", p.name, e.name, got, want)
	}
	return nil
}

// Every program on every interpreter, with small inputs: all give the same
// value. Nothing is timed.
package main

import "testing"

func TestProgramsAgree(t *testing.T) {
	ps, err := programs(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		for _, e := range engines() {
			t.Run(p.name+"/"+e.name, func(t *testing.T) {
				if p.texts[e.ext] == "" {
					t.Skip("n/a")
				}
				if err := p.runSmall(e); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

func TestEmbedding(t *testing.T) {
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			if err := e.start(); err != nil {
				t.Fatal(err)
			}
			if e.intoScript != nil {
				testIntoScript(t, e)
			}
			if e.intoGo != nil {
				testIntoGo(t, e)
			}
		})
	}
}

func testIntoScript(t *testing.T, e engine) {
	call, err := e.intoScript()
	if err != nil {
		t.Fatal(err)
	}
	if err := call(); err != nil {
		t.Fatal(err)
	}
}

func testIntoGo(t *testing.T, e engine) {
	calling, empty, err := e.intoGo()
	if err != nil {
		t.Fatal(err)
	}
	for _, loop := range []func(n int) error{calling, empty} {
		if err := loop(10); err != nil {
			t.Fatal(err)
		}
	}
}

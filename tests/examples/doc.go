// Package examples runs the scripts of examples/ and checks what they print.
//
// For NAME.sema there are, in testdata: NAME.out, what it prints, in which
// marks stand for times and ports; NAME.setup.sema, which may start providers
// before it runs, and defines args, a list of strings; NAME.in, its standard
// input. (go test ./tests/examples -update) writes the .out files.
package examples

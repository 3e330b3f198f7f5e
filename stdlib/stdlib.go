// Package stdlib is the part of the library that reads best in the language
// itself. Its definitions are embedded, read once a process, and evaluated in
// an interpreter when a program first names them.
package stdlib

import (
	_ "embed"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

//go:embed prelude.sema
var prelude string

// Load returns the library with the definitions of this package.
func Load(l *eval.Library) *eval.Library {
	return l.WithPrelude(&value.Source{Name: "stdlib/prelude.sema", Text: prelude})
}

// Package gosema embeds the interpreter of the Sema language in Go programs: a
// Lisp in which calls of large language models are part of the language, with
// retry, fallback and rate limits built in.
//
//	in, err := gosema.New(gosema.Config{})
//	v, err := in.Eval(ctx, `(map (fn (x) (* x x)) '(1 2 3))`)
//	fmt.Println(v) // (1 4 9)
//
// An interpreter is isolated from others and safe to use from many goroutines:
// one program runs at a time, and others go on while it waits. What Eval and
// Call return may be read from any goroutine.
//
// This package only wires the others together: the data is package
// eval/value, the interpreter package eval, the LLM engine package llm.
package gosema

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"github.com/gosema/gosema/builtins/ai"
	"github.com/gosema/gosema/builtins/core"
	"github.com/gosema/gosema/builtins/sys"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/stdlib"
)

// The names an embedder needs most; see packages eval and eval/value for the
// rest.
type (
	// Value is any datum of the language.
	Value = value.Value
	// Thread is what a raw builtin runs on.
	Thread = eval.Thread
	// Builtin is a function written in Go, with its docs.
	Builtin = eval.Builtin
	// Error is an error of the language: Error() is its message, Render() shows
	// place, source line, trace and hint.
	Error = eval.Error
	// Limits bound what programs may use.
	Limits = eval.Limits
	// Caps are the capabilities that a sandbox can deny.
	Caps = eval.Caps
)

// The capabilities.
const (
	CapFSRead   = eval.CapFSRead
	CapFSWrite  = eval.CapFSWrite
	CapNetwork  = eval.CapNetwork
	CapShell    = eval.CapShell
	CapEnvRead  = eval.CapEnvRead
	CapEnvWrite = eval.CapEnvWrite
	CapProcess  = eval.CapProcess
	CapLLM      = eval.CapLLM
	CapAll      = eval.CapAll
)

// Config is how to make an interpreter. The zero Config is a full interpreter
// that uses the process's streams and takes LLM keys from the environment.
type Config struct {
	Stdin  io.Reader // nil: os.Stdin
	Stdout io.Writer // nil: os.Stdout
	Stderr io.Writer // nil: os.Stderr
	Args   []string  // what (sys/args) answers
	Limits Limits    // steps, stack and memory that a program may use
	// Deny are capabilities that programs do not get. If there are any, llm/*
	// does not reach private addresses either, such as servers on this machine,
	// unless HTTPClient says how to.
	Deny Caps

	// HTTPClient makes the requests of llm/*; nil is a client of its own. A
	// fake transport in it is the way to test programs without a network.
	HTTPClient *http.Client
	// Getenv answers environment variables, such as OPENAI_API_KEY; nil is
	// os.Getenv.
	Getenv func(string) string
	// Packages are the directories where import looks for packages that are no
	// files; none by default.
	Packages []string
	// CacheDir is where llm/with-cache keeps answers between runs; "" is
	// .gosema/cache/llm in the home directory. It is not used when CapFSRead or
	// CapFSWrite is denied: answers are kept in memory then.
	CacheDir string
	// NoLLM leaves the providers of the environment unconfigured.
	NoLLM bool
}

// library is the same for all interpreters of a process: made once, never
// changed.
var library = sync.OnceValue(func() *eval.Library {
	return stdlib.Load(eval.NewLibrary(core.Builtins(), sys.Builtins(), ai.Builtins()).WithConstants(core.Constants()).WithConstants(sys.Constants()))
})

// Interp is one interpreter.
type Interp struct{ in *eval.Interp }

// New makes an interpreter.
func New(c Config) (*Interp, error) {
	getenv := c.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	config := eval.Config{Library: library(), Limits: c.Limits, Deny: c.Deny,
		Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stderr, Args: c.Args}
	if len(c.Packages) > 0 {
		config.FindPackage = sys.PackageFinder(c.Packages...)
	}
	in := eval.New(config)
	noFiles := c.Deny&(CapFSRead|CapFSWrite) != 0
	ai.Setup(in, ai.Config{HTTPClient: c.HTTPClient, Getenv: getenv, NoEnvironment: c.NoLLM || c.Deny&CapLLM != 0,
		PublicOnly: c.Deny != 0, NoFiles: noFiles, CacheDir: cacheDir(c.CacheDir, noFiles), Columns: sys.Columns})
	return &Interp{in}, nil
}

// cacheDir is where cached answers go; "" keeps them in memory.
func cacheDir(configured string, noFiles bool) string {
	home, err := os.UserHomeDir()
	switch {
	case noFiles:
		return ""
	case configured == "" && err == nil:
		return filepath.Join(home, ".gosema", "cache", "llm")
	}
	return configured
}

// Eval evaluates all forms of src and returns the value of the last. Nothing
// runs if src has a syntax error. The error is an *Error.
func (i *Interp) Eval(ctx context.Context, src string) (Value, error) {
	return i.in.Eval(ctx, &value.Source{Name: "<eval>", Text: src})
}

// EvalNamed is Eval for a text whose name errors should show.
func (i *Interp) EvalNamed(ctx context.Context, name, src string) (Value, error) {
	return i.in.Eval(ctx, &value.Source{Name: name, Text: src})
}

// EvalFile evaluates the forms of a file.
func (i *Interp) EvalFile(ctx context.Context, path string) (Value, error) {
	return i.in.LoadFile(ctx, path)
}

// Call calls the function that name is bound to. Arguments are values, or Go
// data that value.From converts.
func (i *Interp) Call(ctx context.Context, name string, args ...any) (Value, error) {
	fn, ok := i.in.Global(name)
	if !ok {
		return value.Nil, eval.Errorf(eval.KindUnbound, "unbound variable: %s", name)
	}
	vals, err := convertArgs(args)
	if err != nil {
		return value.Nil, err
	}
	return i.in.Call(ctx, fn, vals...)
}

// CallValue calls a function value with values. It allocates nothing of its
// own.
func (i *Interp) CallValue(ctx context.Context, fn Value, args ...Value) (Value, error) {
	return i.in.Call(ctx, fn, args...)
}

func convertArgs(args []any) ([]Value, error) {
	vals := make([]Value, len(args))
	for k, a := range args {
		v, err := value.From(a)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", k+1, err)
		}
		vals[k] = v
	}
	return vals, nil
}

// Define binds name to a value, or to Go data that value.From converts.
func (i *Interp) Define(name string, x any) error {
	v, err := value.From(x)
	if err != nil {
		return fmt.Errorf("define %s: %w", name, err)
	}
	i.in.Define(name, v)
	return nil
}

// Lookup returns the value that name is bound to.
func (i *Interp) Lookup(name string) (Value, bool) { return i.in.Global(name) }

// RegisterBuiltin binds a raw builtin, which works on values and its thread.
func (i *Interp) RegisterBuiltin(b Builtin) { i.in.DefineBuiltin(b) }

// Preload makes (import name) evaluate text instead of a file: a module that the
// host program brings along.
func (i *Interp) Preload(name, text string) { i.in.Preload(name, text) }

// Close frees what programs opened and did not close, such as servers.
func (i *Interp) Close() { i.in.Close() }

// Interp is the interpreter itself, for what this package does not wrap.
func (i *Interp) Interp() *eval.Interp { return i.in }

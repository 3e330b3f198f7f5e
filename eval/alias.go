package eval

import (
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/eval/vm"
)

// What package vm implements and the rest of the project uses by these names.
type (
	// Value is any datum of the language; see package value.
	Value = value.Value
	// Thread is one flow of control: what a builtin runs on.
	Thread = vm.Thread
	// Caller calls one function many times; see [vm.Thread.Caller].
	Caller = vm.Caller
	// Spawner starts threads beside one; see [vm.Spawner].
	Spawner = vm.Spawner
	// Scope is an immutable record of a dynamic extent.
	Scope = vm.Scope
	// Error is an error of the language.
	Error = vm.Error
	// Kind is the class of an error.
	Kind = vm.Kind
	// Limits bound what programs may use.
	Limits = vm.Limits
)

// The kinds of errors.
const (
	KindReader     = vm.KindReader
	KindEval       = vm.KindEval
	KindType       = vm.KindType
	KindArity      = vm.KindArity
	KindUnbound    = vm.KindUnbound
	KindLLM        = vm.KindLLM
	KindIO         = vm.KindIO
	KindPermission = vm.KindPermission
	KindUser       = vm.KindUser
	KindInternal   = vm.KindInternal
	KindCancelled  = vm.KindCancelled
	KindTimeout    = vm.KindTimeout
	KindLimit      = vm.KindLimit
	KindExit       = vm.KindExit
)

// Errorf makes an error of a kind.
func Errorf(kind Kind, format string, args ...any) *Error { return vm.Errorf(kind, format, args...) }

// TypeError says that something else was wanted: "expected a number, got \"a\"".
func TypeError(expected string, got Value) *Error { return vm.TypeError(expected, got) }

// Throw makes the error that (throw v) raises.
func Throw(v Value) *Error { return vm.Throw(v) }

// AsError returns err as an error of the language.
func AsError(err error) *Error { return vm.AsError(err) }

// Brief prints a value for a message, cut when it is long.
func Brief(v Value) string { return vm.Brief(v) }

// ParamNames returns the names of a function's parameters, the rest parameter
// last if there is one; ok is false for what was not written in the language.
func ParamNames(fn Value) (names []string, rest, ok bool) {
	code, ok := vm.CodeOf(fn)
	if !ok {
		return nil, false, false
	}
	_, most := code.Arity()
	return code.ParamNames(), most < 0, true
}

// InterpOf returns the interpreter that t belongs to.
func InterpOf(t *Thread) *Interp { return t.Machine().Host.(*Interp) }

// Car is the first element of a list or a vector, nil if it is empty.
func Car(v Value) (Value, error) { return vm.Car(v) }

// Cdr is a list or a vector without its first element.
func Cdr(v Value) (Value, error) { return vm.Cdr(v) }

package gosema

import (
	"context"
	"fmt"
	"reflect"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// Register binds name to a Go function, checked once, here:
//
//	in.Register("area", func(w, h float64) float64 { return w * h })
//	in.Register("fetch", func(ctx context.Context, url string) ([]byte, error) { ... })
//
// Parameters and results are converted by value.Into and value.From. A first
// parameter of type context.Context gets the context of the evaluation, a
// variadic last one any number of arguments, and a last result of type error,
// if it is not nil, becomes an error of the language.
//
// The function runs without the interpreter's lock, so it may take its time and
// may use the interpreter itself; other goroutines' programs go on meanwhile.
// If it has a parameter or result of type Value it runs under the lock, and may
// do neither.
func (i *Interp) Register(name string, fn any) error {
	f, err := newGoFunc(name, fn)
	if err != nil {
		return err
	}
	arity := eval.Exactly(f.params())
	if f.typ.IsVariadic() {
		arity = eval.AtLeast(f.params() - 1)
	}
	i.in.DefineBuiltin(Builtin{Name: name, Arity: arity, Fn: f.call, Doc: "(" + name + " ...) is " + f.typ.String() + " of the Go program."})
	return nil
}

// goFunc is a Go function that the language can call.
type goFunc struct {
	name    string
	fn      reflect.Value
	typ     reflect.Type
	context int  // 1 if the first parameter is a context
	fails   bool // the last result is an error
	locked  bool // it deals in values
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
	valueType   = reflect.TypeFor[Value]()
)

func newGoFunc(name string, fn any) (*goFunc, error) {
	f := &goFunc{name: name, fn: reflect.ValueOf(fn)}
	if f.fn.Kind() != reflect.Func || f.fn.IsNil() {
		return nil, fmt.Errorf("register %s: expected a function, got %T", name, fn)
	}
	f.typ = f.fn.Type()
	if f.typ.NumIn() > 0 && f.typ.In(0) == contextType {
		f.context = 1
	}
	if n := f.typ.NumOut(); n > 0 && f.typ.Out(n-1) == errorType {
		f.fails = true
	}
	for k := f.context; k < f.typ.NumIn(); k++ {
		if err := f.check("parameter", k+1, f.typ.In(k)); err != nil {
			return nil, err
		}
	}
	for k := range f.results() {
		if err := f.check("result", k+1, f.typ.Out(k)); err != nil {
			return nil, err
		}
	}
	if f.results() > 1 {
		return nil, fmt.Errorf("register %s: %s has more than one result beside the error", name, f.typ)
	}
	return f, nil
}

// check refuses types that have no counterpart in the language.
func (f *goFunc) check(what string, n int, t reflect.Type) error {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return fmt.Errorf("register %s: %s %d has type %s, which has no counterpart in the language", f.name, what, n, t)
	}
	f.locked = f.locked || t == valueType
	return nil
}

// params is how many arguments a program gives.
func (f *goFunc) params() int { return f.typ.NumIn() - f.context }

func (f *goFunc) results() int {
	if f.fails {
		return f.typ.NumOut() - 1
	}
	return f.typ.NumOut()
}

func (f *goFunc) call(t *eval.Thread, args []Value) (Value, error) {
	in, err := f.arguments(args)
	if err != nil {
		return value.Nil, err
	}
	var out []reflect.Value
	if f.locked {
		out, err = f.invoke(t.Context(), in)
	} else {
		err = t.Blocking(func(ctx context.Context) (err error) {
			out, err = f.invoke(ctx, in)
			return err
		})
	}
	if err != nil || f.results() == 0 {
		return value.Nil, err
	}
	v, err := value.From(out[0].Interface())
	if err != nil {
		return value.Nil, fmt.Errorf("the result of %s: %w", f.name, err)
	}
	return v, nil
}

// arguments converts what the program passed.
func (f *goFunc) arguments(args []Value) ([]reflect.Value, error) {
	in := make([]reflect.Value, len(args))
	for k, arg := range args {
		x := reflect.New(f.paramType(k))
		if err := value.Into(arg, x.Interface()); err != nil {
			e := eval.TypeError(expectation(x.Type().Elem()), arg)
			e.Note = fmt.Sprintf("it is argument %d of %s: %v", k+1, f.name, err)
			return nil, e
		}
		in[k] = x.Elem()
	}
	return in, nil
}

func (f *goFunc) paramType(k int) reflect.Type {
	k += f.context
	if last := f.typ.NumIn() - 1; f.typ.IsVariadic() && k >= last {
		return f.typ.In(last).Elem()
	}
	return f.typ.In(k)
}

// expectation says in the language's terms what a Go type takes.
func expectation(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "an integer"
	case reflect.Float32, reflect.Float64:
		return "a real number"
	case reflect.Complex64, reflect.Complex128:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "a map"
	}
	return "something for the Go type " + t.String()
}

func (f *goFunc) invoke(ctx context.Context, in []reflect.Value) ([]reflect.Value, error) {
	if f.context == 1 {
		in = append([]reflect.Value{reflect.ValueOf(ctx)}, in...)
	}
	out := f.fn.Call(in)
	if f.fails {
		if err, _ := out[len(out)-1].Interface().(error); err != nil {
			return nil, err
		}
	}
	return out, nil
}

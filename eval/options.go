package eval

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gosema/gosema/eval/value"
)

// Options reads an options map, {:key value ...}. Like Args it remembers the
// first thing wrong; a key nobody knows is an error that suggests the near one.
type Options struct {
	given []option
	who   string
	err   *Error
}

type option struct {
	name string
	v    Value
}

// OptionsOf starts reading the options of the builtin who: v is a map or nil,
// and its keys must be among known.
func OptionsOf(who string, v Value, known ...string) *Options {
	o := &Options{who: who}
	switch {
	case v.IsNil():
	case !v.IsMap():
		o.err = TypeError("a map of options for "+who, v)
	default:
		o.read(v, known)
	}
	return o
}

// read takes the options out of the map once: looking each up there would
// intern its name.
func (o *Options) read(m Value, known []string) {
	for k, v := range m.Entries() {
		name, ok := k.KeywordName()
		if !ok {
			o.fail(TypeError("options of "+o.who+" to be keywords", k))
			return
		}
		if !slices.Contains(known, name) {
			o.fail(o.unknown(name, known))
			return
		}
		o.given = append(o.given, option{name, v})
	}
}

func (o *Options) unknown(name string, known []string) *Error {
	e := Errorf(KindEval, "%s has no option :%s", o.who, name)
	if near := Nearest(name, known); near != "" {
		e.Hint = "did you mean :" + near + "?"
	} else {
		e.Hint = "its options are :" + strings.Join(known, " :")
	}
	return e
}

func (o *Options) fail(e *Error) {
	if o.err == nil {
		o.err = e
	}
}

// Fail records another error.
func (o *Options) Fail(err error) {
	if err != nil {
		o.fail(AsError(err))
	}
}

// Err is the first thing that was wrong, or nil.
func (o *Options) Err() error {
	if o.err == nil {
		return nil
	}
	return o.err
}

func (o *Options) find(name string) (Value, bool) {
	for _, x := range o.given {
		if x.name == name {
			return x.v, true
		}
	}
	return value.Nil, false
}

// Get returns an option; given is false when it is missing or nil.
func (o *Options) Get(name string) (v Value, given bool) {
	v, _ = o.find(name)
	return v, !v.IsNil()
}

// Bad records that an option is not what was expected ("a number of milliseconds").
func (o *Options) Bad(name, expected string) {
	v, _ := o.Get(name)
	e := TypeError(expected+" for the option :"+name, v)
	o.fail(e)
}

// String returns an option that is a string.
func (o *Options) String(name, fallback string) string {
	v, given := o.Get(name)
	if !given {
		return fallback
	}
	s, ok := v.AsString()
	if !ok {
		o.Bad(name, "a string")
	}
	return s
}

// Int returns an option that is an integer; a whole float will do.
func (o *Options) Int(name string, fallback int64) int64 {
	v, given := o.Get(name)
	if !given {
		return fallback
	}
	a := ArgsOf([]Value{v})
	n := a.Int(0)
	if a.Err() != nil {
		o.Bad(name, "an integer")
	}
	return n
}

// Float returns an option that is a finite number.
func (o *Options) Float(name string, fallback float64) float64 {
	v, given := o.Get(name)
	if !given {
		return fallback
	}
	f, ok := v.ToFloat()
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
		o.Bad(name, "a finite number")
		return fallback
	}
	return f
}

// Millis returns an option in milliseconds that is not negative.
func (o *Options) Millis(name string, fallback time.Duration) time.Duration {
	v, given := o.Get(name)
	if !given {
		return fallback
	}
	f, ok := v.ToFloat()
	if !ok || !(f >= 0 && f <= float64(math.MaxInt64/time.Millisecond)) {
		o.Bad(name, "a number of milliseconds that is not negative")
		return fallback
	}
	return time.Duration(f * float64(time.Millisecond))
}

// Bool returns an option by its truth.
func (o *Options) Bool(name string, fallback bool) bool {
	v, ok := o.find(name)
	if !ok {
		return fallback
	}
	return v.Truthy()
}

// Func returns an option that can be called; nil if it is missing.
func (o *Options) Func(name string) (fn Value, given bool) {
	v, given := o.Get(name)
	if given && !IsCallable(v) {
		o.Bad(name, "a function")
		return value.Nil, false
	}
	return v, given
}

// Elems returns an option that is a list or a vector.
func (o *Options) Elems(name string) []Value {
	v, given := o.Get(name)
	if !given {
		return nil
	}
	if !v.IsSeq() {
		o.Bad(name, "a list or a vector")
		return nil
	}
	return v.Slice()
}

package core

import (
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// text builds a string, and stops when it grows beyond what is allowed or the
// evaluation is over. The first error sticks.
type text struct {
	t   *eval.Thread
	b   strings.Builder
	err error
}

// add appends s. It counts as work in proportion to its length.
func (x *text) add(s string) error {
	if x.err == nil && x.b.Len()+len(s) > x.b.Cap() {
		x.err = reserve(x.t, int64(2*x.b.Len()+len(s)), 1)
	}
	if x.err == nil {
		x.err = x.t.Tick(1 + len(s)/64)
	}
	if x.err == nil {
		x.b.WriteString(s)
	}
	return x.err
}

// Write makes it an io.Writer.
func (x *text) Write(p []byte) (int, error) { return len(p), x.add(string(p)) }

func (x *text) value() (Value, error) {
	if x.err != nil {
		return value.Nil, x.err
	}
	return value.String(x.b.String()), nil
}

// piece is a string that is a part of whole. A short one is copied, so that it
// does not keep a long text alive.
func piece(whole, part string) Value {
	if len(part) < 32 || len(part) < len(whole)/8 {
		part = strings.Clone(part)
	}
	return value.String(part)
}

package vm

import "github.com/gosema/gosema/eval/value"

// caught is what a handler got: the lazy map that catch binds. A thrown value
// becomes an Error only if someone asks for more than the value, which keeps
// throw and catch cheap.
type caught struct {
	head  value.LazyHead
	err   *Error // nil: thrown
	value Value
	trace []traceEntry
}

// Map is the map that catch binds for e.
func (e *Error) Map() Value { return (&caught{err: e}).asMap() }

func (c *caught) asMap() Value { return c.head.Map(c) }

func (c *caught) error() *Error {
	if c.err != nil {
		return c.err
	}
	return &Error{Kind: KindUser, Value: c.value, trace: c.trace}
}

// ErrorValue returns the error behind a map that catch bound, if v is one.
func ErrorValue(v Value) (*Error, bool) {
	if v.Kind() != value.KindMap {
		return nil, false
	}
	l, ok := value.Lazy(v)
	if !ok {
		return nil, false
	}
	c, ok := l.(*caught)
	if !ok {
		return nil, false
	}
	return c.error(), true
}

// Raised is what a guard binds: the value that was thrown, or the map of an error
// that was not thrown by the program.
func Raised(v Value) Value {
	if e, ok := ErrorValue(v); ok && e.Kind == KindUser {
		return e.Value
	}
	return v
}

var (
	keyType    = value.Keyword("type")
	keyMessage = value.Keyword("message")
	keyValue   = value.Keyword("value")
	keyTrace   = value.Keyword("stack-trace")
)

// LazyGet implements value.LazyMap.
func (c *caught) LazyGet(key Value) (Value, bool) {
	if c.err == nil && key == keyValue {
		return c.value, true
	}
	e := c.error()
	switch {
	case key == keyType:
		return value.Keyword(string(e.Kind)), true
	case key == keyMessage:
		return value.String(e.Error()), true
	case key == keyValue && e.Kind == KindUser:
		return e.Value, true
	}
	return value.Nil, false
}

// LazyAll implements value.LazyMap.
func (c *caught) LazyAll() Value {
	e := c.error()
	kvs := []Value{keyType, value.Keyword(string(e.Kind)), keyMessage, value.String(e.Error()), keyTrace, e.traceValue()}
	if e.Kind == KindUser {
		kvs = append(kvs, keyValue, e.Value)
	}
	if e.Hint != "" {
		kvs = append(kvs, value.Keyword("hint"), value.String(e.Hint))
	}
	return value.Map(append(kvs, e.Fields...)...)
}

func (e *Error) traceValue() Value {
	var list []Value
	if e.Builtin != "" {
		src, span := e.Place()
		list = append(list, Frame{e.Builtin, src, span}.value())
	}
	for _, f := range e.Frames() {
		list = append(list, f.value())
	}
	return value.List(list...)
}

func (f Frame) value() Value {
	name := f.Name
	if name == "" {
		name = "<lambda>"
	}
	kvs := []Value{value.Keyword("name"), value.String(name)}
	if f.Source != nil && f.Span.Start.IsValid() {
		kvs = append(kvs, value.Keyword("file"), value.String(f.Source.Name),
			value.Keyword("line"), value.Int(int64(f.Span.Start.Line)), value.Keyword("col"), value.Int(int64(f.Span.Start.Col)))
	}
	return value.Map(kvs...)
}

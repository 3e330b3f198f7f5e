package value

import (
	"math/big"
)

// ToGo converts a value to plain Go data:
//
//	nil                         nil
//	#t, #f                      bool
//	integer                     int64, or *big.Int when it does not fit
//	float                       float64
//	ratio                       *big.Rat
//	complex number              complex128
//	string, character           string
//	keyword, symbol             string, the name without a colon
//	bytevector                  []byte
//	list, vector                []any
//	map, hash map               map[string]any
//	record                      map[string]any, by field
//	opaque handle               the Go value it holds
//
// The keys of a map must be keywords, symbols or strings with different names.
// What has no counterpart, such as a function, is an error that says where it
// stands.
func ToGo(v Value) (x any, err error) {
	defer recoverLimits(&err)
	return (&exporter{}).plain(v)
}

// exporter converts values to Go data.
type exporter struct{ trail }

func (c *exporter) plain(v Value) (any, error) {
	switch v.Kind() {
	case KindNil:
		return nil, nil
	case KindBool:
		return v == True, nil
	case KindInt:
		return int64(v.bits), nil
	case KindFloat:
		f, _ := v.AsFloat()
		return f, nil
	case KindChar:
		return string(rune(v.bits)), nil
	case KindString:
		return v.text(), nil
	case KindSymbol, KindKeyword:
		return v.name().text, nil
	case KindBigInt:
		return new(big.Int).Set((*big.Int)(v.ref)), nil
	case KindRational:
		return new(big.Rat).Set((*big.Rat)(v.ref)), nil
	case KindComplex:
		z, _ := v.ToComplex()
		return z, nil
	case KindBytes:
		b, _ := v.AsBytes()
		return append([]byte{}, b...), nil
	case KindList, KindVector:
		return c.plainSlice(v)
	case KindMap, KindHashMap:
		return c.plainMap(v)
	case KindRecord:
		return c.plainMap(v.record().asMap())
	case KindOpaque:
		return (*Opaque)(v.ref).Data, nil
	}
	return nil, c.errorf("a %s has no plain Go value", v.TypeName())
}

// asMap returns the record's fields by keyword.
func (r *Record) asMap() Value {
	b := NewMapBuilder(KindMap, len(r.Fields))
	for i, name := range r.Type.Fields {
		b.Set(Keyword(name), r.Fields[i])
	}
	return b.Map()
}

func (c *exporter) plainSlice(v Value) (any, error) {
	out := make([]any, 0, v.Len())
	for x := range v.Elems() {
		if err := c.enter("", len(out)); err != nil {
			return nil, err
		}
		p, err := c.plain(x)
		if err != nil {
			return nil, err
		}
		c.leave()
		out = append(out, p)
	}
	return out, nil
}

func (c *exporter) plainMap(v Value) (any, error) {
	out := make(map[string]any, v.Len())
	for k, x := range v.Entries() {
		name, err := c.uniqueName(k, func(name string) bool { _, taken := out[name]; return taken })
		if err != nil {
			return nil, err
		}
		if err := c.enter(name, 0); err != nil {
			return nil, err
		}
		p, err := c.plain(x)
		if err != nil {
			return nil, err
		}
		c.leave()
		out[name] = p
	}
	return out, nil
}

func (c *exporter) uniqueName(k Value, taken func(string) bool) (string, error) {
	name, ok := keyName(k)
	if !ok {
		return "", c.errorf("the key %s is not a keyword, a symbol or a string", excerpt(k))
	}
	if taken(name) {
		return "", c.errorf("two keys have the name %q", name)
	}
	return name, nil
}

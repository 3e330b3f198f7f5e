package value

import (
	"encoding"
	"encoding/json"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// From converts Go data to a value, by the table above [ConvertError]:
//
//	From([]any{1, "a", nil})                    (1 "a" nil)
//	From(map[string]int{"b": 2, "a": 1})        {:a 1 :b 2}
//	From(struct{ UserID int; Tags []string }{}) {:tags () :user-id 0}
//
// What has no counterpart, such as a channel or a function, is an error that
// names its Go type and where it stands, and so is a cycle.
func From(x any) (v Value, err error) {
	defer recoverLimits(&err)
	if v, ok := fromAtom(x); ok {
		return v, nil
	}
	return (&importer{}).convert(reflect.ValueOf(x))
}

// fromAtom converts the commonest types without reflection.
func fromAtom(x any) (Value, bool) {
	switch x := x.(type) {
	case nil:
		return Nil, true
	case Value:
		return x, true
	case bool:
		return Bool(x), true
	case int:
		return Int(int64(x)), true
	case int64:
		return Int(x), true
	case float64:
		return Float(x), true
	case string:
		return String(x), true
	case []byte:
		return copyBytes(x), true
	}
	return Nil, false
}

func copyBytes(b []byte) Value { return Bytes(append([]byte(nil), b...)) }

// importer converts Go data to values.
type importer struct{ trail }

func (c *importer) convert(x reflect.Value) (Value, error) {
	for x.Kind() == reflect.Interface {
		x = x.Elem()
	}
	if !x.IsValid() {
		return Nil, nil
	}
	if x.CanInterface() {
		if v, ok := fromAtom(x.Interface()); ok {
			return v, nil
		}
		if v, ok, err := c.special(x.Interface(), x); ok {
			return v, err
		}
	}
	switch x.Kind() {
	case reflect.Bool:
		return Bool(x.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Int(x.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return Big(new(big.Int).SetUint64(x.Uint())), nil
	case reflect.Float32, reflect.Float64:
		return Float(x.Float()), nil
	case reflect.Complex64, reflect.Complex128:
		return fromComplex(x.Complex()), nil
	case reflect.String:
		return String(x.String()), nil
	case reflect.Slice, reflect.Array:
		return c.sequence(x)
	case reflect.Map:
		return c.mapping(x)
	case reflect.Struct:
		return c.structure(x)
	case reflect.Pointer:
		return c.pointee(x)
	}
	return Nil, c.errorf("a Go %s has no value in the language", x.Type())
}

// special converts types that mean more than their kind says.
func (c *importer) special(x any, r reflect.Value) (v Value, ok bool, err error) {
	if r.Kind() == reflect.Pointer && r.IsNil() {
		return Nil, false, nil // has methods, but not for us
	}
	switch x := x.(type) {
	case *big.Int:
		return Big(new(big.Int).Set(x)), true, nil
	case big.Int:
		return Big(new(big.Int).Set(&x)), true, nil
	case *big.Rat:
		return Rational(new(big.Rat).Set(x)), true, nil
	case big.Rat:
		return Rational(new(big.Rat).Set(&x)), true, nil
	case *big.Float:
		f, _ := x.Float64()
		return Float(f), true, nil
	case json.Number:
		v, err = c.number(string(x))
		return v, true, err
	case time.Duration:
		return fromDuration(x), true, nil
	case error:
		return String(x.Error()), true, nil
	case encoding.TextMarshaler:
		text, err := x.MarshalText()
		if err != nil {
			return Nil, true, c.errorf("%s: %v", r.Type(), err)
		}
		return String(string(text)), true, nil
	}
	return Nil, false, nil
}

func fromDuration(d time.Duration) Value {
	if d%time.Millisecond == 0 {
		return Int(int64(d / time.Millisecond))
	}
	return Float(float64(d) / float64(time.Millisecond))
}

// number converts a number in JSON's notation.
func (c *importer) number(s string) (Value, error) {
	if !strings.ContainsAny(s, ".eE") {
		if i, ok := new(big.Int).SetString(s, 10); ok {
			return Big(i), nil
		}
		return Nil, c.errorf("%q is not a number", s)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return Nil, c.errorf("%q is not a number that fits a float", s)
	}
	return Float(f), nil
}

func (c *importer) pointee(x reflect.Value) (Value, error) {
	if x.IsNil() {
		return Nil, nil
	}
	return c.part("", -1, x.Elem())
}

func (c *importer) sequence(x reflect.Value) (Value, error) {
	if x.Type().Elem().Kind() == reflect.Uint8 {
		b := make([]byte, x.Len())
		for i := range b {
			b[i] = byte(x.Index(i).Uint())
		}
		return Bytes(b), nil
	}
	elems := make([]Value, x.Len())
	for i := range elems {
		v, err := c.part("", i, x.Index(i))
		if err != nil {
			return Nil, err
		}
		elems[i] = v
	}
	return List(elems...), nil
}

// part converts a part of the data that has a name or an index.
func (c *importer) part(name string, index int, x reflect.Value) (Value, error) {
	if err := c.enter(name, index); err != nil {
		return Nil, err
	}
	v, err := c.convert(x)
	if err == nil {
		c.leave()
	}
	return v, err
}

func (c *importer) mapping(x reflect.Value) (Value, error) {
	b := NewMapBuilder(KindMap, x.Len())
	for it := x.MapRange(); it.Next(); {
		key, name, err := c.key(it.Key())
		if err != nil {
			return Nil, err
		}
		v, err := c.part(name, 0, it.Value())
		if err != nil {
			return Nil, err
		}
		if _, taken := b.Get(key); taken {
			return Nil, c.errorf("two keys of the Go map become %s", excerpt(key))
		}
		b.Set(key, v)
	}
	return b.Map(), nil
}

// key converts a map's key; strings become keywords.
func (c *importer) key(x reflect.Value) (key Value, name string, err error) {
	if x.Kind() == reflect.Interface {
		x = x.Elem()
	}
	if x.Kind() == reflect.String {
		return Keyword(x.String()), x.String(), nil
	}
	key, err = c.convert(x)
	if err != nil {
		return Nil, "", err
	}
	return key, excerpt(key), nil
}

func (c *importer) structure(x reflect.Value) (Value, error) {
	if p := reflect.New(x.Type()); p.Type().Implements(textMarshalType) {
		p.Elem().Set(x)
		v, _, err := c.special(p.Interface(), p)
		return v, err
	}
	info := c.structInfo(x.Type())
	vals := make([]Value, info.shape.Len())
	missing := 0
	for i, f := range info.fields {
		at := info.shape.order[i]
		field, err := x.FieldByIndexErr(f.index)
		if err != nil || f.omitEmpty && isEmpty(field) { // err: behind a nil embedded pointer
			vals[at] = Undefined
			missing++
			continue
		}
		if vals[at], err = c.part(f.name, 0, field); err != nil {
			return Nil, err
		}
	}
	if missing > 0 {
		return mapOfDefined(info.shape.keys, vals), nil
	}
	return info.shape.Map(vals), nil
}

// mapOfDefined leaves the keys without a value out.
func mapOfDefined(keys, vals []Value) Value {
	var ks, vs []Value
	for i, v := range vals {
		if v != Undefined {
			ks, vs = append(ks, keys[i]), append(vs, v)
		}
	}
	return MapFromSorted(ks, vs)
}

func isEmpty(x reflect.Value) bool {
	switch x.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array, reflect.String:
		return x.Len() == 0
	}
	return x.IsZero()
}

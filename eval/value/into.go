package value

import (
	"encoding"
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"time"
)

// Into fills what target, a pointer, leads to:
//
//	var opts struct {
//		Model   string
//		Retries uint8
//		Tags    []string
//	}
//	err := Into(Map(Keyword("model"), String("m"), Keyword("retries"), Int(300)), &opts)
//	// at retries: expected uint8, got 300
//
// It goes by the type of the target, in the other direction of the table above
// [ConvertError]. Floats take any real number, complex numbers any at all,
// integers only integers that fit;
// strings take strings, characters, and the names of keywords and symbols; a
// []byte takes a bytevector or a string; a type with UnmarshalText takes a
// string; a slice takes a list or a vector, an array one of its length; a struct
// takes a map or a record, ignores keys it does not know and keeps fields that
// are not mentioned; an any takes what [ToGo] answers; another interface takes
// what an opaque handle holds; nil empties what can be nil, a struct, and a field of one.
//
// After an error the target is as it was before.
func Into(v Value, target any) (err error) {
	defer recoverLimits(&err)
	p := reflect.ValueOf(target)
	c := &exporter{}
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return c.errorf("the target must be a pointer, not a %T", target)
	}
	out := reflect.New(p.Type().Elem()).Elem() // everything below it is made anew, too
	out.Set(p.Elem())
	if err := c.fill(out, v); err != nil {
		return err
	}
	p.Elem().Set(out)
	return nil
}

func (c *exporter) mismatch(t reflect.Type, got Value) error {
	return c.errorf("expected %s, got %s", t, excerpt(got))
}

func (c *exporter) fill(out reflect.Value, v Value) error {
	if done, err := c.fillSpecial(out, v); done {
		return err
	}
	switch out.Kind() {
	case reflect.Bool:
		if b, ok := v.AsBool(); ok {
			out.SetBool(b)
			return nil
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if setInteger(out, v) {
			return nil
		}
	case reflect.Float32, reflect.Float64:
		if f, ok := floatOf(v); ok && !out.OverflowFloat(f) {
			out.SetFloat(f)
			return nil
		}
	case reflect.Complex64, reflect.Complex128:
		if setComplex(out, v) {
			return nil
		}
	case reflect.String:
		if s, ok := plainText(v); ok {
			out.SetString(s)
			return nil
		}
	case reflect.Slice:
		return c.fillSlice(out, v)
	case reflect.Array:
		return c.fillArray(out, v)
	case reflect.Map:
		return c.fillMap(out, v)
	case reflect.Struct:
		return c.fillStruct(out, v)
	case reflect.Pointer:
		return c.fillPointer(out, v)
	case reflect.Interface:
		return c.fillInterface(out, v)
	}
	return c.mismatch(out.Type(), v)
}

// floatOf is the float nearest to a real number, unless an exact one is too
// large for that.
func floatOf(v Value) (float64, bool) {
	f, ok := v.ToFloat()
	return f, ok && (!math.IsInf(f, 0) || v.IsFloat())
}

func setComplex(out reflect.Value, v Value) bool {
	re, im, ok := v.AsComplex()
	x, ok1 := floatOf(re)
	y, ok2 := floatOf(im)
	z := complex(x, y)
	if !ok || !ok1 || !ok2 || out.OverflowComplex(z) {
		return false
	}
	out.SetComplex(z)
	return true
}

func plainText(v Value) (string, bool) {
	if r, ok := v.AsChar(); ok {
		return string(r), true
	}
	return keyName(v)
}

func setInteger(out reflect.Value, v Value) bool {
	if r, ok := v.AsChar(); ok && out.Kind() == reflect.Int32 {
		out.SetInt(int64(r))
		return true
	}
	i, ok := v.AsBig()
	if !ok {
		return false
	}
	if out.CanInt() {
		if !i.IsInt64() || out.OverflowInt(i.Int64()) {
			return false
		}
		out.SetInt(i.Int64())
		return true
	}
	if !i.IsUint64() || out.OverflowUint(i.Uint64()) {
		return false
	}
	out.SetUint(i.Uint64())
	return true
}

// fillSpecial fills targets whose type means more than its kind says.
func (c *exporter) fillSpecial(out reflect.Value, v Value) (done bool, err error) {
	switch p := out.Addr().Interface().(type) {
	case *Value:
		*p = v
	case *time.Duration:
		return true, c.fillDuration(p, v)
	case *big.Int:
		i, ok := v.AsBig()
		if !ok {
			return true, c.mismatch(out.Type(), v)
		}
		*p = *new(big.Int).Set(i)
	case *big.Rat:
		r, ok := v.AsRational()
		if !ok {
			return true, c.mismatch(out.Type(), v)
		}
		*p = *new(big.Rat).Set(r)
	case *json.Number:
		if f, _ := v.AsFloat(); !v.IsInteger() && !v.IsFloat() || math.IsInf(f, 0) || f != f {
			return true, c.mismatch(out.Type(), v)
		}
		*p = json.Number(v.String())
	case encoding.TextUnmarshaler:
		return c.fillText(p, out, v)
	default:
		return false, nil
	}
	return true, nil
}

func (c *exporter) fillDuration(p *time.Duration, v Value) error {
	r, ok := v.AsRational()
	if f, isFloat := v.AsFloat(); isFloat {
		r = new(big.Rat).SetFloat64(f) // nil unless finite
		ok = r != nil
	}
	if !ok {
		return c.mismatch(durationType, v)
	}
	r = new(big.Rat).Mul(r, big.NewRat(int64(time.Millisecond), 1))
	ns := new(big.Int).Quo(r.Num(), r.Denom())
	if !ns.IsInt64() {
		return c.mismatch(durationType, v)
	}
	*p = time.Duration(ns.Int64())
	return nil
}

// fillText parses a string. Other values go by the target's kind.
func (c *exporter) fillText(p encoding.TextUnmarshaler, out reflect.Value, v Value) (done bool, err error) {
	s, ok := plainText(v)
	if !ok {
		return false, nil
	}
	out.SetZero() // the copy may share memory with the target
	if err := p.UnmarshalText([]byte(s)); err != nil {
		return true, c.errorf("expected %s, got %s: %v", out.Type(), excerpt(v), err)
	}
	return true, nil
}

func (c *exporter) fillPointer(out reflect.Value, v Value) error {
	if v.IsNil() && out.Type().Elem() != valueType {
		out.SetZero()
		return nil
	}
	if o, ok := v.AsOpaque(); ok && assign(out, o.Data) {
		return nil
	}
	p := reflect.New(out.Type().Elem())
	if !out.IsNil() {
		p.Elem().Set(out.Elem())
	}
	if err := c.enter("", -1); err != nil {
		return err
	}
	if err := c.fill(p.Elem(), v); err != nil {
		return err
	}
	c.leave()
	out.Set(p)
	return nil
}

// assign stores x as it is, if its type allows that.
func assign(out reflect.Value, x any) bool {
	r := reflect.ValueOf(x)
	if !r.IsValid() || !r.Type().AssignableTo(out.Type()) {
		return false
	}
	out.Set(r)
	return true
}

func (c *exporter) fillInterface(out reflect.Value, v Value) error {
	switch {
	case v.IsNil():
		out.SetZero()
		return nil
	case out.NumMethod() > 0:
		if o, ok := v.AsOpaque(); ok && assign(out, o.Data) {
			return nil
		}
		return c.mismatch(out.Type(), v)
	}
	x, err := c.plain(v)
	if err == nil && x == nil {
		out.SetZero()
	} else if err == nil {
		out.Set(reflect.ValueOf(x))
	}
	return err
}

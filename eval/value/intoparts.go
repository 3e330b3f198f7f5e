package value

import "reflect"

// This file fills Go collections and structs, part by part; see [Into].

func (c *exporter) fillSlice(out reflect.Value, v Value) error {
	if v.IsNil() {
		out.SetZero()
		return nil
	}
	if out.Type().Elem().Kind() == reflect.Uint8 && !v.IsSeq() {
		return c.fillBytes(out, v)
	}
	if !v.IsSeq() {
		return c.mismatch(out.Type(), v)
	}
	s := reflect.MakeSlice(out.Type(), v.Len(), v.Len())
	if err := c.fillElems(s, v); err != nil {
		return err
	}
	out.Set(s)
	return nil
}

func (c *exporter) fillBytes(out reflect.Value, v Value) error {
	b, ok := v.AsBytes()
	if s, isText := v.AsString(); isText {
		b, ok = []byte(s), true
	}
	if !ok {
		return c.mismatch(out.Type(), v)
	}
	out.SetBytes(append([]byte{}, b...))
	return nil
}

func (c *exporter) fillElems(out reflect.Value, v Value) error {
	i := 0
	for x := range v.Elems() {
		if err := c.fillPart("", i, out.Index(i), x); err != nil {
			return err
		}
		i++
	}
	return nil
}

func (c *exporter) fillPart(name string, index int, out reflect.Value, v Value) error {
	if err := c.enter(name, index); err != nil {
		return err
	}
	if err := c.fill(out, v); err != nil {
		return err
	}
	c.leave()
	return nil
}

func (c *exporter) fillArray(out reflect.Value, v Value) error {
	b, isBytes := v.AsBytes()
	if isBytes && out.Type().Elem().Kind() == reflect.Uint8 && len(b) == out.Len() {
		for i, x := range b {
			out.Index(i).SetUint(uint64(x))
		}
		return nil
	}
	if !v.IsSeq() || v.Len() != out.Len() {
		return c.mismatch(out.Type(), v)
	}
	return c.fillElems(out, v)
}

func (c *exporter) fillMap(out reflect.Value, v Value) error {
	if v.IsNil() {
		out.SetZero()
		return nil
	}
	if !v.IsMap() {
		return c.mismatch(out.Type(), v)
	}
	t := out.Type()
	m := reflect.MakeMapWithSize(t, v.Len())
	for k, x := range v.Entries() {
		key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		name, ok := keyName(k)
		if !ok {
			name = excerpt(k)
		}
		if err := c.fillKey(key, k); err != nil {
			return err
		}
		if m.MapIndex(key).IsValid() {
			return c.errorf("two keys become %s", excerpt(k))
		}
		if err := c.fillPart(name, 0, elem, x); err != nil {
			return err
		}
		m.SetMapIndex(key, elem)
	}
	out.Set(m)
	return nil
}

func (c *exporter) fillKey(key reflect.Value, k Value) error {
	err := c.fill(key, k)
	if err == nil && !key.Comparable() {
		return c.errorf("%s cannot be the key of a Go map", excerpt(k))
	}
	return err
}

func (c *exporter) fillStruct(out reflect.Value, v Value) error {
	if o, ok := v.AsOpaque(); ok && assign(out, o.Data) {
		return nil
	}
	if r, ok := v.AsRecord(); ok {
		v = r.asMap()
	}
	if v.IsNil() {
		out.SetZero()
		return nil
	}
	if !v.IsMap() {
		return c.mismatch(out.Type(), v)
	}
	for _, f := range c.structInfo(out.Type()).fields {
		x, ok := lookup(v, f)
		if !ok {
			continue
		}
		field, ok := fieldToFill(out, f.index)
		if !ok {
			return c.errorf("cannot set the field %s of %s, which is behind an unexported pointer", f.name, out.Type())
		}
		if x.IsNil() && field.Type() != valueType {
			field.SetZero()
			continue
		}
		if err := c.fillPart(f.name, 0, field, x); err != nil {
			return err
		}
	}
	return nil
}

// lookup finds a field under its name as a keyword, a string or a symbol.
func lookup(m Value, f fieldInfo) (Value, bool) {
	x, ok := m.Get(f.key)
	if !ok {
		x, ok = m.Get(String(f.name))
	}
	if !ok {
		x, ok = m.Get(Symbol(f.name))
	}
	return x, ok
}

// fieldToFill returns a field for writing, and makes the embedded structs on the
// way to it anew, since the target's own must not be touched before the end.
func fieldToFill(out reflect.Value, index []int) (reflect.Value, bool) {
	for n, i := range index {
		if n > 0 && out.Kind() == reflect.Pointer {
			if !out.CanSet() {
				return out, false
			}
			p := reflect.New(out.Type().Elem())
			if !out.IsNil() {
				p.Elem().Set(out.Elem())
			}
			out.Set(p)
			out = p.Elem()
		}
		out = out.Field(i)
	}
	return out, true
}

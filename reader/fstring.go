package reader

import "github.com/gosema/gosema/eval/value"

// fstring reads f"a ${x} b" as (str "a " x " b"). The forms in it are read where
// they stand, so their places are right and strings in them need no escapes.
func (r *reader) fstring(start value.Pos) (value.Value, error) {
	r.off++
	sign := r.from(start)
	r.off++
	if err := r.push(start, "f-string", `"`); err != nil {
		return value.Nil, err
	}
	base := len(r.elems)
	r.add(r.named("str"), sign)
	for {
		if err := r.fpart(); err != nil {
			return value.Nil, err
		}
		if r.text[r.off] == '"' {
			r.off++
			r.pop()
			return r.list(base, r.from(start)), nil
		}
		if err := r.interpolation(); err != nil {
			return value.Nil, err
		}
	}
}

// fpart reads plain text up to a hole or the end; nothing is added for none.
func (r *reader) fpart() error {
	start := r.pos()
	buf, err := r.literal(nil, true)
	if err == nil && len(buf) > 0 {
		r.add(value.String(string(buf)), r.from(start))
	}
	return err
}

// interpolation reads ${form}.
func (r *reader) interpolation() error {
	from, start := r.off, r.pos()
	r.off += len("${")
	if err := r.push(start, "${", "}"); err != nil {
		return err
	}
	switch done, err := r.atCloser(); {
	case err != nil:
		return err
	case done:
		e := r.failAt(from, r.off, "expected a form in ${}")
		e.Hint = `\${ is a plain ${`
		return e
	}
	if err := r.element(); err != nil {
		return err
	}
	switch done, err := r.atCloser(); {
	case err != nil:
		return err
	case !done:
		return r.crowded()
	}
	r.pop()
	return nil
}

// crowded is the error of a second form in one hole, or of the f-string's end.
func (r *reader) crowded() *Error {
	c, got := r.text[r.off], "another form"
	switch c {
	case ')', ']':
		return r.misplaced(c)
	case '"':
		got = `"`
	}
	o := r.innermost()
	e := r.failAt(r.off, r.off+1, "%s, got %s", o.need(), got)
	e.Opened = o.span
	e.Hint = "${...} takes one form, like ${(+ a b)}"
	return e
}

package core

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func csvBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "csv/parse", Arity: eval.Exactly(1), Fn: csvParse,
			Doc: "(csv/parse text) lists the rows, each a list of strings.", Example: `(csv/parse "a,b\n1,\"x, y\"\n") ; => (("a" "b") ("1" "x, y"))`},
		{Name: "csv/parse-maps", Arity: eval.Exactly(1), Fn: csvParseMaps,
			Doc: "(csv/parse-maps text) lists the rows behind the first as maps, by the keywords that the first row names.", Example: `(csv/parse-maps "name,age\nAda,36\n") ; => ({:age "36" :name "Ada"})`},
		{Name: "csv/encode", Arity: eval.Exactly(1), Fn: csvEncode,
			Doc: "(csv/encode rows) is the text of a list of rows; values that are no strings are written as str does.", Example: `(csv/encode '(("name" "n") ("a,b" 1))) ; => "name,n\n\"a,b\",1\n"`},
	}
}

// keepLineBreaks doubles the CR of a CRLF within quotes, since the reader takes
// one away everywhere.
func keepLineBreaks(text string) string {
	if !strings.Contains(text, "\r\n") || !strings.Contains(text, `"`) {
		return text
	}
	var b strings.Builder
	for i, part := range strings.SplitAfter(text, `"`) {
		if i%2 == 1 {
			part = strings.ReplaceAll(part, "\r\n", "\r\r\n")
		}
		b.WriteString(part)
	}
	return b.String()
}

// csvRows calls row with each row of a text.
func csvRows(t *eval.Thread, args []Value, row func([]string) error) error {
	a := eval.ArgsOf(args)
	text := a.String(0)
	if err := a.Err(); err != nil {
		return err
	}
	r := csv.NewReader(strings.NewReader(keepLineBreaks(text)))
	r.ReuseRecord = true
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return csvError(err)
		}
		if err := t.Tick(1 + len(fields)); err != nil {
			return err
		}
		if err := row(fields); err != nil {
			return err
		}
	}
}

func csvError(err error) error {
	bad, ok := errors.AsType[*csv.ParseError](err)
	if !ok {
		return err
	}
	e := eval.Errorf(eval.KindEval, "line %d, column %d of the text: %v", bad.Line, bad.Column, bad.Err)
	if errors.Is(bad.Err, csv.ErrFieldCount) {
		e.Message = fmt.Sprintf("line %d of the text has another number of fields than the first", bad.Line)
	}
	return e
}

func csvParse(t *eval.Thread, args []Value) (Value, error) {
	var rows []Value
	err := csvRows(t, args, func(fields []string) error {
		row, err := stringList(t, fields)
		rows = append(rows, row)
		return err
	})
	return t.Heap().List(rows), err
}

func csvParseMaps(t *eval.Thread, args []Value) (Value, error) {
	var shape *value.Shape
	var rows []Value
	err := csvRows(t, args, func(fields []string) error {
		if shape == nil {
			keys := make([]Value, len(fields))
			for i, f := range fields {
				keys[i] = value.Keyword(f)
			}
			shape = value.NewShape(keys)
			return nil
		}
		kvs := make([]Value, shape.Len())
		for i, at := range shape.Order() {
			kvs[at] = value.String(fields[i])
		}
		rows = append(rows, shape.Map(kvs))
		return reserve(t, int64(len(kvs)), 64)
	})
	return t.Heap().List(rows), err
}

func csvEncode(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	rows := a.Elems(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, row := range rows {
		if !row.IsSeq() {
			return value.Nil, eval.TypeError("a list of rows, each a list or a vector", row)
		}
		fields := make([]string, 0, row.Len())
		for x := range row.Elems() {
			fields = append(fields, value.Display(x))
		}
		if err := t.Tick(1 + len(fields)); err != nil {
			return value.Nil, err
		}
		if len(fields) == 0 || len(fields) == 1 && fields[0] == "" {
			w.Flush()
			b.WriteString("\"\"\n") // an empty line would be read as no row
			continue
		}
		if err := w.Write(fields); err != nil {
			return value.Nil, err
		}
	}
	w.Flush()
	return value.String(b.String()), w.Error()
}

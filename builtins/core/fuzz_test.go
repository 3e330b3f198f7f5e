package core_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/core"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// fuzzed calls a builtin with texts: whatever they are, it answers or says what is
// wrong with them.
func fuzzed(t *testing.T, in *eval.Interp, name string, texts ...string) (value.Value, bool) {
	t.Helper()
	fn, ok := in.Global(name)
	require.True(t, ok)
	var args []value.Value
	for _, s := range texts {
		args = append(args, value.String(s))
	}
	v, err := in.Call(context.Background(), fn, args...)
	if err != nil {
		require.NotEqual(t, eval.KindInternal, eval.AsError(err).Kind, "%s %q: %v", name, texts, err)
		return value.Nil, false
	}
	return v, true
}

func fuzzInterp() *eval.Interp {
	return eval.New(eval.Config{Library: eval.NewLibrary(core.Builtins())})
}

// FuzzJSON: what is decoded is what encoding/json takes for valid, and comes back
// the same when it is encoded.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,null,true,"\u00e9"]}`, `[1e2,-0]`, `"\ud83d"`, "nope"} {
		f.Add(s)
	}
	in := fuzzInterp()
	f.Fuzz(func(t *testing.T, text string) {
		v, ok := fuzzed(t, in, "json/decode", text)
		if ok != json.Valid([]byte(text)) && len(text) < 900 { // deeper or larger than we take
			var x any
			if err := json.Unmarshal([]byte(text), &x); (err == nil) != ok {
				t.Fatalf("%q: decoded %v, encoding/json says %v", text, ok, err)
			}
		}
		if !ok {
			return
		}
		again, err := in.Call(context.Background(), must(in.Global("json/encode")), v)
		require.NoError(t, err)
		s, _ := again.AsString()
		back, ok := fuzzed(t, in, "json/decode", s)
		require.True(t, ok, s)
		require.Equal(t, value.Write(v), value.Write(back))
	})
}

func must(v value.Value, _ bool) value.Value { return v }

// FuzzCSV: rows that were read can be written, and are the same when read again.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "\"x, \"\"y\"\"\",\r\n", "a,\"", "\ufeffa;b", "\n\n"} {
		f.Add(s)
	}
	in := fuzzInterp()
	f.Fuzz(func(t *testing.T, text string) {
		fuzzed(t, in, "csv/parse-maps", text)
		rows, ok := fuzzed(t, in, "csv/parse", text)
		if !ok {
			return
		}
		written, err := in.Call(context.Background(), must(in.Global("csv/encode")), rows)
		require.NoError(t, err)
		s, _ := written.AsString()
		again, ok := fuzzed(t, in, "csv/parse", s)
		require.True(t, ok, s)
		require.Equal(t, value.Write(rows), value.Write(again))
	})
}

// FuzzRegex takes any pattern, text and replacement, and compares what the builtins
// find with each other.
func FuzzRegex(f *testing.F) {
	f.Add("a+", "baac", "<$0>")
	f.Add("(?P<x>\\d)|(b)?", "1b2", "${x}$2")
	f.Add("(", "(", "$")
	in := fuzzInterp()
	f.Fuzz(func(t *testing.T, pattern, text, replacement string) {
		found, ok := fuzzed(t, in, "regex/match", pattern, text)
		is, _ := fuzzed(t, in, "regex/match?", pattern, text)
		all, _ := fuzzed(t, in, "regex/find-all", pattern, text)
		parts, _ := fuzzed(t, in, "regex/split", pattern, text)
		fuzzed(t, in, "regex/replace", pattern, replacement, text)
		replaced, _ := fuzzed(t, in, "regex/replace-all", pattern, replacement, text)
		if !ok {
			return
		}
		require.Equal(t, found.IsNil(), !is.Truthy())
		require.Equal(t, found.IsNil(), all.Len() == 0)
		if found.IsNil() {
			require.Equal(t, value.Write(value.String(text)), value.Write(replaced))
			require.Equal(t, 1, parts.Len())
		}
	})
}

// FuzzFormat takes any text for a format, with arguments of several types.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{"~a and ~s~%", "~~", "~", "~d~x", "~5a", "{}", "%s %d"} {
		f.Add(s, "text", int64(-3), 2.5)
	}
	in := fuzzInterp()
	f.Fuzz(func(t *testing.T, text, s string, n int64, x float64) {
		fuzzed(t, in, "format", text)
		fuzzed(t, in, "format", text, s, s)
		args := []value.Value{value.String(text), value.Int(n), value.String(s), value.Float(x), value.Nil, value.List(value.Keyword("k"))}
		if _, err := in.Call(context.Background(), must(in.Global("format")), args...); err != nil {
			require.NotEqual(t, eval.KindInternal, eval.AsError(err).Kind, "%q: %v", text, err)
		}
	})
}

// FuzzTextFormats takes any text for base64 and for Unicode's normal forms.
func FuzzTextFormats(f *testing.F) {
	f.Add("aGVsbG8=")
	f.Add("\u00e9\ufb01")
	in := fuzzInterp()
	f.Fuzz(func(t *testing.T, text string) {
		if v, ok := fuzzed(t, in, "base64/decode", text); ok {
			s, _ := v.AsString()
			fuzzed(t, in, "base64/encode", s)
		}
		fuzzed(t, in, "base64/decode-bytes", text)
		fuzzed(t, in, "string/normalize", text, "nfkd")
	})
}

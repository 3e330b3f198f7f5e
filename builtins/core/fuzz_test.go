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

// FuzzTextFormats takes any text for CSV, base64, a pattern and a text to look in.
func FuzzTextFormats(f *testing.F) {
	f.Add("a,b\n1,2\n", "a+")
	f.Add("aGVsbG8=", "(")
	in := fuzzInterp()
	f.Fuzz(func(t *testing.T, text, pattern string) {
		if rows, ok := fuzzed(t, in, "csv/parse", text); ok {
			_, err := in.Call(context.Background(), must(in.Global("csv/encode")), rows)
			require.NoError(t, err)
		}
		fuzzed(t, in, "csv/parse-maps", text)
		if v, ok := fuzzed(t, in, "base64/decode", text); ok {
			s, _ := v.AsString()
			fuzzed(t, in, "base64/encode", s)
		}
		fuzzed(t, in, "base64/decode-bytes", text)
		for _, name := range []string{"regex/match", "regex/match?", "regex/find-all", "regex/split"} {
			fuzzed(t, in, name, pattern, text)
		}
		fuzzed(t, in, "regex/replace-all", pattern, "$1${x}", text)
		fuzzed(t, in, "string/normalize", text, "nfkd")
	})
}

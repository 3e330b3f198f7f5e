package wire

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
)

// standard is what encoding/json makes of a string when it leaves HTML alone.
func standard(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

func written(f func(w *Writer)) string {
	w := NewWriter(0)
	f(w)
	body, err := w.Body()
	if err != nil {
		return err.Error()
	}
	return string(body)
}

func TestWriter(t *testing.T) {
	assert.Equal(t, `{"a":1,"b":[],"c":[{},{"d":null,"e":false}],"f":"x","h":["1","2"],"j":[1],"k":0.5}`, written(func(w *Writer) {
		w.Open('{')
		w.Name("a").Int(1)
		w.Name("b").Open('[')
		w.Close(']')
		w.Name("c").Open('[')
		w.Open('{')
		w.Close('}')
		w.Open('{')
		w.Name("d").Null()
		w.Name("e").Bool(false)
		w.Close('}')
		w.Close(']')
		w.Text("f", "x")
		w.Text("g", "")
		w.Strings("h", []string{"1", "2"})
		w.Strings("i", nil)
		w.Name("j").JSON(json.RawMessage("[ 1 ]"))
		w.Name("k").Float(0.5)
		w.Close('}')
	}))
	for _, bad := range []func(w *Writer){
		func(w *Writer) { w.Float(math.NaN()) },
		func(w *Writer) { w.Float(math.Inf(-1)) },
		func(w *Writer) { w.JSON(json.RawMessage("{")) },
	} {
		w := NewWriter(0)
		bad(w)
		_, err := w.Body()
		require.Error(t, err)
		assert.Equal(t, llm.KindBadRequest, err.(*llm.Error).Kind)
	}
	for _, f := range []float64{0, 1, 0.1, 1e21, 1e-9, 123456789, math.MaxFloat64} {
		assert.True(t, json.Valid([]byte(written(func(w *Writer) { w.Float(f) }))), f)
	}
}

func FuzzWriterString(f *testing.F) {
	for _, s := range []string{"", "plain", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "é😀<&>\u2028\u2029", "x\xed\xa0\xbdy", "\xff", "a\xc3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var got, want string
		text := written(func(w *Writer) { w.String(s) })
		require.NoError(t, json.Unmarshal([]byte(text), &got), text)
		require.NoError(t, json.Unmarshal([]byte(standard(s)), &want))
		assert.Equal(t, want, got)
	})
}

// FuzzReader compares with encoding/json: what the reader takes is valid, and
// it reads the same strings.
func FuzzReader(f *testing.F) {
	for _, s := range []string{
		`{"a":"x","b":[1,-2.5e+3,0,true,false,null,{}]}`, ` [ ] `, `"\n\"\\\/\u00e9"`, `"\ud83d"`, `[1,]`, `{,}`, `{"a" 1}`,
		`01`, `-`, `1.`, `1e`, `nul`, `"a`, `"a` + "\x01" + `"`, "\"\xff\"", `[[[[]]]]`, "\"a\"\x00", `{"a":1}x`, ``, `"\`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewReader(data)
		r.Skip()
		if r.Done() && !json.Valid(data) {
			t.Errorf("%q was taken", data)
		}
		var got, want string
		r = NewReader(data)
		if r.peek() == '"' {
			if r.String(&got); r.Done() {
				require.NoError(t, json.Unmarshal(data, &want))
				assert.Equal(t, want, got)
			}
		}
	})
}

func TestReaderTakesWhatIsValid(t *testing.T) {
	for _, s := range []string{
		`{"a":"x","b":[1,-2.5e+3,0,true,false,null,{},[]]}`, ` [ ] `, `"\n\"\\\/\u00e9"`, `"\ud83d"`, `0`, `-0.1E-7`, "{ \"a\" :\n\t1 , \"b\" : 2 }\r\n",
	} {
		r := NewReader([]byte(s))
		r.Skip()
		assert.True(t, r.Done(), s)
	}
	for _, s := range []string{strings.Repeat("[", 1000) + strings.Repeat("]", 1000), `{"\u0061":1}`} { // rare: left to encoding/json
		r := NewReader([]byte(s))
		r.Skip()
		assert.False(t, r.Done())
	}
}

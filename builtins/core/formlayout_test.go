package core_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/reader"
)

// FuzzFormatForm: what is laid out reads back as the same form, and laying that
// out changes nothing. Any text can be checked.
func FuzzFormatForm(f *testing.F) {
	for _, s := range []string{
		"(define (f x) (let ((a 1) (b 2)) a) b)", "{:a [1 2 {:b (when x y z)}]} ", "(let loop () (do) (let) (let* 1 2) (define-record-type p))",
		"(defmacro m (x) `(a ,x ,@x)) (m (if))", "(fn (x) \"a rather long text, which fills the line up quite a lot\" (cond (a b) (else (for ((x y)) z w))))",
	} {
		f.Add(s)
	}
	in := fuzzInterp()
	fn, _ := in.Global("format/form")
	f.Fuzz(func(t *testing.T, text string) {
		_, ok := fuzzed(t, in, "sema/check-string", text)
		require.True(t, ok)
		unit, err := reader.ReadAll(&value.Source{Name: "fuzz", Text: text})
		if err != nil {
			return
		}
		for _, form := range unit.Forms {
			out, err := in.Call(context.Background(), fn, form.Value)
			require.NoError(t, err)
			s, _ := out.AsString()
			back, _, err := reader.ReadOne(&value.Source{Name: "fuzz", Text: s})
			require.NoError(t, err, s)
			require.Equal(t, value.Write(form.Value), value.Write(back.Value), s)
			again, err := in.Call(context.Background(), fn, back.Value)
			require.NoError(t, err)
			require.Equal(t, s, value.Display(again))
		}
	})
}
